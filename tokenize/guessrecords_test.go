package tokenize

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// guessRecords are records as shops have them: a name, a description, a colour and a category each.
var guessRecords = map[string]string{
	"ar": `سجادة صوف كبيرة|سجادة يدوية الصنع لغرفة الجلوس|رمادي|منزل
قلادة فضية للنساء|قلادة أنيقة مع علبة هدية|فضي|مجوهرات
قميص رجالي قطني|قميص مريح بأكمام طويلة|أزرق|ملابس
مصباح مكتب|مصباح قابل للطي مع منفذ شحن|أبيض|أثاث
كرة قدم جلدية|كرة للتدريب على العشب|أسود|رياضة`,
	"cs": `Zahradní židle z teaku|Skládací židle na terasu s měkkým polštářem|hnědá|Zahrada
Pláštěnka pro kluky|Lehká, chrání před větrem a vejde se do aktovky|žlutá|Oblečení
Rychlovarná konvice 1,7 litru|Rychle ohřeje vodu a sama se vypne|černá|Kuchyně`,
	"da": `Havestol i teaktræ|Foldestol til terrassen med bløde hynder|brun|Have
Regnjakke til drenge|Vindtæt og let at tage med i skole|gul|Tøj
Elkedel 1,7 liter|Koger vandet hurtigt og slukker selv|sort|Køkken
Cykellygte med USB|Lyser op på mørke veje|rød|Cykler
Ansigtscreme til tør hud|Uden parfume, kan bruges hver dag|hvid|Skønhed`,
	"de": `Gartenstuhl aus Teakholz|Klappstuhl für die Terrasse mit weichem Polster|braun|Garten
Regenjacke für Jungen|Winddicht und leicht, passt in jeden Schulranzen|gelb|Kleidung
Wasserkocher 1,7 Liter|Kocht schnell und schaltet von selbst ab|schwarz|Küche
Fahrradlampe mit Akku|Leuchtet auch auf dunklen Wegen|rot|Fahrräder
Gesichtscreme für trockene Haut|Ohne Duftstoffe, für jeden Tag|weiß|Kosmetik`,
	"el": `Καρέκλα κήπου από ξύλο|Πτυσσόμενη καρέκλα για τη βεράντα με μαλακό μαξιλάρι|καφέ|Κήπος
Αδιάβροχο για αγόρια|Ελαφρύ, προστατεύει από τον αέρα και χωράει στη σχολική τσάντα|κίτρινο|Ρούχα
Βραστήρας νερού 1,7 λίτρα|Βράζει γρήγορα και σβήνει μόνος του|μαύρο|Κουζίνα
Φως ποδηλάτου με μπαταρία|Φωτίζει και τους πιο σκοτεινούς δρόμους|κόκκινο|Ποδήλατα
Κρέμα προσώπου για ξηρό δέρμα|Χωρίς άρωμα, για κάθε μέρα|λευκό|Ομορφιά`,
	"es": `Silla de jardín de teca|Silla plegable para la terraza con cojín blando|marrón|Jardín
Chubasquero para chico|Ligero, resiste el viento y cabe en la cartera|amarillo|Moda
Hervidor de agua 1,7 litros|Calienta en poco tiempo y se apaga solo|negro|Cocina
Luz de bicicleta recargable|Ilumina los caminos más oscuros|rojo|Ciclismo
Crema facial para piel seca|Sin perfume, de uso diario|blanco|Cosmética`,
	"fi": `Puutarhatuoli tiikistä|Taitettava tuoli terassille ja pehmeä istuintyyny|ruskea|Puutarha
Poikien sadetakki|Tuulenpitävä ja kevyt, mahtuu koulureppuun|keltainen|Vaatteet
Vedenkeitin 1,7 litraa|Keittää veden nopeasti ja sammuu itse|musta|Keittiö
Polkupyörän valo|Ladattava valo pimeille teille|punainen|Pyöräily
Kasvovoide kuivalle iholle|Hajusteeton, sopii joka päivälle|valkoinen|Kauneus`,
	"fr": `Chaise de jardin en teck|Chaise pliante pour la terrasse avec coussin moelleux|marron|Jardin
Imperméable pour garçon|Coupe-vent léger qui tient dans le cartable|jaune|Mode
Bouilloire 1,7 litre|Chauffe vite et s'arrête toute seule|noir|Cuisine
Lampe de vélo rechargeable|Éclaire les chemins les plus sombres|rouge|Cyclisme
Crème visage pour peau sèche|Sans parfum, à appliquer chaque jour|blanc|Cosmétique`,
	"ga": `Cathaoir ghairdín adhmaid|Cathaoir infhillte don phaitió le cúisín bog|donn|Gairdín
Seaicéad báistí do bhuachaillí|Tá sé éadrom agus coimeádann sé an ghaoth amach|buí|Éadaí
Citeal 1.7 lítear|Fiuchann sé an t-uisce go tapa|dubh|Cistin
Solas rothair|Solas láidir do na bóithre dorcha san oíche|dearg|Rothaíocht
Uachtar aghaidhe|Do chraiceann tirim, le húsáid gach lá|bán|Áilleacht`,
	"hi": `लकड़ी की कुर्सी|बगीचे के लिए मुड़ने वाली कुर्सी, मुलायम गद्दी के साथ|भूरा|बगीचा
बच्चों की बरसाती|हल्की और हवा से बचाने वाली, स्कूल बैग में रखी जा सकती है|पीला|कपड़े
बिजली की केतली 1.7 लीटर|पानी जल्दी उबालती है और अपने आप बंद होती है|काला|रसोई
साइकिल की बत्ती|अंधेरी सड़कों पर भी रोशनी देती है|लाल|साइकिल
चेहरे की क्रीम|रूखी त्वचा के लिए, हर दिन लगाएं|सफेद|सौंदर्य`,
	"hu": `Kerti szék tíkfából|Összecsukható szék a teraszra, puha párnával|barna|Kert
Esőkabát fiúknak|Szélálló és könnyű, elfér az iskolatáskában|sárga|Ruházat
Vízforraló 1,7 liter|Gyorsan felforr, és magától kikapcsol|fekete|Konyha
Kerékpár lámpa|Tölthető lámpa a sötét utakra|piros|Kerékpár
Arckrém száraz bőrre|Illatmentes, minden napra|fehér|Szépség`,
	"it": `Sedia da giardino in teak|Sedia pieghevole per il terrazzo con cuscino morbido|marrone|Giardino
Impermeabile per ragazzo|Leggero, ripara dal vento e sta nella cartella|giallo|Moda
Bollitore da 1,7 litri|Scalda l'acqua in fretta e si spegne da solo|nero|Cucina
Luce per bicicletta|Illumina anche le strade più buie|rosso|Ciclismo
Crema viso per pelle secca|Senza profumo, da usare ogni giorno|bianco|Cosmetici`,
	"nl": `Tuinstoel van teakhout|Klapstoel voor het terras met zacht kussen|bruin|Tuin
Regenjas voor jongens|Winddicht en licht, past in elke schooltas|geel|Kleding
Waterkoker 1,7 liter|Kookt snel en schakelt vanzelf uit|zwart|Keuken
Fietslamp met accu|Verlicht ook de donkerste wegen|rood|Fietsen
Gezichtscrème voor droge huid|Zonder parfum, voor elke dag|wit|Cosmetica`,
	"no": `Hagestol i teak|Klappstol til terrassen med myke puter|brun|Hage
Regnjakke til gutter|Vindtett og lett å ta med på skolen|gul|Klær
Vannkoker 1,7 liter|Koker vannet raskt og slår seg av selv|svart|Kjøkken
Sykkellykt med USB|Lyser opp mørke veier om kvelden|rød|Sykler
Ansiktskrem for tørr hud|Uten parfyme, kan brukes hver dag|hvit|Skjønnhet`,
	"pt": `Cadeira de jardim em teca|Cadeira dobrável para a varanda com almofada macia|castanho|Jardim
Capa de chuva para rapaz|Leve, protege do vento e cabe na mochila|amarelo|Moda
Chaleira elétrica 1,7 litros|Aquece a água depressa e desliga sozinha|preto|Cozinha
Luz de bicicleta recarregável|Ilumina os caminhos mais escuros|vermelho|Ciclismo
Creme facial para pele seca|Sem perfume, para usar todos os dias|branco|Cosmética`,
	"ro": `Scaun de grădină din lemn|Scaun pliabil pentru terasă cu pernă moale|maro|Grădină
Pelerină de ploaie pentru băieți|Ușoară, rezistă la vânt și încape în ghiozdan|galben|Îmbrăcăminte
Fierbător de apă 1,7 litri|Încălzește repede și se oprește singur|negru|Bucătărie
Lumină pentru bicicletă|Luminează și cele mai întunecate drumuri|roșu|Ciclism
Cremă de față pentru piele uscată|Fără parfum, pentru fiecare zi|alb|Frumusețe`,
	"ru": `Садовый стул из тика|Складной стул для террасы с мягкой подушкой|коричневый|Сад
Дождевик для мальчика|Лёгкий, защищает от ветра и помещается в портфель|жёлтый|Одежда
Электрический чайник 1,7 литра|Быстро кипятит воду и сам выключается|чёрный|Кухня
Велосипедный фонарь|Освещает самые тёмные дороги|красный|Велосипеды
Крем для сухой кожи лица|Без запаха, на каждый день|белый|Красота`,
	"sv": `Trädgårdsstol i teak|Fällbar stol till terrassen med mjuk dyna|brun|Trädgård
Regnjacka för pojkar|Vindtät och lätt att ta med till skolan|gul|Kläder
Vattenkokare 1,7 liter|Kokar vattnet snabbt och stänger av sig själv|svart|Kök
Cykellampa med USB|Lyser upp mörka vägar på kvällen|röd|Cyklar
Ansiktskräm för torr hud|Utan parfym, kan användas varje dag|vit|Skönhet`,
	"ta": `மர நாற்காலி|தோட்டத்தில் பயன்படுத்த மடிக்கக்கூடிய நாற்காலி|பழுப்பு|தோட்டம்
மழை சட்டை|சிறுவர்களுக்கு ஏற்ற இலகுவான சட்டை|மஞ்சள்|ஆடைகள்
மின் கெண்டி|தண்ணீரை விரைவாக கொதிக்க வைக்கும்|கருப்பு|சமையலறை
மிதிவண்டி விளக்கு|இருண்ட சாலைகளில் ஒளி தரும்|சிவப்பு|மிதிவண்டி
முக கிரீம்|வறண்ட தோலுக்கு தினமும் பயன்படுத்தலாம்|வெள்ளை|அழகு`,
	"tr": `Tik ağacından bahçe sandalyesi|Teras için katlanır sandalye, yumuşak minderli|kahverengi|Bahçe
Erkek çocuk yağmurluğu|Rüzgar geçirmez, okul çantasına sığar|sarı|Giyim
Su ısıtıcı 1,7 litre|Suyu hızla kaynatır ve kendisi kapanır|siyah|Mutfak
Bisiklet feneri|Karanlık yolları aydınlatan şarjlı ışık|kırmızı|Bisiklet
Kuru ciltler için yüz kremi|Parfümsüz, her gün kullanılır|beyaz|Kozmetik`,
	"uk": `Садовий стілець із дерева|Складний стілець для тераси з м'якою подушкою|коричневий|Сад
Дощовик для хлопчика|Легкий, захищає від вітру й уміщується в портфель|жовтий|Одяг
Електричний чайник 1,7 літра|Швидко кип'ятить воду і сам вимикається|чорний|Кухня`,
}

