package tokenize

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
)

// ErrUnknownLanguage is returned by New for a language it has no rules for.
var ErrUnknownLanguage = errors.New("unknown language")

// Mode selects how text is cut into words.
type Mode uint8

const (
	// Standard follows the rules in the package comment.
	Standard Mode = iota
	// Whitespace cuts at Unicode white space and bad UTF-8 only and keeps every
	// term byte for byte. Language, NoStem and Parts have no effect.
	Whitespace
)

const (
	// defaultMaxTokenBytes is far above the longest words of running text and
	// keeps a term small beside a block of the term dictionary.
	defaultMaxTokenBytes = 256
	// minMaxTokenBytes leaves room for the longest compatibility
	// decomposition, the 33 bytes of U+FDFA.
	minMaxTokenBytes = 64
	// maxMaxTokenBytes is far below what a term dictionary takes.
	maxMaxTokenBytes = 4096
	// maxStemBytes bounds the cost of one stemmer call, which for some languages
	// grows with the square of the word.
	maxStemBytes = 64
)

// Options configure an Analyzer. The zero value splits and folds any script
// and neither stems nor marks stop words.
type Options struct {
	// Language is a code of two letters such as "en", or "" for none. It selects
	// stemmer, stop words, elision and the Turkish dotted and dotless i.
	Language string

	Mode Mode

	// NoStem keeps Term equal to Word. Stop words are still marked.
	NoStem bool

	// Parts also emits the camelCase parts and the letter and digit parts of a
	// word, right after the word and at its position, for source code. The word
	// parseHTTP2Header has the parts parse, http, 2 and header.
	Parts bool

	// MaxTokenBytes bounds the length of the text behind a token and of its
	// Term and Word, in bytes. Longer runs are split at rune boundaries into
	// consecutive tokens; nothing is cut off. 0 means 256, the least is 64 and
	// the most 4,096. A Tokenizer or Filter that gives a longer Term or Word is
	// at fault, see Stream.Err.
	MaxTokenBytes int

	// Tokenizer, if not nil, makes the tokens, and the options above but
	// MaxTokenBytes have no effect. Filters then get the tokens, those of the
	// package or of Tokenizer, each what the one before gives.
	Tokenizer Tokenizer
	Filters   []Filter
	// Version names the rules of Tokenizer and Filters, and is to be another one
	// whenever a text gets other tokens than before. They need one.
	Version string
}

// Analyzer turns text into tokens by the rules of its Options. It is immutable
// and safe for concurrent use; make one with New.
type Analyzer struct {
	version  string
	mode     Mode
	parts    bool
	maxBytes int
	lang     *language
	stem     func(string) string    // nil without stemming
	stop     map[string]bool        // folded, apostrophes kept; nil without stop words
	pairs    func() map[string]bool // pairs of characters of unspaced scripts that are filler
	simple   map[rune]rune          // characters that are written otherwise, see simplify; nil: none
	classes  *classTable
	streams  sync.Pool // of *Stream

	tokenizer Tokenizer // nil: the rules of the package
	filters   []Filter
}

// New returns an Analyzer for o. The error is marked ErrUnknownLanguage if
// the package has no rules for o.Language.
func New(o Options) (*Analyzer, error) {
	if o.Mode > Whitespace {
		return nil, fmt.Errorf("tokenize: mode %d is not defined", o.Mode)
	}
	switch {
	case o.MaxTokenBytes == 0:
		o.MaxTokenBytes = defaultMaxTokenBytes
	case o.MaxTokenBytes < minMaxTokenBytes:
		return nil, fmt.Errorf("tokenize: MaxTokenBytes is %d, the least is %d", o.MaxTokenBytes, minMaxTokenBytes)
	case o.MaxTokenBytes > maxMaxTokenBytes:
		return nil, fmt.Errorf("tokenize: MaxTokenBytes is %d, the most is %d", o.MaxTokenBytes, maxMaxTokenBytes)
	}
	if (o.Tokenizer != nil || len(o.Filters) > 0) != (o.Version != "") {
		return nil, errors.New("tokenize: a Version belongs to a Tokenizer or Filters, and they need one")
	}
	if slices.ContainsFunc(o.Filters, func(f Filter) bool { return f == nil }) {
		return nil, errors.New("tokenize: a Filter is nil")
	}
	lang, ok := languageOf(o.Language)
	if !ok {
		return nil, fmt.Errorf("tokenize: %w %q, want one of %s", ErrUnknownLanguage, o.Language, strings.Join(KnownLanguages(), " "))
	}
	a := &Analyzer{
		mode:     o.Mode,
		parts:    o.Parts,
		maxBytes: o.MaxTokenBytes,
		lang:     lang,
		classes:  runeClasses(),

		version:   o.describe(),
		tokenizer: o.Tokenizer,
		filters:   slices.Clone(o.Filters),
	}
	if !o.NoStem {
		a.stem = lang.stem
	}
	a.stop = stopSet(o.Language)
	a.pairs = plainPairs
	if a.lang.code == "zh" {
		a.simple, a.pairs = simplified(), simplePairs
	}
	a.streams.New = func() any { return a.NewStream() }
	return a, nil
}

