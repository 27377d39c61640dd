package tokenize

import (
	"strings"
	"sync"
)

// polishRows are words whose forms no rule brings together, or that a rule would make another word
// of. A row has the stem, a colon, and the forms that have it. They are everyday words: no new
// ones are made. Forms are found without their diacritics, too, but for those with a ! before them,
// which are another word then: rąk, rak.
const polishRows = `
pies: psa psu psem psie psy psów psom psami psach
dn: dzień dnia dniu dniem dni dniom dniami dniach dnie
tygodn: tydzień tygodnia tygodniu tygodniem tygodnie tygodni tygodniom tygodniami tygodniach
ogn: ogień ognia ogniu ogniem ognie ogni ogniom ogniami ogniach
stopn: stopień stopnia stopniu stopniem stopnie stopni stopniom stopniami stopniach
wiezn: więzień więźnia więźniu więźniem więźniowie więźniów więźniom więźniami więźniach
kwietn: kwiecień kwietnia kwietniu kwietniem
styczn: styczeń stycznia styczniu styczniem
wrzesn: wrzesień września wrześniu wrześniem
sierpn: sierpień sierpnia sierpniu sierpniem
grudn: grudzień grudnia grudniu grudniem
sn: sen snu snem śnie sny snów snom snami snach
lw: lew lwa lwu lwem lwie lwy lwów lwom lwami lwach
ln: len lnu lnem lnie
orl: orzeł orła orłu orłem orle orły orłów orłami orłach
kotl: kocioł kotła kotłem kotle kotły kotłów kotłami kotłach
ojc: ojciec ojca ojcu ojcem ojcowie ojców ojcom ojcami ojcach
brat: brata bratu bratem bracie bracia braci braciom braćmi braciach
zeb: ząb zęba zębu zębem zębie zęby zębów zębom zębami zębach
mez: !mąż męża mężowi mężem mężu mężowie mężów mężom mężami mężach
deb: !dąb dębu dębem dębie dęby dębów dębom dębami dębach
bled: !błąd błędu błędem błędzie błędy błędów błędom błędami błędach
wez: !wąż węża wężem wężu węże węży wężów wężom wężami wężach
rzed: rząd rzędu rzędem rzędzie rzędy rzędów rzędom rzędami rzędach
urzed: urząd urzędu urzędem urzędzie urzędy urzędów urzędom urzędami urzędach
goleb: gołąb gołębia gołębiem gołębiu gołębie gołębi gołębiom gołębiami gołębiach
okreg: okrąg okręgu okręgiem okręgi okręgów okręgom okręgami okręgach
kreg: krąg kręgu kręgiem kręgi kręgów kręgami kręgach
pieniedz: pieniądz pieniądza pieniądzu pieniądzem pieniądze pieniędzy pieniądzom pieniędzmi pieniądzach
miesiac: miesiąc miesiąca miesiącu miesiącem miesiące miesięcy miesiącom miesiącami miesiącach
tysiac: tysiąc tysiąca tysiącu tysiącem tysiące tysięcy tysiącom tysiącami tysiącach
zolad: żołądź żołędzi żołędzie żołędziom żołędziami
ksiadz: ksiądz księdza księdzu księdzem księża księży księżom księżmi
przyjaciel: przyjaciół przyjaciołom przyjaciółmi przyjaciołach
rek: ręka ręki ręce rękę ręką !rąk rękom rękami rękach ręku
swiet: święto święta świętu świętem !święcie świąt świętom świętami świętach
wsteg: wstęga wstęgi wstędze wstęgę wstęgą wstąg
ksieg: księga księgi księdze księgę księgą ksiąg księgom księgami księgach
ok: oko oka oku okiem oczy oczu okom oczom oczami oczach
uch: ucho ucha uchu uchem uszy uszu uszom uszami uszach
dziecko: dziecka dziecku dzieckiem dziecko dzieci dzieciom dziećmi dzieciach
czlowk: człowiek człowieka człowiekiem człowiekowi człowieku
ludz: ludzie ludzi ludziom ludźmi ludziach
lokc: łokieć łokcia łokciu łokciem łokcie łokci łokciom łokciami łokciach
paznokc: paznokieć paznokcia paznokciu paznokciem paznokcie paznokci paznokciom paznokciami paznokciach
wsi: wieś wsi wsią wsie wsiom wsiami wsiach
krw: krew krwi krwią krwiom
brwi: brew brwi brwią brwiom brwiami brwiach
drzwi: drzwiom drzwiami drzwiach drzwi
gra: gra gry grze grę grą gier grom grami grach grać grają grał grała grało grali grały granie grania graniu
pani: pani panią panie paniom paniami paniach
siostr: siostrze
swiat: świecie
kosciol: kościele
swiatl: świetle
gosci: goście
lisci: liście
niedzwiedz: niedźwiedzie
gwozdz: gwóźdź gwoździa gwoździe gwoździem gwoździ gwoździami
cukr: cukier cukru cukrze cukrem cukry
swetr: sweter swetra swetrze swetrem swetry swetrów swetrami
lustr: luster lustrze
pudr: puder pudru pudrem pudry
wiadr: wiader wiadrze
zebr: żeber żebro żebra żebrze żeber żebrami
srebr: sreber srebro srebra srebrze srebrem
futr: futer futro futra futrze futrem
wiosn: wiosen
sosn: sosen
piosn: piosen
poet: poeci
tancerz: tancerze
sasiad: sąsiedzi
jazd: jeździe
muze: muzeum muzea muzeów muzeom muzeami muzeach
centr: centrum centra centrów centrom centrami centrach
lice: liceum licea liceów liceom liceami liceach
akwari: akwarium akwaria akwariów akwariami akwariach
imi: imię imienia imieniu imieniem imiona imion imionom imionami imionach
rami: ramię ramienia ramieniu ramieniem ramiona ramion ramionom ramionami ramionach
plemi: plemię plemienia plemieniu plemieniem plemiona plemion plemionom plemionami plemionach
nasien: nasienie nasienia nasieniu nasieniem nasiona nasion nasionom nasionami nasionach
zwierz: zwierzę zwierzęcia zwierzęciu zwierzęciem zwierzęta zwierząt zwierzętom zwierzętami zwierzętach
kurcz: kurczę kurczęcia kurczęciu kurczęciem kurczęta kurcząt kurczętom kurczętami kurczętach
dziewcz: dziewczę dziewczęcia dziewczęta dziewcząt dziewczętom dziewczętami
niemowl: niemowlę niemowlęcia niemowlęciu niemowlęciem niemowlęta niemowląt niemowlętom niemowlętami niemowlętach
ciel: !cielę cielęcia cielęta cieląt cielętom cielętami
jagn: jagnię jagnięcia jagnięta jagniąt jagniętom jagniętami
polak: polak polacy
rodak: rodacy
gotow: gotowi
niemc: niemczech
wloch: włoszech
wegr: węgrzech
strazak: strażacy
koleg: koledze koledzy kolego
galez: gałąź
pietr: pięter
miesn: mięsień mięśnia mięśniu mięśniem mięśnie mięśni mięśniom mięśniami mięśniach
kapci: kapeć
uczn: uczeń ucznia uczniu uczniem uczniowie uczniów uczniom uczniami uczniach
kabl: kabel
kaszl: kaszel
mebl: mebel
plastr: plaster
torb: toreb
koldr: kołder
wann: wanien
grzywn: grzywien
weln: wełen
baweln: bawełen
wynajm: wynajem
najm: najem
problem: problemu
system: systemu
modem: modemu
jechac: jechać jadę jedzie jadą jechał jechała jechali
niedziel: niedzieli
lokat: lokaci
szybk: szybko szybciej
pozny: późno późny późnego późnemu późnym późnych późnymi późne późnej !późna !późną później
wiezien: więzienie więzienia więzieniu więzieniem więzieniami więzieniach
wiezi: !więź więzi !więzią więziom więziami
zadaj: !żądanie !żądania !żądaniu !żądaniem !żądań !żądaniom !żądaniami !żądaniach !żądać !żąda !żądają !żądał !żądała !żądali
meczy: męczyć męczy !męczę !męczą męczył męczyła męczyli męczony
wrazen: wrażenie wrażenia wrażeniu wrażeniem wrażeń wrażeniom wrażeniami wrażeniach
widzow: widz widza widzowi widzem widzowie widzów widzom widzami widzach
staly: stały stałego stałemu stałym stałych stałymi stałej !stała !stałą !stałe
dane: dane danych danym danymi
sadow: !sąd !sądu !sądowi !sądem !sądzie !sądy !sądów !sądom !sądami !sądach
leka: !lęk !lęku !lękowi !lękiem !lęki !lęków !lękom !lękami !lękach !lękać
staci: !stać !stał !stało
praci: !prać pierze !piorę !piorą prał prała prało prali pranie prania praniu praniem
myci: myć myje myjesz myję myją !mył !myła !myło mycie mycia myciu myciem
pis: pisze piszę piszesz piszemy piszecie piszą
`

