package engine

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/quarry-search/quarry/engine/internal/intent"
	"github.com/quarry-search/quarry/engine/query"
)

// Where no spaces stand between words, what a query denies is excluded: the words that deny are
// few there, and stand beside what they are about. Of what a question denies only values of fields are
// excluded. A query that denies all that it asks for is read by what it says about fields, as others
// are: "不要红色" wants what has another colour.

// longestDenied is how many letters the name of a value may have that is looked for at the
// beginning of what is denied.
const longestDenied = 8

// exclude makes exclusions of what a query denies by a word without a space before or behind it:
// "ナイキ以外のスニーカー", "不要无线的鼠标".
func (s *searcher) exclude(b query.Bool, cues *intent.Cues) (query.Bool, error) {
	var wanted, said []query.Node
	var denied []query.Text
	s.excluded = nil
	asks := cues.Asks(s.req.Query) // and may be answered by what speaks of what is denied
	for i := 0; i < len(b.Should); i++ {
		t, ok := plainWord(b.Should[i])
		if !ok {
			wanted, said = append(wanted, b.Should[i]), append(said, b.Should[i])
			continue
		}
		var about query.Text
		where, values := cues.Excepts(t.Text)
		switch {
		case where > 0 && i+1 < len(b.Should):
			about, ok = plainWord(b.Should[i+1])
		case where < 0 && len(wanted) > 0:
			about, ok = plainWord(wanted[len(wanted)-1])
		default:
			ok = false
		}
		var d denial
		if ok {
			var err error
			if d, err = s.denial(about, values || asks, cues); err != nil {
				return b, err
			}
			ok = d.value || !values && !asks
		}
		switch {
		case !ok:
			wanted, said = append(wanted, t), append(said, t)
			continue
		case where < 0:
			wanted = wanted[:len(wanted)-1]
			said = append(said, t)
		default:
			i++
			said = append(said, t, d.about)
			if d.rest.Text != "" {
				wanted = append(wanted, d.rest)
				said = append(said, d.rest)
			}
		}
		denied = append(denied, d.things...)
	}
	if len(denied) > 0 && len(wanted) == 0 {
		b.Should = said
	}
	if len(denied) == 0 || len(wanted) == 0 {
		return b, nil
	}
	b.Should, b.MustNot = wanted, slices.Clone(b.MustNot)
	for _, d := range denied {
		d.Quoted = true // its parts stand together
		b.MustNot = append(b.MustNot, d)
		s.excluded = append(s.excluded, d.Text)
	}
	return b, nil
}

// denial is what a word says that stands beside one that denies it.
type denial struct {
	about  query.Text   // what is denied, as it is written
	things []query.Text // each thing of a list by itself
	rest   query.Text   // what follows it; no text: nothing
	value  bool         // all of the things are values of fields
}

// denial reads what a word that is denied says: up to the particle that ends what is said of a
// thing. Without one, what denies values alone denies those that the word begins with, and all else
// denies the word: "不要手机壳" is about cases, and not about phones.
func (s *searcher) denial(t query.Text, values bool, cues *intent.Cues) (d denial, err error) {
	upTo := func(at int) query.Text { return query.Text{Text: t.Text[:at], Start: t.Start, End: t.Start + at} }
	from := func(at int) query.Text { return query.Text{Text: t.Text[at:], Start: t.Start + at, End: t.End} }
	end, next := len(t.Text), len(t.Text)
	for _, particle := range [...]string{"的", "の"} {
		if at := strings.Index(t.Text, particle); at > 0 {
			end, next = at, at+len(particle)
			break
		}
	}
	d.about, d.rest = upTo(end), from(next)
	at := 0
	for at < end {
		n, err := s.beginsWithValue(t.Text[at:end], cues)
		if err != nil {
			return d, err
		}
		if n == 0 {
			break
		}
		d.things = append(d.things, query.Text{Text: t.Text[at : at+n], Start: t.Start + at, End: t.Start + at + n})
		if at += n; at == end {
			break
		}
		joint := cues.Joins(t.Text[at:end])
		if joint == 0 {
			break
		}
		at += joint
	}
	switch {
	case at == end && len(d.things) > 0:
		d.value = true
	case values && end == len(t.Text) && len(d.things) > 0:
		last := d.things[len(d.things)-1]
		d.about, d.rest, d.value = upTo(last.End-t.Start), from(last.End-t.Start), true
	default:
		d.things = []query.Text{d.about}
	}
	return d, nil
}

// beginsWithValue returns the bytes of the longest value of a field that a text begins with, of records
// that the caller may see.
func (s *searcher) beginsWithValue(text string, cues *intent.Cues) (int, error) {
	v := s.earlyWords(cues)
	if v == nil {
		return 0, nil
	}
	var ends [longestDenied]int
	letters, end := 0, 0
	for ; letters < longestDenied && end < len(text); letters++ {
		_, n := utf8.DecodeRuneInString(text[end:])
		end += n
		ends[letters] = end
	}
	for ; letters > 0; letters-- {
		key, _ := cues.Key(nil, text[:ends[letters-1]])
		words := strings.Fields(string(key))
		if len(words) == 0 {
			continue
		}
		found, err := v.of(words, words, 1)
		if err != nil {
			return 0, err
		}
		if len(found) > 0 {
			return ends[letters-1], nil
		}
	}
	return 0, nil
}

// earlyWords is facetWords before the search is bound; nil if there are no values, or what may be seen of
// them is not known: the search meets that itself.
func (s *searcher) earlyWords(cues *intent.Cues) *facetWords {
	v, ok := s.facetWords(cues).(*facetWords)
	if !ok {
		return nil
	}
	for i := range v.runs {
		var err error
		if v.runs[i].seen, err = v.runs[i].res.sight(); err != nil {
			return nil
		}
	}
	return v
}

// cutsValue returns the places at which a word is cut that denies a value by what denies nothing
// else: "没有皮革的鞋", "非红色". nil: it does not.
func (s *searcher) cutsValue(text string, cues *intent.Cues) (places []int, err error) {
	for _, cue := range cues.ValueExcepts() {
		at := strings.Index(text, cue.Text)
		if at < 0 {
			continue
		}
		behind := at + len(cue.Text)
		about := text[behind:]
		if cue.After {
			about = text[:at]
		}
		n, err := s.beginsWithValue(about, cues)
		if err != nil {
			return nil, err
		}
		if n == 0 || cue.After && n < at {
			continue
		}
		if at > 0 {
			places = append(places, at)
		}
		if behind < len(text) {
			places = append(places, behind)
		}
		return places, nil
	}
	return nil, nil
}
