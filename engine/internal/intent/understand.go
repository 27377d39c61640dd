package intent

import "slices"

// maxItems bounds the pieces of a query that are looked at. A text of more is
// no query but a document, and stays words.
const maxItems = 256

// reader understands one query.
type reader struct {
	d       *Domain
	v       Vocabulary // may be nil
	ahead   bool       // the name of a field stands before the number that is being read
	compare bool       // something is compared with the number that is being read
	kind    kindOfUnit // of the number that is being read, as words before it say: "rating"
	aspect  string     // of things, that the number is said of that is being placed
	naming  bool       // only fields that are named beside it are looked at
	from    int        // the item that is being read from on
	upto    int        // and the one up to which it has been
	end     int        // which of two fields from the least to the most is meant: see field.end
	items   []item
	used    []bool // by item: it belongs to a part
	not     []bool // by item: it is negated
	denies  bool   // there is a negation of what stands before it
	tells   []bool // by item: see numeric; nil until it is needed
	all     run    // every word of the query
	parts   []Part
}

// Understand returns what a query says about fields. Only the given spans of
// its text are looked at, in ascending order: byte offsets that begin and end
// words. vocabulary may be nil. An error comes from the vocabulary.
func (d *Domain) Understand(text string, spans [][2]int, vocabulary Vocabulary) ([]Part, error) {
	wordy := len(d.hints)+len(d.zeros) > 0 || d.has[Category] || d.has[Bool] // words alone may say something
	if !wordy && !d.has[Date] && !(d.numbers && d.cues.mayCount(text, spans)) {
		return nil, nil
	}
	r := d.reader()
	r.v = vocabulary
	defer d.cues.leave(r)
	r.items = d.cues.scan(r.items, text, spans)
	if len(r.items) == 0 || len(r.items) > maxItems {
		return nil, nil
	}
	numbers := d.numbers && slices.ContainsFunc(r.items, func(it item) bool {
		return it.kind == number || it.kind == word && d.cues.tens[it.text] || it.kind == symbol && vulgar(it.text) > 0
	})
	months := d.has[Date] && slices.ContainsFunc(r.items, func(it item) bool { return it.kind == word && d.cues.months[it.text] > 0 })
	if !numbers && !months && !wordy {
		return nil, nil
	}
	r.used, r.not = flags(r.used, len(r.items)), flags(r.not, len(r.items))
	r.list()
	r.negate()
	if numbers {
		r.each(r.numeric(r.nth))
	}
	if numbers || months {
		r.each(r.numeric(r.comparative))
	}
	if len(d.hints) > 0 {
		r.each(r.hint)
	}
	if numbers {
		r.each(r.superlative)
	}
	if err := r.values(); err != nil {
		return nil, err
	}
	if numbers {
		r.each(r.numeric(r.single))
	}
	if months {
		r.each(r.numeric(r.yearless))
	}
	slices.SortFunc(r.parts, func(a, b Part) int { return a.Start - b.Start })
	return r.parts, nil
}

// reader returns a reader that has read nothing.
func (d *Domain) reader() *reader {
	r, ok := d.cues.readers.Get().(*reader)
	if !ok {
		r = new(reader)
	}
	r.d = d
	return r
}

// leave gives back a reader that is not used any more. What it read is forgotten.
func (c *Cues) leave(r *reader) {
	if cap(r.items) > maxItems {
		return
	}
	clear(r.items)
	clear(r.all.words)
	clear(r.all.bases)
	*r = reader{items: r.items[:0], used: r.used, not: r.not, all: run{r.all.words[:0], r.all.bases[:0], r.all.items[:0]}}
	c.readers.Put(r)
}

// flags returns n flags that are not set, in memory that it may use.
func flags(room []bool, n int) []bool {
	room = slices.Grow(room[:0], n)[:n]
	clear(room)
	return room
}

// each tries to read a part at every item that is not used yet. read returns
// the number of its items, 0 if there is none.
func (r *reader) each(read func(at int) (Part, int)) {
	for i := 0; i < len(r.items); {
		if r.used[i] {
			i++
			continue
		}
		p, n := read(i)
		if n == 0 || slices.Contains(r.used[i:i+n], true) {
			i++
			continue
		}
		r.take(p, i, n)
		i += n
	}
}

// numeric is read for items that something about numbers may begin at, which few words
// of a long query are: cues, months, units and names of fields. At others there is none.
func (r *reader) numeric(read func(at int) (Part, int)) func(at int) (Part, int) {
	if r.tells == nil {
		r.tells = make([]bool, len(r.items))
		for i := range r.items {
			it := &r.items[i]
			r.tells[i] = it.kind != word || it.cues != nil || r.d.cues.months[it.text] > 0 || len(r.d.cues.units[it.text]) > 0 || ordinalRoman(it.text) > 0 || r.d.cues.namesKind(it.text)
		}
		for n, i := range r.all.items {
			r.tells[i] = r.tells[i] || r.d.mentions[r.all.words[n]] != nil || r.d.inflected[r.all.bases[n]] != nil || r.d.cues.nameBases[r.all.bases[n]] != ""
		}
	}
	return func(at int) (Part, int) {
		if !r.tells[at] {
			return Part{}, 0
		}
		return read(at)
	}
}

// take adds a part of some items.
func (r *reader) take(p Part, at, n int) {
	at, n = r.widen(&p, at, n)
	p.Start, p.End = r.items[at].start, r.items[at+n-1].end
	for i := at; i < at+n; i++ {
		r.used[i] = true
	}
	r.parts = append(r.parts, p)
}

