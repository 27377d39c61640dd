package intent

import (
	"bufio"
	"embed"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// The cue words of a language are in data/<code>.txt, what all languages share
// in data/common.txt. A line is a key, a colon and phrases between commas; #
// begins a comment.
//
//	lt le gt ge        what makes a comparative of the number after it; with the
//	                   kind of unit that it is said of alone, "lt money", or with
//	                   "unit", if there is one: "from 50 euros"; and with both, or
//	                   the aspect of things that it is said of: "lt length width"
//	after lt ...       the same behind the number: "or less"
//	between, and       the two words of a range
//	or                 what joins the things of a list, as "and" does
//	from, to           those of another one
//	in                 what leads to a year
//	skip               what may stand between a cue and its number
//	not                negations
//	except             of letters without spaces: denies what stands behind it, and except
//	                   after what stands before it; with "value" only values of fields
//	joint              of the same letters: joins the things of a list
//	nor                what joins the things of a list that is denied, besides or
//	free               those that stand behind what they deny
//	rid                those that do so only behind a burden or with a hyphen: "sugar free" has none,
//	                   and "hotel free parking" is a hotel
//	burden             what things are made free of, and are bought for it
//	decade, decades    what makes a decade of a number before it, or after it
//	decade 80          what means a decade by itself
//	least, greatest    superlatives of a kind of unit, "least money: cheapest", or of a field
//	                   of that name, "greatest population: most populous"; without
//	                   a kind, those that the name of a field stands behind: "lowest"; with
//	                   "behind", those that it stands before: "fiyatı en düşük"
//	month 1 ...        names of months; "month in", what leads to one, and
//	                   "month doubtful", those that are other words as well
//	ordinal            what makes an ordinal of digits: "th"
//	nth 1 ...          words for ordinals
//	century            words for a century, and era, behind one before ours
//	whole, asks        of letters without spaces: what is no cue though a part of it is one,
//	                   and words of questions; "asks asked" of what ends as "asked" says,
//	                   and none with one of "asks not"
//	scale 1000 ...     words that multiply the number before them
//	unit kg ...        words for a unit of common.txt; with a point between two
//	                   letters if it is not one without; "unit firm", those of them that are
//	                   units behind a number though they are fillers elsewhere
//	aspect width ...   words for an aspect of things, as names of fields have them, or
//	                   as stand behind a number: "2 m wide"
//	numeral 2 ...      words for numbers before units of people and durations
//	amount min 30 ...  phrases for an amount of a unit: "half an hour"
//	lead person ...    words for a unit that stand before its number: "sleeps 4"
//	name money ...     names of fields that measure a kind of unit; "name date"
//	                   is for fields of dates alone, "name kind" for categories, and
//	                   "name unit min" for those that are counted in a unit
//	counted before     words of such names that say that what is behind them is counted
//	                   (num_reviews), counted after, before them (review_count), and
//	                   counted of, what may stand between (number_of_pages)
//	total, step        words of names of fields of durations that say that they are those of
//	                   all that is to be done, or of a part of it: total_time, prep_time
//	done               what things of a year are: "released before 1990"; earned, what they do
//	                   with an amount: "made over 500 million"
//	call population ...  words that name a field of numbers besides its own name, or a yes-or-no field
//	about balcony ...  words for what a yes-or-no field of a name is about
//	none stops         words that say that there are none of what such a field counts
//	flag before        of names of yes-or-no fields, what stands before what they
//	                   are about (has_garden), and flag after, behind it
//	                   (pets_allowed), as it may in queries ("pet friendly")
//	flag not           beginnings that make the contrary: "unfurnished"
//	flag none          what stands behind such a name and says that it is not there, besides free
//	flag with, flag without   endings of words that say that something is there, "balkonlu",
//	                   and that it is not: "balkonsuz"
//	ending             "ies > y": endings of words that values are found without;
//	                   with a number of letters that have to remain: "s 3"; "ending noun",
//	                   those that adjectives do not have
//	decimal            the decimal point, and group: what groups digits
//	define mass kg 1000   (in common.txt) a unit, its kind and its size
//
//go:embed data/*.txt
var files embed.FS

// read takes in a file, or its names of fields alone.
func (c *Cues) read(text string, namesOnly bool) error {
	s := bufio.NewScanner(strings.NewReader(text))
	for n := 1; s.Scan(); n++ {
		line := strings.TrimSpace(s.Text())
		if line == "" || line[0] == '#' || namesOnly && !strings.HasPrefix(line, "name ") && !strings.HasPrefix(line, "flag ") && !strings.HasPrefix(line, "counted ") && !strings.HasPrefix(line, "total:") && !strings.HasPrefix(line, "step:") && !strings.HasPrefix(line, "aspect ") {
			continue
		}
		key, rest, ok := strings.Cut(line, ":")
		var phrases []string
		for p := range strings.SplitSeq(rest, ",") {
			if p = strings.TrimSpace(p); p != "" {
				phrases = append(phrases, p)
			}
		}
		if !ok || !c.define(strings.Fields(key), phrases) {
			return fmt.Errorf("line %d: %s", n, line)
		}
	}
	return s.Err()
}

// define takes in one line of a file.
func (c *Cues) define(key, phrases []string) bool {
	kinds := map[string]cueKind{
		"between": cueBetween, "and": cueAnd, "from": cueFrom, "to": cueTo, "in": cueIn, "skip": cueSkip, "not": cueNot, "free": cueFree, "rid": cueRid,
		"decades": cueDecades, "or": cueOr, "century": cueCentury, "era": cueEra,
	}
	if len(key) == 0 {
		return false
	}
	switch head := key[0]; head {
	case "lt", "le", "gt", "ge":
		entry := cue{kind: cueBefore, rel: relations[head]}
		if len(key) > 1 {
			entry.kindOfUnit = kindOfUnit(key[1])
		}
		if len(key) > 2 && key[2] == string(anyKind) {
			entry.measured = true
		} else if len(key) > 2 {
			entry.aspect = key[2]
		}
		c.add(phrases, entry)
	case "except":
		where, kind := 1, cueNot
		if slices.Contains(key, "after") {
			where, kind = -1, cueFree
		}
		c.add(phrases, cue{kind: kind})
		for _, p := range phrases {
			if slices.Contains(key, "value") {
				c.valueExcepts = append(c.valueExcepts, Except{foldWord(p), where < 0})
				continue
			}
			c.know(p, anywhere)
			c.excepts[foldWord(p)] = where
		}
	case "burden":
		for _, p := range phrases {
			c.burdens[foldWord(p)] = true
		}
	case "ordinal":
		for _, p := range phrases {
			c.ordinals[foldWord(p)] = true
		}
	case "whole":
		for _, p := range phrases {
			c.wholes = append(c.wholes, foldWord(p))
		}
	case "asks":
		list := &c.asks
		switch strings.Join(key[1:], "") {
		case "asked":
			list = &c.asksAsked
		case "not":
			list = &c.asksNot
		}
		for _, p := range phrases {
			*list = append(*list, foldWord(p))
		}
	case "asked":
		for _, p := range phrases {
			c.asked = append(c.asked, foldWord(p))
		}
	case "nor":
		for _, p := range phrases {
			c.nors[foldWord(p)] = true
		}
	case "joint":
		for _, p := range phrases {
			c.joints = append(c.joints, foldWord(p))
		}
	case "after":
		if len(key) < 2 || len(key) > 3 || relations[key[1]] == equal {
			return false
		}
		kind := kindOfUnit("")
		if len(key) == 3 {
			kind = kindOfUnit(key[2])
		}
		c.add(phrases, cue{kind: cueAfter, rel: relations[key[1]], kindOfUnit: kind})
	case "month", "scale":
		if head == "month" && len(key) == 2 && (key[1] == "in" || key[1] == "doubtful") {
			list := c.monthIn
			if key[1] == "doubtful" {
				list = c.monthDoubtful
			}
			for _, p := range phrases {
				list[foldWord(p)] = true
			}
			return true
		}
		if len(key) != 2 {
			return false
		}
		n, err := strconv.Atoi(key[1])
		for _, p := range phrases {
			if head == "month" {
				c.months[foldWord(p)] = n
			} else {
				c.know(p, behindNumber)
				c.scales[foldWord(p)] = float64(n)
			}
		}
		return err == nil
	case "define":
		if len(key) != 4 {
			return false
		}
		size, err := strconv.ParseFloat(key[3], 64)
		u := unit{code: key[2], kind: kindOfUnit(key[1]), size: size}
		c.byCode[u.code] = u
		c.addUnit(u, append(phrases, u.code))
		return err == nil && size > 0
	case "unit":
		if len(key) == 2 && key[1] == "firm" {
			for _, p := range phrases {
				c.firmUnits[foldWord(p)] = true
			}
			return true
		}
		u, ok := c.byCode[strings.Join(key[1:], "")]
		c.addUnit(u, phrases)
		return ok
	case "numeral":
		n, err := strconv.ParseFloat(key[len(key)-1], 64)
		c.addNumbers(phrases, cue{kind: cueNumeral, amount: n})
		return err == nil && len(key) == 2
	case "nth":
		n, err := strconv.ParseFloat(key[len(key)-1], 64)
		c.addNumbers(phrases, cue{kind: cueNth, amount: n})
		return err == nil && len(key) == 2
	case "amount":
		if len(key) != 3 {
			return false
		}
		n, err := strconv.ParseFloat(key[2], 64)
		u, ok := c.byCode[key[1]]
		c.addNumbers(phrases, cue{kind: cueAmount, unit: u, amount: n})
		return ok && err == nil
	case "lead":
		u, ok := c.byCode[strings.Join(key[1:], "")]
		c.add(phrases, cue{kind: cueLead, unit: u})
		return ok
	case "aspect":
		for _, p := range phrases {
			c.aspects[foldWord(p)] = strings.Join(key[1:], "")
		}
	case "name":
		if len(key) == 3 && key[1] == "unit" {
			u, ok := c.byCode[key[2]]
			for _, p := range phrases {
				c.unitsByName[strings.Join(nameWords(p), " ")] = u
			}
			return ok
		}
		for _, p := range phrases {
			c.names[strings.Join(nameWords(p), " ")] = kindOfUnit(strings.Join(key[1:], ""))
		}
	case "call":
		name := strings.Join(nameWords(strings.Join(key[1:], " ")), " ")
		for _, p := range phrases {
			c.calls = append(c.calls, called{name, foldWord(p)})
		}
	case "about":
		name := strings.Join(nameWords(strings.Join(key[1:], " ")), " ")
		for _, p := range phrases {
			c.abouts = append(c.abouts, called{name, foldWord(p)})
		}
	case "none":
		name := strings.Join(nameWords(strings.Join(key[1:], " ")), " ")
		for _, p := range phrases {
			words := make([]string, 0, 2)
			for _, it := range c.scanSpan(nil, p, 0) {
				if it.kind == word {
					words = append(words, it.text)
				}
			}
			c.zeros = append(c.zeros, called{name, strings.Join(words, " ")})
		}
	case "done", "earned":
		for _, p := range phrases {
			c.done[foldWord(p)] |= doings[head]
		}
	case "total", "step":
		list := c.totals
		if head == "step" {
			list = c.steps
		}
		for _, p := range phrases {
			list[foldWord(p)] = true
		}
	case "counted":
		what, ok := countWords[strings.Join(key[1:], "")]
		for _, p := range phrases {
			c.counts[foldWord(p)] |= what
		}
		return ok
	case "flag":
		for _, p := range phrases {
			switch p = foldWord(p); strings.Join(key[1:], " ") {
			case "before":
				c.flagBefore[p] = true
			case "after":
				c.flagAfter[p] = true
			case "not":
				c.flagNot = append(c.flagNot, p)
			case "none":
				c.flagNone[p] = true
			case "with":
				c.flagWith = append(c.flagWith, p)
			case "without":
				c.flagWithout = append(c.flagWithout, p)
			default:
				return false
			}
		}
	case "ending":
		for _, p := range phrases {
			e := ending{least: 3, noun: strings.Join(key[1:], "") == "noun"}
			from, to, rewritten := strings.Cut(p, ">")
			f := strings.Fields(from)
			if len(f) == 2 {
				e.least, _ = strconv.Atoi(f[1])
			}
			if e.from = foldWord(f[0]); rewritten {
				e.to = foldWord(strings.TrimSpace(to))
			}
			c.endings = append(c.endings, e)
		}
	case "decade":
		if len(key) == 1 {
			c.add(phrases, cue{kind: cueDecade})
			return true
		}
		n, err := strconv.Atoi(key[1])
		c.add(phrases, cue{kind: cueTens, tens: n})
		for _, p := range phrases {
			c.tens[c.scanSpan(nil, p, 0)[0].text] = true
		}
		return err == nil
	case "least", "greatest":
		entry := cue{kind: cueOrder, order: 1}
		if head == "greatest" {
			entry.order = -1
		}
		switch {
		case len(key) == 2 && key[1] == "behind":
			entry.kind = cueOrderBehind
		case len(key) > 1:
			entry.kindOfUnit = kindOfUnit(key[1])
		}
		if len(key) > 2 {
			entry.aspect = key[2]
		}
		c.add(phrases, entry)
		for _, p := range phrases {
			c.tens[c.scanSpan(nil, p, 0)[0].text] = true
		}
	case "decimal":
		c.decimal = ','
	case "group":
		c.groupSpace = true
	default:
		kind, ok := kinds[head]
		c.add(phrases, cue{kind: kind})
		if kind == cueCentury {
			for _, p := range phrases {
				c.tens[foldWord(p)] = true
			}
		}
		return ok
	}
	return true
}

func (c *Cues) addUnit(u unit, words []string) {
	for _, w := range words {
		c.know(w, behindNumber)
		w = foldWord(w)
		if end := strings.IndexAny(w, " ."); end > 0 {
			c.unitHeads[w[:end]] = true
		}
		if !slices.Contains(c.units[w], u) {
			c.units[w] = append(c.units[w], u)
		}
	}
}

func (c *Cues) add(phrases []string, proto cue) {
	for _, p := range phrases {
		entry := proto
		if c.know(p, entry.kind.standing()) {
			entry.words = []string{foldWord(p)}
		} else {
			for _, it := range c.scanSpan(nil, p, 0) {
				entry.words = append(entry.words, it.text)
			}
		}
		c.byFirst[entry.words[0]] = append(c.byFirst[entry.words[0]], entry)
	}
}

// addNumbers adds phrases that are numbers without digits. The last word of each tells that
// there may be one: the first of "an hour" is in most queries.
func (c *Cues) addNumbers(phrases []string, proto cue) {
	c.add(phrases, proto)
	for _, p := range phrases {
		words := c.scanSpan(nil, p, 0)
		c.tens[words[len(words)-1].text] = true
	}
}
