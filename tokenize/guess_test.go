package tokenize

import (
	"strings"
	"testing"
)

// texts are of the kind that people search, a few sentences of each language.
var guessTexts = map[string]string{
	"ar": "كان الرجل في البيت عندما جاءت المرأة من المدينة إلى القرية مع أولادها. هذا هو الكتاب الذي قرأته في المدرسة، وهو من أفضل الكتب التي كانت عندنا. لا أعرف ما إذا كان هناك من يريد أن يشتري هذه السيارة. من هو الذي كتب هذا؟",
	"cs": "Muž byl v domě, když žena přijela z města se svými dětmi. To je kniha, kterou jsem četl ve škole, a je to jedna z nejlepších, které jsme měli. Nevím, jestli je tu někdo, kdo by chtěl koupit toto auto, ale zeptám se ještě jednou.",
	"da": "Manden var i huset, da kvinden kom fra byen med sine børn. Det er den bog, som jeg læste i skolen, og den er en af de bedste, vi havde. Jeg ved ikke, om der er nogen, der vil købe denne bil af os efter så mange år.",
	"de": "Der Mann war im Haus, als die Frau mit ihren Kindern aus der Stadt kam. Das ist das Buch, das ich in der Schule gelesen habe, und es ist eines der besten, die wir hatten. Ich weiß nicht, ob jemand dieses Auto kaufen will.",
	"el": "Ο άνδρας ήταν στο σπίτι όταν η γυναίκα ήρθε από την πόλη με τα παιδιά της. Αυτό είναι το βιβλίο που διάβασα στο σχολείο, και είναι ένα από τα καλύτερα που είχαμε. Δεν ξέρω αν υπάρχει κάποιος που θέλει να αγοράσει αυτό το αυτοκίνητο.",
	"en": "The man was in the house when the woman came from the city with her children. This is the book that I read in school, and it is one of the best that we had. I do not know whether there is anybody who wants to buy this car.",
	"es": "El hombre estaba en la casa cuando la mujer llegó de la ciudad con sus hijos. Este es el libro que leí en la escuela y es uno de los mejores que teníamos. No sé si hay alguien que quiera comprar este coche.",
	"fi": "Mies oli talossa, kun nainen tuli kaupungista lastensa kanssa. Tämä on se kirja, jonka minä luin koulussa, ja se on yksi parhaista, joita meillä oli. En tiedä, onko siellä joku, joka tahtoo ostaa tämän auton, mutta kysyn vielä kerran, kun hän tulee. Jos se ei ole tässä, niin missä se on?",
	"fr": "L'homme était dans la maison quand la femme est arrivée de la ville avec ses enfants. C'est le livre que j'ai lu à l'école, et c'est un des meilleurs que nous avions. Je ne sais pas si quelqu'un veut acheter cette voiture.",
	"hi": "वह आदमी घर में था जब औरत अपने बच्चों के साथ शहर से आई। यह वही किताब है जो मैंने स्कूल में पढ़ी थी, और यह हमारी सबसे अच्छी किताबों में से एक है। मुझे नहीं पता कि कोई यह गाड़ी खरीदना चाहता है या नहीं।",
	"hu": "A férfi a házban volt, amikor az asszony megjött a városból a gyerekeivel. Ez az a könyv, amelyet az iskolában olvastam, és ez az egyik legjobb, ami nekünk volt. Nem tudom, hogy van-e valaki, aki meg akarja venni ezt az autót.",
	"it": "L'uomo era nella casa quando la donna arrivò dalla città con i suoi figli. Questo è il libro che ho letto a scuola ed è uno dei migliori che avevamo. Non so se c'è qualcuno che vuole comprare questa macchina.",
	"nl": "De man was in het huis toen de vrouw met haar kinderen uit de stad kwam. Dit is het boek dat ik op school heb gelezen, en het is een van de beste die wij hadden. Ik weet niet of er iemand is die deze auto wil kopen.",
	"no": "Mannen var i huset da kvinnen kom fra byen med barna sine. Dette er den boken som jeg leste på skolen, og den er en av de beste vi hadde. Jeg vet ikke om det er noen som vil kjøpe denne bilen av oss etter så mange år.",
	"pl": "Mężczyzna był w domu, gdy kobieta przyjechała z miasta ze swoimi dziećmi. To jest książka, którą czytałem w szkole, i jest to jedna z najlepszych, jakie mieliśmy. Nie wiem, czy jest ktoś, kto chce kupić ten samochód, ale zapytam jeszcze raz.",
	"pt": "O homem estava na casa quando a mulher chegou da cidade com os seus filhos. Este é o livro que eu li na escola e é um dos melhores que nós tínhamos. Não sei se há alguém que queira comprar este carro.",
	"ro": "Bărbatul era în casă când femeia a venit din oraș cu copiii ei. Aceasta este cartea pe care am citit-o la școală și este una dintre cele mai bune pe care le aveam. Nu știu dacă este cineva care vrea să cumpere această mașină.",
	"ru": "Мужчина был в доме, когда женщина приехала из города со своими детьми. Это та книга, которую я читал в школе, и она одна из лучших, что у нас были. Я не знаю, есть ли кто-то, кто хочет купить эту машину.",
	"sv": "Mannen var i huset när kvinnan kom från staden med sina barn. Det här är boken som jag läste i skolan, och den är en av de bästa som vi hade. Jag vet inte om det finns någon som vill köpa den här bilen av oss efter så många år.",
	"ta": "அந்த மனிதன் வீட்டில் இருந்தபோது அந்தப் பெண் தன் குழந்தைகளுடன் நகரத்திலிருந்து வந்தாள். இது நான் பள்ளியில் படித்த புத்தகம். இந்த காரை வாங்க விரும்பும் யாராவது இருக்கிறார்களா என்று எனக்குத் தெரியாது.",
	"tr": "Kadın şehirden çocukları ile birlikte geldiği zaman adam evde idi. Bu benim okulda okuduğum kitap ve sahip olduğumuz en iyi kitaplardan biri. Bu arabayı almak isteyen biri var mı bilmiyorum, ama daha sonra bir kez daha soracağım. Bu ne için ve neden böyle çok?",
	"uk": "Чоловік був у будинку, коли жінка приїхала з міста зі своїми дітьми. Це книга, яку я читав у школі, і вона одна з найкращих, що в нас були. Я не знаю, чи є хтось, хто хоче купити цю машину.",
	"vi": "Người đàn ông ở trong nhà khi người phụ nữ từ thành phố đến cùng với các con. Đây là cuốn sách mà tôi đã đọc ở trường và là một trong những cuốn hay nhất mà chúng tôi có. Tôi không biết có ai muốn mua chiếc xe này không.",
}

