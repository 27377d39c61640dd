package engine

import (
	"bytes"
	"errors"
	"slices"
	"unicode/utf8"

	"github.com/quarry-search/quarry/engine/internal/posting"
	"github.com/quarry-search/quarry/engine/internal/search"
	"github.com/quarry-search/quarry/engine/internal/segment"
	"github.com/quarry-search/quarry/tokenize"
)

const (
	// maxBegun is how many titles are read to see whether they are begun. Of more, these
	// are the shortest.
	maxBegun = 64
	// maxWhole is how many titles are read to see whether they hold words as they stand.
	maxWhole = 16
	// maxBegunHolders is how many documents may have the words in a title, and
	// maxBegunScanned how many the rarest of them anywhere, so that those are looked for.
	maxBegunHolders = 1 << 14
	maxBegunScanned = 1 << 17
	// maxLetterDocs is the documents of indexes in which words that begin with one letter are
	// looked at one by one: of more there are too many.
	maxLetterDocs = 1 << 17
)

// begunSearch looks for titles that begin with some words, the last one half typed, among the
// records that the caller sees. All limits are for those, so that nothing is told of others.
type begunSearch struct {
	run   *searchRun
	title int
	words []*tokenize.Token
	rows  []*listRow // of the words but the last one: their stems, and their forms
	also  bool       // titles that hold all words as they stand are begun, too
	read  int        // bytes of records
}

// find returns the documents, and whether some title holds all words as they stand.
func (b *begunSearch) find() (docs []begunDoc, whole bool, err error) {
	run, last := b.run, b.words[len(b.words)-1]
	pair, stand := last.Kind == tokenize.KindBigram, b.words[:len(b.words)-1]
	if pair { // no word is longer than a pair of characters
		stand = b.words
	}
	for _, w := range stand {
		rows, err := run.nameRows(w)
		if err != nil || rows == nil {
			return nil, false, err
		}
		b.rows = append(b.rows, rows...)
	}
	if !b.also {
		if whole, err = b.isWhole(last); err != nil || whole {
			return nil, whole, err
		}
	}
	lists, err := b.among(last)
	if err != nil || lists == nil {
		return nil, false, err
	}
	var some []sizedDoc
	err = run.eachTitled(b.title, anyLength, lists, b.rows, func(doc posting.DocID, norm uint8) bool {
		some = append(some, sizedDoc{doc, norm})
		return len(some) <= maxBegunHolders
	})
	if err != nil || len(some) > maxBegunHolders {
		return nil, false, err
	}
	if len(some) > maxBegun && len(b.rows) > 0 && !pair && b.narrows(last) {
		if some, err = b.narrow(some, last); err != nil {
			return nil, false, err
		}
	}
	for _, d := range shortest(some) {
		worth, complete, err := b.worth(d.doc)
		if err != nil || complete {
			return nil, complete, err
		}
		if worth > 0 {
			docs = append(docs, begunDoc{d.doc, worth})
		}
	}
	return docs, false, nil
}

// isWhole tells whether some title holds all words as they stand. Where more titles than
// maxWhole have their stems, some is taken to.
func (b *begunSearch) isWhole(last *tokenize.Token) (whole bool, err error) {
	exact, err := b.run.nameRows(last)
	if err != nil || exact == nil {
		return false, err
	}
	all := append(slices.Clone(b.rows), exact...)
	lists, holders, err := b.rarest(all)
	if err != nil || holders > maxBegunHolders {
		return true, err
	}
	var docs []posting.DocID
	err = b.run.eachTitled(b.title, anyLength, lists, all, func(doc posting.DocID, _ uint8) bool {
		docs = append(docs, doc)
		return len(docs) <= maxWhole
	})
	if err != nil || len(docs) > maxWhole {
		return true, err
	}
	for _, doc := range docs {
		if _, whole, err := b.worth(doc); err != nil || whole {
			return whole, err
		}
	}
	return false, nil
}

