package tokenize

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

func TestFold(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"empty", "", ""},
		{"ASCII", "Hello, World! C++", "hello, world! c++"},
		{"Latin accents", "ÀÉÎÕÜ čşžķ ắ Ǽ ǿ", "aeiou cszk a ae o"},
		{"letters without decomposition", "Straße STRAẞE Æsop Œuvre Øre Łódź Đà Þór Ħal ŧ ŋ ı", "strasse strasse aesop oeuvre ore lodz da thor hal t n i"},
		{"Turkish capitals", "İI", "ii"},
		{"loose marks", "e\u0301 j\u030C J\u030C", "e j j"},
		{"Greek", "ΣΊΣΥΦΟΣ Σίσυφος ᾧ ΐ", "σισυφοσ σισυφοσ ω ι"},
		{"Cyrillic", "ЁЛКА й Й Ї ў ґ за\u0301мок Ѐ", "елка й й ї ў ґ замок е"},
		{"Arabic", "أَحْمَدُ إِلى آن ٱل كـــتاب کی", "احمد الي ان ال كتاب كي"},
		{"Hebrew", "שָׁלוֹם צה״ל ג׳", "שלום צה\"ל ג'"},
		{"Kana keeps voicing", "ガ か\u3099 ｶﾞ パ", "ガ が ガ パ"},
		{"digits", "٣ ३ ３ 𝟗 ๕", "3 3 3 9 5"},
		{"full width", "ＡＢｃ１", "abc1"},
		{"compatibility", "ﬁ Ⅷ ² ½ ㎏", "fi viii 2 1/2 kg"},
		{"apostrophes", "don’t donʼt don‘t", "don't don't don't"},
		{"invisible", "co\u00ADop می\u200cروم \uFEFFx ❤\uFE0F 👍🏽", "coop ميروم x ❤ 👍"},
		{"Indic vowel signs stay", "हिन्दी தமிழ்", "हिन्दी தமிழ்"},
		{"bad bytes", "a\xffb\xe2\x82", "a\uFFFDb\uFFFD\uFFFD"},
		{"more marks than NFKC keeps together", strings.Repeat("\u1161", 40) + strings.Repeat("क\u093f", 40), strings.Repeat("\u1161", 40) + strings.Repeat("क\u093f", 40)},
		{"composes after removal", "\u1112\u0301\u1161", "하"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := string(Fold(nil, []byte(c.text))); got != c.want {
				t.Errorf("Fold(%q) = %q, want %q", c.text, got, c.want)
			}
		})
	}
}

// TestSimpleTextFoldsTheLongWay: what is folded character by character is what all the rules make of it.
func TestSimpleTextFoldsTheLongWay(t *testing.T) {
	longWay := func(text string) string {
		var f folder
		return string(f.strip(nil, f.lower(nil, []byte(text), false)))
	}
	var plain []rune
	for r := range rune(0x10000) {
		if _, simple := foldSimple(nil, []byte(string(r))); simple {
			plain = append(plain, r)
			if got, want := string(Fold(nil, []byte(string(r)))), longWay(string(r)); got != want {
				t.Fatalf("%U: %q, not %q", r, got, want)
			}
		}
	}
	r := rand.New(rand.NewPCG(7, 7))
	others := []rune("\u3099\u309A\u11A8\u0301\u0306\u0653\u0654\u0338\u0E34　ｶﾞＡßæёї々〇、ﷺﻻ")
	plainTexts := 0
	for range 50_000 {
		var text []rune
		mixed := r.IntN(3) == 0
		for range r.IntN(12) {
			if mixed && r.IntN(6) == 0 {
				text = append(text, others[r.IntN(len(others))])
			} else if r.IntN(3) == 0 {
				text = append(text, rune(r.IntN(utf8.RuneSelf)))
			} else {
				text = append(text, plain[r.IntN(len(plain))])
			}
		}
		s := string(text)
		if _, simple := foldSimple(nil, []byte(s)); simple {
			plainTexts++
		}
		if got, want := string(Fold(nil, []byte(s))), longWay(s); got != want {
			t.Fatalf("%q (%U): %q, not %q", s, text, got, want)
		}
	}
	if plainTexts < 20_000 {
		t.Errorf("only %d texts were plain", plainTexts)
	}
}

func TestFoldAppends(t *testing.T) {
	for _, text := range []string{"Word", "É", "\u1112\u0301\u1161"} {
		want := "\u1112é" + string(Fold(nil, []byte(text)))
		if got := string(Fold([]byte("\u1112é"), []byte(text))); got != want {
			t.Errorf("Fold onto a prefix, %q: got %q, want %q", text, got, want)
		}
	}
}

func TestFoldEveryRuneTwice(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if !unicode.IsGraphic(r) && !unicode.Is(unicode.Cf, r) || r >= 0x20000 && r <= 0x3FFFF && r&0xFF != 0 {
			continue // unassigned, private, or one of 50,000 alike
		}
		once := Fold(nil, []byte(string(r)))
		if twice := Fold(nil, once); !bytes.Equal(once, twice) {
			t.Errorf("%U: folded once %q, twice %q", r, once, twice)
		}
		if !norm.NFKC.IsNormal(once) {
			t.Errorf("%U: %q is not in NFKC", r, once)
		}
		// The simple case mappings must not tell folded texts apart.
		for _, c := range []rune{unicode.ToLower(r), unicode.ToTitle(unicode.ToLower(r))} {
			if got := Fold(nil, []byte(string(c))); unicode.ToLower(c) == unicode.ToLower(r) && !bytes.Equal(got, once) {
				t.Errorf("%U folds to %q, its case variant %U to %q", r, once, c, got)
			}
		}
	}
}

func TestFoldIsIdempotent(t *testing.T) {
	alphabet := append([]string{"\u1100", "\u11a8", "\u0653", "\u0654", "\u05b7", "\u093c", "क", "\u09be", "\u09c7", "\u0345", "\u034f", "ϓ"}, awkward...)
	for seed := range uint64(20000) {
		rng := rand.New(rand.NewPCG(seed, 4))
		text := randomText(rng, alphabet, 12)
		if seed%4 == 0 { // long runs of a few
			i := rng.IntN(len(alphabet) - 2)
			text = randomText(rng, alphabet[i:i+3], 90)
		}
		once := Fold(nil, []byte(text))
		if twice := Fold(nil, once); !bytes.Equal(once, twice) || !utf8.Valid(once) {
			t.Fatalf("seed %d: %q folded once %q, twice %q", seed, text, once, twice)
		}
	}
}

func TestDigitsOfEveryScript(t *testing.T) {
	n := 0
	each(unicode.Nd, func(lo, hi, stride rune) {
		for r := lo; r <= hi; r += stride {
			want := string('0' + rune(n%10)) // scripts list their ten digits in order
			n++
			if got := string(Fold(nil, []byte(string(r)))); got != want {
				t.Errorf("Fold(%U) = %q, want %q", r, got, want)
			}
		}
	})
}

func FuzzFold(f *testing.F) {
	for _, s := range []string{"", "Straße", "e\u0301", "ﷺ", "\xff\xfe", "か\u3099", "\u1112\u0301\u1161", "İ", strings.Repeat("\u0300", 50)} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		once := Fold(nil, text)
		if !utf8.Valid(once) {
			t.Errorf("Fold(%q) = %q is not UTF-8", text, once)
		}
		if twice := Fold(nil, once); !bytes.Equal(once, twice) {
			t.Errorf("%q folded once %q, twice %q", text, once, twice)
		}
	})
}
