package intent

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"

	"github.com/quarry-search/quarry/tokenize"
)

// cueKind is what a cue word does.
type cueKind uint8

const (
	cueBefore   cueKind = iota // a comparative, before the number
	cueAfter                   // a comparative, behind the number
	cueBetween                 //
	cueAnd                     //
	cueOr                      // joins the things of a list
	cueFrom                    //
	cueTo                      //
	cueIn                      //
	cueSkip                    //
	cueNot                     //
	cueHarmless                // which holds a negation that denies nothing
	cueFree                    // the same behind what it denies
	cueRid                     // the same behind a burden, or with a hyphen
	cueDecade                  // behind the number
	cueDecades                 // before it
	cueCentury                 // behind a number, or before it
	cueEra                     // behind a century of another era
	cueTens                    // a decade by itself
	cueOrder                   // a superlative
	cueNumeral                 // a word for a number
	cueAmount                  // a number and its unit
	cueNth                     // a word for an ordinal
	cueLead                    // a unit before its number
	cueYear                    // behind four digits: they are a year
	cueBand                    // behind an amount: from it to the next of as many round digits
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
	behind   bool    // of a superlative: it stands behind the name of its field
	alone    bool    // of cueDecades: of two digits behind which nothing stands that they count
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
	least    int  // letters that remain
	noun     bool // adjectives do not have it
}

// Cues are the cue words, units and word endings of some languages. They are
// immutable and safe for concurrent use.
type Cues struct {
	byFirst       map[string][]cue // by first word, the longest first
	units         map[string][]unit
	byCode        map[string]unit
	unitHeads     map[string]bool // first words of units of two
	firmUnits     map[string]bool // words that are units behind a number though they are fillers elsewhere
	flagBefore    map[string]bool // of names of yes-or-no fields, what may stand before what they are about
	flagAfter     map[string]bool // and behind it
	flagNot       []string        // beginnings of words that make the contrary
	flagNone      map[string]bool // what says behind a name that it is not there
	flagWith      []string        // endings of words that say that something is there
	flagWithout   []string        // and those that say that it is not
	monthIn       map[string]bool // what leads to a month
	monthDoubtful map[string]bool // names of months that are other words as well
	ordinals      map[string]bool // what makes an ordinal of the digits before it
	tens          map[string]bool // words of decades, superlatives and numbers, one of each
	months        map[string]int
	scales        map[string]float64
	aspects       map[string]string     // words for them
	names         map[string]kindOfUnit // of fields, words joined by a space
	nameHeads     map[string]bool       // first words of those of two
	nameBases     map[string]kindOfUnit // the same of single words without their endings
	calls         []called              // other words for what fields of a name count
	abouts        []called              // other words for what yes-or-no fields of a name are about
	zeros         []called              // words that say that there are none of them
	counts        map[string]countWord  // words of names of fields that say that something is counted
	unitsByName   map[string]unit       // what fields of a name are counted in
	joined        []string              // what names of one joined word end in
	done          map[string]doing      // what things of a year are, or of an amount
	contraries    []called              // words that say that yes-or-no fields of a name are not so
	nameTells     map[string][]string   // words of names of fields, and the lines that they are in: total, step, prime, minor
	flagIs        map[string]bool       // of names of yes-or-no fields, what stands before what they are by itself
	endings       map[byte][]ending     // by their last byte, the longest first
	stops         map[string]bool
	excepts       map[string]int      // what denies what stands behind it, 1, or before it, -1, with no space between
	valueExcepts  []Except            // those that deny values alone
	burdens       map[string]bool     // what things are made free of
	rids          []string            // the words of cueRid, which may be joined to a burden
	wholes        []string            // what is no cue though a part of it is one
	asks          []string            // words of questions, with no space around them
	asksAsked     []string            // those that only what ends as a question does has
	asked         []string            // how that ends
	nors          map[string]bool     // what joins the things of a list that is denied, besides cueOr
	asksNot       []string            // with which they ask nothing
	joints        []string            // what joins the things of a list, with no space between
	runs          map[string]standing // what is known of letters without spaces
	nameLetters   map[rune]bool       // the first letters of those of named
	named         map[string]bool     // names of fields, and what they are called, of such letters
	longestNamed  int                 // letters of the longest of them
	particles     []string            // what says no more beside a value, with no space between; the longest first
	fields        bool                // these are the cues of records with fields of numbers or dates
	longest       map[rune]int        // letters of the longest of them, by the first
	longestRun    int                 // letters of the longest of all
	decimal       rune
	groupSpace    bool
	behind        bool                       // there are superlatives that stand behind the name of their field
	folk          map[string]ages            // words for people
	notRid        map[string]bool            // what makes a thing of "free" before it
	late          map[string][]string        // lines that few queries need, by their key: see late.go
	codes         func() map[codeOf][]string // other words for values that are codes, and the like
	members       func() map[string][]string // of classes of things, without endings: what belongs to them
	readers       sync.Pool                  // *reader, whose memory is used again
}

