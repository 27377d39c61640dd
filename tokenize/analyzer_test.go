package tokenize

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// mustNew returns an Analyzer for o or ends the test.
func mustNew(t testing.TB, o Options) *Analyzer {
	t.Helper()
	a, err := New(o)
	if err != nil {
		t.Fatalf("New(%+v): %v", o, err)
	}
	return a
}

// terms returns the terms of tokens, a stop word in brackets and a part behind
// a '>'.
func terms(tokens []Token) string {
	var b strings.Builder
	for i, t := range tokens {
		if i > 0 {
			b.WriteByte(' ')
		}
		switch {
		case t.Part:
			fmt.Fprintf(&b, ">%s", t.Term)
		case t.Stop:
			fmt.Fprintf(&b, "[%s]", t.Term)
		default:
			b.Write(t.Term)
		}
	}
	return b.String()
}

func TestWordBreaks(t *testing.T) {
	a := mustNew(t, Options{})
	for _, c := range []struct{ name, text, want string }{
		{"empty", "", ""},
		{"separators only", " \t\n.,;:!?()[]{}<>=*/\\|~^%$€—…→", ""},
		{"punctuation", "one, two; three. (four) [five]", "one two three four five"},
		{"underscore", "snake_case __init__ é_è", "snake case init e e"},
		{"dot between words", "a.b example.com e.g. é.è", "a b example com e g e e"},
		{"hyphen", "well-known top‑down —x–", "well known top down x"},
		{"colon and slash", "title:foo a/b é:è", "title foo a b e e"},
		{"decimal", "43.2 1,000.5 1.2.3 192.168.0.1", "43.2 1,000.5 1.2.3 192.168.0.1"},
		{"number before punctuation", "2010. 1, 2, (3.5).", "2010 1 2 3.5"},
		{"separators in a row", "1..2 1,,2 1.,2 1'000", "1 2 1 2 1 2 1000"},
		{"date", "2024-01-15 12:30", "2024 01 15 12 30"},
		{"letters then dot", "python3.11 v1.2.3", "python3 11 v1 2.3"},
		{"unit", "1.5kg 5mm 3.5mm.2 1.5e10", "1.5kg 5mm 3.5mm 2 1.5e10"},
		{"apostrophe", "don't don’t rock'n'roll 'quoted' dogs' it''s a'1", "dont dont rocknroll quoted dogs it s a 1"},
		{"accents for apostrophes", "don´t DON`T don‛t rock`n´roll été`é क‛क ა´ბ", "dont dont dont rocknroll etee कक აბ"},
		{"accents for others", "`ls` ´x´ a` `b 5´6 5`6 5‛6 a`1 1´b x``y _`z `é`é", "ls x a b 5 6 5 6 5 6 a 1 1 b x y z ee"},
		{"no possessive without language", "John's", "johns"},
		{"plus and hash", "C++ c# F# (C++) C++, C++/CLI C++11 c#. A+", "c++ c# f# c++ c++ c++ cli c++ 11 c# a+"},
		{"plus and hash elsewhere", "a+b abc++ foo# pr#12 i+++j #tag +1 1+ c#x x++y", "a b abc foo pr 12 i j tag 1 1 c x x y"},
		{"plus before another script", "C++言語", "c++ 言語 語"},
		{"subscript", "H₂O CO₂ C₆H₁₂O₆ x₂", "h2o co2 c6h12o6 x2"},
		{"superscript", "km² m³ x²y nation¹ 10²", "km2 m3 x2 y nation 1 10 2"},
		{"fraction", "2½ ¾", "2 1/2 3/4"},
		{"full width", "ＡＢＣ　１２３ ＣＰＵ２ １．５ １，０００", "abc 123 cpu2 1.5 1,000"},
		{"ligature", "ﬁne oﬃce", "fine office"},
		{"soft hyphen", "co\u00ADop\u00ADer\u00ADate", "cooperate"},
		{"zero width joiners", "می\u200cروم a\u200db", "ميروم ab"},
		{"zero width space", "a\u200Bb", "a b"},
		{"byte order mark", "\uFEFFword", "word"},
		{"bad bytes", "a\xffb \xc3 c\xe2\x82d é\xffè \xf0\x9f\x98", "a b c d e e"},
		{"replacement rune", "a\uFFFDb", "a b"},
		{"typographic", "“word” word… word™ €5 «été»", "word word word 5 ete"},
		{"Catalan dot", "col·lecció COL·LEGI one·two", "colleccio collegi one two"},
		{"Hebrew", "צה\"ל צה״ל ג׳ירפה שָׁלוֹם \"שלום\"", "צהל צהל גירפה שלום שלום"},
		{"Arabic", "الكِتَابُ كـتاب أحمد إلى آخر ٣٫١٤ ١٬٠٠٠", "الكتاب كتاب احمد الي اخر 3.14 1,000"},
		{"Devanagari keeps vowel signs", "हिन्दी में १२", "हिन्दी में 12"},
		{"Ukrainian apostrophe", "п'ять п’ять пʼять", "пять пять пять"},
		{"lone tatweel", "a ـ b", "a b"},
		{"compatibility with spaces", "ﷺ", "صلياللهعليهوسلم"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := terms(a.Analyze(c.text)); got != c.want {
				t.Errorf("Analyze(%q)\n got %s\nwant %s", c.text, got, c.want)
			}
		})
	}
}

