package symbol

import (
	"cmp"
	"slices"
)

// rounds is how many tables are made, each by packing with the one before: symbols get
// at most twice as long in a round, and which ones are worth a code shows in the next.
const rounds = 5

// sampleBytes is about how much of the strings a table is made of.
const sampleBytes = 16 << 10

// Train returns a table for n strings, which depends on nothing but them. It looks at 16
// to 32 KiB of them, and takes a few milliseconds.
func Train(n int, at func(i int) []byte) *Table {
	total := 0
	for i := range n {
		total += len(at(i))
	}
	step := max(1, total/sampleBytes)
	var sample [][]byte
	for i := range n {
		if inSample(i, step) {
			sample = append(sample, at(i))
		}
	}
	t := new(Table)
	for round := range rounds {
		t = improved(t, sample, step, round+1 == rounds)
	}
	return t
}

// inSample chooses one of step strings. The others lie between them without any order, since
// strings may come in turns: of every second one all may be of one kind.
func inSample(i, step int) bool {
	return (uint64(i)*0x9e3779b97f4a7c15)>>32%uint64(step) == 0 // Fibonacci hashing
}

// candidate is what may become a symbol.
type candidate struct {
	symbol uint64
	n      uint8
}

// improved returns a better table for a sample than t: of the symbols that t packs the
// sample by, and pairs of neighbours, those that spare the most bytes. The last table
// has only what was packed by, and that is worth the bytes that it takes itself; there
// are step times as many strings as in the sample.
func improved(t *Table, sample [][]byte, step int, last bool) *Table {
	p := NewPacker(t)
	times := map[candidate]int{}
	for _, s := range sample {
		var before candidate
		for len(s) > 0 {
			c := candidate{uint64(s[0]), 1}
			if code, n := p.longest(s); n > 0 {
				c = candidate{t.symbols[code], uint8(n)}
			}
			times[c]++
			if both := before.n + c.n; !last && before.n > 0 && before.n < maxLen {
				both = min(both, maxLen)
				times[candidate{first(before.symbol|c.symbol<<(8*before.n), both), both}]++
			}
			before, s = c, s[c.n:]
		}
	}
	type ranked struct {
		candidate
		gain int
	}
	all := make([]ranked, 0, len(times))
	for c, k := range times {
		r := ranked{c, k * int(c.n)}
		if c.n == 1 {
			r.gain *= maxLen // what no symbol begins with costs two bytes
		}
		if last && k*step*max(1, int(c.n)-1) <= int(c.n)+1 {
			continue
		}
		all = append(all, r)
	}
	slices.SortFunc(all, func(a, b ranked) int {
		return cmp.Or(cmp.Compare(b.gain, a.gain), cmp.Compare(a.n, b.n), cmp.Compare(a.symbol, b.symbol))
	})
	next := new(Table)
	for _, r := range all[:min(len(all), maxSymbols)] {
		next.add(r.symbol, r.n)
	}
	return next
}
