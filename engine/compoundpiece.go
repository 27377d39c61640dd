package engine

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/quarry-search/quarry/engine/internal/segment"
	"github.com/quarry-search/quarry/engine/query"
	"github.com/quarry-search/quarry/tokenize"
)

// Words are written together or apart in three ways: two words of letters ("note book"), a
// word and a number ("MX 5"), and three of these by turns ("RTX 4070 Ti"). What stands between
// them, a space or a hyphen, is the same to an index.

// pieceKind is what a word of the query is made of.
type pieceKind uint8

const (
	pieceNone    pieceKind = iota // nothing that is written together with others
	pieceLetters                  // letters alone
	pieceDigits                   // digits alone
	pieceMixed                    // both
)

// piece is a word of the query that may be written together with its neighbours, or apart.
type piece struct {
	*tokenize.Token
	clause, nth int // where it stands: the clause, and the word in it
	of          int // words of the clause
	kind        pieceKind
	stop        bool // a filler word
}

const (
	// maxJoined is how many neighbours are joined.
	maxJoined = 3
	// joinedStop is the letters of the shortest filler word that is joined with the word
	// behind it, and joinedStopBehind with the one before it. Articles and prepositions are
	// before any word ("a part", "is land", "in form"), particles behind verbs ("log in").
	// With 2 instead of 3, questions of several languages lose .001 of nDCG@10.
	joinedStop       = 3
	joinedStopBehind = 2
	// maxBoundaries is how many times letters and digits may take turns in a word that is
	// split there: it is a code of its own if they do so more often.
	maxBoundaries = 2
)

// piecesOf returns the words of clauses in memory of the room. What nothing is joined over is
// a piece of no kind.
func (r *resolver) piecesOf(clauses []query.Node) []piece {
	out := r.room.pieces[:0]
	for i, c := range clauses {
		tokens := r.wordsOf(c)
		if len(tokens) == 0 {
			out = append(out, piece{clause: i})
		}
		for j := range tokens {
			p := piece{Token: &tokens[j], clause: i, nth: j, of: len(tokens), kind: kindOfPiece(&tokens[j])}
			p.stop = p.kind != pieceNone && r.stopWord(p.Token)
			out = append(out, p)
		}
	}
	r.room.pieces = out
	return out
}

// kindOfPiece tells what a token is made of.
func kindOfPiece(t *tokenize.Token) pieceKind {
	switch {
	case t.Part || t.Kind != tokenize.KindWord && t.Kind != tokenize.KindNumber:
		return pieceNone
	case spelt(t.Word):
		return pieceLetters
	}
	digits := 0
	for i, c := range t.Word {
		if isDigit(c) {
			digits++
		} else if !spelt(t.Word[i : i+1]) {
			return pieceNone // beyond ASCII or with a sign, as 2.5 and c++ are
		}
	}
	if digits == len(t.Word) {
		return pieceDigits
	}
	return pieceMixed
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// joins tells whether neighbours may be one word: two of letters of which one is no filler
// word, and others if letters and numbers take turns.
func joins(span []piece) bool {
	for i := range span {
		if k := span[i].kind; k != pieceLetters && k != pieceDigits {
			return false
		}
	}
	a, b := &span[0], &span[1]
	if len(span) == 2 && a.kind == pieceLetters && b.kind == pieceLetters {
		switch {
		case a.stop:
			return !b.stop && utf8.RuneCount(a.Word) >= joinedStop
		case b.stop:
			return utf8.RuneCount(b.Word) >= joinedStopBehind
		}
		return true
	}
	for i := range span {
		if span[i].stop || i > 0 && span[i].kind == span[i-1].kind {
			return false
		}
	}
	return true
}

// join adds what the words of a span are as one, if some record holds that and it is no
// filler word: "out age" is "outage", but "with out" says nothing.
func (r *resolver) join(span []piece, words []word, groups []analyzerGroup) {
	var room [64]byte
	joined, filler := room[:0], false
	for i := range span {
		joined, filler = append(joined, span[i].Word...), filler || span[i].stop
	}
	if r.holding(joined, groups) == 0 {
		return
	}
	if filler && !r.isWord(joined, groups) {
		return
	}
	r.compound(string(joined), typedSpan(span), words, span)
}

// isWord tells whether some record holds a word in the very form in which it is written, and
// it is no filler word: "aceptarla" may only have the stem of "aceptar".
func (r *resolver) isWord(word []byte, groups []analyzerGroup) bool {
	for i := range groups {
		tokens := r.texts.tokens(groups[i].analyzer, string(word))
		if len(tokens) != 1 || r.stopWord(&tokens[0]) {
			return false
		}
		space := uint16(segment.SpaceWord)
		if string(tokens[0].Word) == string(tokens[0].Term) {
			space = segment.SpaceText
		}
		lists := r.run.term(space, tokens[0].Word, false)
		n, err := lists.df()
		if err != nil {
			r.fail(err)
		}
		if n > 0 {
			return true
		}
	}
	return false
}

// typedSpan is what was typed, word by word.
func typedSpan(span []piece) string {
	n := len(span)
	for i := range span {
		n += len(span[i].Word)
	}
	var b strings.Builder
	b.Grow(n)
	for i := range span {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.Write(span[i].Word)
	}
	return b.String()
}

// splitCode adds what a word of letters and digits is when it is written apart, wherever
// these take turns. Letters before a number may also be two words, of which the second
// belongs to it: "galaxys24" is "galaxy s24". A code that is nothing so may be two words at any
// place, and letters before a number two: "wh1000xm5" is WH-1000XM5, "gelnimbus25" Gel-Nimbus 25.
func (r *resolver) splitCode(span []piece, words []word, groups []analyzerGroup) {
	code := span[0].Word
	var room [maxBoundaries + 1]int
	at := room[:0]
	for i := 1; i < len(code) && len(at) <= maxBoundaries; i++ {
		if isDigit(code[i]) != isDigit(code[i-1]) {
			at = append(at, i)
		}
	}
	found := false
	if len(at) <= maxBoundaries {
		found = r.apart(span, words, groups, at...)
		if len(at) > 1 {
			for _, i := range at {
				found = r.apart(span, words, groups, i) || found
			}
		}
	}
	for i := 1; i < len(code) && !found; i++ {
		found = r.apart(span, words, groups, i) || i >= minPart && i < at[0] && len(at) <= maxBoundaries && r.apart(span, words, groups, i, at[0])
	}
}

// apart adds what a word is when it is written apart at some places, and tells whether some
// record holds that.
func (r *resolver) apart(span []piece, words []word, groups []analyzerGroup, at ...int) bool {
	word := span[0].Word
	text, from := make([]byte, 0, len(word)+len(at)), 0
	for _, to := range append(slices.Clip(at), len(word)) {
		if r.holding(word[from:to], groups) == 0 {
			return false
		}
		if from > 0 {
			text = append(text, ' ')
		}
		text, from = append(text, word[from:to]...), to
	}
	return r.compound(string(text), string(word), words, span)
}

// isOf tells whether a word that clauses were resolved to is of a span: one of its words, or
// a clause of which it has all words.
func isOf(span []piece, w *word) bool {
	n, of := 0, 0
	for i := range span {
		if p := &span[i]; p.clause == w.clause {
			if w.nth == p.nth {
				return true
			}
			n, of = n+1, p.of
		}
	}
	return w.nth < 0 && n > 0 && n == of
}