func TestUnspacedScripts(t *testing.T) {
	a := mustNew(t, Options{})
	for _, c := range []struct{ name, text, index, query string }{
		{"one character", "水", "水", "水"},
		{"two", "東京", "東京 京", "東京"},
		{"three", "東京都", "東京 京都 都", "東京 京都"},
		{"Han and Kana are one run", "行くカーです", "行く くカ カー ーで [です] す", "行く くカ カー ーで [です]"},
		{"punctuation ends a run", "東京。京都", "東京 京 京都 都", "東京 京都"},
		{"Latin ends a run", "東京tokyo都", "東京 京 tokyo 都", "東京 tokyo 都"},
		{"digits end a run", "2008年８月", "2008 年 8 月", "2008 年 8 月"},
		{"one character after Latin in one segment", "Tシャツ", "t シャ ャツ ツ", "t シャ ャツ"},
		{"half width Kana", "ｶﾞﾗｽ", "ガラ ラス ス", "ガラ ラス"},
		{"voicing marks stay", "か\u3099き", "がき き", "がき"},
		{"repetition mark", "人々", "人々 々", "人々"},
		{"variation selector", "葛\U000E0100城", "葛城 城", "葛城"},
		{"compatibility ideograph", "\uF9D0似", "類似 似", "類似"},
		{"Hangul", "한국어", "한국 국어 어", "한국 국어"},
		{"Hangul beside Latin", "한국어abc", "한국 국어 어 abc", "한국 국어 abc"},
		{"decomposed Hangul", "\u1112\u1161\u11ab\u1100\u116e\u11a8", "한국 국", "한국"},
		{"Hangul beside Han", "韓国한국", "韓国 国 한국 국", "韓国 한국"},
		{"Thai", "สวัสดี", "สวั วัส สดี ดี", "สวั วัส สดี"},
		{"Thai vowels before consonants and behind", "เมืองไทย เกาะ น้ำ", "เมือ อง งไท ไทย ย เกาะ น้ํา", "เมือ อง งไท ไทย เกาะ น้ํา"},
		{"Thai vowels alone", "เ ะะะะ", "เ ะะะะ ะ", "เ ะะะะ"},
		{"Lao", "ລາວ ໄທ", "ລາວ ວ ໄທ", "ລາວ ໄທ"},
		{"Myanmar", "မြန်မာ", "မြန် န်မာ မာ", "မြန် န်မာ"},
		{"emoji", "😀👍🏽👨‍👩‍👧🇩🇪🇫🇷❤️", "😀 👍 👨👩👧 🇩🇪 🇫🇷 ❤", "😀 👍 👨👩👧 🇩🇪 🇫🇷 ❤"},
		{"emoji after a word", "nice👍", "nice 👍", "nice 👍"},
		{"symbols that spell", "㈱ ① ⒈ ㎏ № 20℃", "株 1 1 kg no 20 c", "株 1 1 kg no 20 c"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := terms(a.Analyze(c.text)); got != c.index {
				t.Errorf("Analyze(%q)\n got %s\nwant %s", c.text, got, c.index)
			}
			if got := terms(a.AnalyzeQuery(c.text)); got != c.query {
				t.Errorf("AnalyzeQuery(%q)\n got %s\nwant %s", c.text, got, c.query)
			}
		})
	}
}

