package tokenize

import (
	"strings"
	"sync"
	"unicode/utf8"
)

// Everyday words whose stem would be that of another everyday word, such as Danish billet of bil, are listed
// with all their forms by a stem of their own, which no algorithm sees (apart*.go). Rows are separated by commas.
// The first word of a row is the stem and a form, or the stem alone if a colon is behind it. What follows are forms:
// whole ones, or endings with a hyphen before them, which belong behind the last whole one. Stems that would be those
// of other words without their accents, as Danish bånd of band, have one in -i. Of rows with a + before them compounds
// have the forms, too: flybilletter.

// apart holds the forms of such rows with their stems.
type apart struct {
	forms map[string]string
	heads map[string]string // those that compounds end in
	least int               // bytes of the shortest of them
	cases []string          // endings that forms in open may have
	open  map[string]opened
}

// opened is the stem of a form that endings follow.
type opened struct {
	stem            string
	long, compounds bool // only long endings, and also in compounds
}

const (
	leastHead      = 3 // letters of a form that compounds end in
	leastOfAnother = 3 // bytes before it
)

// readApart reads rows. Each form is also one with each of the ends behind it, unless it ends so.
func readApart(rows string, ends ...string) (a apart) {
	a = apart{forms: map[string]string{}, heads: map[string]string{}, least: 1 << 10, open: map[string]opened{}}
	for row := range strings.SplitSeq(rows, ",") {
		words := strings.Fields(row)
		if len(words) == 0 {
			continue
		}
		first, compounds := strings.CutPrefix(words[0], "+")
		stem := strings.TrimSuffix(first, ":")
		add := func(form string) {
			a.forms[form] = stem
			if compounds && utf8.RuneCountInString(form) >= leastHead {
				a.heads[form] = stem
				a.least = min(a.least, len(form))
			}
		}
		whole := stem
		add(stem)
		for _, form := range words[1:] {
			if end, ok := strings.CutPrefix(form, "-"); ok {
				form = whole + end
			} else {
				whole = form
			}
			if before := strings.TrimRight(form, "-~"); before != form {
				a.open[before] = opened{stem, form[len(before)] == '~', compounds}
				whole = before
				continue
			}
			add(form)
			for _, end := range ends {
				if !strings.HasSuffix(form, end) {
					add(form + end)
				}
			}
		}
		for _, end := range ends {
			if stem == first && !strings.HasSuffix(stem, end) {
				add(stem + end)
			}
		}
	}
	return a
}

// stemOf returns the stem of a form, or of a compound that ends in one.
func (a *apart) stemOf(word string) (stem string, ok bool) {
	if stem, ok = a.forms[word]; ok {
		return stem, true
	}
	for at := leastOfAnother; at <= len(word)-a.least; at++ {
		if stem, ok = a.heads[word[at:]]; ok {
			return word[:at] + stem, true
		}
	}
	for _, end := range a.cases {
		before, ok := strings.CutSuffix(word, end)
		if !ok {
			continue
		}
		long := utf8.RuneCountInString(end) > 2
		for at := 0; at < len(before); at = max(at+1, leastOfAnother) {
			if o, ok := a.open[before[at:]]; ok && (at == 0 || o.compounds) && (long || !o.long) {
				return before[:at] + o.stem, true
			}
		}
	}
	return "", false
}

// inCases are rows with the endings that may be behind open forms, separated by spaces.
func (a apart) inCases(cases string) apart {
	a.cases = strings.Fields(cases)
	return a
}

// keptApart stems the words of rows by them, and others by stem.
func keptApart(read func() apart, stem func(string) string) func(string) string {
	rows := sync.OnceValue(read)
	return func(word string) string {
		a := rows()
		if own, ok := a.stemOf(word); ok {
			return own
		}
		return stem(word)
	}
}
