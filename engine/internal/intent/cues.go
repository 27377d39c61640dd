package intent

import (
	"bufio"
	"embed"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/quarry-search/quarry/tokenize"
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
//	free               those that stand behind what they deny: "sugar free"
//	decade, decades    what makes a decade of a number before it, or after it
//	decade 80          what means a decade by itself
//	least, greatest    superlatives of a kind of unit, "least money: cheapest"; without
//	                   a kind, those that the name of a field stands behind: "lowest"
//	month 1 ...        names of months; "month in", what leads to one
//	ordinal            what makes an ordinal of digits: "th"
//	nth 1 ...          words for ordinals
//	century            words for a century
//	whole, asks        of letters without spaces: what is no cue though a part of it is one,
//	                   and words of questions; "asks asked" of what ends as "asked" says,
//	                   and none with one of "asks not"
//	scale 1000 ...     words that multiply the number before them
//	unit kg ...        words for a unit of common.txt
//	aspect width ...   words for an aspect of things, as names of fields have them, or
//	                   as stand behind a number: "2 m wide"
//	numeral 2 ...      words for numbers before units of people and durations
//	amount min 30 ...  phrases for an amount of a unit: "half an hour"
//	lead person ...    words for a unit that stand before its number: "sleeps 4"
//	name money ...     names of fields that measure a kind of unit; "name date"
//	                   is for fields of dates alone, "name kind" for categories
//	flag before        of names of yes-or-no fields, what stands before what they
//	                   are about (has_garden), and flag after, behind it
//	                   (pets_allowed), as it may in queries ("pet friendly")
//	flag not           beginnings that make the contrary: "unfurnished"
//	ending             "ies > y": endings of words that values are found without;
//	                   with a number of letters that have to remain: "s 3"
//	decimal            the decimal point, and group: what groups digits
//	define mass kg 1000   (in common.txt) a unit, its kind and its size
//
//go:embed data/*.txt
var files embed.FS

// cueKind is what a cue word does.
type cueKind uint8

const (
	cueBefore  cueKind = iota // a comparative, before the number
	cueAfter                  // a comparative, behind the number
	cueBetween                //
	cueAnd                    //
	cueOr                     // joins the things of a list
	cueFrom                   //
	cueTo                     //
	cueIn                     //
	cueSkip                   //
	cueNot                    //
	cueFree                   // the same behind what it denies
	cueDecade                 // behind the number
	cueDecades                // before it
	cueCentury                // behind a number, or before it
	cueTens                   // a decade by itself
	cueOrder                  // a superlative
	cueNumeral                // a word for a number
	cueAmount                 // a number and its unit
	cueNth                    // a word for an ordinal
	cueLead                   // a unit before its number
)

// relation is how a value compares with a number.
type relation uint8

const (
	equal relation = iota
	less
	atMost
	greater
	atLeast
)

var relations = map[string]relation{"lt": less, "le": atMost, "gt": greater, "ge": atLeast}

// cue is a phrase and what it does.
type cue struct {
	words []string
	kind  cueKind
	rel   relation
	tens  int // of cueTens
	order int // of cueOrder: see Part.Order

	aspect   string  // of a comparative: what of things is compared
	measured bool    // of a comparative: there has to be a unit
	unit     unit    // of cueAmount and cueLead
	amount   float64 // of cueAmount and cueNumeral
	kindOfUnit
}

// kindOfUnit is what a unit measures: "money", "mass", "time" for years and
// dates; "" if nothing is said.
type kindOfUnit string

const (
	money   kindOfUnit = "money"
	rating  kindOfUnit = "rating"
	years   kindOfUnit = "year" // years and dates
	dates   kindOfUnit = "date" // the same, of names
	kinds   kindOfUnit = "kind" // of names: what kind of thing a record is
	anyKind kindOfUnit = "unit" // of cues: there has to be a unit

	people   kindOfUnit = "people"
	age      kindOfUnit = "age"
	duration kindOfUnit = "duration"
)

// unit is a unit of measurement.
type unit struct {
	code string // "kg"; of money, the currency, "" for any
	kind kindOfUnit
	size float64 // in the smallest units of the kind that are used
}

// ending is a rule for the endings of words.
type ending struct {
	from, to string
	least    int // letters that remain
}

// Cues are the cue words, units and word endings of some languages. They are
// immutable and safe for concurrent use.
type Cues struct {
	byFirst      map[string][]cue // by first word, the longest first
	units        map[string][]unit
	byCode       map[string]unit
	unitHeads    map[string]bool // first words of units of two
	flagBefore   map[string]bool // of names of yes-or-no fields, what may stand before what they are about
	flagAfter    map[string]bool // and behind it
	flagNot      []string        // beginnings of words that make the contrary
	monthIn      map[string]bool // what leads to a month
	ordinals     map[string]bool // what makes an ordinal of the digits before it
	tens         map[string]bool // words of decades, superlatives and numbers, one of each
	months       map[string]int
	scales       map[string]float64
	aspects      map[string]string     // words for them
	names        map[string]kindOfUnit // of fields, words joined by a space
	endings      []ending              // the longest first
	stops        map[string]bool
	excepts      map[string]int      // what denies what stands behind it, 1, or before it, -1, with no space between
	valueExcepts []Except            // those that deny values alone
	wholes       []string            // what is no cue though a part of it is one
	asks         []string            // words of questions, with no space around them
	asksAsked    []string            // those that only what ends as a question does has
	asked        []string            // how that ends
	asksNot      []string            // with which they ask nothing
	joints       []string            // what joins the things of a list, with no space between
	runs         map[string]standing // what is known of letters without spaces
	longestRun   int                 // letters of the longest of them
	decimal      rune
	groupSpace   bool
	readers      sync.Pool // *reader, whose memory is used again
}

// NewCues returns the cues of the languages of the given codes, and of what all
// have in common. Languages without a file add nothing.
func NewCues(languages ...string) *Cues {
	c := &Cues{
		byFirst: map[string][]cue{}, units: map[string][]unit{}, byCode: map[string]unit{}, months: map[string]int{},
		scales: map[string]float64{}, names: map[string]kindOfUnit{}, aspects: map[string]string{}, stops: map[string]bool{}, tens: map[string]bool{}, decimal: '.',
		unitHeads: map[string]bool{}, flagBefore: map[string]bool{}, flagAfter: map[string]bool{}, excepts: map[string]int{}, ordinals: map[string]bool{}, monthIn: map[string]bool{}, runs: map[string]standing{},
	}
	for _, name := range append([]string{"common", namesOf}, languages...) {
		text, err := fs.ReadFile(files, "data/"+strings.TrimPrefix(name, "+")+".txt")
		if err != nil {
			continue
		}
		if err := c.read(string(text), name == namesOf); err != nil {
			panic(fmt.Sprintf("intent: data/%s.txt: %v", name, err)) // the file is ours
		}
		for _, w := range tokenize.StopWords(name) {
			c.stops[foldWord(w)] = true
		}
	}
	for _, list := range c.byFirst {
		slices.SortStableFunc(list, func(a, b cue) int { return len(b.words) - len(a.words) })
	}
	slices.SortStableFunc(c.endings, func(a, b ending) int { return len(b.from) - len(a.from) })
	return c
}

// Languages returns the codes of the languages that there are cues of.
func Languages() []string {
	entries, _ := fs.ReadDir(files, "data")
	var out []string
	for _, e := range entries {
		if name := strings.TrimSuffix(e.Name(), ".txt"); name != "common" {
			out = append(out, name)
		}
	}
	return out
}

// namesOf stands for the names of fields in English, which count in every
// language.
const namesOf = "+en"

// read takes in a file, or its names of fields alone.
func (c *Cues) read(text string, namesOnly bool) error {
	s := bufio.NewScanner(strings.NewReader(text))
	for n := 1; s.Scan(); n++ {
		line := strings.TrimSpace(s.Text())
		if line == "" || line[0] == '#' || namesOnly && !strings.HasPrefix(line, "name ") && !strings.HasPrefix(line, "flag ") && !strings.HasPrefix(line, "aspect ") {
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
		"between": cueBetween, "and": cueAnd, "from": cueFrom, "to": cueTo, "in": cueIn, "skip": cueSkip, "not": cueNot, "free": cueFree,
		"decades": cueDecades, "or": cueOr, "century": cueCentury,
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
		if len(key) == 2 && key[1] == "in" {
			for _, p := range phrases {
				c.monthIn[foldWord(p)] = true
			}
			return head == "month"
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
		for _, p := range phrases {
			c.names[strings.Join(nameWords(p), " ")] = kindOfUnit(strings.Join(key[1:], ""))
		}
	case "flag":
		for _, p := range phrases {
			switch p = foldWord(p); strings.Join(key[1:], " ") {
			case "before":
				c.flagBefore[p] = true
			case "after":
				c.flagAfter[p] = true
			case "not":
				c.flagNot = append(c.flagNot, p)
			default:
				return false
			}
		}
	case "ending":
		for _, p := range phrases {
			e := ending{least: 3}
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
		if len(key) == 2 {
			entry.kindOfUnit = kindOfUnit(key[1])
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
		if head, _, two := strings.Cut(w, " "); two {
			c.unitHeads[head] = true
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

// at returns the longest cue of one of some kinds that items begin with, and
// its length in items.
func at(items []item, ok func(*cue) bool) (found *cue, n int) {
	if len(items) == 0 {
		return nil, 0
	}
	list := items[0].cues
	for i := range list {
		if w := list[i].words; len(w) <= len(items) && ok(&list[i]) && sameWords(w, items) {
			return &list[i], len(w)
		}
	}
	return nil, 0
}

func sameWords(words []string, items []item) bool {
	for i, w := range words {
		if items[i].text != w || items[i].kind == gap {
			return false
		}
	}
	return true
}
