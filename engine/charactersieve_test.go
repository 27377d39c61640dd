package engine

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// sievedText is a text of characters of one to four bytes, some of which share what
// the sieve tells them apart by.
func sievedText(r *rand.Rand) string {
	some := []rune("aé\"\\\n\u0001/都市年首東京\U00020000\U0002A6D6😀")
	var b strings.Builder
	for range r.IntN(30) {
		c := some[r.IntN(len(some))]
		if c >= 0x4000 && c < 0xA000 && r.IntN(3) == 0 {
			c = c&0xFFF | rune(4+r.IntN(6))<<12
		}
		b.WriteRune(c)
	}
	return b.String()
}

func sievedCharacters(r *rand.Rand) (chars []askedCharacter) {
	for _, c := range sievedText(r) {
		if c > 0x2000 && len(chars) < maxCharacters && !slices.ContainsFunc(chars, func(a askedCharacter) bool { return a.is == c }) {
			chars = append(chars, askedCharacter{is: c, weight: uint64(r.IntN(3))})
		}
	}
	return chars
}

// sievedValue writes a value, with white space and escapes as they come.
func sievedValue(r *rand.Rand, b *strings.Builder, depth int) {
	space := func() { b.WriteString([]string{"", "", "", " ", "\n\t"}[r.IntN(5)]) }
	text := func(s string) {
		switch r.IntN(6) {
		case 0: // everything escaped
			b.WriteByte('"')
			for _, c := range s {
				if c < 1<<16 {
					fmt.Fprintf(b, `\u%04x`, c)
				}
			}
			b.WriteByte('"')
		default:
			x, err := json.Marshal(s)
			if err != nil {
				panic(err)
			}
			b.Write(x)
		}
	}
	space()
	defer space()
	switch kind := r.IntN(8); {
	case depth == 0 || kind == 0 && depth < 4:
		b.WriteByte('{')
		for i := range r.IntN(5) {
			if i > 0 {
				b.WriteByte(',')
			}
			space()
			if name := fmt.Sprint("f", i); r.IntN(30) == 0 {
				b.WriteString(`"\u0066` + name[1:] + `"`)
			} else {
				b.WriteString(`"` + name + `"`)
			}
			space()
			b.WriteByte(':')
			sievedValue(r, b, depth+1)
		}
		space()
		b.WriteByte('}')
	case kind == 1 && depth < 4:
		b.WriteByte('[')
		for i := range r.IntN(4) {
			if i > 0 {
				b.WriteByte(',')
			}
			sievedValue(r, b, depth+1)
		}
		space()
		b.WriteByte(']')
	case kind == 2:
		b.WriteString([]string{"1", "-2.5e3", "true", "false", "null"}[r.IntN(5)])
	default:
		text(sievedText(r))
	}
}

// seenIn is what the sieve is to see in some texts: the heaviest of what two blocks
// in a row have, with what short texts have.
func seenIn(texts []string, chars []askedCharacter, block int) uint64 {
	has := func(text []rune) (had uint64) {
		for i, c := range chars {
			if c.weight > 0 && slices.Contains(text, c.is) {
				had |= 1 << i
			}
		}
		return had
	}
	var short uint64
	var long []uint64
	for _, s := range texts {
		text := slices.DeleteFunc([]rune(s), func(c rune) bool { return c < 0x800 })
		if len(text) < block {
			short |= has(text)
			continue
		}
		for at := 0; at < len(text); at += block {
			long = append(long, has(text[max(0, at-block):min(at+block, len(text))]))
		}
	}
	s := characterSieve{chars: chars}
	best := short
	for _, had := range long {
		if s.weigh(had|short) > s.weigh(best) {
			best = had | short
		}
	}
	return best
}

// TestTextScannerIsTheWalker: it sees the characters that the walker's strings have,
// whatever the record looks like.
func TestTextScannerIsTheWalker(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	wanted := func(path []byte) bool { return string(path) == "f0" || strings.HasSuffix(string(path), "1.f2") }
	gaveUp, some, parted := 0, 0, 0
	for range 20000 {
		chars := sievedCharacters(r)
		whole := (&bonuses{chars: chars}).sieve()
		whole.block = 2 + r.IntN(12)
		whole.left = whole.block
		var b strings.Builder
		sievedValue(r, &b, 0)
		record := []byte(b.String())
		var texts []string
		if err := walkRecord(record, Limits{}.orDefaults().forStored(), func(path string, _ pointer, v scalar) error {
			if v.kind == scalarString && wanted([]byte(path)) {
				texts = append(texts, string(v.str))
			}
			return nil
		}); err != nil {
			t.Fatalf("%s: %v", record, err)
		}
		s := textScanner{wanted: wanted, whole: &whole}
		s.start()
		if !s.record(record) {
			gaveUp++
		}
		s.look(record, 0)
		want := seenIn(texts, chars, whole.block)
		if got := s.sieve.best(); s.sieve.weigh(got) != s.sieve.weigh(want) {
			t.Fatalf("%s of %v in blocks of %d: %b, not %b", record, chars, whole.block, got, want)
		}
		if want != 0 {
			some++
		}
		if want != seenIn(texts, chars, 1000) {
			parted++
		}
	}
	if gaveUp == 0 || gaveUp > 10000 || some < 2000 || parted < 100 {
		t.Errorf("gave up %d times; saw something in %d records, not all of it near by in %d", gaveUp, some, parted)
	}
}

// TestTextScannerGoesDeep: a text is found however deep it is nested.
func TestTextScannerGoesDeep(t *testing.T) {
	for _, deep := range []int{1, maxScannedDepth - 1, maxScannedDepth, 5 * maxScannedDepth} {
		record := `{"a":` + strings.Repeat("[", deep) + `"都"` + strings.Repeat("]", deep) + "}"
		s := textScanner{wanted: func(path []byte) bool { return string(path) == "a" }}
		whole := (&bonuses{chars: []askedCharacter{{'首', 1}, {'都', 1}}}).sieve()
		s.whole = &whole
		if s.look([]byte(record), 0); s.sieve.best() != 2 {
			t.Errorf("%d deep: %b", deep, s.sieve.best())
		}
	}
}

// FuzzTextScanner: whatever bytes a record is of, nothing is read that is not there.
func FuzzTextScanner(f *testing.F) {
	for _, s := range []string{``, `{`, `{"a":`, `{"a":"`, `{"a":"\`, `{"a":"\"都`, `[1,`, `{"a":[1,,"都"}`, "{\"a\":\"\xE9\x83\"}", "{\"a\":\"\xF0\xA0\x80\"}", strings.Repeat(`{"a":[`, 100)} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, record []byte) {
		whole := (&bonuses{chars: []askedCharacter{{'都', 1}, {'\U00020000', 1}}}).sieve()
		s := textScanner{wanted: func([]byte) bool { return true }, whole: &whole, counted: countedThings{units: []string{"都"}}, kin: []askedFamily{{first: 'a', rest: "b"}}}
		s.look(record, 1)
	})
}
