package engine

import (
	"fmt"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/quarry-search/quarry/engine/internal/intent"
	"github.com/quarry-search/quarry/tokenize"
)

// TestFrames: what people put around what they ask for does not count, and does where it is all
// that is asked for, or stands by itself.
func TestFrames(t *testing.T) {
	e := newEngine(t, nil)
	for _, language := range []string{"en", "de"} {
		create(t, e, language, Schema{Language: language, Fields: []Field{{Name: "title", Type: Text, Search: true, Weight: 5}, {Name: "text", Type: Text, Search: true}}})
	}
	apply(t, e, puts("en",
		`{"id":"pension","title":"Pension","text":"What you get when you are old."}`,
		`{"id":"debt","title":"Debt advice","text":"Help with debts: looking for information in advance helps a lot."}`,
		`{"id":"office","title":"Information desk","text":"Looking for help? Information in advance, with a lot of thanks."}`,
		`{"id":"way","title":"The best way","text":"A song."}`,
	))
	apply(t, e, puts("de",
		`{"id":"rente","title":"Rente","text":"Was man im Alter bekommt."}`,
		`{"id":"hilfe","title":"Hilfe bei Problemen","text":"Ich suche Informationen über Hilfe, vielen Dank im Voraus."}`,
	))
	for _, tt := range []struct{ index, q, want string }{
		{"en", "i am looking for information about pension", "pension"},
		{"en", "I'm looking for information about pension, thanks a lot in advance!", "pension"},
		{"en", "need help with pension asap", "pension"},
		{"en", "what is the best way to deal with debts", "debt"},
		{"en", "help information", "office"},
		{"en", "looking for information", "office"}, // there is nothing else
		{"en", "the best way", "way"},
		{"de", "ich suche informationen über rente", "rente"},
		{"de", "Ich brauche Hilfe bei Rente, vielen Dank", "rente"},
		{"de", "hilfe bei problemen", "hilfe"},
	} {
		if got := idsOf(find(t, e, &Request{Indexes: []string{tt.index}, Query: tt.q, Limit: 1})); got != tt.want {
			t.Errorf("%q: %s, want %s", tt.q, got, tt.want)
		}
	}
	table, cues := frameTable("en"), e.cuesOf("en")
	for q, want := range map[string]string{
		"i am looking for shoes":                   "[[0 16]]",
		"I’m looking for shoes, many thanks":       "[[0 17] [25 36]]",
		"looking glass":                            "[]",
		"thanks a lot":                             "[]",
		"thanks a lot!":                            "[]",
		"thanks a lot: " + strings.Repeat("x", 40): "[[0 12]]",
		"i need help with the":                     "[]",
		"":                                         "[]",
	} {
		if got := fmt.Sprint(table.around(q, cues)); got != want {
			t.Errorf("%q: frames at %s, want %s", q, got, want)
		}
	}
}

// TestFramesOfLanguages: phrases are told with and without accents, behind what is asked for, and at
// both ends of what is written without spaces.
func TestFramesOfLanguages(t *testing.T) {
	e := newEngine(t, nil)
	for _, tt := range []struct{ language, q, rest string }{
		{"es", "hola, ¿dónde puedo comprar zapatos? muchas gracias", "zapatos"},
		{"es", "donde puedo comprar zapatos", "zapatos"},
		{"es", "mas informacion sobre zapatos", "zapatos"},
		{"pl", "dzień dobry, szukam butów, z góry dziękuję", "butów"},
		{"pl", "gdzie moge kupic buty", "buty"},
		{"tr", "ayakkabı almak istiyorum, şimdiden teşekkürler", "ayakkabı"},
		{"ru", "подскажите, пожалуйста, где купить ботинки", "ботинки"},
		{"hi", "मुझे जूते के बारे में जानकारी चाहिए", "मुझे जूते"},
		{"ko", "안녕하세요 등산화 추천해 주세요", "등산화"},
		{"zh", "请问有没有红色的鞋?谢谢", "红色的鞋"},
		{"zh", "你好,我想买登山鞋", "登山鞋"},
		{"ja", "登山靴を探しています。", "登山靴"},
		{"ja", "すみません、登山靴はどこで買えますか?", "登山靴"},
		{"ja", "ありがとう", "ありがとう"}, // there is nothing else
		{"zh", "鞋", "鞋"},
		{"en", "Hello! Do you sell kites?", "kites"},
		{"en", "hello kitty bag", "hello kitty bag"},
		{"en", "hello， kites", "kites"}, // of a Chinese keyboard
		{"en", "hello、kites", "kites"},
		{"en", "please… kites", "kites"},
		{"en", "hello، find kites", "kites"}, // of an Arabic one
		{"en", "kites؟ thanks", "kites"},
		{"vi", "có bán giày không ạ", "giày"},
		{"vi", "toi muon mua giay", "giay"},
		{"vi", "sách tiếng anh cơ bản", "sách tiếng anh cơ bản"}, // basic, and not "có bán"
	} {
		var rest strings.Builder
		at := 0
		for _, span := range frameTable(tt.language).around(tt.q, e.cuesOf(tt.language)) {
			rest.WriteString(tt.q[at:span[0]])
			at = span[1]
		}
		rest.WriteString(tt.q[at:])
		if got := strings.TrimFunc(rest.String(), func(r rune) bool { return unicode.IsSpace(r) || unicode.IsPunct(r) }); got != tt.rest {
			t.Errorf("%s: %q asks for %q, want %q", tt.language, tt.q, got, tt.rest)
		}
	}
}

