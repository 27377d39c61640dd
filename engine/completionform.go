package engine

import (
	"cmp"
	"slices"
	"strings"

	"github.com/quarry-search/quarry/engine/internal/posting"
	"github.com/quarry-search/quarry/engine/internal/segment"
	"github.com/quarry-search/quarry/tokenize"
)

const (
	// maxReadMatches is how many matches are read for the words that they hold, maxReadWords how
	// many those are, filler left out, and maxReadBytes how long the records are together. Whether
	// they are read is up to them alone, and so tells nothing of other records.
	maxReadMatches = 256
	maxReadWords   = 1 << 15
	maxReadBytes   = 1 << 21
)

// form returns the word that begins with the prefix, has the given stem and is written in
// most matches; "" if there is none, or it is filler, or a pair of characters. The words of a stem
// share all its letters but the last; the stem is one of them if it is in more
// documents than they. What an analyzer of the application made of words need
// not be like them: those that begin with the prefix are looked at.
func (c *completer) form(term string) (string, error) {
	words, err := c.wordsOf(term)
	if err != nil {
		return "", err
	}
	own, err := c.count(segment.SpaceText, term)
	if err != nil {
		return "", err
	}
	best, most := "", int64(0)
	for _, word := range words {
		n, err := c.count(segment.SpaceWord, word)
		if err != nil {
			return "", err
		}
		own -= n
		if strings.HasPrefix(word, string(c.prefix)) && n > 0 && cmp.Or(cmp.Compare(n, most), strings.Compare(best, word)) > 0 {
			best, most = word, n
		}
	}
	if own > 0 && strings.HasPrefix(term, string(c.prefix)) && cmp.Or(cmp.Compare(own, most), strings.Compare(best, term)) > 0 {
		best = term
	}
	if best == "" {
		return "", nil
	}
	for _, run := range c.runs {
		for _, a := range run.iv.schema.analyzers() {
			if t := a.AnalyzeQuery(best); len(t) > 0 && (run.res.stopWord(&t[0]) || t[0].Kind >= tokenize.KindBigram) {
				return "", nil
			}
		}
	}
	return best, nil
}

// wordsOf returns the words that have a stem and are written otherwise: those that matches hold,
// and maybe others.
func (c *completer) wordsOf(term string) (words []string, err error) {
	begin := string(c.prefix)
	if runes := []rune(term); spelt([]byte(string(runes[:min(1, len(runes))]))) {
		begin = string(runes[:max(min(2, len(runes)), len(runes)-1)])
	}
	seen := map[string]bool{}
	look := func(run *searchRun, word string) {
		if !seen[word] && run.iv.schema.stemsTo(word, term) {
			seen[word] = true
			words = append(words, word)
		}
	}
	if c.read != nil {
		for word := range c.read.of(term).words {
			for _, run := range c.runs {
				if strings.HasPrefix(word, begin) {
					look(run, word)
				}
			}
		}
		return words, nil
	}
	for _, run := range c.runs {
		known := map[string]bool{}
		for _, seg := range run.iv.segs {
			lo := segment.Key(nil, segment.SpaceWord, []byte(begin))
			it := seg.reader.Terms(lo, prefixEnd(lo))
			for it.Next() {
				if key := it.Key()[segment.SpaceBytes:]; !known[string(key)] {
					known[string(key)] = true
					look(run, string(key))
				}
			}
			if err := it.Err(); err != nil {
				return nil, err
			}
		}
	}
	return words, nil
}

// readWords is what stands in matches.
type readWords struct {
	terms map[string]*readTerm
	docs  int // how many have been read
	bytes int
}

// readTerm is what matches hold of a term.
type readTerm struct {
	words map[string]bool // that it is the stem of and that are written otherwise: whether they are looked at for the prefix
	docs  int64           // how many hold it
	last  int             // the number of the last one
}

// of returns what was read of a term.
func (w *readWords) of(term string) *readTerm {
	t := w.terms[term]
	if t == nil {
		t = &readTerm{words: map[string]bool{}}
		w.terms[term] = t
	}
	return t
}

// begun returns in how many matches the terms are that begin with a prefix, or are the stems of
// words that do, and these words.
func (w *readWords) begun(prefix []byte) (bounds map[string]int64, stems map[string][]string) {
	bounds, stems = map[string]int64{}, map[string][]string{}
	for term, of := range w.terms {
		if strings.HasPrefix(term, string(prefix)) {
			bounds[term] = of.docs
			continue
		}
		for word, look := range of.words {
			if look && strings.HasPrefix(word, string(prefix)) {
				bounds[term] = of.docs
				stems[term] = append(stems[term], word)
			}
		}
	}
	return bounds, stems
}

// readMatches reads the words of the matches, if these are few: where an index has many terms
// and the caller sees little of it, that is less to do than to look who has each term.
func (c *completer) readMatches() error {
	if c.all || c.docs > maxReadMatches {
		return nil
	}
	docs, length := make([][]posting.DocID, len(c.runs)), 0
	for i, run := range c.runs {
		for at, words := range c.pages[i] {
			slot := &run.segs[at[0]].Slots[at[1]]
			_ = eachBit(words, func(place int) error {
				docs[i] = append(docs[i], uint32(slot.Page)<<16|uint32(place))
				for t := range run.iv.schema.text {
					length += lengthOf(slot.Norms, t, place-int(slot.NormBase))
				}
				return nil
			})
		}
	}
	if length > maxReadWords {
		return nil
	}
	read := &readWords{terms: map[string]*readTerm{}}
	for i, run := range c.runs {
		slices.Sort(docs[i])
		if err := read.add(run, docs[i], c.looksAtWords(run)); err != nil {
			return err
		}
	}
	if read.bytes <= maxReadBytes {
		c.read = read
	}
	return nil
}

// add reads the words of some documents, unless there is too much to read.
func (w *readWords) add(run *searchRun, docs []posting.DocID, look bool) error {
	c, r := run.iv.schema, run.e.storedReader(run.kv, run.iv.ix.number)
	defer r.Close()
	streams := map[*tokenize.Analyzer]*tokenize.Stream{}
	for _, doc := range docs {
		if err := run.ctx.Err(); err != nil {
			return err
		}
		block, at, err := r.find(doc)
		if err != nil {
			return err
		}
		w.docs++
		if w.bytes += len(block.Record(at)); w.bytes > maxReadBytes {
			return nil
		}
		for name, texts := range textsOf(block.Record(at), c) {
			a := c.text[c.textOf[c.byName[name]]].analyzer
			if streams[a] == nil {
				streams[a] = a.NewStream()
			}
			for _, text := range texts {
				w.addText(streams[a], text, look)
			}
		}
	}
	return nil
}

func (w *readWords) addText(s *tokenize.Stream, text string, look bool) {
	s.Reset([]byte(text))
	for {
		t, ok := s.Next()
		if !ok {
			return
		}
		of := w.of(string(t.Term))
		if of.last != w.docs {
			of.last = w.docs
			of.docs++
		}
		if string(t.Word) == string(t.Term) {
			continue
		}
		if looked, known := of.words[string(t.Word)]; !known || look && !looked {
			of.words[string(t.Word)] = look
		}
	}
}

// analyzers returns the analyzers of the text fields, each once.
func (c *compiled) analyzers() (out []*tokenize.Analyzer) {
	for _, t := range c.text {
		if !slices.Contains(out, t.analyzer) {
			out = append(out, t.analyzer)
		}
	}
	return out
}