// rarest returns the lists of the row that the fewest records hold, and how many do.
func (b *begunSearch) rarest(rows []*listRow) (lists []*posting.List, holders int, err error) {
	for _, row := range rows {
		n := int(row.df)
		if len(b.run.imposed) > 0 {
			if n, err = b.holders(row.lists); err != nil {
				return nil, 0, err
			}
		}
		if lists == nil || n < holders {
			lists, holders = row.lists, n
		}
	}
	return lists, holders, nil
}

// holders counts the records in some lists, by segment.
func (b *begunSearch) holders(lists []*posting.List) (n int, err error) {
	seen := &sight{run: b.run, sets: b.run.imposed}
	for seg, list := range lists {
		some, err := seen.count(seg, list)
		if err != nil {
			return 0, err
		}
		n += some
	}
	return n, nil
}

// sizedDoc is a document and how long its title is, as a norm.
type sizedDoc struct {
	doc  posting.DocID
	norm uint8
}

// shortest returns those of some documents with the shortest titles, in their order: no more
// than maxBegun, and of one length all or none.
func shortest(docs []sizedDoc) []sizedDoc {
	if len(docs) <= maxBegun {
		return docs
	}
	var count [256]int
	for _, d := range docs {
		count[d.norm]++
	}
	n, longest := 0, -1
	for norm, of := range count {
		if n+of > maxBegun {
			break
		}
		n, longest = n+of, norm
	}
	return slices.DeleteFunc(docs, func(d sizedDoc) bool { return int(d.norm) > longest })
}

// among returns the lists of segments among whose documents the titles are: of the rarest word,
// or of those with a word in the title that begins with the last one. Nil: of too many.
func (b *begunSearch) among(last *tokenize.Token) ([]*posting.List, error) {
	run := b.run
	g := b.inTitle()
	if len(b.rows) > 0 {
		lists, holders, err := b.rarest(b.rows)
		switch {
		case err != nil || holders <= maxBegunHolders:
			return lists, err
		case holders <= maxBegunScanned:
			return b.titled(lists)
		}
	}
	begun := run.res.begunLeaf(last)
	if begun != nil {
		if holders, err := b.holders(begun.lists); err != nil || holders > maxBegunHolders/4 {
			return nil, err
		}
	}
	if begun == nil && (len(b.words) > 1 || utf8.RuneCount(last.Word) < minPrefix) {
		return nil, nil
	}
	entries := run.expansions(run.iv.schema.maskKey(g.fields) + ":" + string(last.Word))
	lists := make([]*posting.List, len(run.iv.segs))
	for i, s := range run.iv.segs {
		en, err := entries.expansion(s, func() (*posting.List, error) { return run.expand(i, s, last.Word, g) })
		if invalid := (*InvalidError)(nil); errors.As(err, &invalid) {
			return nil, nil // it stands for too many words
		}
		if err != nil {
			return nil, err
		}
		lists[i] = en.list
	}
	return lists, nil
}

// inTitle is what is only looked for in the title.
func (b *begunSearch) inTitle() analyzerGroup {
	g := analyzerGroup{fields: make([]bool, len(b.run.iv.schema.text))}
	g.fields[b.title] = true
	return g
}

