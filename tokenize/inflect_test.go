package tokenize

import (
	"strings"
	"testing"
)

// TestEverydayInflections: a word of shops and its plural, its cases, its form with the
// article and its feminine are one term.
func TestEverydayInflections(t *testing.T) {
	for language, groups := range map[string]string{
		"ar": `
			ثلاجة ثلاجات, غسالة غسالات, سيارة سيارات, دراجة دراجات الدراجات, طاولة طاولات, ساعة ساعات, غرفة غرف,
			سماعة سماعات السماعات, كاميرا كاميرات, مدرسة المدرسة, معلم معلمون, طابعة طابعات الطابعات, نظارة نظارات,
			شاشة شاشات الشاشات, بطارية بطاريات, حفاضة حفاضات, لوحة لوحات, بطاقة بطاقات, مكنسة مكنسات, خلاطة خلاطات, مروحة مروحات,
			عباية عبايات, بدلة بدلات, مجموعة مجموعات, خزانة خزانات, سجادة سجادات, شركة شركات, اسود سوداء, ابيض بيضاء, احمر حمراء,
			ازرق زرقاء, اخضر خضراء, اصفر صفراء, أسود سوداء, بني بنية`,
		"ca": `
			obrir obre obert oberta obren, vendre venut ven venuda, viure viu viscut viuen viva, àvia àvies, ànima ànimes,
			altar altars, pa pans, alt alta alts altes`,
		"cs": `
			vařit vařím vaří vařil vařila, koupit koupím koupí koupil, kupovat kupuje kupoval, hrát hraje hrají hrál hrála,
			cítit cítí cítil, měnit mění měnil, mluvit mluví mluvil, platit platí platil, sedět sedí seděl, vědět věděl, český čeští,
			akcie akcií akciemi`,
		"da": `
			sko skoene skoen, jakke jakker jakken, kjole kjoler kjolerne, taske tasker tasken, bog bogen, bøger bøgerne,
			cykel cykler cyklen, barn børn, rød rødt, stor stort, hvid hvidt, ny nye, gammel gamle, finger fingre, møbel møbler,
			søster søstre, vinter vintre, tand tænder tænderne, mand mænd mændene, fod fødder fødderne, hånd hænder, nat nætter, ko køer køerne,
			ø øer øen øerne, by byer byen byerne, træ træer træet træerne, øje øjne øjnene, uge uger ugen ugerne, knæ knæene, due duer, vej veje vejen vejene,
			billig billigt billige, måde måder måden, sikker sikkert sikre, gul gult gule, dyr dyrt dyre, grøn grønt grønne,
			stor større størst største, planet planeter planeten, farlig farligt farlige`,
		"de": `
			schuh schuhe, kleid kleider, buch bücher, stuhl stühle, jacke jacken, tasche taschen, fahrrad fahrräder,
			handschuh handschuhe, sofa sofas, lehrerin lehrerinnen, freundin freundinnen, kollegin kolleginnen, auto autos,
			handy handys, foto fotos, dunkel dunkle, teuer teure, schlüssel schlüsseln, sessel sesseln, hoch hohe`,
		"el": `
			γάλα γάλατα γάλατος, γράφω γράφει έγραψα έγραψε γράψω γράψει, παίζω έπαιξα παίξει, ανοίγω άνοιξα άνοιξε ανοίξει,
			κλείνω έκλεισα κλείσει, φορά φορές, δωρεά δωρεές, κράτος κράτη κράτους, αυτόματα αυτόματο,
			γέννηση γεννήθηκε γεννήθηκαν γεννηθεί, ίδρυση ίδρυσε ιδρύθηκε, ανακάλυψη ανακάλυψε ανακαλύφθηκε ανακαλυφθεί,
			ανάπτυξη αναπτύχθηκε, σχεδιάζει σχεδίασε σχεδιάστηκε, ανακοίνωση ανακοινώνει ανακοινώθηκε,
			μεγάλος μεγαλύτερος μεγαλύτερη, χρήσιμος χρήσιμα`,
		"es": `
			zapato zapatos, reloj relojes, lápiz lápices, sillón sillones, color colores, pantalón pantalones, vestido vestidos,
			luz luces, pez peces, jardín jardines, mujer mujeres, camión camiones, collar collares, altavoz altavoces, voz voces,
			imagen imágenes, joven jóvenes, examen exámenes, margen márgenes, sofá sofás, café cafés, bebé bebés, feliz felices`,
		"fi": `
			kenkä kenkää, takki takin, laukku laukut laukun, mekko mekot mekon, kirja kirjat kirjan, sormus sormukset sormuksen,
			punainen punaiset punaisen, valkoinen valkoiset`,
		"fr": `
			chaussure chaussures, manteau manteaux, vélo vélos, jeu jeux, cheval chevaux, journal journaux, bijou bijoux,
			chapeau chapeaux, œuf œufs, œil yeux, sac sacs, robe robes, blanc blanche, neuf neuve, léger légère, doux douce,
			actif active, vieux vieille, travail travaux, pneu pneus, neveu neveux, sec sèche, frais fraîche, long longue,
			public publique, beau belle, nouveau nouvelle, gros grosse, gentil gentille, sportif sportive, grec grecque, roux rousse,
			faux fausse, épais épaisse, bas basse, feu feux, vitrail vitraux`,
		"hi": `
			बनाना बनाता बनाती बनाते बनाया बनाए बनाएं बनाई, दिखाना दिखाता दिखाया दिखाई, खाना खाने खाया खाए, धोना धोता धोया,
			दवा दवाओं दवाई दवाइयां दवाइयों, चर्चा चर्चाओं, पक्षी पक्षियों, सूची सूचियों, सूचना सूचनाओं, घाटी घाटियों, जलना जलता जला,
			मन्दिर मंदिर, हिन्दी हिंदी, सम्पर्क संपर्क, पञ्जाब पंजाब, गङ्गा गंगा, ठण्डा ठंडा, चाँद चांद, फ़ोन फोन, रुपए रुपये,
			वस्तुएँ वस्तुएं`,
		"hu": `
			cipő cipők cipőt, kabát kabátok kabátot, táska táskák táskát, ruha ruhák ruhát, könyv könyvek könyvet, bicikli biciklik,
			csizma csizmák, kutya kutyák, ágy ágyak, szék székek, lámpa lámpák, gyerek gyerekek, kanapé kanapék, párna párnák,
			telefon telefonok telefont, ablak ablakok, csésze csészék, óra órák`,
		"it": `
			scarpa scarpe, giacca giacche, borsa borse, libro libri, orologio orologi, tavolo tavoli, lampada lampade, uomo uomini,
			amico amici, divano divani, bicchiere bicchieri, chiave chiavi, lago laghi, zio zii`,
		"nl": `
			schoen schoenen, jas jassen, tas tassen, broek broeken, jurk jurken, fiets fietsen, boek boeken, laars laarzen,
			stoel stoelen, tafel tafels, lamp lampen, kast kasten, glas glazen, mes messen, pan pannen, kind kinderen, man mannen,
			bal ballen, bril brillen, kussen kussens, huis huizen, kaas kazen, brief brieven, druif druiven, duif duiven, oog ogen,
			vaas vazen, lens lenzen, prijs prijzen, reis reizen, grijs grijze, kop koppen, horloge horloges, deken dekens,
			baby babys, foto fotos, auto autos, ei eieren, stad steden, schip schepen, koe koeien`,
		"no": `
			sko skoene skoen, jakke jakker jakken, kjole kjoler kjolene, veske vesker vesken, bok boken boka, sykkel sykler,
			støvel støvler, rød rødt, stor stort, hvit hvitt, ny nye, gammel gamle, nøkkel nøkler, finger fingre, møbel møbler,
			søster søstre, vinter vintre, tann tenner tennene, mann menn mennene, fot føtter føttene, hånd hender, natt netter, ku kyr kua kyrne,
			øy øyer øyene øya, by byer byen byene, tre trær trærne treet, øye øyne øynene, uke uker ukene uka, kne knær, sau sauer sauene, vei veier veien veiene, bie bier biene,
			billig billige, måte måter måten, sikker sikkert sikre, gul gult gule, dyr dyrt, grønn grønt grønne,
			stor større størst største, planet planeter planeten`,
		"pl": `
			wysoki wyższy najwyższy wyższa, niski niższy, tani tańszy najtańszy, szybki szybszy najszybszy szybciej, krótki krótszy,
			młody młodszy, szeroki szerszy, wąski węższy, prać pierze prał piorą pranie, myć myje mył myją mycie,
			pisać pisze pisał piszą, stać stał, kolega kolego, sąd sądu sądem, lęk lęku lęki`,
		"pt": `
			sapato sapatos, calça calças, colchão colchões, botão botões, animal animais, lençol lençóis, anel anéis, papel papéis,
			mulher mulheres, flor flores, fogão fogões, cão cães, pão pães, mão mãos, azul azuis, cor cores, móvel móveis,
			coração corações, televisão televisões, hotel hotéis, túnel túneis, automóvel automóveis, canal canais, jornal jornais,
			nacional nacionais, digital digitais, espanhol espanhóis, caracol caracóis, barril barris, fácil fáceis, útil úteis,
			portátil portáteis, infantil infantis, homem homens, jovem jovens, imagem imagens, jardim jardins, batom batons,
			álbum álbuns, bombom bombons, avião aviões, limão limões, camarão camarões, macarrão macarrões, cartão cartões`,
		"ro": `
			pantof pantofi, rochie rochii rochia, carte cărți cartea, bicicletă biciclete bicicleta, cizmă cizme, telefon telefoane,
			covor covoare, dulap dulapuri, floare flori florile,
			lingură lingura linguri lingurile lingurii lingurilor, prăjitură prăjitura prăjituri prăjiturile prăjiturii prăjiturilor,
			băutură băutura băuturi băuturile, pătură pătura pături păturile păturii, căldură căldura călduri,
			friptură friptura fripturi fripturile, cultură cultura culturi culturile culturii culturilor,
			brățară brățara brățări brățările brățării, tricou tricoul tricoului tricouri tricourile tricourilor,
			cadou cadoul cadouri cadourile, birou biroul birouri, stilou stiloul stilouri, râu râul râuri râurile,
			inel inelul inele inelele, roșu roșul roșie roșii roșiile, nou noul nouă noua noi noile, greu greul grea grei grele,
			drapel drapelul drapele, model modele modelele, preț prețul prețuri prețurile, relație relația relații relațiile,
			traseu traseul trasee traseele, parcare parcarea parcări parcările, tort torturi, unt untul`,
		"ru": `
			ботинок ботинки, куртка куртки курток, платье платья, стул стулья, книга книги, окно окна окон, чашка чашек, сумка сумок,
			кольцо колец, диван диваны, шапка шапок, игрушка игрушек, перчатка перчаток, лампа ламп, носок носки, рубашка рубашек,
			ноутбук ноутбуки, кровать кровати кроватью, ложка ложек, кошка кошек, подушка подушек, книжка книжек, письмо писем,
			кресло кресел, стекло стёкол, замок замки, подарок подарки, рынок рынки, платок платки, отец отца, палец пальцы,
			день дни, огонь огня`,
		"sv": `
			sko skor skorna skon, jacka jackor jackan, klänning klänningar, väska väskor, bok böcker, cykel cyklar cykeln cyklarna,
			stövel stövlar, hund hundar, säng sängar, stol stolar, bord borden bordet, lampa lampor lampan,
			dator datorer datorn datorerna, soffa soffan, blå blåa, spegel speglar spegeln, bordet borden, nyckel nycklar,
			möbel möbler, vinter vintrar, syster systrar, finger fingrar, fönster fönstret fönstren, klocka klockan, hus huset,
			barn barnet, motor motorer motorn, vit vitt, grön grönt, ny nya, skåp skåpet, kök köket, golv golvet, tak taket,
			paket paketet`,
		"tr": `
			telefon telefonlar, elbise elbiseler elbisesi, ayakkabı ayakkabılar, çanta çantalar, kitap kitaplar kitabı, mont montlar,
			gömlek gömlekler gömleği, pantolon pantolonlar, saat saatler saati, koltuk koltuklar koltuğu, masa masası masalar,
			sandalye sandalyeler, çorap çoraplar, renk rengi, araba arabalar, halı halılar, şemsiye şemsiyeler, balon balonlar,
			ekran ekranlar, fincan fincanlar, sabun sabunlar, kazan kazanlar, roman romanlar, kolye kolyesi,
			kamera kameralar kamerası, oda odası, kadın kadınlar, eldiven eldivenler, tencere tencereler tenceresi,
			süpürge süpürgesi, yastık yastığı, havlu havlusu, küpe küpeler, cüzdan cüzdanlar, kalem kalemler`,
		"uk": `
			олівець олівця олівцем олівці олівців олівцями, млинець млинця млинці млинців, ремінець ремінця ремінці ремінців,
			камінець камінця камінці камінців, гребінець гребінця гребінці, промінець промінця промінці, рубець рубця рубці рубців,
			митець митця митці, жінка жінці, трубка трубці, високий висока високо вищий найвищий вище,
			глибокий глибоко глибший глибше, широкий широка ширший, дорогий дорого дорожчий, друг друга друзі друзів друзями,
			другий другого другому другої, суміш суміші сумішей сумішшю, житель жителі жителів, стати стала стали`,
	} {
		a := mustNew(t, Options{Language: language})
		for group := range strings.SplitSeq(groups, ",") {
			words := a.Analyze(group)
			for _, w := range words[1:] {
				if string(w.Term) != string(words[0].Term) {
					t.Errorf("%s: %q is %q, but %q is %q", language, words[0].Word, words[0].Term, w.Word, w.Term)
				}
			}
		}
	}
}

