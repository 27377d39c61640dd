package fuzzy

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// alignment is the distance by the book: the whole matrix. The last row holds
// the distances of a from the beginnings of b.
func alignment(a, b []rune) []int {
	d := make([][]int, len(a)+1)
	for i := range d {
		d[i] = make([]int, len(b)+1)
		d[i][0] = i
	}
	for j := range d[0] {
		d[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			d[i][j] = min(d[i-1][j]+1, d[i][j-1]+1, d[i-1][j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d[i][j] = min(d[i][j], d[i-2][j-2]+1)
			}
		}
	}
	return d[len(a)]
}

func word(r *rand.Rand, letters string, least, most int) string {
	all := []rune(letters)
	out := make([]rune, least+r.IntN(most-least+1))
	for i := range out {
		out[i] = all[r.IntN(len(all))]
	}
	return string(out)
}

func TestDistanceIsThatOfTheMatrix(t *testing.T) {
	for _, c := range []struct {
		a, b             string
		whole, beginning int
	}{
		{"running", "running", 0, 0}, {"runing", "running", 1, 1}, {"rnuning", "running", 1, 1},
		{"ab", "ba", 1, 1}, {"ca", "abc", 3, 1}, {"straße", "strase", 1, 1}, {"кинга", "книга", 1, 1},
		{"kubernt", "kubernetes", 3, 1}, {"abc", "", 3, 3}, {"x", "abcdef", 6, 1},
	} {
		p, ok := NewPattern(c.a)
		if !ok {
			t.Fatalf("NewPattern(%q) refused", c.a)
		}
		if got := p.Distance([]byte(c.b)); got != c.whole {
			t.Errorf("Distance(%q, %q) = %d, want %d", c.a, c.b, got, c.whole)
		}
		if got := p.BeginningDistance([]byte(c.b)); got != c.beginning {
			t.Errorf("BeginningDistance(%q, %q) = %d, want %d", c.a, c.b, got, c.beginning)
		}
	}
	for seed := range uint64(20_000) {
		r := rand.New(rand.NewPCG(seed, 1))
		a, b := word(r, "abcdé", 1, 9), word(r, "abcdé", 0, 9)
		if seed%50 == 0 {
			a, b = word(r, "abж", 50, 64), word(r, "abж", 50, 80)
		}
		p, _ := NewPattern(a)
		row := alignment([]rune(a), []rune(b))
		if got, want := p.Distance([]byte(b)), row[len(row)-1]; got != want {
			t.Fatalf("seed %d: Distance(%q, %q) = %d, want %d", seed, a, b, got, want)
		}
		if got, want := p.BeginningDistance([]byte(b)), slices.Min(row); got != want {
			t.Fatalf("seed %d: BeginningDistance(%q, %q) = %d, want %d", seed, a, b, got, want)
		}
	}
}

func TestPatternsThatCannotBeMeasured(t *testing.T) {
	long := make([]rune, MaxLetters+1)
	for i := range long {
		long[i] = 'ж'
	}
	for _, w := range []string{"", string(long)} {
		if _, ok := NewPattern(w); ok {
			t.Errorf("NewPattern(%q) took it", w)
		}
	}
	if p, ok := NewPattern(string(long[:MaxLetters])); !ok || p.Distance([]byte(string(long[:MaxLetters]))) != 0 {
		t.Errorf("a word of %d letters is not at distance 0 from itself", MaxLetters)
	}
}

// TestLexiconFindsAll compares what a lexicon finds with what looking at every
// word finds.
func TestLexiconFindsAll(t *testing.T) {
	for seed := range uint64(10) {
		r := rand.New(rand.NewPCG(seed, 2))
		var b Builder
		vocabulary := map[string]uint32{}
		for i := range uint32(800) {
			w := word(r, "abcdefgжé", 1, 10)
			if n := utf8.RuneCountInString(w); b.Add([]byte(w), i) != (n >= minLetters) {
				t.Fatalf("seed %d: Add(%q) took the wrong words", seed, w)
			} else if n >= minLetters {
				vocabulary[fmt.Sprint(w, " ", i)] = i
			}
		}
		l := b.Build()
		if l.Len() != len(vocabulary) || l.Size() <= 0 {
			t.Fatalf("seed %d: %d words in %d bytes, want %d", seed, l.Len(), l.Size(), len(vocabulary))
		}
		for range 30 {
			end, got, want := word(r, "abcdefgжé", 1, 3), []string{}, []string{}
			l.Ending([]byte(end), func(w []byte, df uint32) { got = append(got, fmt.Sprint(string(w), " ", df)) })
			for key := range vocabulary {
				if w := key[:slices.Index([]byte(key), ' ')]; len(w) > len(end) && strings.HasSuffix(w, end) {
					want = append(want, key)
				}
			}
			slices.Sort(got)
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Fatalf("seed %d: Ending(%q) finds %q, want %q", seed, end, got, want)
			}
			query := word(r, "abcdefgжé", 1, 11)
			p, _ := NewPattern(query)
			for limit := range 4 {
				for name, find := range map[string]func(*Pattern, int, func([]byte, uint32, int)){"Near": l.Near, "Beginning": l.Beginning} {
					got := map[string]int{}
					find(p, limit, func(w []byte, df uint32, edits int) { got[fmt.Sprint(string(w), " ", df)] = edits })
					for key := range vocabulary {
						w := key[:slices.Index([]byte(key), ' ')]
						row := alignment([]rune(query), []rune(w))
						want := row[len(row)-1]
						if name == "Beginning" {
							want = slices.Min(row)
						}
						edits, found := got[key]
						if found != (want <= limit) || found && edits != want {
							t.Fatalf("seed %d: %s(%q, %d): %q found %t at %d, want distance %d", seed, name, query, limit, w, found, edits, want)
						}
					}
				}
			}
		}
	}
}

