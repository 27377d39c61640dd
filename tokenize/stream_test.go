package tokenize

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

// Texts for allocation tests and benchmarks, in prose of our own.
const (
	asciiText = `The index keeps a list of documents for every term, sorted by number. A query walks the lists of its
terms side by side and stops as soon as no document ahead can reach the ten best scores found so far. Short blocks
of 128 documents carry the highest score that any of them can have, so most blocks are never decoded. Deleted
documents aren't removed at once; they're marked, and a later merge drops them. `
	europeanText = `Die Häuser am Ufer gehören größtenteils älteren Familien; im Frühling blühen überall Kirschbäume.
Les élèves de l'école sont déjà rentrés chez eux, où leur mère préparait le dîner. Mañana iremos a la montaña con
los niños pequeños. Zażółć gęślą jaźń. Самая длинная река страны течёт на север, мимо лесов и болот. Η πόλη είναι
όμορφη το βράδυ. The naïve visitor’s café was closed. `
	cjkText = `この検索エンジンは、文書を語に分けて転置索引に登録する。東京都の図書館では毎日多くの人が本を読んでいる。
搜索引擎把文本切分成词语，并为每个词语建立倒排索引。用户输入查询之后，系统会很快返回最相关的结果。
검색 엔진은 문서를 단어로 나누고 색인을 만든다. `
)

// drain takes all tokens and returns their number.
func drain(s *Stream) int {
	n := 0
	for {
		if _, ok := s.Next(); !ok {
			return n
		}
		n++
	}
}

func TestWarmStreamDoesNotAllocate(t *testing.T) {
	mixed := asciiText + europeanText + cjkText + "สวัสดีครับ ｶﾞﾗｽ 😀👍🏽 ㎏ getUserName " + strings.Repeat("é", 300)
	for _, o := range []Options{{}, {Language: "en"}, {Language: "de"}, {Language: "fr", Parts: true}, {Language: "tr"}, {Language: "en", NoStem: true}, {Mode: Whitespace}} {
		s := mustNew(t, o).NewStream()
		text := []byte(mixed)
		s.Reset(text)
		drain(s)
		if got := testing.AllocsPerRun(20, func() { s.Reset(text); drain(s) }); got != 0 {
			t.Errorf("%+v: %v allocations for a text seen before, want 0", o, got)
		}
	}
}

func TestCacheFloodKeepsAnswersAndBounds(t *testing.T) {
	a := mustNew(t, Options{Language: "en"})
	s := a.NewStream()
	for _, wide := range []string{"", strings.Repeat("y", 50)} {
		for i := range cacheEntries + 5000 {
			word := "w" + strings.Map(func(r rune) rune { return r - '0' + 'a' }, strconv.Itoa(i)) + wide + "nings"
			want := a.stem(word)
			if len(word) > maxStemBytes {
				want = word
			}
			s.Reset([]byte(word))
			if tok, ok := s.Next(); !ok || string(tok.Term) != want || string(tok.Word) != word {
				t.Fatalf("word %d: got %v, want term %s of %s", i, tok, want, word)
			}
		}
		if len(s.words.entries) > cacheEntries || len(s.words.arena) > cacheBytes || len(s.words.slots) > 2*cacheEntries {
			t.Errorf("cache holds %d entries, %d bytes, %d slots", len(s.words.entries), len(s.words.arena), len(s.words.slots))
		}
	}
}

func TestCacheAgainstMap(t *testing.T) {
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 6))
		c, oracle := newCache(), map[string][3]string{}
		for i := range 5000 {
			key := strconv.Itoa(rng.IntN(3000))
			e, hash := c.find([]byte(key))
			want, ok := oracle[key]
			if (e != nil) != ok {
				t.Fatalf("seed %d, step %d: find(%s) found %v, want %v", seed, i, key, e != nil, ok)
			}
			if e == nil {
				word := []string{key, "", "longer" + key}[rng.IntN(3)]
				term := []string{word, "t" + key}[rng.IntN(2)]
				stop := rng.IntN(2) == 0
				e = c.add(hash, []byte(key), []byte(word), []byte(term), stop)
				want = [3]string{word, term, fmt.Sprint(stop)}
				oracle[key] = want
			}
			word, term := c.texts(e)
			if got := [3]string{string(word), string(term), fmt.Sprint(e.stop)}; got != want {
				t.Fatalf("seed %d, step %d: entry of %s is %q, want %q", seed, i, key, got, want)
			}
		}
	}
}