// foreignRecords are records in languages that are not among Languages.
var foreignRecords = map[string]string{
	"Bulgarian": `Градински стол от дърво|Сгъваем стол за тераса с мека възглавница|кафяв|Градина
Дъждобран за момче|Лек, пази от вятъра и се побира в чантата|жълт|Дрехи
Кана за вода 1,7 литра|Загрява бързо и се изключва сама|черен|Кухня`,
	"Chinese": `实木花园椅|可折叠，适合阳台使用|棕色|花园
儿童雨衣|轻便防风，可放入书包|黄色|服装
电热水壶|快速烧水，自动断电|黑色|厨房`,
	"Croatian": `Vrtna stolica od drva|Sklopiva stolica za terasu s mekim jastukom|smeđa|Vrt
Kišna jakna za dječake|Lagana je, štiti od vjetra i stane u torbu|žuta|Odjeća
Kuhalo za vodu 1,7 litara|Brzo zagrije vodu i samo se ugasi|crna|Kuhinja`,
	"Icelandic": `Garðstóll úr tekki|Samanbrjótanlegur stóll á veröndina með mjúkum púða|brúnn|Garður
Regnkápa fyrir stráka|Létt og verndar gegn vindi|gul|Fatnaður`,
	"Hebrew": `כיסא גינה מעץ|כיסא מתקפל למרפסת עם כרית רכה|חום|גינה
מעיל גשם לבנים|קל ומגן מפני הרוח|צהוב|בגדים`,
	"Japanese": `木製ガーデンチェア|テラスで使える折りたたみ式の椅子|茶|庭
男の子のレインコート|軽くて風を通さず、かばんに入る|黄|服`,
	"Korean": `원목 정원 의자|테라스에서 쓰는 접이식 의자|갈색|정원
남아용 우비|가볍고 바람을 막아 줍니다|노랑|의류`,
	"Marathi": `बागेसाठी लाकडी खुर्ची|गच्चीवर वापरण्यासाठी घडी होणारी खुर्ची|तपकिरी|बाग
मुलांसाठी रेनकोट|हलका आहे आणि वाऱ्यापासून संरक्षण करतो|पिवळा|कपडे
विजेची किटली 1.7 लिटर|पाणी लवकर उकळते आणि आपोआप बंद होते|काळा|स्वयंपाकघर`,
	"Nepali": `काठको कुर्सी|बगैंचाको लागि पट्याउन मिल्ने कुर्सी|खैरो|बगैंचा
बच्चाको बर्सादी|हल्का छ र हावाबाट जोगाउँछ|पहेँलो|लुगा
बिजुलीको केतली 1.7 लिटर|पानी छिटो उमाल्छ र आफै बन्द हुन्छ|कालो|भान्सा`,
	"Polish": `Krzesło ogrodowe z drewna|Składane krzesło na taras z miękką poduszką|brązowy|Ogród
Kurtka przeciwdeszczowa dla chłopca|Lekka, chroni przed wiatrem i mieści się w tornistrze|żółty|Odzież
Czajnik elektryczny 1,7 litra|Szybko gotuje wodę i sam się wyłącza|czarny|Kuchnia`,
	"Thai": `เก้าอี้สวนไม้สัก|เก้าอี้พับสำหรับระเบียง|น้ำตาล|สวน
เสื้อกันฝนเด็กชาย|เบาและกันลม|เหลือง|เสื้อผ้า`,
	"Vietnamese": `Ghế sân vườn bằng gỗ|Ghế gấp cho ban công có đệm mềm|nâu|Sân vườn
Áo mưa bé trai|Nhẹ, chắn gió và để vừa trong cặp|vàng|Quần áo`,
}

