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
		"da": `
			sko skoene skoen, jakke jakker jakken, kjole kjoler kjolerne, taske tasker tasken, bog bogen, bøger bøgerne,
			cykel cykler cyklen, barn børn, rød rødt, stor stort, hvid hvidt, ny nye, gammel gamle, finger fingre, møbel møbler,
			søster søstre, vinter vintre, tand tænder tænderne, mand mænd mændene, fod fødder fødderne, hånd hænder, nat nætter, ko køer køerne,
			ø øer øen øerne, by byer byen byerne, træ træer træet træerne, øje øjne øjnene, uge uger ugen ugerne, knæ knæene, due duer, vej veje vejen vejene`,
		"de": `
			schuh schuhe, kleid kleider, buch bücher, stuhl stühle, jacke jacken, tasche taschen, fahrrad fahrräder,
			handschuh handschuhe, sofa sofas, lehrerin lehrerinnen, freundin freundinnen, kollegin kolleginnen, auto autos,
			handy handys, foto fotos, dunkel dunkle, teuer teure, schlüssel schlüsseln, sessel sesseln, hoch hohe`,
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
			øy øyer øyene øya, by byer byen byene, tre trær trærne treet, øye øyne øynene, uke uker ukene uka, kne knær, sau sauer sauene, vei veier veien veiene, bie bier biene`,
		"pt": `
			sapato sapatos, calça calças, colchão colchões, botão botões, animal animais, lençol lençóis, anel anéis, papel papéis,
			mulher mulheres, flor flores, fogão fogões, cão cães, pão pães, mão mãos, azul azuis, cor cores, móvel móveis,
			coração corações, televisão televisões, hotel hotéis, túnel túneis, automóvel automóveis, canal canais, jornal jornais,
			nacional nacionais, digital digitais, espanhol espanhóis, caracol caracóis, barril barris, fácil fáceis, útil úteis,
			portátil portáteis, infantil infantis, homem homens, jovem jovens, imagem imagens, jardim jardins, batom batons,
			álbum álbuns, bombom bombons, avião aviões, limão limões, camarão camarões, macarrão macarrões, cartão cartões`,
		"ro": `
			pantof pantofi, rochie rochii rochia, carte cărți cartea, bicicletă biciclete bicicleta, cizmă cizme, telefon telefoane,
			covor covoare, dulap dulapuri, floare flori florile`,
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
			"pare parar, torre torrar, pi pis, os ou, gas gat, banc banca, bossa bosc, mare mar, foc foca, costat costar, vaga vaca, boca boga, soldat soldar, pal pala, sopa sopar, llibre lliure",
		"da": "barn barm, nøgle nøgen, ø øje, due du, by bytte, mand mandel, tand tang",
		"de": "hand handel, los losung, glas gla, gras gra, haus hau, lehrer lehrerin, preis prei",
		"es": "taza taco, plaza placa, vida vídeo, café casa, luz lujo, campo campana, inglés ingle",
		"fi": "talo tali, rakkaus rakki",
		"fr": "tasse tas, cave café, gris gri, bas ba, poisson poison, cheveu cheval, nous noix",
		"hu": "kabát kaki, óra orr",
		"it": "cane canto, anno ano, giovani giova",
		"nl": "adres adder, prins prinses, zanger zangeres, kaas kaal, glas gla, huis hui",
		"no": "barn barm, bok bukse, øy øye, uke uklar, bleie blei, eie ei, tre treg",
		"pt": "mil mel, tênis tens, pais paz, leis lei",
		"ro": "cuptor cupă, masă măsea, pată pat, fată față, cal cale, soră soare, coadă cod, ceară cer, fiară fier, geam gem, seară seră, poartă port, muscă must, vită viță, țară tare, măr mare, obraz oraș, copil copac, cerc cercel, băiat baie",
		"ru": "только толк, сок сода, век вечер, диван дива",
		"sv": "hatt hat, damm dam, vin vinna, ändra ända, paket pak, roman rom, alfabet alfa",
		"tr": "kafes kafe, tenis ten, çanta çay, hata hat, kanada kayısı, oda otel, adres adi",
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
