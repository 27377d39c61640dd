package intent

import (
	"slices"
	"strconv"
	"strings"
)

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
			c.folk[foldWord(p)] = grown
			if len(key) > 1 {
				c.folk[foldWord(p)] = young
			}
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