func (r *reader) is(i int, k itemKind) bool {
	return i >= 0 && i < len(r.items) && r.items[i].kind == k
}

func (r *reader) isSymbol(i int, text string) bool { return r.is(i, symbol) && r.items[i].text == text }

// cue returns the longest cue at an item that is ok, and its items.
func (r *reader) cue(i int, ok func(*cue) bool) (*cue, int) {
	if i >= len(r.items) {
		return nil, 0
	}
	return at(r.items[i:], ok)
}

// of returns the length of a cue of a kind at an item.
func (r *reader) of(kind cueKind, i int) int {
	_, n := r.cue(i, func(c *cue) bool { return c.kind == kind })
	return n
}

// skip passes over what may stand between a cue and its number.
func (r *reader) skip(i int) int {
	for range 2 {
		i = r.point(i + r.of(cueSkip, i))
	}
	return i
}

// point passes over what ends an abbreviation before a number: "max. 250".
func (r *reader) point(i int) int {
	if r.isSymbol(i, ".") && r.items[i].glued && i > 0 && r.items[i-1].kind == word && r.is(i+1, number) {
		return i + 1
	}
	return i
}

// negate marks the words behind negations, up to the first that is no filler.
func (r *reader) negate() {
	for i := range r.items {
		if len(r.items[i].cues) == 0 {
			continue
		}
		n := r.negation(i)
		if n == 0 {
			r.denies = r.denies || i > 0 && (r.of(cueFree, i) > 0 || r.of(cueRid, i) > 0)
			continue
		}
		for j := i + n; j < len(r.items) && r.items[j].kind != gap; j++ {
			r.not[j] = true
			if r.items[j].kind != symbol && !r.d.cues.stops[r.items[j].text] && !(r.d.has[Bool] && r.d.cues.flagBefore[r.items[j].text]) {
				break // "no admiten mascotas" denies them
			}
		}
	}
}

// behindNegation tells whether a negation stands directly before an item.
func (r *reader) behindNegation(i int) bool {
	for j := max(0, i-1-maxNegation); j < i; j++ {
		if n := r.negation(j); n > 0 && j+n == i {
			return true
		}
	}
	return false
}

// mention returns the field of a type whose name the items are, and their
// number. A name that several fields have is none.
func (r *reader) mention(at int, types ...FieldType) (*field, int) {
	if !r.is(at, word) || !slices.ContainsFunc(types, func(t FieldType) bool { return r.d.has[t] }) {
		return nil, 0
	}
	run := r.run(at)
	if len(run.words) > 0 && !r.d.heads[head(run.words[0])] && !r.d.heads[head(run.bases[0])] {
		return nil, 0 // as most words are
	}
	found, n := r.d.mentions.find(run.words)
	if n == 0 && len(run.bases) > 0 {
		found, n = r.d.inflected[run.bases[0]], 1 // "cores" of core, "core" of cores
	}
	var f *field
	for _, i := range found {
		if slices.Contains(types, r.d.fields[i].Type) {
			if f != nil {
				return nil, 0
			}
			f = &r.d.fields[i]
		}
	}
	if f == nil {
		return nil, 0
	}
	return f, run.items[n-1] + 1 - at
}

// hint reads a phrase that a hint gives a meaning.
func (r *reader) hint(at int) (p Part, n int) {
	if !r.is(at, word) && !r.is(at, number) || r.not[at] {
		return p, 0
	}
	run := r.run(at)
	found, words := r.d.hints.find(run.bases)
	if words == 0 {
		return p, 0
	}
	h := r.d.meanings[found[0]]
	return Part{Filter: h.Filter, Certain: !h.Boost}, run.items[words-1] + 1 - at
}

// run is words one after the other that no part has used, at most maxWords.
type run struct {
	words, bases []string
	items        []int // their places
}

// maxWords is the most words of a value that is understood.
const maxWords = 8

// run returns the words from an item on.
func (r *reader) run(at int) run {
	from, ok := slices.BinarySearch(r.all.items, at)
	if !ok || r.used[at] {
		return run{}
	}
	to := from + 1
	for last := at; to < len(r.all.items) && to-from < maxWords && r.connected(last, r.all.items[to]); to++ {
		last = r.all.items[to]
	}
	return run{r.all.words[from:to], r.all.bases[from:to], r.all.items[from:to]}
}

// behindFiller tells whether a word is the rest of one that begins with a filler word and a
// hyphen: "in-app purchases" are about no app.
func (r *reader) behindFiller(at int) bool {
	if at < 2 || !r.items[at].glued || !r.isSymbol(at-1, "-") || !r.items[at-1].glued {
		return false
	}
	before := &r.items[at-2]
	return before.kind == word && len(before.text) > 1 && r.d.cues.stops[before.text]
}

// connected tells whether nothing but symbols stands between two words, and the
// second one is free.
func (r *reader) connected(a, b int) bool {
	for i := a + 1; i < b; i++ {
		if r.items[i].kind == gap || r.used[i] {
			return false
		}
	}
	return !r.used[b]
}

// list fills in all words of the query.
func (r *reader) list() {
	n := len(r.items)
	r.all = run{slices.Grow(r.all.words, n), slices.Grow(r.all.bases, n), slices.Grow(r.all.items, n)}
	for i := range r.items {
		if it := &r.items[i]; it.kind == word || it.kind == number {
			r.all.words = append(r.all.words, it.text)
			r.all.bases = append(r.all.bases, r.d.cues.Base(it.text))
			r.all.items = append(r.all.items, i)
		}
	}
}