// describe names the rules of the options: two sets of options that may give
// different tokens have different names.
func (o *Options) describe() string {
	mode := "standard"
	switch {
	case o.Tokenizer != nil:
		return fmt.Sprintf("%s/%d", o.Version, o.MaxTokenBytes)
	case o.Mode == Whitespace:
		mode = "whitespace"
	}
	rules := ""
	if o.Mode == Standard && !o.NoStem {
		rules = Rules(o.Language)
	}
	return strings.TrimSuffix(fmt.Sprintf("%s/%d/%s/%s/%t/%t/%s", o.Version, o.MaxTokenBytes, mode, o.Language, o.NoStem, o.Parts, rules), "/")
}

// Version names the rules of the Analyzer: what Options.Version says, and the
// options that have a bearing on tokens. An index whose texts were analyzed
// under one version cannot be searched under another.
func (a *Analyzer) Version() string { return a.version }

// Check returns what Stream.Err says of a text, of a query if query is set. It
// takes no time for the rules of the package, which are never at fault.
func (a *Analyzer) Check(text string, query bool) error {
	if !a.Custom() {
		return nil
	}
	s := a.TakeStream()
	defer s.GiveBack()
	s.reset([]byte(text), query)
	return s.Err()
}

// Custom tells whether the Analyzer has a Tokenizer or Filters.
func (a *Analyzer) Custom() bool { return a.tokenizer != nil || len(a.filters) > 0 }

// Stems returns the code of the language whose words terms are the stems of, "" if
// they are something else.
func (a *Analyzer) Stems() string {
	if a.stem == nil || a.Custom() || a.mode != Standard {
		return ""
	}
	return a.lang.code
}

// Language returns the code of the language whose words become terms in the way that they do
// unless options say otherwise: as stems, or as words or pairs of characters in a language
// that has no stemmer. It is "" for what has another way.
func (a *Analyzer) Language() string {
	if a.lang.stem == nil && !a.Custom() && a.mode == Standard {
		return a.lang.code
	}
	return a.Stems()
}

// Families tells whether words of the analyzer's language that begin alike are mostly
// of one family, and its stemmer leaves them apart: because it makes compounds, as
// German does, or long words of many endings, as Russian and Turkish do. Stemmers of
// English and of the Romance languages leave less to be found.
func (a *Analyzer) Families() bool { return a.lang.families && a.stem != nil && !a.Custom() }

// Links returns what may stand between the parts of a compound of the analyzer's language, ""
// among them: the s of the German Arbeitszimmer. It is nil unless the language writes
// compounds as one word, and terms are stems. It must not be changed.
func (a *Analyzer) Links() []string { return a.linksOf(false) }

// SomeLinks is Links of a language that writes some compounds as one word and most in several, as
// English does: houseboat, toothbrush, and names such as PageTurner.
func (a *Analyzer) SomeLinks() []string { return a.linksOf(true) }

func (a *Analyzer) linksOf(seldom bool) []string {
	if a.stem == nil || a.Custom() || a.mode != Standard || a.lang.seldom != seldom {
		return nil
	}
	return a.lang.links
}

// Prefix tells whether a word of the analyzer's language may begin with some letters that say
// nothing by themselves, as "ver" and "an" in German: then what follows is no head of a
// compound. It knows those of a language that has Links or SomeLinks, without diacritics as in Token.Word.
func (a *Analyzer) Prefix(begin string) bool {
	return begin != "" && !strings.Contains(begin, " ") && strings.Contains(a.lang.prefixes, " "+begin+" ")
}

