package engine

import (
	"fmt"
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
		{"de", "Hundefutter", "Futter für Hunde", "[{futter *futter} {futter hunde hund*futter}]"},
		{"de", "Wollpullover", "Pullover aus Wolle", "[{pullover *pullover} {pullover wolle woll*pullover}]"},
		{"de", "Geburtstagsgeschenk", "Geschenk zum Geburtstag", "[{geschenk *geschenk} {geschenk geburtstag geburtstag*geschenk}]"},
		{"de", "Teekanne", "Kanne Tee", "[{kanne *kanne} {kanne tee tee*kanne}]"},
		{"de", "Verstand und Gegenstand", "Stand", "[]"},
		{"de", "Unternehmen", "nehmen", "[]"},
		{"nl", "Tafellamp", "lamp", "[{lamp *lamp}]"},
		{"nl", "Winterjas dames", "dameswinterjas", "[{dameswinterjas dames winterjas}]"},
		{"sv", "Tresitssoffa", "soffa", "[{soffa *soffa}]"},
		{"sv", "Kontorsstol", "stol för kontor", "[{stol *stol} {stol kontor kont*stol}]"},
		{"da", "Vinterjakke", "jakke", "[{jakke *jakke}]"},
		{"no", "Hagemøbler", "møbler", "[{mobler *mobler}]"},
		{"fi", "Talvitakki", "takki", "[{takki *takki}]"},
		{"hu", "Télikabát", "kabát", "[{kabat *kabat}]"},
		{"en", "Blackboard", "board", "[]"},
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