// TestEndingNear compares what a lexicon finds with what looking at every end of every word finds.
func TestEndingNear(t *testing.T) {
	for seed := range uint64(10) {
		r := rand.New(rand.NewPCG(seed, 3))
		var b Builder
		vocabulary := map[string]bool{}
		for range 300 {
			if w := word(r, "abcdeж", 3, 12); !vocabulary[w] {
				vocabulary[w] = b.Add([]byte(w), 1)
			}
		}
		l := b.Build()
		for range 30 {
			query := word(r, "abcdeж", 2, 7)
			p, _ := NewPattern(query)
			got := map[string][2]int{}
			l.EndingNear(p, 1, func(w []byte, _ uint32, letters, edits int) { got[string(w)] = [2]int{letters, edits} })
			for w := range vocabulary {
				letters := []rune(w)
				want := [2]int{0, 2}
				for n := 1; n < len(letters); n++ {
					row := alignment([]rune(query), letters[len(letters)-n:])
					if edits := row[len(row)-1]; edits <= want[1] && edits < 2 {
						want = [2]int{n, edits}
					}
				}
				if want[1] == 2 || len(letters) <= len([]rune(query)) {
					want = [2]int{}
				}
				if got[w] != want {
					t.Fatalf("seed %d: %q at the end of %q: %v letters and edits, want %v", seed, query, w, got[w], want)
				}
			}
		}
	}
}

func FuzzDistance(f *testing.F) {
	f.Add("running", "runing")
	f.Add("ß", "\xff")
	f.Add("аб", "ба")
	f.Fuzz(func(t *testing.T, a, b string) {
		p, ok := NewPattern(a)
		if !ok || !utf8.ValidString(a) || !utf8.ValidString(b) || len(b) > 1000 {
			return
		}
		row := alignment([]rune(a), []rune(b))
		if got := p.Distance([]byte(b)); got != row[len(row)-1] {
			t.Errorf("Distance(%q, %q) = %d, want %d", a, b, got, row[len(row)-1])
		}
		if got := p.BeginningDistance([]byte(b)); got != slices.Min(row) {
			t.Errorf("BeginningDistance(%q, %q) = %d, want %d", a, b, got, slices.Min(row))
		}
		if got, bound := p.Distance([]byte(b)), max(lack(a, b), lack(b, a)); got < bound {
			t.Errorf("signatures of %q and %q are %d apart, the words %d", a, b, bound, got)
		}
	})
}

// lack is how many bits of the signature of a that of b lacks.
func lack(a, b string) (n int) {
	for x := signature([]byte(a)) &^ signature([]byte(b)); x != 0; x &= x - 1 {
		n++
	}
	return n
}

// BenchmarkNear looks in a vocabulary of 600,000 words.
func BenchmarkNear(b *testing.B) {
	r := rand.New(rand.NewPCG(3, 3))
	var build Builder
	syllables := []string{"an", "ber", "con", "da", "el", "for", "gra", "hi", "in", "jo", "ka", "lo", "mi", "ne", "or", "pre", "qui", "ra", "st", "tion", "un", "ver", "wo", "ex", "yl", "za"}
	make := func() string {
		w := ""
		for range 2 + r.IntN(4) {
			w += syllables[r.IntN(len(syllables))]
		}
		return w
	}
	for range 600_000 {
		build.Add([]byte(make()), 1)
	}
	l := build.Build()
	for limit := 1; limit <= 2; limit++ {
		for name, find := range map[string]func(*Pattern, int, func([]byte, uint32, int)){"near": l.Near, "beginning": l.Beginning} {
			b.Run(fmt.Sprintf("%s/edits=%d", name, limit), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					w := make()
					p, _ := NewPattern(w[:len(w)/2] + "x" + w[len(w)/2:])
					find(p, limit, func([]byte, uint32, int) {})
				}
			})
		}
	}
}
