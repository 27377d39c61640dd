package engine

import (
	"bytes"
	"slices"
	"sort"
	"strings"

	"github.com/quarry-search/quarry/engine/internal/intent"
	"github.com/quarry-search/quarry/engine/internal/segment"
)

// Bounds of the values that words which are denied are a part of.
const (
	// maxPartWords is the words of such a value: those of more are sentences, and names of
	// several things.
	maxPartWords = 3
	// maxPartValues is how many values the words may be a part of. What more have says too
	// little.
	maxPartValues = 32
)

// Unwanted implements intent.Vocabulary.
func (v *facetWords) Unwanted(words, bases []string) (int, []intent.Value, error) {
	n, found, err := v.longest(len(words), words, bases, 1)
	if err != nil {
		return 0, nil, err
	}
	if n > 0 {
		more, err := v.having(words[:n], bases[:n])
		if err != nil {
			return 0, nil, err
		}
		found = append(slices.Clone(found), more...) // chicken, and chicken breast
		found, err = v.withMembers(found, bases[:n])
		return n, found, err
	}
	if found, err = v.having(words, bases); err == nil {
		found, err = v.withMembers(found, bases)
	}
	if err != nil || len(found) == 0 {
		return 0, nil, err
	}
	return len(words), found, nil
}

// withMembers adds to some values those that are members of the class that words name: who wants no nuts wants
// no almonds.
func (v *facetWords) withMembers(found []intent.Value, bases []string) ([]intent.Value, error) {
	found = slices.Clone(found)
	for _, m := range v.cues.Members(bases) {
		words := strings.Fields(m)
		n, more, err := v.longest(len(words), words, words, 1)
		if err != nil {
			return nil, err
		}
		if n < len(words) {
			more = nil
		}
		also, err := v.having(words, words)
		if err != nil {
			return nil, err
		}
		for _, o := range append(slices.Clone(more), also...) {
			if !slices.ContainsFunc(found, func(f intent.Value) bool { return f.Field == o.Field && f.Text == o.Text }) {
				found = append(found, o)
			}
		}
	}
	return found, nil
}

// having returns the values that have words side by side, beside others; none if there are
// too many.
func (v *facetWords) having(words, bases []string) (out []intent.Value, err error) {
	total := int64(0)
	var counted []int // the last run that each of out was counted in
	if len(words) >= maxPartWords {
		return nil, nil
	}
	for i := range v.runs {
		run := &v.runs[i]
		own := bases
		if run.tables.cues != v.cues {
			own = make([]string, len(words))
			for j, w := range words {
				own[j] = run.tables.cues.Base(w)
			}
		}
		lexicons, err := v.values(run)
		if err != nil {
			return nil, err
		}
		for _, l := range lexicons {
			l.having([]byte(strings.Join(own, " ")), func(field int, raw []byte) {
				name := run.iv.schema.Fields[field].Name
				at := slices.IndexFunc(out, func(o intent.Value) bool { return o.Field == name && o.Text == string(raw) })
				if err != nil || len(out) > maxPartValues || !isKind(raw, run.tables.cues) || at >= 0 && counted[at] == i {
					return
				}
				var n int64
				if n, err = v.sightOf(run).df(segment.SpaceValues+uint16(field), raw); err == nil && n > 0 {
					total += n
					if at >= 0 { // of an index before
						out[at].Count += n
						counted[at] = i
						return
					}
					counted = append(counted, i)
					out = append(out, intent.Value{Field: name, Text: string(raw), Count: n})
				}
			})
			if err != nil {
				return nil, err
			}
		}
	}
	if len(out) == 0 || len(out) > maxPartValues {
		return nil, nil
	}
	// A word that texts are full of is not said of the few records with such values.
	if len(words) == 1 {
		texts, err := v.inTexts(words[0])
		if err != nil || texts > commonWord*total {
			return nil, err
		}
	}
	return out, nil
}

// isKind tells whether a value is a kind of its words, as chicken breast is of chicken: it is
// short, lists nothing, and does not deny them.
func isKind(value []byte, cues *intent.Cues) bool {
	words := strings.FieldsFunc(strings.ToLower(string(value)), func(r rune) bool { return r == ' ' || r == '-' })
	return len(words) <= maxPartWords && !bytes.ContainsAny(value, "&/,;:()+") &&
		!slices.ContainsFunc(words, func(w string) bool { return cues.Denies(w) || cues.Filler(w) })
}

// having calls f for the values whose keys have some words, which have more than those.
func (l *valueLexicon) having(words []byte, f func(field int, raw []byte)) {
	for at := 0; ; {
		i := bytes.Index(l.keys.data[at:], words)
		if i < 0 {
			return
		}
		at += i + len(words)
		n := sort.Search(len(l.keys.ends), func(n int) bool { return int(l.keys.ends[n]) >= at })
		key := l.keys.at(n)
		end := len(key) - (int(l.keys.ends[n]) - at)
		begin := end - len(words)
		if begin >= 0 && len(key) > len(words) && (begin == 0 || key[begin-1] == ' ') && (end == len(key) || key[end] == ' ') {
			f(int(l.fields[n]), l.raw.at(n))
		}
	}
}