func TestKinds(t *testing.T) {
	a := mustNew(t, Options{Language: "en"})
	var got []string
	for _, tok := range a.Analyze("word 43.2 ٣ 1.5kg H₂O x2 c++ 東京 😀") {
		got = append(got, fmt.Sprintf("%s %s", tok.Term, tok.Kind))
	}
	want := []string{"word word", "43.2 number", "3 number", "1.5kg word", "h2o word", "x2 word", "c++ word", "東京 bigram", "京 unigram", "😀 word"}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("kinds (-want +got):\n%s", d)
	}
}

func TestOffsetsReferToOriginalText(t *testing.T) {
	for _, c := range []struct {
		language, text string
		want           []string // the text behind each token
	}{
		{"en", "The Café’s “naïve” ﬁle", []string{"The", "Café’s", "naïve", "ﬁle"}},
		{"fr", "l’été d'Élise", []string{"été", "Élise"}},
		{"de", "Straße STRASSE", []string{"Straße", "STRASSE"}},
		{"", "ｶﾞﾗｽ", []string{"ｶﾞﾗ", "ﾗｽ", "ｽ"}},
		{"tr", "IŞIK İzmir'de", []string{"IŞIK", "İzmir'de"}},
	} {
		var got []string
		for _, tok := range mustNew(t, Options{Language: c.language}).Analyze(c.text) {
			got = append(got, c.text[tok.Start:tok.End])
		}
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%s %q: text behind tokens (-want +got):\n%s", c.language, c.text, d)
		}
	}
}

func TestParts(t *testing.T) {
	a := mustNew(t, Options{Parts: true})
	for _, c := range []struct{ text, want string }{
		{"word WORD Word 123", "word word word 123"},
		{"getUserName", "getusername >get >user >name"},
		{"HTTPServer parseHTTP2Header", "httpserver >http >server parsehttp2header >parse >http >2 >header"},
		{"XMLHttpRequest", "xmlhttprequest >xml >http >request"},
		{"snakeCase_andMore", "snakecase >snake >case andmore >and >more"},
		{"utf8 x86 3D 1.5kg", "utf8 >utf >8 x86 >x >86 3d >3 >d 1.5kg >1.5 >kg"},
		{"ÉtéFou éÀ", "etefou >ete >fou ea >e >a"},
		{"don't C++ O'Reilly", "dont c++ oreilly >o >reilly"},
		{"हिन्दी1 東京A1", "हिन्दी1 >हिन्दी >1 東京 京 a1 >a >1"},
	} {
		if got := terms(a.Analyze(c.text)); got != c.want {
			t.Errorf("Analyze(%q)\n got %s\nwant %s", c.text, got, c.want)
		}
	}
	last := -1
	for _, tok := range a.Analyze("one getUserName two") {
		if want := last + 1; !tok.Part && tok.Position != want {
			t.Errorf("%s at position %d, want %d", tok.Term, tok.Position, want)
		} else if tok.Part && tok.Position != last {
			t.Errorf("part %s at position %d, want that of its word, %d", tok.Term, tok.Position, last)
		}
		last = tok.Position
	}
}

func TestWhitespaceMode(t *testing.T) {
	a := mustNew(t, Options{Mode: Whitespace, Language: "en", Parts: true})
	text := "  The\tsnake_case ÉTÉ\u00a0getName\u3000a\xffb\n東京都 12 "
	want := "The snake_case ÉTÉ getName a b 東京都 12"
	if got := terms(a.Analyze(text)); got != want {
		t.Errorf("Analyze(%q)\n got %s\nwant %s", text, got, want)
	}
}