// unknownTexts are in languages that are not among Languages.
var unknownTexts = map[string]string{
	"Belarusian": "Чалавек быў у доме, калі жанчына прыехала з горада са сваімі дзецьмі. Гэта кніга, якую я чытаў у школе, і яна адна з лепшых, што ў нас былі. Я не ведаю, ці ёсць хто, хто хоча купіць гэтую машыну.",
	"Bulgarian":  "Мъжът беше в къщата, когато жената дойде от града с децата си. Това е книгата, която четох в училище, и тя е една от най-добрите, които имахме. Не знам дали има някой, който иска да купи тази кола от нас.",
	"Croatian":   "Čovjek je bio u kući kad je žena došla iz grada sa svojom djecom. Ovo je knjiga koju sam čitao u školi i jedna je od najboljih koje smo imali. Ne znam ima li koga tko želi kupiti ovaj auto od nas nakon toliko godina.",
	"Estonian":   "Mees oli majas, kui naine tuli linnast oma lastega. See on raamat, mida ma koolis lugesin, ja see on üks parimatest, mis meil oli. Ma ei tea, kas on kedagi, kes tahab seda autot osta, aga ma küsin veel kord, kui ta tuleb õhtul koju.",
	"Icelandic":  "Maðurinn var í húsinu þegar konan kom úr borginni með börnin sín. Þetta er bókin sem ég las í skólanum og hún er ein af þeim bestu sem við áttum. Ég veit ekki hvort einhver vill kaupa þennan bíl af okkur eftir svo mörg ár.",
	"Macedonian": "Човекот беше во куќата кога жената дојде од градот со своите деца. Ова е книгата што ја читав во училиште и таа е една од најдобрите што ги имавме. Не знам дали има некој што сака да го купи овој автомобил.",
	"Marathi":    "बाई आपल्या मुलांसह शहरातून आली तेव्हा तो माणूस घरात होता. हे ते पुस्तक आहे जे मी शाळेत वाचले आणि ते आमच्याकडील सर्वोत्तम पुस्तकांपैकी एक आहे. ही गाडी विकत घेऊ इच्छिणारे कोणी आहे का हे मला माहीत नाही.",
	"Nepali":     "आइमाई आफ्ना छोराछोरीसँग सहरबाट आउँदा त्यो मानिस घरमा थियो. यो मैले विद्यालयमा पढेको पुस्तक हो र यो हामीसँग भएका सबैभन्दा राम्रा पुस्तकहरू मध्ये एक हो. यो गाडी किन्न चाहने कोही छ कि छैन मलाई थाहा छैन.",
	"Persian":    "مرد در خانه بود که زن با بچه هایش از شهر آمد. این همان کتابی است که من در مدرسه خواندم و یکی از بهترین کتاب هایی است که ما داشتیم. نمی دانم کسی هست که بخواهد این ماشین را از ما بخرد.",
	"Serbian":    "Човек је био у кући када је жена дошла из града са својом децом. Ово је књига коју сам читао у школи и једна је од најбољих које смо имали. Не знам да ли има некога ко жели да купи овај ауто од нас.",
	"Slovak":     "Muž bol v dome, keď žena prišla z mesta so svojimi deťmi. Toto je kniha, ktorú som čítal v škole, a je to jedna z najlepších, aké sme mali. Neviem, či je tu niekto, kto by chcel kúpiť toto auto, ale opýtam sa ešte raz.",
	"Swahili":    "Mwanamume alikuwa nyumbani wakati mwanamke alipokuja kutoka mjini na watoto wake. Hiki ndicho kitabu nilichosoma shuleni na ni kimoja cha vitabu bora tulivyokuwa navyo. Sijui kama kuna mtu anayetaka kununua gari hili.",
	"Tagalog":    "Nasa bahay ang lalaki nang dumating ang babae mula sa lungsod kasama ang kanyang mga anak. Ito ang aklat na binasa ko sa paaralan at isa ito sa pinakamahusay na mayroon kami. Hindi ko alam kung may gustong bumili ng kotseng ito.",
}