// NewCues returns the cues of the languages of the given codes, and of what all
// have in common. Languages without a file add nothing.
func NewCues(languages ...string) *Cues {
	c := &Cues{
		byFirst: make(map[string][]cue, 512), units: make(map[string][]unit, 512), byCode: map[string]unit{}, months: map[string]int{},
		scales: map[string]float64{}, names: make(map[string]kindOfUnit, 256), aspects: map[string]string{}, stops: make(map[string]bool, 256), tens: map[string]bool{}, decimal: '.',
		unitHeads: map[string]bool{}, burdens: map[string]bool{}, folk: map[string]ages{}, notRid: map[string]bool{}, flagBefore: map[string]bool{}, flagAfter: map[string]bool{},
		excepts: map[string]int{}, ordinals: map[string]bool{}, counts: map[string]countWord{}, done: map[string]doing{},
		nameTells: map[string][]string{}, late: map[string][]string{},
		flagIs: map[string]bool{}, unitsByName: map[string]unit{}, monthIn: map[string]bool{}, monthDoubtful: map[string]bool{},
		runs: map[string]standing{}, longest: map[rune]int{}, named: map[string]bool{}, nameLetters: map[rune]bool{}, nameHeads: map[string]bool{},
		endings: map[byte][]ending{}, nameBases: make(map[string]kindOfUnit, 256), firmUnits: map[string]bool{}, nors: map[string]bool{},
		flagNone: map[string]bool{},
	}
	c.codes, c.members = sync.OnceValue(c.readCodes), sync.OnceValue(c.readMembers)
	texts := slices.Contains(languages, Texts)
	c.fields = !texts
	for _, name := range append([]string{"common", namesOf}, languages...) {
		text, err := fs.ReadFile(files, "data/"+strings.TrimPrefix(name, "+")+".txt")
		if err != nil {
			continue
		}
		if err := c.read(string(text), name == namesOf, texts); err != nil {
			panic(fmt.Sprintf("intent: data/%s.txt: %v", name, err)) // the file is ours
		}
		for _, w := range tokenize.StopWords(name) {
			c.stops[foldWord(w)] = true
		}
	}
	for _, list := range c.byFirst {
		slices.SortStableFunc(list, func(a, b cue) int { return len(b.words) - len(a.words) })
	}
	slices.SortStableFunc(c.particles, func(a, b string) int { return len(b) - len(a) })
	for _, list := range c.endings {
		slices.SortStableFunc(list, func(a, b ending) int { return len(b.from) - len(a.from) })
	}
	for name, kind := range c.names {
		if !strings.Contains(name, " ") {
			base := c.Base(name)
			if other, ok := c.nameBases[base]; ok && other != kind {
				kind = "" // of two kinds it is of none
			}
			c.nameBases[base] = kind
		}
	}
	return c
}

// Texts stands, among the languages of [NewCues], for an index without fields of numbers and dates. What
// words without spaces are cut at that only such fields give a meaning is not known then: see the line
// "fields" of the files.
const Texts = "-"

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

// tells tells whether one of the words of a field's name is in the lines of a key: see nameTells.
func (c *Cues) tells(words []string, key string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(c.nameTells[w], key) })
}

// namesOf stands for the names of fields in English, which count in every
// language.
const namesOf = "+en"

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
