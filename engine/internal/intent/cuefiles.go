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
//	after least ...    superlatives behind the name of a field: "salario más alto", 面积最大
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
//	harmless           phrases with a negation that denies nothing: "not only"
//	free               those that stand behind what they deny
//	rid                those that do so only behind a burden or with a hyphen: "sugar free" has none,
//	                   and "hotel free parking" is a hotel; or joined to one, with an ending:
//	                   "zuckerfreie"
//	not-rid            what makes a thing of its own of those before it: "free range"
//	folk               words for people, of whom an age is said: "women over 50"
//	burden             what things are made free of, and are bought for it
//	decade, decades    what makes a decade of a number before it, or after it; "decades alone", only
//	                   of two digits behind which nothing stands that they count: "de los 90"
//	decade 80          what means a decade by itself
//	year               behind four digits, with no space between: they are a year
//	band               behind an amount of money: from it to the next of as many digits, 3万円台
//	particle           of letters without spaces: what says no more beside a value or a name
//	fields             no phrases: what follows counts only where records have fields of numbers or
//	                   dates. Texts are cut at little: "2008年" is a part of many names
//	least, greatest    superlatives of a kind of unit, "least money: cheapest", or of a field
//	                   of that name, "greatest population: most populous"; without
//	                   a kind, those that the name of a field stands behind: "lowest"
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
//	joined             of languages that write compounds as one word: what such names of fields
//	                   end in, with what they are joined to: kaltmiete is kalt miete
//	counted before     words of such names that say that what is behind them is counted
//	                   (num_reviews), counted after, before them (review_count), and
//	                   counted of, what may stand between (number_of_pages)
//	total, step        words of names of fields of durations that say that they are those of
//	                   all that is to be done, or of a part of it: total_time, prep_time
//	prime, minor       words of names of fields of times that say that they are what is meant
//	                   where nothing says which, "newest", or are not: created_at, updated_at
//	plain, less        the same of names of one word that are just a time, and of amounts of
//	                   money that are not what one pays: compare_at_price
//	per                what stands before what an amount is in: "5 g per 100 g"
//	code country de    what values of fields of a kind of name, which are this code or one of
//	                   the words, are called as well: "germany, german"; codes
//	                   in capitals are not said
//	member nuts        what is one of these, and not wanted where they are not: "walnut"
//	contrary remote    words that say that a yes-or-no field is not so: "on-site"
//	thing salary ...   nouns for records that have a field with one of these words in its
//	                   name, "jobs over 50k"; without such words, for all records
//	done               what things of a year are: "released before 1990"; earned, what they do
//	                   with an amount: "made over 500 million"
//	call population ...  words that name a field of numbers besides its own name, or a yes-or-no field
//	about balcony ...  words for what a yes-or-no field of a name is about
//	none stops         words that say that there are none of what such a field counts
//	flag before        of names of yes-or-no fields, what stands before what they
//	                   are about (has_garden), and flag after, behind it
//	                   (pets_allowed), as it may in queries ("pet friendly"); flag is,
//	                   before what they are by itself (is_remote)
//	flag not           beginnings that make the contrary: "unfurnished"
//	flag none          what stands behind such a name and says that it is not there, besides free
//	flag with, flag without   endings of words that say that something is there, "balkonlu",
//	                   and that it is not: "balkonsuz"
//	ending             "ies > y": endings of words that values are found without;
//	                   with a number of letters that have to remain: "s 3". A star stands for a
//	                   consonant: "** 2 > *" is a double one. The rules are applied as long as one does;
//	                   "leder > leder" ends that; "ending noun",
//	                   those that adjectives do not have
//	decimal            the decimal point, and group: what groups digits
//	define mass kg 1000   a unit, its kind and its size, which are in common.txt but for those
//	                      whose symbol is a word of one language
//
//go:embed data/*.txt
var files embed.FS

// read takes in a file, or its names of fields alone, or what is there for texts.
func (c *Cues) read(text string, namesOnly, texts bool) error {
	s := bufio.NewScanner(strings.NewReader(text))
	for n := 1; s.Scan(); n++ {
		line := strings.TrimSpace(s.Text())
		if line == "" || line[0] == '#' || namesOnly && !strings.HasPrefix(line, "name ") && !strings.HasPrefix(line, "flag ") && !strings.HasPrefix(line, "counted ") && !ofNames(line) && !strings.HasPrefix(line, "aspect ") {
			continue
		}
		key, rest, ok := strings.Cut(line, ":")
		if key == "fields" {
			if texts {
				break
			}
			continue
		}
		if head, _, _ := strings.Cut(key, " "); ok && isLate(head) {
			c.late[head] = append(c.late[head], line)
			continue
		}
		if !ok || !c.define(strings.Fields(key), phrasesOf(rest)) {
			return fmt.Errorf("line %d: %s", n, line)
		}
	}
	return s.Err()
}