func TestGuess(t *testing.T) {
	guess := func(texts ...string) string {
		g := NewGuesser()
		for _, text := range texts {
			g.Add([]byte(text))
		}
		return g.Language()
	}
	for code, text := range guessTexts {
		// A few sentences each, as two records have them.
		if got := guess(text, strings.ToUpper(text), text); got != code {
			t.Errorf("%s is taken for %q", code, got)
		}
	}
	// Those that words are not stemmed of.
	for code, text := range map[string]string{
		"ca": "L'home era a casa quan la dona va arribar de la ciutat amb els seus fills, i aquest és el llibre que vaig llegir a l'escola. ",
		"zh": "这是我在学校读过的书，是我们最好的书之一。HUAWEI Mate 60 Pro 手机",
		"ja": "これは学校で読んだ本で、最も良い本の一つです。Panasonic NA-VX800 洗濯機",
		"ko": "이것은 내가 학교에서 읽은 책이며 가장 좋은 책 중 하나입니다. LG 그램 17",
	} {
		if got := guess(strings.Repeat(text, 5)); got != code {
			t.Errorf("%s is taken for %q", code, got)
		}
	}
	for name, text := range unknownTexts {
		for n := 1; n < 20; n++ {
			if got := guess(strings.Repeat(text, n)); got != "" {
				t.Errorf("%s, %d times, is taken for %s", name, n, got)
				break
			}
		}
	}
	// Short records, which have hardly a filler word.
	for code, text := range map[string]string{
		"ar": "حقيبة يد جلدية سوداء. حذاء رياضي للرجال. سماعة رأس لاسلكية. ساعة يد فضية",
		"el": "Κόκκινα αθλητικά παπούτσια Nike Air 270. Μαύρη δερμάτινη τσάντα. Ασημένιο ρολόι. Χειμερινό μπουφάν. Λευκό πουκάμισο",
		"hi": "लाल जूते Nike Air 270. काला चमड़े का बैग. चांदी की घड़ी. सर्दियों की जैकेट. सफेद कमीज",
		"hu": "Fekete bőr cipő. Férfi futócipő Nike Air 270. Női kézitáska. Gyűrű ezüst. Téli kabát. Szőnyeg gyapjú",
		"ru": "Красные кроссовки Nike Air 270. Чёрные ботинки. Кожаная сумка. Серебряные часы. Зимние сапоги. Белые рубашки",
		"ta": "சிவப்பு காலணி Nike. கருப்பு பை. வெள்ளி கடிகாரம். குளிர்கால சட்டை",
		"tr": "Kırmızı spor ayakkabı Nike. Siyah deri çanta. Kışlık bot. Gümüş saat. Yağmurluk. Bisiklet kaskı",
	} {
		for n := 1; n < 100; n *= 3 {
			if got := guess(strings.Repeat(text+". ", n)); got != code {
				t.Errorf("short records of %s, %d times, are taken for %q", code, n, got)
			}
		}
	}
	// Listings of which the lists of the language hold one word.
	for code, text := range map[string]string{
		"tr": "Çankaya metroya yakın satılık 2+1 daire Ankara Eşyalı, öğrenciye uygun. Kadıköy merkezde kiralık daire, asansörlü site içinde yeni bina. ",
		"pl": "Mieszkanie dwupokojowe Śródmieście Mokotów sprzedaż wynajem balkon garaż umeblowane Warszawa Kraków nowe budownictwo cegła. ",
	} {
		for n := 1; n < 100; n *= 3 {
			if got := guess(strings.Repeat(text, n)); got != code {
				t.Errorf("listings of %s, %d times, are taken for %q", code, n, got)
			}
		}
	}
	shirts := strings.Repeat("Nike Air Max 270 React GTX black/white size 42. ", 50)
	for name, texts := range map[string][]string{
		"nothing":        nil,
		"few words":      {"el libro de la escuela"},
		"names":          {shirts},
		"Thai":           {strings.Repeat("ผู้ชายอยู่ในบ้านเมื่อผู้หญิงมาจากในเมืองพร้อมกับลูกๆ ของเธอ ", 20)},
		"two languages":  {strings.Repeat(guessTexts["en"], 3), strings.Repeat(guessTexts["de"], 3)},
		"broken texts":   {strings.Repeat("\xff\xfe el \x00 \u0301 ", 30) + shirts + shirts},
		"codes":          {strings.Repeat("Coupler 3x RCA F/F A/V 2 m, Black. SDXC Card 16GB U1 A1 V10 Class 10, R/M/T x10, S/M/L/XL, DVD-R/W 4x, E27 5 W C, 10 L, I/O, T596600 N. ", 20)},
		"Turkish cities": {strings.Repeat("The city of Diyarbakır is one of the oldest in the region, and it is known for its walls. ", 9)},
		"Turkish places": {"Kadıköy Beşiktaş Üsküdar Şişli Beyoğlu Fatih Bakırköy Çankaya Keçiören Karşıyaka Bornova Konak Muratpaşa Konyaaltı Nilüfer Osmangazi Sarıyer Ataşehir Maltepe Kartal Pendik Tuzla Büyükçekmece Küçükçekmece Esenyurt Avcılar"},
		"Turkish people": {"Mehmet Yılmaz Ayşe Kaya Fatma Demir Mustafa Çelik Ahmet Şahin Emine Yıldız Hatice Yıldırım Zeynep Öztürk Elif Aydın Merve Özdemir Murat Arslan Hüseyin Doğan İbrahim Kılıç Hasan Aslan Özlem Çetin"},
		"Polish cities":  {"Warszawa Kraków Łódź Wrocław Poznań Gdańsk Szczecin Bydgoszcz Lublin Białystok Katowice Gdynia Częstochowa Radom Toruń Sosnowiec Kielce Rzeszów Gliwice Zabrze Olsztyn Bielsko Biała Bytom Rybnik Zielona Góra Tychy Opole Elbląg"},
		"endless words":  {strings.Repeat("ﷺ", 1<<20), strings.Repeat("e\u0301", 1<<20)},
		"a word of many": {strings.Repeat("de ", 1000)},
	} {
		// English is what is assumed of texts that do not tell.
		if got := guess(texts...); got != "" && got != "en" {
			t.Errorf("%s: taken for %q", name, got)
		}
	}
	// What stands for a language in names and numbers of any.
	if got := guess(strings.Repeat("Zapatillas de correr para mujer con suela de goma, Nike Air 270. Bolso de mano con correa para el hombro, disponible en los colores que más se llevan. ", 5)); got != "es" {
		t.Errorf("Spanish products are taken for %q", got)
	}
}

// TestGuessByLetters: letters that a language lacks tell that texts are not in it, however like its words are.
func TestGuessByLetters(t *testing.T) {
	for text, want := range map[string]string{
		"Кавоварка еспресо Керамічна кавомолка та спінювач молока": "ru",
		"Храна за котки със сьомга Без зърно за котки":             "ru uk",
		"Белая рубашка из хлопка, мыло и полотенце для ванной":     "uk",
	} {
		g := NewGuesser()
		g.Add([]byte(text))
		if got := g.Language(); got != "" && strings.Contains(want, got) {
			t.Errorf("%q is taken for %s", text, got)
		}
	}
}
