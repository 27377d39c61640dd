package engine

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/quarry-search/quarry/engine/internal/search"
)

// SuggestRequest asks how a text that is being typed may go on.
type SuggestRequest struct {
	Indexes  []string // as in Request
	Query    string   // what has been typed; the last word may be unfinished
	Filter   string   // only records that satisfy it are counted
	Restrict []string // as in Request
	Limit    int      // suggestions wanted; 0 means 8, at most 100
}

// SuggestResult is the answer to a SuggestRequest.
type SuggestResult struct {
	Suggestions []Suggestion // titles first, as Suggest says, then what is in most records
	Version     uint64
	Took        time.Duration
}

// Suggestion is a text that a query may become, and how many records hold all
// of its words: the total of a search for it with MatchAll, PrefixOff and
// IntentOff where no rule applies.
type Suggestion struct {
	Text  string
	Count int64
	Title bool // it is all of the title of a record
}

const (
	defaultSuggestions = 8
	maxSuggestions     = 100
)

// Suggest completes what is being typed, from the records alone: by titles that
// it begins, or that have it somewhere, as all that is suggested where no spaces
// stand; by words that the last one may become,
// before them if several of the titles go on from there; and, if that leaves
// room, by words that follow it in the best records. Titles take half of the
// room, and what words leave of the rest. Filler words are not suggested. What
// is misspelt is completed as what it is repaired to. Records that do not satisfy
// the filter, or what is imposed, neither add to the suggestions nor keep any out.
func (e *Engine) Suggest(ctx context.Context, r *SuggestRequest) (res *SuggestResult, err error) {
	defer e.tell(&err)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	v, err := e.acquire()
	if err != nil {
		return nil, err
	}
	defer e.release(v)
	start := time.Now()
	if r == nil {
		r = &SuggestRequest{}
	}
	own := *r
	own.Query = e.plainly(r.Query)
	g := &suggester{e: e, ctx: ctx, v: v, req: &own, seen: map[string]bool{}}
	if err := g.run(); err != nil {
		return nil, err
	}
	return &SuggestResult{Suggestions: g.out, Version: v.version, Took: time.Since(start)}, nil
}

// suggester carries out one SuggestRequest.
type suggester struct {
	e     *Engine
	ctx   context.Context
	v     *view
	req   *SuggestRequest
	limit int
	out   []Suggestion    // words
	seen  map[string]bool // texts in out, in lower case
}

func (g *suggester) run() error {
	g.limit = orDefaultInt(g.req.Limit, defaultSuggestions)
	if g.limit < 0 {
		return invalid(CodeInvalidRequest, "/limit", "must not be negative")
	}
	if g.limit > maxSuggestions {
		return invalid(CodeLimitExceeded, "/limit", "there may be %d suggestions", maxSuggestions)
	}
	head, last := cutLast(g.req.Query)
	base, text, err := g.open(head)
	if err != nil {
		return err
	}
	if last != "" {
		if err := g.complete(base, text, last); err != nil {
			return err
		}
		if text += last; len(g.out) > 0 {
			g.sort()
			text = g.out[0].Text
		}
	}
	if strings.TrimSpace(text) != "" && len(g.out) < g.limit {
		if err := g.follow(text); err != nil {
			return err
		}
	}
	g.sort()
	titles, err := g.titles(g.req.Query)
	if err != nil {
		return err
	}
	g.merge(titles)
	return nil
}

// merge puts titles before the words, but behind those that several of them go on from.
func (g *suggester) merge(titles []Suggestion) {
	words := slices.DeleteFunc(g.out, func(w Suggestion) bool {
		return slices.ContainsFunc(titles, func(t Suggestion) bool { return strings.EqualFold(t.Text, w.Text) })
	})
	room := max((g.limit+1)/2, g.limit-len(words))
	titles = titles[:min(room, len(titles))]
	var common []Suggestion
	words = slices.DeleteFunc(words, func(w Suggestion) bool {
		leads := w.leads(titles)
		if leads {
			common = append(common, w)
		}
		return leads
	})
	g.out = slices.Concat([]Suggestion{}, common, titles, words)
	g.out = g.out[:min(g.limit, len(g.out))]
}

// leads tells whether several titles have the words of the suggestion and then go on.
func (w *Suggestion) leads(titles []Suggestion) bool {
	n := 0
	for _, t := range titles {
		rest, ok := strings.CutPrefix(strings.ToLower(t.Text), strings.ToLower(w.Text))
		if next, _ := utf8.DecodeRuneInString(rest); ok && !unicode.IsLetter(next) && !unicode.IsNumber(next) {
			n++
		}
	}
	return n > 1
}

// sort puts what was found in order: by count, then by text.
func (g *suggester) sort() {
	slices.SortFunc(g.out, func(a, b Suggestion) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), strings.Compare(a.Text, b.Text))
	})
}

// cutLast cuts a text before the word at its end, if it ends in one.
func cutLast(text string) (head, last string) {
	at := strings.LastIndexFunc(text, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r) && r != '\'' && r != '’'
	})
	if at < 0 {
		return "", text
	}
	_, size := utf8.DecodeRuneInString(text[at:])
	return text[:at+size], text[at+size:]
}

// searcher prepares a search for the records that hold all words of a text. Those that do not
// satisfy the filter are as if they were not there.
func (g *suggester) searcher(text string) *searcher {
	restrict := g.req.Restrict
	if g.req.Filter != "" {
		restrict = append(slices.Clone(restrict), g.req.Filter)
	}
	return g.filtered(text, "", restrict)
}

// filtered is searcher with a filter of the request and some that are imposed.
func (g *suggester) filtered(text, filter string, restrict []string) *searcher {
	return &searcher{
		texts: new(queryTexts),
		e:     g.e, ctx: g.ctx, caller: g.ctx, v: g.v, unruled: true, wordly: true,
		req: &Request{
			Indexes: g.req.Indexes, Query: text, Filter: filter, Restrict: restrict,
			Match: MatchAll, Prefix: PrefixOff, NoTotal: true,
		},
	}
}

// open returns the search for what has been typed before the last word, and
// its text as it is repaired.
func (g *suggester) open(head string) (*searcher, string, error) {
	s := g.searcher(head)
	res := &Result{Query: QueryInfo{Text: head}}
	if err := s.prepare(res); err != nil {
		if told := g.filtered(head, g.req.Filter, g.req.Restrict).prepare(&Result{}); told != nil {
			return nil, "", told // of the filter as one that is not imposed
		}
		return nil, "", err
	}
	return s, res.Query.Text, nil
}

// count is the number of records that hold all words of a text.
func (g *suggester) count(text string) (int64, error) {
	s := g.filtered(text, g.req.Filter, g.req.Restrict)
	s.unspelt = true
	if err := s.prepare(&Result{}); err != nil {
		return 0, err
	}
	total := int64(0)
	for _, run := range s.runs {
		n, err := search.Count(g.ctx, run.q)
		if err != nil {
			return 0, err
		}
		total += n
	}
	if err := s.used(); err != nil {
		return 0, err
	}
	g.e.pages.give(s.pages)
	g.e.rooms.leave(s.runs)
	return total, nil
}

// offer adds a text with its count, unless no record holds it.
func (g *suggester) offer(text string) error {
	key := strings.ToLower(text)
	if g.seen[key] {
		return nil
	}
	g.seen[key] = true
	n, err := g.count(text)
	if n > 0 {
		g.out = append(g.out, Suggestion{Text: text, Count: n})
	}
	return err
}