func TestLongRunsAreSplitNotCut(t *testing.T) {
	for _, mode := range []Mode{Standard, Whitespace} {
		a := mustNew(t, Options{Mode: mode, MaxTokenBytes: 64})
		for _, unit := range []string{"a", "é", "ж", "7", "हि", "𝔞", "a\u0301", "ﷺ"} {
			text := strings.Repeat(unit, 1000)
			end := 0
			for i, tok := range a.Analyze(text) {
				if tok.Start != end || tok.Position != i || tok.End-tok.Start > 64 || len(tok.Term) > 64 {
					t.Fatalf("mode %d, 1000 times %q: token %d is [%d,%d) at position %d with %d bytes, want it to begin at %d with at most 64",
						mode, unit, i, tok.Start, tok.End, tok.Position, len(tok.Term), end)
				}
				end = tok.End
			}
			if end != len(text) {
				t.Errorf("mode %d, 1000 times %q: tokens end at %d of %d", mode, unit, end, len(text))
			}
		}
	}
}

func TestNewRejects(t *testing.T) {
	for _, code := range []string{"xx", "EN", "en-US", "../en", "english"} {
		if _, err := New(Options{Language: code}); !errors.Is(err, ErrUnknownLanguage) {
			t.Errorf("New with language %q: %v, want ErrUnknownLanguage", code, err)
		}
	}
	for _, o := range []Options{{MaxTokenBytes: -1}, {MaxTokenBytes: 63}, {Mode: Whitespace + 1}} {
		if _, err := New(o); err == nil || errors.Is(err, ErrUnknownLanguage) {
			t.Errorf("New(%+v): %v, want another error", o, err)
		}
	}
}

func TestTokensOwnTheirMemory(t *testing.T) {
	a := mustNew(t, Options{Language: "en"})
	first := a.Analyze("running Häuser 東京都 don't")
	want := terms(first)
	a.Analyze(strings.Repeat("other words flooding the stream's buffers ", 100))
	if got := terms(first); got != want {
		t.Errorf("tokens changed after another Analyze\n got %s\nwant %s", got, want)
	}
}

func TestNextAfterTheEnd(t *testing.T) {
	s := mustNew(t, Options{}).NewStream()
	for _, text := range []string{"", "word", "東京"} {
		s.Reset([]byte(text))
		for {
			if _, ok := s.Next(); !ok {
				break
			}
		}
		for range 3 {
			if tok, ok := s.Next(); ok || tok != nil {
				t.Errorf("%q: Next after the end returned %v, %v", text, tok, ok)
			}
		}
	}
	if _, ok := mustNew(t, Options{}).NewStream().Next(); ok {
		t.Error("Next before Reset returned a token")
	}
}

func TestResetAbandonsTheRest(t *testing.T) {
	a := mustNew(t, Options{Parts: true, MaxTokenBytes: 64})
	s := a.NewStream()
	for _, text := range []string{"getUserName x", "東京都", strings.Repeat("é", 100), "é.é.é"} {
		s.Reset([]byte(text))
		s.Next()
		s.Reset([]byte("fresh"))
		tok, ok := s.Next()
		if !ok || string(tok.Term) != "fresh" || tok.Position != 0 {
			t.Errorf("after one token of %q, Reset to %q gives %v", text, "fresh", tok)
		}
	}
}

func TestAnalyzerIsSafeForConcurrentUse(t *testing.T) {
	a := mustNew(t, Options{Language: "de", Parts: true})
	text := "Die Häuser der Städte, getUserName, 東京都 und 1.5kg"
	want := terms(a.Analyze(text))
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 50 {
				if got := terms(a.Analyze(text)); got != want {
					t.Errorf("concurrent Analyze\n got %s\nwant %s", got, want)
				}
			}
		})
	}
	wg.Wait()
}
