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

// lower is the piece as it was typed, in lower case: that is how endings and what joins words are known.
func (p *piece) lower(clauses []query.Node) string {
	return strings.ToLower(clauses[p.clause].(query.Text).Text[p.Start:p.End])
}

const (
	// maxJoined is how many neighbours are joined: "20 x 47 x 14".
	maxJoined = 5
	// joinedStop is the letters of the shortest filler word that is joined with the word
	// behind it, and joinedStopBehind with the one before it. Articles and prepositions are
	// before any word ("a part", "is land", "in form"), particles behind verbs ("log in").
	// With 2 instead of 3, questions of several languages lose .001 of nDCG@10.
	joinedStop       = 3
	joinedStopBehind = 2
	// maxFillerCode is how many words a query has in which a filler word is a letter of a code.
	maxFillerCode = 4
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
			if t, ok := c.(query.Text); ok && p.kind != pieceNone && r.isFrame(&t, p.Token) {
				p.kind = pieceNone
			}
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
		if isDigit(c) || t.Kind == tokenize.KindNumber && (c == '.' || c == ',') {
			digits++
		} else if !spelt(t.Word[i : i+1]) {
			return pieceNone // beyond ASCII or with a sign, as 2.5kg and c++ are
		}
	}
	if digits == len(t.Word) {
		return pieceDigits
	}
	return pieceMixed
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// joins tells whether neighbours may be one word: two of letters of which one is no filler
// word, and others if letters and numbers meet where they do, or if they were typed without a
// space.
func joins(span []piece) bool {
	if span[len(span)-1].kind == pieceNone {
		return false
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
	some := false // has digits and letters
	for i := range span {
		p := &span[i]
		some = some || p.kind == pieceMixed || i > 0 && p.kind != span[i-1].kind
		if p.stop || i > 0 && p.clause != span[i-1].clause && !meets(&span[i-1], p) {
			return false
		}
	}
	return some
}

// meets tells whether a digit stands beside a letter where two pieces meet, or a letter beside a
// letter of which one belongs to a code.
func meets(a, b *piece) bool {
	left, right := isDigit(a.Word[len(a.Word)-1]), isDigit(b.Word[0])
	return left != right || !left && (a.kind == pieceMixed || b.kind == pieceMixed)
}

// isLetterOfCode tells whether a filler word of one letter may be that before a number: "s 23".
// Vowels are words.
func isLetterOfCode(p []piece, all int) bool {
	return all <= maxFillerCode && len(p) > 1 && p[0].kind == pieceLetters && len(p[0].Word) == 1 && p[1].kind == pieceDigits &&
		(all == 2 || strings.IndexByte("aeiouy", p[0].Word[0]) < 0)
}

// join adds what the words of a span are as one, if some record holds that and it is no
// filler word: "out age" is "outage", but "with out" says nothing.
func (r *resolver) join(span []piece, words []word, groups []analyzerGroup) {
	var room [64]byte
	joined, filler := room[:0], false
	for i := range span {
		joined, filler = append(joined, span[i].Word...), filler || span[i].stop
	}
	if r.holding(joined, groups) == 0 && !r.holdsCut(joined, groups) {
		return
	}
	if filler && !r.isWord(joined, groups) || r.isOneOf(span, joined, groups) {
		return
	}
	r.compound(string(joined), typedSpan(span), words, span)
}

// isOneOf tells whether a word is, to some field, one of the words of a span: "doctor red" is joined
// to "doctorred", of which an English stemmer makes "doctor".
func (r *resolver) isOneOf(span []piece, word []byte, groups []analyzerGroup) bool {
	for i := range groups {
		tokens := r.texts.tokens(groups[i].analyzer, string(word))
		if len(tokens) == 1 && slices.ContainsFunc(span, func(p piece) bool { return string(p.Term) == string(tokens[0].Term) }) {
			return true
		}
	}
	return false
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
		if r.inAllSight(space, tokens[0].Word) > 0 {
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
