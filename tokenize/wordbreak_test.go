package tokenize

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/words"
)

// randomText joins n pieces of alphabet, picked by rng.
func randomText(rng *rand.Rand, alphabet []string, n int) string {
	var b strings.Builder
	for range n {
		b.WriteString(alphabet[rng.IntN(len(alphabet))])
	}
	return b.String()
}

// awkward holds what the rules of word breaking turn on.
var awkward = strings.Split("a|b|C|l|é|ß|я|й|ё|ш|א|ש|ك|ا|ـ|हि|1|2|٣|₂|²|½|_|.|,|'|’|`|´|‛|ʼ|\"|״|׳|·|-|+|#|:| | |\n|水|京|か|\u3099|カ|ｶ|ﾞ|ー|한|\u1161|ส|ำ|ั|\u0301|\u200d|\u200c|\u00ad|\ufe0f|😀|👍|🏽|🇩|㈱|\xff|\xe2\x82|İ|I|ı|ﷺ|ﬁ|ｱ|Ａ|．|，", "|")

func TestASCIIPathEqualsUnicodePath(t *testing.T) {
	a := mustNew(t, Options{})
	alphabet := strings.Split("a|b|C|Zz|1|23|.|,|'|`|_|-|:| ", "|")
	for seed := range uint64(3000) {
		text := randomText(rand.New(rand.NewPCG(seed, 1)), alphabet, 20)
		s := a.NewStream()
		for i := range len(text) {
			if asciiClasses[text[i]]&asciiAlnum == 0 {
				continue
			}
			s.Reset([]byte(text))
			got, want := s.asciiWord(i), s.unicodeWord(i)
			want.ascii, want.seen = true, got.seen // which the Unicode path does not know
			if got != want {
				t.Fatalf("seed %d: word at %d of %q: ASCII path %+v, Unicode path %+v", seed, i, text, got, want)
			}
		}
	}
}

// TestWordsEndAtUnicodeBoundaries compares with UAX #29 where our rules add
// nothing to it: words of spaced scripts without dots, underscores and colons.
func TestWordsEndAtUnicodeBoundaries(t *testing.T) {
	a := mustNew(t, Options{})
	alphabet := strings.Split("a|B|é|ß|я|ё|א|ש|ك|ب|ক|ि|1|٣|'| | |\u0301|\u200d|\u00ad|!|(|;a|\n|ა|հ", "|")
	for seed := range uint64(3000) {
		text := randomText(rand.New(rand.NewPCG(seed, 2)), alphabet, 30)
		var want []string
		for rest := []byte(text); len(rest) > 0; {
			n, seg, _ := words.SplitFunc(rest, true)
			rest = rest[n:]
			// A joiner or mark may lead a segment; a token begins at a letter.
			if i := strings.IndexFunc(string(seg), func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }); i >= 0 {
				word := string(seg[i:])
				// UAX #29 lets a Hebrew letter keep a final apostrophe.
				if cut, ok := strings.CutSuffix(strings.TrimRight(word, "ि\u0301\u200d\u00ad"), "'"); ok {
					word = cut
				}
				want = append(want, word)
			}
		}
		var got []string
		for _, tok := range a.Analyze(text) {
			got = append(got, text[tok.Start:tok.End])
		}
		if !slices.Equal(got, want) {
			t.Fatalf("seed %d: words of %q\n got %q\nwant %q", seed, text, got, want)
		}
	}
}

// TestWordsDoNotDependOnTheirSurroundings joins two texts with a separator and
// expects the tokens of both, whichever paths they take.
func TestWordsDoNotDependOnTheirSurroundings(t *testing.T) {
	for _, o := range []Options{{}, {Language: "en"}, {Language: "fr", Parts: true}, {Language: "tr", MaxTokenBytes: 64}} {
		a := mustNew(t, o)
		for seed := range uint64(2000) {
			rng := rand.New(rand.NewPCG(seed, 3))
			one, two := randomText(rng, awkward, rng.IntN(30)), randomText(rng, awkward, rng.IntN(30))
			want := append(a.Analyze(one), a.Analyze(two)...)
			got := a.Analyze(one + "\n!" + two)
			if g, w := terms(got), terms(want); g != w {
				t.Fatalf("%+v, seed %d: %q and %q\njoined %s\napart  %s", o, seed, one, two, g, w)
			}
		}
	}
}

// TestEveryLetterAndDigitIsFound analyzes each letter and digit of Unicode by
// itself and in a text.
func TestEveryLetterAndDigitIsFound(t *testing.T) {
	a := mustNew(t, Options{})
	s := a.NewStream()
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.Is(unicode.Nl, r) && !unicode.Is(unicode.No, r) {
			continue
		}
		text := []byte("x! " + string(r) + " y")
		s.Reset(text)
		found := 0
		for tok, ok := s.Next(); ok; tok, ok = s.Next() {
			if tok.Start == 3 && tok.End == 3+utf8.RuneLen(r) {
				found++
			}
		}
		// Some are marks in the coat of letters: tatweel, the Greek iota below,
		// apostrophe-like letters, lone vowel signs of Arabic, and the voicing
		// marks of half-width Kana.
		want := 1
		if len(strings.Trim(string(Fold(nil, []byte(string(r)))), " '")) == 0 || a.classes.of(r) == classMark {
			want = 0
		}
		if found != want {
			t.Errorf("%U %q: %d tokens, want %d", r, r, found, want)
		}
	}
}

// TestTimeIsLinear runs texts that invite rescanning. Quadratic time would take
// minutes for each.
func TestTimeIsLinear(t *testing.T) {
	for _, o := range []Options{{Language: "en", Parts: true}, {Language: "fr", Mode: Standard}, {Mode: Whitespace}} {
		s := mustNew(t, o).NewStream()
		for _, unit := range []string{"a", "a.", "é.", "é_", "1,", "1.é", "a'", "l'", "é'", "a`", "é´", "l´", "क‛", "א\"", "水", "水\u0301", "a\u0301", "\u0301", "😀\u200d", "🇩", "H₂", "aB", "+", "c++", "\xff", "\xe2\x82", "한a", "é:a:", "\u1161", "क\u093f", "\u093f", "\u0e31", "한\u1161", "\u0f71"} {
			s.Reset([]byte(strings.Repeat(unit, 1<<18/len(unit)) + "é"))
			for {
				if _, ok := s.Next(); !ok {
					break
				}
			}
		}
	}
}
