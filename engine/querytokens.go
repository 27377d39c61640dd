package engine

import "github.com/quarry-search/quarry/tokenize"

// queryTexts are the tokens of texts of one search: its stages, and the indexes
// that it looks into, take the same few words apart again and again. The zero
// value is ready for use, by one goroutine. What it returns lasts as long as the search:
// then its memory is cleared, and another one's.
type queryTexts struct {
	texts []queryText
	next  int // stages go through the words in one order, so this is asked for next
	room  tokenize.Room

	accents accentReader // without a searcher: words are read as they were typed
	beside  []otherTerm  // what words also stand for; see accentReader
}

type queryText struct {
	analyzer *tokenize.Analyzer
	text     string
	tokens   []tokenize.Token
}

// maxQueryTexts is how many texts are kept: finding one in a longer row takes
// about as long as taking it apart.
const maxQueryTexts = 64

// maxIdleTexts bounds the memory that is kept for later searches: bytes of a query.
const maxIdleTexts = 1 << 10

// takeTexts returns queryTexts without any.
func (p *roomPool) takeTexts() *queryTexts {
	if q, ok := p.texts.Get().(*queryTexts); ok {
		return q
	}
	return new(queryTexts)
}

// leaveTexts gives back those of a search that has ended.
func (p *roomPool) leaveTexts(q *queryTexts) {
	q.accents = accentReader{key: q.accents.key[:0]}
	bytes := 0
	for i := range q.texts {
		bytes += len(q.texts[i].text)
	}
	if bytes > maxIdleTexts || len(q.texts) == maxQueryTexts {
		return
	}
	clear(q.texts)
	q.texts, q.next = q.texts[:0], 0
	clear(q.beside)
	q.beside = q.beside[:0]
	q.room.Reset()
	p.texts.Put(q)
}

// tokens returns AnalyzeQuery of a text, words without accents read as those that they are
// typed for. They must not be changed.
func (q *queryTexts) tokens(a *tokenize.Analyzer, text string) []tokenize.Token {
	at := q.next
	for range q.texts {
		if at == len(q.texts) {
			at = 0
		}
		if t := &q.texts[at]; t.analyzer == a && t.text == text {
			q.next = at + 1
			return t.tokens
		}
		at++
	}
	tokens := a.AnalyzeQueryIn(&q.room, text)
	if q.accents.s != nil && a.Accented() {
		q.beside = q.accents.read(a, text, tokens, q.beside)
	}
	if q.texts == nil {
		q.texts = make([]queryText, 0, 16) // a query has a few words, as a rule
	}
	if q.next = 0; len(q.texts) < maxQueryTexts {
		q.texts = append(q.texts, queryText{a, text, tokens})
	}
	return tokens
}

// others returns what a token also stands for.
func (q *queryTexts) others(a *tokenize.Analyzer, t *tokenize.Token) []string {
	for i := range q.beside {
		if o := &q.beside[i]; o.analyzer == a && o.word == string(t.Word) && o.term == string(t.Term) {
			return o.others
		}
	}
	return nil
}