// titled leaves of lists, by segment, the documents that have the word in the title.
func (b *begunSearch) titled(lists []*posting.List) (out []*posting.List, err error) {
	fields := b.inTitle().fields
	out = make([]*posting.List, len(lists))
	for i, list := range lists {
		if out[i], err = search.Restrict(&b.run.segs[i], list, fields); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// narrows tells whether all words are looked at that the last one may begin. How many there are is
// not asked: it would tell of records out of sight, and depends on segments.
func (b *begunSearch) narrows(last *tokenize.Token) bool {
	return utf8.RuneCount(last.Word) > 1 || len(b.run.imposed) == 0 && b.run.res.docs <= maxLetterDocs
}

// narrow leaves of some documents those with a word in the title that begins with the last one.
func (b *begunSearch) narrow(some []sizedDoc, last *tokenize.Token) ([]sizedDoc, error) {
	run := b.run
	begun := make(map[posting.DocID]bool, len(some)) // whether it has such a word
	for _, d := range some {
		begun[d.doc] = false
	}
	look := func(list *posting.List, seg int, doc posting.DocID) {
		if had, is := begun[doc]; is && !had {
			begun[doc] = run.inTitle(b.title, list, seg, doc)
		}
	}
	for i, s := range run.iv.segs {
		for _, space := range [...]uint16{segment.SpaceText, segment.SpaceWord} {
			lo := segment.Key(nil, space, last.Word)
			it := s.reader.Terms(lo, prefixEnd(lo))
			for it.Next() {
				list, err := it.List(false)
				if err != nil {
					return nil, err
				}
				if it.DF() > len(some) {
					for _, d := range some {
						look(list, i, d.doc)
					}
					continue
				}
				for _, doc := range list.All {
					look(list, i, doc)
				}
			}
			if err := it.Err(); err != nil {
				return nil, err
			}
		}
	}
	return slices.DeleteFunc(some, func(d sizedDoc) bool { return !begun[d.doc] }), nil
}

// begunLeaf returns the leaf of the words that begin with a word; nil if that is a filler word, or
// too short.
func (r *resolver) begunLeaf(t *tokenize.Token) *leaf {
	typed := string(t.Word) + "*"
	if i := slices.IndexFunc(r.leaves, func(l leaf) bool { return l.flat && l.term == typed }); i >= 0 {
		return &r.leaves[i]
	}
	return nil
}

// worth reads the title of a document, and tells what the record gets, 0 for nothing, and
// whether it holds all words as they stand.
func (b *begunSearch) worth(doc posting.DocID) (worth uint16, whole bool, err error) {
	if b.read > maxCalledBytes {
		return 0, true, nil // too much to read: nothing is raised
	}
	texts, size, err := b.run.titleTokens(doc, b.title)
	if err != nil {
		return 0, false, err
	}
	b.read += size
	for _, tokens := range texts {
		if !b.also && b.holds(tokens) {
			return 0, true, nil
		}
		worth = max(worth, b.worthOf(tokens))
	}
	return worth, false, nil
}

// worthOf is what a record gets for the words of a title.
func (b *begunSearch) worthOf(tokens []tokenize.Token) (worth uint16) {
	typed, letters, fillers := 0, 0, 0
	for _, w := range b.words {
		typed += utf8.RuneCount(w.Word)
	}
	for i := range tokens {
		letters += utf8.RuneCount(tokens[i].Word)
		if i == fillers && tokens[i].Stop {
			fillers++
		}
	}
	for at := range len(tokens) - len(b.words) + 1 {
		if !b.begins(tokens[at:]) {
			continue
		}
		of := begunWithin
		if at == 0 || at == fillers {
			of = begunFirst
		}
		worth = max(worth, uint16(of*worthUnit+typed*(worthUnit-1)/letters))
	}
	return worth
}

// holds tells whether tokens have all words as they stand, wherever.
func (b *begunSearch) holds(tokens []tokenize.Token) bool {
	return !slices.ContainsFunc(b.words, func(w *tokenize.Token) bool {
		return !slices.ContainsFunc(tokens, func(t tokenize.Token) bool { return bytes.Equal(t.Word, w.Word) })
	})
}

// begins tells whether tokens begin with the words, the last one as the beginning of one.
func (b *begunSearch) begins(tokens []tokenize.Token) bool {
	n := len(b.words) - 1
	for i, w := range b.words[:n] {
		if !bytes.Equal(tokens[i].Word, w.Word) {
			return false
		}
	}
	return bytes.HasPrefix(tokens[n].Word, b.words[n].Word)
}
