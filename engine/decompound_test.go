package engine

import (
	"fmt"
	"strings"
	"testing"
)

// TestDecompound: words are found in compounds as their heads, by twos as one, and apart;
// what was also looked for is told, and no word that is found so is repaired.
func TestDecompound(t *testing.T) {
	for _, c := range []struct{ language, record, query, told string }{
		{"de", "Vollmilchschokolade", "Schokolade", "[{schokolade *schokolade}]"},
		{"de", "Damenwinterjacke", "Jacke", "[{jacke *jacke}]"},
		{"de", "Bürostuhl", "Stuhl", "[{stuhl *stuhl}]"},
		{"de", "Bürostühle", "Stuhl", "[{stuhl *stuhl}]"},
		{"de", "Damenhose", "Hose", "[{hose *hose}]"},
		{"de", "Schuhe für Kinder", "Kinderschuhe", "[{kinderschuhe kinder schuhe}]"},
		{"de", "Laufschuhe für Herren", "Herrenlaufschuhe", "[{herrenlaufschuhe herren laufschuhe}]"},
		{"de", "Schuhe zum Laufen für Herren", "Herrenlaufschuhe", "[{herrenlaufschuhe herren lauf schuhe}]"},
		{"de", "Winterjacke für Damen", "Damenjacke", "[{damenjacke damen jacke}]"},
		{"de", "Hundefutter", "Futter für Hunde", "[{futter *futter} {hunde hunde*} {futter hunde hund*futter}]"},
		{"de", "Wollpullover", "Pullover aus Wolle", "[{pullover *pullover} {wolle wolle*} {pullover wolle woll*pullover}]"},
		{"de", "Geburtstagsgeschenk", "Geschenk zum Geburtstag", "[{geschenk *geschenk} {geburtstag geburtstag*} {geschenk geburtstag geburtstag*geschenk}]"},
		{"de", "Teekanne", "Kanne Tee", "[{kanne *kanne} {kanne tee tee*kanne}]"},
		{"de", "Fluggastrechte", "Flug", "[{flug flug*}]"},
		{"de", "Kündigungsschutz", "Kündigung", "[{kundigung kundigung*} {kundigung kundig*}]"},
		{"de", "Wespennest", "Wespe", "[{wespe wespe*}]"},
		{"de", "Flughafen", "Flug", "[{flug flug*}]"},
		{"nl", "Wespennest", "wesp", "[{wesp wesp*}]"},
		{"nl", "Bloedvlekken", "bloed", "[{bloed bloed*}]"},
		{"sv", "Getingbo", "geting", "[]"}, // too few letters follow
		{"fi", "Talvirenkaat", "talvi", "[{talvi talvi*}]"},
		{"de", "Standard", "Stand", "[]"},
		{"de", "Handlung", "Hand", "[]"},
		{"de", "Verstand und Gegenstand", "Stand", "[]"},
		{"de", "Unternehmen", "nehmen", "[]"},
		{"nl", "Tafellamp", "lamp", "[{lamp *lamp}]"},
		{"nl", "Winterjas dames", "dameswinterjas", "[{dameswinterjas dames winterjas}]"},
		{"sv", "Tresitssoffa", "soffa", "[{soffa *soffa}]"},
		{"sv", "Kontorsstol", "stol för kontor", "[{stol *stol} {kontor kontor*} {stol kontor kontor*stol}]"},
		{"da", "Vinterjakke", "jakke", "[{jakke *jakke}]"},
		{"no", "Hagemøbler", "møbler", "[{mobler *mobler}]"},
		{"fi", "Talvitakki", "takki", "[{takki *takki}]"},
		{"hu", "Télikabát", "kabát", "[{kabat *kabat}]"},
		{"en", "Blackboard", "board", "[{board *board}]"},
		{"en", "CalorieMate", "count calories", "[{calories calories*} {calories calor*}]"},
		{"en", "Houseboat", "boats", "[{boats *boats}]"},
		{"en", "Transport", "port", "[]"},
		{"en", "Friendship", "ship", "[]"},
		{"fr", "Portefeuille", "feuille", "[]"},
	} {
		e := titled(t, c.language, c.record, "Rollen", "Etwas anderes", "Kampeertent")
		res := find(t, e, &Request{Query: c.query, Prefix: PrefixOff, Match: MatchAny})
		if got, want := fmt.Sprint(res.Query.Compounds), c.told; got != want {
			t.Errorf("%s: %q told of %s, want %s", c.language, c.query, got, want)
		}
		if got := sortWords(idsOf(res)); (got == "1") != (c.told != "[]") || len(got) > 1 {
			t.Errorf("%s: %q found %q", c.language, c.query, got)
		}
		if c.told != "[]" && (len(res.Query.Corrections) > 0 || res.Query.DidYouMean != "") {
			t.Errorf("%s: %q was repaired: %v, %q", c.language, c.query, res.Query.Corrections, res.Query.DidYouMean)
		}
	}
}