// checkTokens reports what in tokens breaks the promises of Token.
func checkTokens(t *testing.T, text string, maxBytes int, tokens []Token) {
	t.Helper()
	whole := Token{Position: -1}
	lastEnd, lastStart := 0, -1
	for i, tok := range tokens {
		switch {
		case tok.Start < 0 || tok.End > len(text) || tok.Start >= tok.End:
			t.Fatalf("token %d of %q: offsets [%d,%d)", i, text, tok.Start, tok.End)
		case !utf8.RuneStart(text[tok.Start]) || tok.End < len(text) && !utf8.RuneStart(text[tok.End]) && utf8.ValidString(text):
			t.Fatalf("token %d of %q: offsets [%d,%d) are inside a rune", i, text, tok.Start, tok.End)
		case !utf8.ValidString(text[tok.Start:tok.End]):
			t.Fatalf("token %d of %q: text behind it %q is not UTF-8", i, text, text[tok.Start:tok.End])
		case len(tok.Term) == 0 || !utf8.Valid(tok.Term) || len(tok.Word) == 0 || !utf8.Valid(tok.Word):
			t.Fatalf("token %d of %q: term %q, word %q", i, text, tok.Term, tok.Word)
		case tok.End-tok.Start > maxBytes || len(tok.Term) > maxBytes || len(tok.Word) > maxBytes:
			t.Fatalf("token %d of %q: %d bytes, term %d, word %d, bound %d", i, text, tok.End-tok.Start, len(tok.Term), len(tok.Word), maxBytes)
		}
		if tok.Part {
			if tok.Position != whole.Position || tok.Start < whole.Start || tok.End > whole.End {
				t.Fatalf("token %d of %q: part %+v lies outside of its word %+v", i, text, tok, whole)
			}
			continue
		}
		if tok.Position != whole.Position+1 {
			t.Fatalf("token %d of %q: position %d after %d", i, text, tok.Position, whole.Position)
		}
		if tok.Start <= lastStart || tok.Kind != KindBigram && tok.Kind != KindUnigram && tok.Start < lastEnd {
			t.Fatalf("token %d of %q: starts at %d, the last one was [%d,%d)", i, text, tok.Start, lastStart, lastEnd)
		}
		whole, lastStart, lastEnd = tok, tok.Start, tok.End
	}
}

func TestTokensKeepTheirPromises(t *testing.T) {
	for _, o := range []Options{{MaxTokenBytes: 64}, {Language: "en", Parts: true}, {Language: "it", MaxTokenBytes: 64, Parts: true}, {Language: "ta"}, {Mode: Whitespace, MaxTokenBytes: 64}} {
		a := mustNew(t, o)
		for seed := range uint64(2000) {
			rng := rand.New(rand.NewPCG(seed, 7))
			// Few different pieces make long runs of each.
			some := make([]string, 1+rng.IntN(6))
			for i := range some {
				some[i] = awkward[rng.IntN(len(awkward))]
			}
			text := randomText(rng, some, rng.IntN(120))
			checkTokens(t, text, a.maxBytes, a.Analyze(text))
			checkTokens(t, text, a.maxBytes, a.AnalyzeQuery(text))
		}
	}
}