// polishComparatives are stems of comparatives without -iej-, and those of their adjectives. That of drogi is not
// one of them, since roads are drogi, too.
var polishComparatives = map[string]string{
	"wyższ": "wysok", "niższ": "nisk", "tańsz": "tan", "szybsz": "szybk", "krótsz": "krótk", "cięższ": "ciężk", "węższ": "wąsk", "szersz": "szerok",
	"młodsz": "młod", "starsz": "star", "głębsz": "głębok", "słodsz": "słodk",
}

// polishBare are words that end as if they had an ending, and have none.
const polishBare = `problem system modem tandem totem harem krem poemat zapach zamach rozmach monarch piach dyplom poziom pielgrzym olbrzym
przełom fantom symptom kolej złodziej nadziej przywilej turniej kielich kraków rzeszów tarnów chorzów głogów rozmów
budów połów ołów przemów wymów osiem siedem umów obudów zamów odnów odmów ziem alkohol`

// polishOwa are the beginnings of words in -owa, -owo and -ów of places, whose locative ends as the plural and the
// dative of others do: rozmowie.
const polishOwa = `obud odm krak rzesz tarn chorz głog rozm bud przebud odbud zabud rozbud poł przem wym nam zm dąbr bytk częst`

// polishForms are the stems of the words of polishRows and polishBare.
var polishForms = sync.OnceValue(func() map[string]string {
	folded := func(word string) string { return string(Fold(nil, []byte(word))) }
	forms := map[string]string{}
	add := func(form, stem string) {
		if form, exact := strings.CutPrefix(form, "!"); exact {
			forms[form] = stem
			return
		}
		forms[form] = stem
		if plain := folded(form); forms[plain] == "" {
			forms[plain] = stem
		}
	}
	for row := range strings.Lines(polishRows) {
		stem, words, _ := strings.Cut(row, ":")
		for word := range strings.FieldsSeq(words) {
			add(word, stem)
		}
	}
	for word := range strings.FieldsSeq(polishBare) {
		add(word, folded(word))
	}
	for begin := range strings.FieldsSeq(polishOwa) {
		add(begin+"owie", folded(begin)+"ow")
	}
	return forms
})

// polishNounStems are polishNouns, by what the ending begins with.
var polishNounStems = sync.OnceValue(func() map[string]map[string]bool {
	sets := map[string]map[string]bool{}
	set := ""
	for word := range strings.FieldsSeq(polishNouns) {
		if name, ok := strings.CutPrefix(word, "-"); ok {
			set = name
			sets[set] = map[string]bool{}
			continue
		}
		sets[set][word] = true
	}
	return sets
})