// TestLooseCompound: a compound that no record holds is looked for by its parts, those that have
// both first, then those that have its head.
func TestLooseCompound(t *testing.T) {
	for _, c := range []struct{ language, records, query, want, told string }{
		{"de", "Saugroboter mit Wischfunktion/Fensterputzroboter/Wischtuch/Lampe", "Wischroboter", "1 2 3", "[{wischroboter *roboter} {wischroboter wisch*}]"},
		{"de", "Haus kaufen und bauen/Wie viel Haus kann ich mir leisten/Kauf auf Raten", "Hauskauf", "1", "[{hauskauf haus kauf}]"}, // one has both
		{"de", "EC-Karte sperren/Lampe", "Kartensperrung", "1", "[{kartensperrung karten*}]"},
		{"sv", "Parkering i zonen/Kompost i trädgården", "Kompostering", "2", "[{kompostering kompost*}]"},
		{"de", "Personalausweis beantragen/Ausweis verloren", "Personalausweis verloren", "2 1", "[]"},
		{"de", "Kühlschrank/Kühlung/Lampe", "Kühlschrank", "1", "[]"}, // "chrank" is no word because it ends with it
		{"nl", "Broodtrommel met vakjes/Fiets", "lunchtrommel", "1", "[{lunchtrommel *trommel}]"},
		{"nl", "Drinkfles/Waterkoker/Fiets", "waterfles", "1 2", "[{waterfles *fles} {waterfles water*}]"},
		{"nl", "Stoel/Fiets", "stoeltje", "1", "[{stoeltje stoel*}]"},
		{"sv", "Vandringskängor Skor/Löparskor/Lampa", "vandringsskor", "1 2", "[{vandringsskor *skor} {vandringsskor vandrings*}]"},
		{"sv", "Robotgräsklippare/Robotdammsugare/Åkgräsklippare", "robotklippare", "1 3 2", "[{robotklippare *klippare} {robotklippare robot*}]"},
		{"sv", "Bilbarnstol/Barnvagn", "bilstol", "1", "[{bilstol *stol} {bilstol bil*}]"},
		{"da", "Kontorstol/Sofa/Campinglampe", "campingstol", "1 3", "[{campingstol *stol} {campingstol camping*}]"},
		{"no", "Hagestol/Sofa/Campinglampe", "campingstol", "1 3", "[{campingstol *stol} {campingstol camping*}]"},
		{"fi", "Talvitakki/Sadehattu", "sadetakki", "1 2", "[{sadetakki *takki} {sadetakki sade*}]"},
		{"hu", "Télikabát/Esőnadrág", "esőkabát", "1 2", "[{esokabat *kabat} {esokabat eso*}]"},
		{"en", "Saucepan/Framework", "framepan", "", "[]"},
		{"en", "Polling station/Snow and ice/Car insurance/Clean", "police", "", "[]"},
		{"en", "Polling station/Snow and ice/Car insurance/Clean", "clearance", "", "[]"},
		{"en", "Toothpaste/Hairbrush", "toothbrush", "2 1", "[{toothbrush *brush} {toothbrush tooth*}]"},
		{"de", "Dienstwagenrichtlinie/Erstattung von Auslagen/Vorlagen", "Dienstwagen", "1", "[{dienstwagen dienstwagen*}]"},
	} {
		e := titled(t, c.language, strings.Split(c.records, "/")...)
		for range 2 { // the second time it is remembered
			res := find(t, e, &Request{Query: c.query, Prefix: PrefixOff})
			if got := idsOf(res); got != c.want || fmt.Sprint(res.Query.Compounds) != c.told {
				t.Errorf("%s: %q found %q, told of %v, want %q and %s", c.language, c.query, got, res.Query.Compounds, c.want, c.told)
			}
		}
	}
}