// TestWordsThatAreNotOne: words of different meaning that rules for inflections would make
// equal if they went further than they do.
func TestWordsThatAreNotOne(t *testing.T) {
	for language, pairs := range map[string]string{
		"ar": "نبات نباح, صحراء صحر, بيت بيضاء",
		"ca": "placa plaça, porta port, plata plat, casa casat, casa caça, sala salat, poma pomada, cama camada, rosa rosada, roba robar, part partit, sort sortida, cap capa, " +
			"pare parar, torre torrar, pi pis, os ou, gas gat, banc banca, bossa bosc, mare mar, foc foca, costat costar, vaga vaca, boca boga, soldat soldar, pal pala, sopa sopar, llibre lliure, " +
			"avi àvia, avi aviat, àvia aviat, alt altar, ànima animar, pa pan, press presos, obre obra, venut vent",
		"cs": "hrnec hrnek, ostrov ostrý, tanec tank, palec pálka, sklenice skleník, rovnice rovník, kámen kamna, salát sál, " +
			"studna studený, muzeum muž, kotě kotel, tele telefon, ulice úlek, kůže koza, růže roh, práce prak, obec obchod, " +
			"stanice stan, červen červený, čeští cesta, část často, šedé sedí, věděl vedl, akce akcie, cit cítím, city cítí, " +
			"menu mění, měna mění, hrál hra",
		"da": "barn barm, nøgle nøgen, ø øje, due du, by bytte, mand mandel, tand tang, " +
			"billig bil, billige biler, måde mad, købe kobber, god gods, planet plan, læge lægge, leder ledig, liter lite, " +
			"fare farlig",
		"de": "hand handel, los losung, glas gla, gras gra, haus hau, lehrer lehrerin, preis prei",
		"el": "ευρώ ευρύτερη, δώρο δωρεά, μενού μένω, φορά φόρος, φορέας φόρος, αυγό αυγή, βία βίος, κράτος κρατάω, άποψη απόψε, " +
			"άνοιξα άνοιξη, γραμμα γραμμη, χωρα χωρος, χωριο χωρος, πολη πολος, νικη νικος, τραπεζι τραπεζα, εβδομαδα εβδομος, " +
			"ζωο ζωη, ναος να, θεα θεος, παιδι παιδες, ποτο ποτε, ερωτηση ερωτας, ποιηση ποιος, φυλακη φυλακας, αιωνας αιωνιος, " +
			"ανάπτυξη ανέπτυξε",
		"es": "taza taco, plaza placa, vida vídeo, café casa, luz lujo, campo campana, inglés ingle",
		"fi": "talo tali, rakkaus rakki",
		"fr": "tasse tas, cave café, gris gri, bas ba, poisson poison, cheveu cheval, nous noix",
		"hi": "हाथी हाथ, कमरा कमर, काला काल, पानी पान, चाँदी चाँद, माला माल, वर्षा वर्ष, व्यक्ति व्यक्त, चीनी चीन, लड़की लड़का, " +
			"बेटी बेटा, भेड़िया भेड़, पति पता, गलती गला, महीना मही, दादी दादा, जन्म जंम, संयोग सन्योग, रेड रेडियो, किलो किला, " +
			"चर्च चर्चा, पक्ष पक्षी, जल जला, पाप पापा, क्षमता क्षमा, चार चारा, पान पाना, जीन जीना, घाट घाटी, घाट घाटा, घाटी घाटा, " +
			"सूचना सूची, वक्त वक्ता, सबक सबका, मना मनाना, खाना खाता",
		"hu": "kabát kaki, óra orr",
		"it": "cane canto, anno ano, giovani giova",
		"nl": "adres adder, prins prinses, zanger zangeres, kaas kaal, glas gla, huis hui",
		"no": "barn barm, bok bukse, øy øye, uke uklar, bleie blei, eie ei, tre treg, " +
			"billig bil, måte mat, god gods, planet plan, leder ledig, liter liten, liter lite, fare farlig",
		"pl": "kot koc, kocie koce, list liść, plac płacić, pałac palić, kość kostka, ręka rak, ręce rak, mąż maż, kolej kolano, " +
			"materac materiał, granica gran, szkoła szkolenie, kamień kamera, poziom pozew, rozmowa rozum, Kraków krak, córka cora, " +
			"zamek zamknąć, pies piasek, praca prać, dom domek, droga droższy, sen syn, pieniądze pień, liceum lica, morze mór, " +
			"owca owoc, piec pies, serce ser, końce konik, wieś wieża, poznać późno, pozna późna, wieża więzienie, wieża więź, " +
			"więzienie więzień, zadanie żądanie, mecz męczyć, koło kolego, wraz wrażenie, widz widzę, widza widzi, kawa kawał, " +
			"stal stały, stal stał, dane Dania, sąd sad, sądy sady, lek lęk, leki lęki",
		"pt": "mil mel, tênis tens, pais paz, leis lei",
		"ro": "cuptor cupă, masă măsea, pată pat, fată față, cal cale, soră soare, coadă cod, ceară cer, fiară fier, geam gem, seară seră, poartă port, muscă must, vită viță, țară tare, măr mare, obraz oraș, copil copac, cerc cercel, băiat baie, " +
			"prăjitură prăjit, băutură băut, pătură pat, căldură cald, friptură fript, cultură cult, culturi culte, umplutură umplut, " +
			"armătură armat, brățară braț, brățări brațe, inele in, roșie roz, roșii roze, real rele, reale rele, rele relația, " +
			"regim rege, mare Maria, stat stația, stat statui, parc parcare, seară serii, trai traseul, preț pretind, loc locația, " +
			"post poștă, formă formație, format formație, vin vină, modele mode, frații stații",
		"ru": "только толк, сок сода, век вечер, диван дива",
		"sv": "hatt hat, damm dam, vin vinna, ändra ända, paket pak, roman rom, alfabet alfa",
		"tr": "kafes kafe, tenis ten, çanta çay, hata hat, kanada kayısı, oda otel, adres adi",
		"uk": "сім'я сім, вода водій, муза музей, син синій, дорога дорогий, вулиця вулик, столиця столик, ваза вага, персона персонал, " +
			"термін термінал, салат сало, народ народити, партія парта, голова голий, весло веселий, скло скеля, матері матеріал, " +
			"рука рукав, коса космос, копія копати, канал канат, Русі рух, галузі луг, союз союг, олівець олівка, друг другий, " +
			"друзі другого, метр метро, сума суміші, житло жителі, дно дня, дно день, стала сталі, стали сталь, рада радий, " +
			"висок високий",
	} {
		a := mustNew(t, Options{Language: language})
		for pair := range strings.SplitSeq(pairs, ", ") {
			if words := a.Analyze(pair); len(words) != 2 || string(words[0].Term) == string(words[1].Term) {
				t.Errorf("%s: %s are %q", language, pair, terms(words))
			}
		}
	}
}