// phrasesOf returns the phrases of a line.
func phrasesOf(rest string) (phrases []string) {
	for p := range strings.SplitSeq(rest, ",") {
		if p = strings.TrimSpace(p); p != "" {
			phrases = append(phrases, p)
		}
	}
	return phrases
}

// ofNames tells whether a line is about words of names of fields.
func ofNames(line string) bool {
	head, _, _ := strings.Cut(line, ":")
	return slices.Contains([]string{"total", "step", "prime", "minor", "plain", "less"}, head)
}

// define takes in one line of a file.
func (c *Cues) define(key, phrases []string) bool {
	kinds := map[string]cueKind{
		"between": cueBetween, "and": cueAnd, "from": cueFrom, "to": cueTo, "in": cueIn, "skip": cueSkip, "not": cueNot, "harmless": cueHarmless, "free": cueFree, "rid": cueRid,
		"or": cueOr, "century": cueCentury, "era": cueEra, "year": cueYear, "band": cueBand,
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
	case "folk":
		for _, p := range phrases {
			c.folk[foldWord(p)] = true
		}
	case "not-rid":
		for _, p := range phrases {
			c.notRid[foldWord(p)] = true
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
	case "particle":
		for _, p := range phrases {
			c.particles = append(c.particles, foldWord(p))
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
		if len(key) == 2 && (key[1] == "least" || key[1] == "greatest") {
			c.addOrder(phrases, cue{kind: cueOrder, order: orders[key[1]], behind: true})
			c.behind = true
			return true
		}
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
			words := nameWords(p)
			c.names[strings.Join(words, " ")] = kindOfUnit(strings.Join(key[1:], ""))
			if len(words) == 2 {
				c.nameHeads[words[0]] = true
			}
			c.name(p)
		}
	case "joined":
		for _, p := range phrases {
			c.joined = append(c.joined, foldWord(p))
		}
	case "call":
		name := strings.Join(nameWords(strings.Join(key[1:], " ")), " ")
		for _, p := range phrases {
			c.calls = append(c.calls, called{name, foldWord(p)})
			c.know(p, behindNumber)
			c.name(p)
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
	case "total", "step", "prime", "minor", "plain", "less", "per":
		for _, p := range phrases {
			c.nameTells[foldWord(p)] = append(c.nameTells[foldWord(p)], head)
		}
	case "contrary":
		name := strings.Join(nameWords(strings.Join(key[1:], " ")), " ")
		for _, p := range phrases {
			c.contraries = append(c.contraries, called{name, string(c.fullKey(p))})
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
			case "is":
				c.flagIs[p] = true
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
			if e.from = f[0]; rewritten {
				e.to = strings.TrimSpace(to)
			}
			c.addEnding(e)
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
		entry := cue{kind: cueOrder, order: orders[head]}
		if len(key) > 1 {
			entry.kindOfUnit = kindOfUnit(foldWord(key[1]))
		}
		if len(key) > 2 {
			entry.aspect = key[2]
		}
		c.addOrder(phrases, entry)
	case "decades":
		c.add(phrases, cue{kind: cueDecades, alone: slices.Contains(key, "alone")})
	case "decimal":
		c.decimal = ','
	case "group":
		c.groupSpace = true
	default:
		kind, ok := kinds[head]
		c.add(phrases, cue{kind: kind})
		if kind == cueRid && ok {
			for _, p := range phrases {
				c.rids = append(c.rids, foldWord(p))
			}
		}
		if kind == cueCentury {
			for _, p := range phrases {
				c.tens[foldWord(p)] = true
			}
		}
		return ok
	}
	return true
}

// addEnding adds the rule for an ending; one with a star for each consonant.
func (c *Cues) addEnding(e ending) {
	if strings.Contains(e.from, "*") {
		for letter := range strings.SplitSeq("bcdfghjklmnpqrstvwxz", "") {
			of := e
			of.from, of.to = strings.ReplaceAll(e.from, "*", letter), strings.ReplaceAll(e.to, "*", letter)
			c.addEnding(of)
		}
		return
	}
	e.from, e.to = foldWord(e.from), foldWord(e.to)
	last := e.from[len(e.from)-1]
	c.endings[last] = append(c.endings[last], e)
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
		if c.know(p, entry.standing()) {
			entry.words = []string{foldWord(p)}
		} else {
			for _, it := range c.scanSpan(nil, p, 0) {
				entry.words = append(entry.words, it.text)
			}
		}
		c.byFirst[entry.words[0]] = append(c.byFirst[entry.words[0]], entry)
	}
}

// orders are superlatives and what they stand for: see Part.Order.
var orders = map[string]int{"least": 1, "greatest": -1}

// addOrder adds superlatives. The first word of each tells that there may be one.
func (c *Cues) addOrder(phrases []string, proto cue) {
	c.add(phrases, proto)
	for _, p := range phrases {
		c.tens[c.scanSpan(nil, p, 0)[0].text] = true
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