// englishRecords are in English, and most of their words are not.
var englishRecords = map[string]string{
	"codes":    "Adapter USB-C auf HDMI|UC-404 v2|Delock||Kabel CAT6a S/FTP PiMF|LSZH 0.5 m|grey\nToner TN-2420|HL-L2310D DCP-L2510D MFC-L2710DW|Brother|black\nSSD NVMe M.2 2280|MZ-V8P1T0BW|Samsung|1 TB",
	"products": "Men's rain jacket|Windproof, fits into a school bag|yellow|Clothing\nElectric kettle|Boils fast and turns itself off|black|Kitchen\nFace cream|For dry skin, no perfume|white|Beauty\nGarden chair|Teak, folds flat|brown|Garden",
	"brands":   "Jack Wolfskin Texapore|hiking shoes|Jack Wolfskin|grey\nLa Roche-Posay Effaclar Duo|face cream|La Roche-Posay|white\nDolce Gusto Piccolo|coffee machine|De'Longhi|red\nHaglöfs Skarn|trousers|Haglöfs|black\nMüller Milchreis|rice pudding|Müller|vanilla",
	"films":    "La Dolce Vita|Drama|Marcello Mastroianni\nDas Boot|War|Jürgen Prochnow\nAmélie|Comedy|Audrey Tautou\nThe Godfather|Crime|Al Pacino\nRashomon|Mystery|Toshiro Mifune\nFargo|Crime|Frances McDormand\nEl Mariachi|Action|Carlos Gallardo",
	"cities":   "Santa Cruz|Bolivia|South America\nMünchen|Germany|Europe\nNantes|France|Europe\nGuadalajara|Mexico|North America\nŁódź|Poland|Europe\nPalermo|Italy|Europe\nBursa|Turkey|Asia\nMalmö|Sweden|Europe\nOsaka|Japan|Asia",
	"packages": "libjs-jquery|JavaScript library for dynamic web applications\npython3-numpy|fast array facility for Python\nruby-nokogiri|HTML, XML, SAX and Reader parser\nlibavcodec-dev|FFmpeg library with de/encoders, development files",
}