// TestSteady: where a word is stemmed again until nothing changes, the stem of a stem is
// the stem.
func TestSteady(t *testing.T) {
	for code, words := range map[string]string{
		"hu": "kabátokat táskák könyvtárban gyerekek hektika óra őt",
		"nl": "laarzen adressen prinsessen kussens horloges fietsen mannen",
		"sv": "datorerna möjligheternas avdelandet klockan fönstret hattar",
		"tr": "telefonlar masası arasındaki seslerininkilerden çantalarımızda evde o",
	} {
		l, _ := languageOf(code)
		for word := range strings.FieldsSeq(words) {
			if stem := l.stem(word); l.stem(stem) != stem {
				t.Errorf("%s: %q: %q, and then %q", code, word, stem, l.stem(stem))
			}
		}
	}
}

// TestRules: what an index keeps to know by which rules its words are.
func TestRules(t *testing.T) {
	for code, want := range map[string]string{"": "", "en": "", "xx": "", "ta": "", "tr": "stems/1"} {
		if got := Rules(code); got != want {
			t.Errorf("%q: %q, want %q", code, got, want)
		}
		if code == "xx" {
			continue
		}
		for _, o := range []Options{{Language: code}, {Language: code, NoStem: true}, {Language: code, Mode: Whitespace}} {
			stems := want != "" && !o.NoStem && o.Mode == Standard
			if version := mustNew(t, o).Version(); strings.HasSuffix(version, "stems/1") != stems {
				t.Errorf("%+v: version %s", o, version)
			}
		}
	}
}