// TestShortCompound: few letters before a head are no prefix if the head is long, or if nothing
// else is found; words are heads as they are written, too.
func TestShortCompound(t *testing.T) {
	for _, c := range []struct{ language, records, query, want string }{
		{"de", "Heckenschere/Astschere/Schal", "Schere", "1 2"},
		{"de", "Mähroboter/Saugroboter", "Roboter", "1 2"},
		{"de", "Unterhandlung/Verhandlung", "Handlung", ""},
		{"de", "Spiegel/Egel", "Egel", "2"},
		{"nl", "Prullenbak/Tafel", "bak", "1"},
		{"nl", "Oordoppen/Tafel", "doppen", "1"},
		{"nl", "Drinkfles/Tafel", "fles", "1"},
		{"sv", "Mobilladdare/Snabbladdare/Lampa", "laddare", "1 2"},
		{"sv", "Åkgräsklippare/Gräsklippare", "gräsklippare", "2 1"},
		{"sv", "Kylskåp/Lampa", "skåp", "1"},
		{"sv", "Stekpanna/Lampa", "panna", "1"},
	} {
		e := titled(t, c.language, strings.Split(c.records, "/")...)
		if got := idsOf(find(t, e, &Request{Query: c.query, Prefix: PrefixOff})); got != c.want && sortWords(got) != c.want {
			t.Errorf("%s: %q found %q in %q, want %q", c.language, c.query, got, c.records, c.want)
		}
	}
}

// TestMisspeltHead: a word that is only there as the head of compounds is repaired as others are,
// if no word is near; and what is repaired is a head as it would be if it were typed so.
func TestMisspeltHead(t *testing.T) {
	for _, c := range []struct{ language, records, query, want, text string }{
		{"de", "Heißluftfritteuse/Lampe", "Friteuse", "1", "fritteuse"},
		{"de", "Filterkaffeemaschine/Kaffeemühle/Waschmaschine", "Kaffeemaschiene", "1", "kaffeemaschine"},
		{"nl", "Houtskoolbarbecue/Lamp", "barbeque", "1", "barbecue"},
		{"nl", "Houtskoolbarbecue/Lamp", "barbeceu", "1", "barbecue"},
		{"de", "Winterjacken/Jacken/Lampe", "Jakcen", "2 1", "jacken"},
		{"de", "Verhandlung/Lampe", "Hanldung", "", "Hanldung"},
		{"en", "Motherboards/Lamp", "baords", "", "baords"},
	} {
		e := titled(t, c.language, strings.Split(c.records, "/")...)
		for range 2 {
			res := find(t, e, &Request{Query: c.query, Prefix: PrefixOff})
			if got := idsOf(res); got != c.want || res.Query.Text != c.text {
				t.Errorf("%s: %q found %q as %q, want %q as %q", c.language, c.query, got, res.Query.Text, c.want, c.text)
			}
		}
	}
}

// TestCompoundApart: of two words the compound of both comes before that of one, wherever in it
// they stand together.
func TestCompoundApart(t *testing.T) {
	e := titled(t, "de", "Gasgrill mit Seitenkocher", "Wasserkocher", "Reisewasserkocher", "Trockenhundefutter")
	for query, want := range map[string]string{"Wasser Kocher": "2 3 1", "Futter für Hunde": "4"} {
		if got := idsOf(find(t, e, &Request{Query: query, Prefix: PrefixOff, Match: MatchAny})); got != want {
			t.Errorf("%q found %q, want %q", query, got, want)
		}
	}
}

// TestSeldomBesideOthers: what the fields of one language have as a compound does not keep a word from
// being looked for in those of another.
func TestSeldomBesideOthers(t *testing.T) {
	e := newEngine(t, nil)
	text := func(name, language string) Field {
		return Field{Name: name, Type: Text, Search: true, Language: language}
	}
	create(t, e, "i", Schema{Fields: []Field{text("da", "da"), text("en", "en")}})
	apply(t, e, puts("i", `{"id":"h","en":"houseboat"}`, `{"id":"x","da":"speedboat"}`))
	if got := sortWords(idsOf(find(t, e, &Request{Query: "boat", Prefix: PrefixOff}))); got != "h x" {
		t.Errorf("found %q", got)
	}
}