// guessOf returns the language of records of which some fields are looked at, and whether it is
// foreign.
func guessOf(records []string, fields int, more ...string) (string, bool) {
	g := NewGuesser()
	for _, r := range records {
		parts := strings.Split(r, "|")
		for _, part := range append(parts[:min(fields, len(parts))], more...) {
			g.Add([]byte(part))
		}
	}
	return g.Language(), g.Foreign()
}

// TestGuessRecords: the language of few short records is told, whatever brands stand beside, and
// never taken for another one, however little there is.
func TestGuessRecords(t *testing.T) {
	brands := []string{"Nike Air", "Wireless", "Samsung", "Jack & Jones"}
	for code, text := range guessRecords {
		records := strings.Split(text, "\n")
		want := code
		if code == "en" {
			want = ""
		}
		for name, c := range map[string]struct {
			fields int
			more   []string
		}{"names and descriptions": {2, nil}, "all": {4, nil}, "with brands": {4, brands}} {
			if got, _ := guessOf(records, c.fields, c.more...); got != want {
				t.Errorf("%s, %s: taken for %q", code, name, got)
			}
		}
		if got, foreign := guessOf(records, 1); got != want && (got != "" || foreign) {
			t.Errorf("%s, names: taken for %q", code, got)
		}
		for i := range records {
			if got, foreign := guessOf(records[i:i+1], 4); got != want && (got != "" || foreign) {
				t.Errorf("%s, %q: taken for %q, foreign %v", code, records[i], got, foreign)
			}
		}
	}
	known := map[string]string{"Chinese": "zh", "Japanese": "ja", "Korean": "ko", "Polish": "pl", "Vietnamese": "vi"}
	for name, text := range foreignRecords {
		want := known[name]
		if got, foreign := guessOf(strings.Split(text, "\n"), 4, "Nike Air"); got != want || foreign != (want == "") {
			t.Errorf("%s: taken for %q, foreign %v", name, got, foreign)
		}
	}
	for name, text := range englishRecords {
		records := strings.Split(text, "\n")
		for seed := range uint64(20) {
			rand.New(rand.NewPCG(seed, 1)).Shuffle(len(records), func(i, j int) { records[i], records[j] = records[j], records[i] })
			for n := 1; n <= len(records); n++ {
				if got, foreign := guessOf(records[:n], 4); got != "" && got != "en" || foreign {
					t.Errorf("English %s %q: taken for %q, foreign %v", name, records[:n], got, foreign)
				}
			}
		}
	}
}