// TestFrameLists: the lists are as they are documented, and no phrase is twice there.
func TestFrameLists(t *testing.T) {
	for _, l := range tokenize.Languages() {
		seen := map[string]bool{}
		for _, phrase := range tokenize.Frames(l) {
			if plain := strings.ToLower(tokenize.Plain(phrase)); seen[phrase] || plain != phrase || strings.TrimSpace(phrase) != phrase || phrase == "" {
				t.Errorf("%s: %q, plainly %q, is twice there, or not as it is read", l, phrase, plain)
			}
			seen[phrase] = true
			table := &frames{begins: map[rune][]string{}, ends: map[rune][]string{}}
			table.add(phrase)
			query := strings.TrimPrefix(phrase, "^") + " quokka"
			if end, ok := strings.CutPrefix(phrase, "$"); ok {
				query = "quokka " + end
			}
			size := len(strings.TrimRight(strings.TrimLeft(phrase, "^$"), ",?!"))
			if spans := table.around(query, &intent.Cues{}); len(spans) != 1 || spans[0][1]-spans[0][0] != size {
				t.Errorf("%s: %q is not found: %v", l, phrase, spans)
			}
		}
	}
}

// FuzzFrames: what is found lies in the query, in order, and does not cut a character.
func FuzzFrames(f *testing.F) {
	for _, q := range []string{"hello, i am looking for shoes, thanks", "请问有没有鞋谢谢", "登山靴を探しています。教えて", "^$", "ok google \xff", "thanks a lot thanks a lot"} {
		f.Add(q)
	}
	table := frameTable("en", "zh", "ja", "tr", "hi")
	cues := &intent.Cues{}
	f.Fuzz(func(t *testing.T, q string) {
		at := 0
		for _, span := range table.around(q, cues) {
			if span[0] < at || span[1] <= span[0] || span[1] > len(q) {
				t.Fatalf("%q: %v after %d", q, span, at)
			}
			for _, end := range span {
				if utf8.ValidString(q) && !utf8.ValidString(q[:end]) {
					t.Fatalf("%q: %v cuts a character", q, span)
				}
			}
			at = span[1]
		}
	})
}

// TestFramesSayNothing: what is around a query has no part in how it is read.
func TestFramesSayNothing(t *testing.T) {
	e := newEngine(t, nil)
	create(t, e, "shop", Schema{Language: "en", Fields: []Field{{Name: "title", Type: Text, Search: true}, {Name: "kind", Type: Keyword, Facet: true}, {Name: "color", Type: Keyword, Facet: true}}})
	apply(t, e, puts("shop", `{"id":"1","title":"Fellrunner","kind":"shoes","color":"red"}`, `{"id":"2","title":"Shoes for those who sold red cars","kind":"cards","color":"blue"}`,
		`{"id":"3","title":"Red shoes","kind":"toys","color":"green"}`, `{"id":"4","title":"Scarf","kind":"shoes","color":"green"}`))
	want := find(t, e, &Request{Query: "red shoes ", Limit: 10})
	for _, q := range []string{"do you sell red shoes?", "Hello, I'm looking for red shoes, thanks a lot!", "please show me red shoes"} {
		got := find(t, e, &Request{Query: q, Limit: 10})
		if idsOf(got) != idsOf(want) || fmt.Sprint(got.Query.Intent) != fmt.Sprint(want.Query.Intent) || len(got.Query.Thesaurus) != len(want.Query.Thesaurus) {
			t.Errorf("%q: %s %+v, want %s %+v", q, idsOf(got), got.Query, idsOf(want), want.Query)
		}
	}
}