func FuzzAnalyze(f *testing.F) {
	for _, s := range []string{asciiText, europeanText, cjkText, "", "a\xffb\xe2\x82", "l'h’o'mme", "1,000.5kg", "c++ C#", "한\u1161\u11a8국", "ｶﾞ\u3099", strings.Repeat("ﷺ", 9), "getHTTPUser2Name", "😀\u200d🇩🇪🇫", "צה\"ל", "H₂O", "水\u0301\u0301a", strings.Repeat("水\u0301", 40)} {
		f.Add(s, uint8(0), uint8(0))
		f.Add(s, uint8(len(s)), uint8(7))
	}
	codes := append([]string{""}, KnownLanguages()...)
	analyzers := map[string]*Analyzer{} // by Options.describe
	f.Fuzz(func(t *testing.T, text string, language, flags uint8) {
		o := Options{Language: codes[int(language)%len(codes)], Parts: flags&1 != 0, NoStem: flags&2 != 0}
		if flags&4 != 0 {
			o.MaxTokenBytes = 64
		}
		if flags&8 != 0 {
			o.Mode = Whitespace
		}
		a := analyzers[o.describe()]
		if a == nil {
			a = mustNew(t, o)
			analyzers[o.describe()] = a
		}
		tokens := a.Analyze(text)
		checkTokens(t, text, a.maxBytes, tokens)

		s := a.NewStream()
		s.Reset([]byte(text))
		for i := 0; ; i++ {
			tok, ok := s.Next()
			if !ok {
				if i != len(tokens) {
					t.Fatalf("%+v, %q: streaming gives %d tokens, Analyze %d", o, text, i, len(tokens))
				}
				break
			}
			if i >= len(tokens) || !equalTokens(*tok, tokens[i]) {
				t.Fatalf("%+v, %q: token %d differs between streaming and Analyze: %v", o, text, i, tok)
			}
		}

		query := a.AnalyzeQuery(text)
		checkTokens(t, text, a.maxBytes, query)
		i := 0 // the query's tokens are the index's without some unigrams
		for _, tok := range tokens {
			if i < len(query) && query[i].Start == tok.Start && query[i].End == tok.End && bytes.Equal(query[i].Term, tok.Term) {
				i++
			} else if tok.Kind != KindUnigram {
				t.Fatalf("%+v, %q: query lacks %q", o, text, tok.Term)
			}
		}
		if i != len(query) {
			t.Fatalf("%+v, %q: query has %d tokens that the index has not", o, text, len(query)-i)
		}
	})
}

func equalTokens(a, b Token) bool {
	return bytes.Equal(a.Term, b.Term) && bytes.Equal(a.Word, b.Word) && a.Start == b.Start && a.End == b.End &&
		a.Position == b.Position && a.Kind == b.Kind && a.Stop == b.Stop && a.Part == b.Part
}

func BenchmarkStream(b *testing.B) {
	for _, c := range []struct {
		name, text string
		o          Options
	}{
		{"ascii/plain", asciiText, Options{}},
		{"ascii/nostem", asciiText, Options{Language: "en", NoStem: true}},
		{"ascii/stem", asciiText, Options{Language: "en"}},
		{"ascii/parts", asciiText, Options{Parts: true}},
		{"ascii/whitespace", asciiText, Options{Mode: Whitespace}},
		{"european/plain", europeanText, Options{}},
		{"european/stem", europeanText, Options{Language: "de"}},
		{"cjk/plain", cjkText, Options{}},
		{"cjk/stem", cjkText, Options{Language: "en"}},
	} {
		b.Run(c.name, func(b *testing.B) {
			s := mustNew(b, c.o).NewStream()
			text := []byte(strings.Repeat(c.text, 64<<10/len(c.text)))
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			n := 0
			for b.Loop() {
				s.Reset(text)
				n += drain(s)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(n), "ns/token")
		})
	}
}

func BenchmarkAnalyzeQuery(b *testing.B) {
	a := mustNew(b, Options{Language: "en"})
	b.ReportAllocs()
	for b.Loop() {
		a.AnalyzeQuery("how to connect a wireless keyboard")
	}
}

func BenchmarkFold(b *testing.B) {
	for _, text := range []string{"Wireless Keyboard", "Straße nach Łódź", "東京都"} {
		b.Run(text, func(b *testing.B) {
			in, dst := []byte(text), make([]byte, 0, 64)
			b.ReportAllocs()
			for b.Loop() {
				dst = Fold(dst[:0], in)
			}
		})
	}
}