// TestGuessManyRecords: many records of a language tell what a few do, though most of their different
// words are in no list then. Every record has filler words, and words made of the halves of others.
func TestGuessManyRecords(t *testing.T) {
	for _, code := range []string{"be", "cs", "hr", "sk", "sl", "uk"} {
		b, err := typicalFiles.ReadFile("data/typical-" + code + ".txt")
		if err != nil {
			t.Fatal(err)
		}
		line, rest, _ := strings.Cut(string(b), "\n")
		fillers := strings.Fields(line)[:36]
		words := strings.Fields(line + rest)
		half := func(w string) int { n := len([]rune(w)) / 2; return len(string([]rune(w)[:n])) }
		for _, n := range []int{5, 20, 60, 300} {
			rng := rand.New(rand.NewPCG(7, uint64(n)))
			g := NewGuesser()
			for range n {
				var record []string
				for range 4 {
					record = append(record, fillers[rng.IntN(len(fillers))])
				}
				for range 16 {
					v, w := words[rng.IntN(len(words))], words[rng.IntN(len(words))]
					record = append(record, v[:half(v)]+w[half(w):])
				}
				g.Add([]byte(strings.Join(record, " ")))
			}
			if got := g.language(); got != code {
				t.Errorf("%d records of %s are taken for %q", n, code, got)
			}
		}
	}
}

// TestGuessIsTheSame: neither the order of texts nor that of maps changes what is guessed, and
// lists hold no word that is not lower case.
func TestGuessIsTheSame(t *testing.T) {
	for _, code := range guessCodes() {
		for _, word := range listedWords(code) {
			if lower := strings.ToLower(word); lower != word {
				t.Errorf("%s: %q is not lower case", code, word)
			}
		}
		if len(listedWords(code)) == 0 {
			t.Errorf("%s has no words", code)
		}
	}
	var first string
	for i := range 20 {
		g := NewGuesser()
		for _, r := range strings.Split(guessRecords["pt"], "\n") {
			g.Add([]byte(r))
		}
		all, weight := g.evidence()
		if s := fmt.Sprint(all, weight); i == 0 {
			first = s
		} else if s != first {
			t.Fatalf("%s, then %s", first, s)
		}
	}
}

// BenchmarkGuess guesses the language of a record, and of as many as imports look at.
func BenchmarkGuess(b *testing.B) {
	text := []byte(guessTexts["de"])
	for _, n := range []int{1, 1000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				g := NewGuesser()
				for range n {
					g.Add(text)
				}
				if g.Language() != "de" {
					b.Fatal("not German")
				}
			}
		})
	}
}