// Suffix tells whether letters at the end of a word of the analyzer's language may be no word
// but what makes another one of the word before them, as "lung" and "schaft" in German: then that does
// not begin a compound. It knows those of four letters and more, in words and in terms, of
// a language that has Links or SomeLinks.
func (a *Analyzer) Suffix(end string) bool {
	return end != "" && !strings.Contains(end, " ") && strings.Contains(a.lang.suffixes, " "+end+" ")
}

// InSuffix tells whether the end of a word, from a byte of it on, is only what Suffix
// knows or a part of that: "ring" of the Swedish "kompostering".
func (a *Analyzer) InSuffix(word string, at int) bool {
	for suffix := range strings.FieldsSeq(a.lang.suffixes) {
		if len(suffix) >= len(word)-at && strings.HasSuffix(word, suffix) {
			return true
		}
	}
	return false
}

// Analyze returns the tokens of text for indexing. The tokens own their memory.
func (a *Analyzer) Analyze(text string) []Token {
	return a.collect(text, (*Stream).Reset, nil, 0, nil)
}

// AnalyzeWhile is Analyze for texts of which not all may be needed: after each so many tokens, at
// least 1, it asks whether there shall be more, and gives those that there are, which are only
// valid until more returns.
func (a *Analyzer) AnalyzeWhile(text string, each int, more func(tokens []Token) bool) []Token {
	return a.collect(text, (*Stream).Reset, nil, each, more)
}

// AnalyzeQuery returns the tokens of query text: as Analyze, but a run of two
// or more characters of an unspaced script gives its pairs only.
func (a *Analyzer) AnalyzeQuery(text string) []Token {
	return a.collect(text, (*Stream).ResetQuery, nil, 0, nil)
}

// Room is memory for the tokens of many short texts, which come after one another in
// it. The zero value is ready; it grows, and what was given out stays as it is. It is for
// one goroutine.
type Room struct {
	tokens []Token
	bytes  []byte
}

// roomTokens is how many tokens a Room has at first, and roomBytes how many bytes of
// texts and terms: those of a query.
const (
	roomTokens = 32
	roomBytes  = 512
)

// Reset makes all of the room's memory free again, and forgets the texts. Tokens that were
// in it must not be used any more.
func (r *Room) Reset() {
	clear(r.tokens)
	clear(r.bytes)
	r.tokens, r.bytes = r.tokens[:0], r.bytes[:0]
}

// take returns n bytes of the room without content, as they are left.
func (r *Room) take(n int) []byte {
	if cap(r.bytes)-len(r.bytes) < n {
		r.bytes = make([]byte, 0, max(2*cap(r.bytes), n, roomBytes))
	}
	at := len(r.bytes)
	r.bytes = r.bytes[:at+n]
	return r.bytes[at:at:len(r.bytes)]
}

// keep returns tokens, which stand behind all others in the room, as they are left.
func (r *Room) keep(n int) []Token {
	from := len(r.tokens) - n
	return r.tokens[from:len(r.tokens):len(r.tokens)]
}

// add adds a token behind n others of its text, which stay side by side.
func (r *Room) add(t *Token, n int) {
	if len(r.tokens) == cap(r.tokens) {
		more := make([]Token, 0, max(2*cap(r.tokens), 2*n, roomTokens))
		r.tokens = append(more, r.tokens[len(r.tokens)-n:]...)
	}
	r.tokens = append(r.tokens, *t)
}

// AnalyzeQueryIn is AnalyzeQuery with memory of a room.
func (a *Analyzer) AnalyzeQueryIn(room *Room, text string) []Token {
	return a.collect(text, (*Stream).ResetQuery, room, 0, nil)
}

func (a *Analyzer) collect(text string, reset func(*Stream, []byte), in *Room, each int, more func(tokens []Token) bool) []Token {
	if in == nil {
		in = new(Room)
		in.tokens = make([]Token, 0, min(1+strings.Count(text, " "), 16))
		in.bytes = make([]byte, 0, 2*len(text)+16)
	}
	s := a.TakeStream()
	defer s.GiveBack()
	own := func(b []byte) []byte { return append(in.take(len(b)), b...) }
	reset(s, append(in.take(len(text)), text...))
	for n := 0; ; n++ {
		t, ok := s.Next()
		if !ok || more != nil && n > 0 && n%each == 0 && !more(in.keep(n)) {
			return in.keep(n)
		}
		c := *t
		c.Word = own(t.Word)
		c.Term = c.Word
		if string(t.Term) != string(t.Word) {
			c.Term = own(t.Term)
		}
		in.add(&c, n)
	}
}
