package httpapi

import (
	"encoding/binary"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/quarry-search/quarry/engine"
	"github.com/quarry-search/quarry/engine/query"
	"github.com/quarry-search/quarry/httpapi/internal/keyring"
)

// searchRequest is the body of a search.
type searchRequest struct {
	engine.Request
	limit   int64          // as asked for; Request.Limit has its own ways to say none
	key     *keyring.Grant // whose search it is; nil: nobody's, it is only looked at
	cursor  string
	filters []string
	wrong   *problem  // with its form, which keeps it from the engine
	given   memberSet // members that are there
	single  memberSet // those that are one text, where lists of them may stand
}

// memberSet is a set of members of a search, by their bit numbers in
// searchMembers.
type memberSet uint64

func (s *memberSet) add(i int) { *s |= 1 << i }

func (s memberSet) has(name string) bool {
	i := searchMember(name)
	return i >= 0 && s&(1<<i) != 0
}

// searchParser reads one search.
type searchParser struct {
	reader
	searchRequest
	max     engine.Limits
	timeout time.Duration
}

// parseSearch reads a search that a key asks for and reports all that is wrong
// with it. Without a key it looks at the form alone.
func (s *Server) parseSearch(key *keyring.Grant, body value) (*searchRequest, error) {
	body, err := s.withPreset(key, body)
	if err != nil {
		return nil, err
	}
	p := searchParser{max: s.engineMax, timeout: s.limits.SearchTimeout}
	p.key = key
	p.limit = 20
	if p.want(body, "{", "an object") {
		eachMember(body.raw, p.member)
	}
	p.finish()
	if p.given.has("cursor") && p.total == 0 {
		position, err := s.cursors.verify(p.cursor, cursorSearch, p.identity())
		if err == nil {
			p.After, err = readPosition(position)
		}
		if err != nil {
			p.at("/cursor", engine.CodeInvalidCursor, invalidCursor)
		}
	}
	return &p.searchRequest, p.err()
}

func (p *searchParser) member(name string, raw jsontext.Value) {
	v := value{raw, value{}.child(name)}
	i := searchMember(name)
	if i < 0 && p.full() {
		p.at(v.at, engine.CodeUnknownField, "unknown field")
		return
	}
	if i < 0 {
		names := make([]string, len(searchMembers))
		for j := range searchMembers {
			names[j] = searchMembers[j].name
		}
		p.at(v.at, engine.CodeUnknownField, "%s", unknownField(name, names))
		return
	}
	if raw.Kind() == 'n' {
		return // it is not given
	}
	p.given.add(i)
	if raw.Kind() == '"' {
		p.single.add(i)
	}
	searchMembers[i].read(p, v)
}

// searchMember returns the number of a member in searchMembers, or -1.
func searchMember(name string) int {
	for i := range searchMembers {
		if searchMembers[i].name == name {
			return i
		}
	}
	return -1
}

// searchMembers lists all members of a search, also those of which this
// version knows only what they are when switched off.
var searchMembers = [...]struct {
	name string
	read func(*searchParser, value)
}{
	{"q", (*searchParser).query},
	{"index", (*searchParser).index},
	{"filter", func(p *searchParser, v value) { p.strings(v, &p.filters) }},
	{"sort", (*searchParser).sort},
	{"fields", (*searchParser).weights},
	{"limit", func(p *searchParser, v value) {
		p.integer(v, 0, int64(p.max.Hits), engine.CodeLimitExceeded, &p.limit)
	}},
	{"offset", (*searchParser).offset},
	{"cursor", func(p *searchParser, v value) { p.str(v, &p.cursor) }},
	{"return", (*searchParser).returned},
	{"facets", (*searchParser).facets},
	{"highlight", (*searchParser).highlight},
	{"ranking", func(p *searchParser, v value) { p.Ranking = choice[engine.Ranking](p, v, "default", "bm25") }},
	{"syntax", func(p *searchParser, v value) { p.Syntax = choice[engine.Syntax](p, v, "simple", "query") }},
	{"prefix", func(p *searchParser, v value) { p.Prefix = choice[engine.Prefix](p, v, "last", "all", "off") }},
	{"match", func(p *searchParser, v value) { p.Match = choice[engine.Match](p, v, "auto", "all", "any") }},
	{"explain", func(p *searchParser, v value) { p.boolean(v, &p.Explain) }},
	{"min_score", func(p *searchParser, v value) { p.number(v, 0, math.MaxFloat64, &p.MinScore) }},
	{"min_version", (*searchParser).minVersion},
	{"timeout_ms", (*searchParser).timeoutMillis},
	{"typo", (*searchParser).typo},
	{"similar", (*searchParser).similar},
	{"intent", (*searchParser).intent},
	{"semantic", (*searchParser).semantic},
	{"vector", (*searchParser).vector},
	{"synonyms", func(p *searchParser, v value) { p.off("on", &p.NoSynonyms)(v) }},
	{"stop_words", func(p *searchParser, v value) { p.off("auto", &p.NoStopWords)(v) }},
	{"compounds", func(p *searchParser, v value) { p.stage(v, &p.Tuning.Compound) }},
	{"negation", func(p *searchParser, v value) { p.stage(v, &p.Tuning.Negation) }},
	{"titles", func(p *searchParser, v value) { p.stage(v, &p.Tuning.Title) }},
	{"proximity", func(p *searchParser, v value) { p.stage(v, &p.Tuning.Proximity) }},
	{"passages", func(p *searchParser, v value) { p.stage(v, &p.Tuning.Passage) }},
	{"coverage", func(p *searchParser, v value) { p.stage(v, &p.Tuning.Coverage) }},
	{"characters", func(p *searchParser, v value) { p.stage(v, &p.Tuning.Character) }},
	{"answers", func(p *searchParser, v value) { p.stage(v, &p.Tuning.Answer) }},
	{"families", func(p *searchParser, v value) { p.stage(v, &p.Tuning.Family) }},
	{"thesaurus", func(p *searchParser, v value) { p.stage(v, &p.Tuning.Thesaurus) }},
	{"language", func(p *searchParser, v value) { p.str(v, &p.Language) }},
	{"distinct", (*searchParser).distinct},
	{"group", (*searchParser).group},
	{"geo", (*searchParser).geo},
	{"pin", (*searchParser).pin},
	{"hide", (*searchParser).hide},
	{"preset", func(*searchParser, value) {}}, // see withPreset
}

func choice[T ~uint8](p *searchParser, v value, words ...string) T {
	return T(max(p.oneOf(v, words...), 0))
}

func (p *searchParser) query(v value) {
	if p.str(v, &p.Query) && len(p.Query) > p.max.QueryBytes {
		p.at(v.at, engine.CodeLimitExceeded, "a query has at most %d bytes", p.max.QueryBytes)
	}
}

var indexPattern = regexp.MustCompile(`^([a-z0-9][a-z0-9_-]{0,63}\*?|\*)$`)

func (p *searchParser) index(v value) {
	if !p.strings(v, &p.Indexes) {
		return
	}
	if len(p.Indexes) == 0 {
		p.at(v.at, engine.CodeInvalidRequest, "names no index")
	}
	for i, name := range p.Indexes {
		if !indexPattern.MatchString(name) {
			p.at(element(v, i), engine.CodeInvalidRequest, notIndexName+"; nor the beginning of one with * after it")
		} else if p.key != nil && !strings.HasSuffix(name, "*") && !p.key.Allows(name) {
			p.at(element(v, i), codeForbiddenIndex, forbiddenIndex)
		}
	}
}

// element is the pointer of the i-th string of a value that reader.strings
// took.
func element(v value, i int) string {
	if v.raw.Kind() == '"' {
		return v.at
	}
	return v.child(strconv.Itoa(i))
}

func (p *searchParser) sort(v value) {
	var keys []string
	if !p.strings(v, &keys) {
		return
	}
	const maxKeys = 16
	for i, text := range keys[:min(len(keys), maxKeys)] { // each is compared with all before it
		key, wrong := parseSortKey(text)
		if wrong == "" && slices.ContainsFunc(p.Sort, func(k engine.SortKey) bool { return k.Field == key.Field }) {
			wrong = "sorts by the same field again"
		}
		if wrong != "" {
			p.at(element(v, i), engine.CodeInvalidSort, "%s", wrong)
		}
		p.Sort = append(p.Sort, key)
	}
	if len(keys) > maxKeys {
		p.at(v.at, engine.CodeLimitExceeded, "a search has at most %d sort keys", maxKeys)
	}
}

// parseSortKey reads "field", "field:asc" or "field:desc". The field "score"
// is the score, whose own direction is down; "geo(field,lat,lon)" is the
// distance from a point.
func parseSortKey(text string) (key engine.SortKey, wrong string) {
	key.Field = text
	direction := ""
	if i := strings.LastIndexByte(text, ':'); i >= 0 {
		key.Field, direction = text[:i], text[i+1:]
	}
	switch direction {
	case "", "asc":
		key.Desc = direction == "" && key.Field == "score"
	case "desc":
		key.Desc = true
	default:
		return key, `a sort key is a field, ":" and "asc" or "desc"`
	}
	if near, ok, wrong := geoSortKey(key.Field); ok {
		near.Desc = key.Desc
		return near, wrong
	}
	switch key.Field {
	case "":
		return key, "a sort key begins with a field"
	case "score":
		key.Field = "_score"
	}
	return key, ""
}

func (p *searchParser) weights(v value) {
	var texts []string
	if !p.strings(v, &texts) {
		return
	}
	if len(texts) == 0 {
		p.at(v.at, engine.CodeInvalidRequest, "names no field")
	}
	for i, text := range texts {
		w := engine.FieldWeight{Field: text}
		if at := strings.LastIndexByte(text, '^'); at >= 0 {
			weight, err := strconv.ParseFloat(text[at+1:], 64)
			if err != nil || !(weight > 0 && weight <= 1000) {
				p.at(element(v, i), engine.CodeInvalidRequest, `after "^" comes a weight above 0 and up to 1000`)
			}
			w = engine.FieldWeight{Field: text[:at], Weight: weight}
		}
		if w.Field == "" {
			p.at(element(v, i), engine.CodeInvalidRequest, "names no field")
		}
		p.Fields = append(p.Fields, w)
	}
}

func (p *searchParser) offset(v value) {
	var n int64
	if p.integer(v, 0, int64(p.max.Window), engine.CodeLimitExceeded, &n) {
		p.Offset = int(n)
	}
}

func (p *searchParser) returned(v value) {
	if p.strings(v, &p.Members) && len(p.Members) == 0 {
		p.Members, p.NoRecord = nil, true
	}
}

func (p *searchParser) minVersion(v value) {
	var n int64
	if p.integer(v, 0, math.MaxInt64, engine.CodeInvalidRequest, &n) {
		p.MinVersion = uint64(n)
	}
}

func (p *searchParser) timeoutMillis(v value) {
	var n int64
	if p.integer(v, 1, p.timeout.Milliseconds(), engine.CodeLimitExceeded, &n) {
		p.Timeout = time.Duration(n) * time.Millisecond
	}
}

// finish checks what concerns several members.
func (p *searchParser) finish() {
	p.Limit = int(p.limit)
	if p.limit == 0 {
		p.Limit = -1
	}
	if sum := p.Offset + int(p.limit); sum > p.max.Window {
		p.at("/offset", engine.CodeLimitExceeded, "offset and limit reach hit %d; past %d go on with next_cursor as the cursor", sum, p.max.Window)
	}
	if p.given.has("cursor") && p.Offset > 0 {
		p.at("/offset", engine.CodeInvalidRequest, "a cursor and an offset exclude each other")
	}
	wrong := false
	switch len(p.filters) {
	case 0:
	case 1:
		p.Filter = p.filters[0]
	default:
		node, err := query.ParseFilterList(p.filters, filterLimits(&p.max))
		if wrong = err != nil; !wrong {
			p.Filter = query.FilterString(node)
		}
	}
	// Else the engine tells it. It does not get to the texts of a search whose form
	// is at fault, nor of one that is kept for later, as presets are.
	if wrong || p.total > 0 || p.key == nil {
		p.checkTexts(&p.max, &p.faults)
	}
}

// identity is everything that decides which records match and in which order:
// the pages of one search share it.
func (q *searchRequest) identity() []byte {
	var b []byte
	if q.key != nil {
		b = q.key.Identity()
	}
	b = appendString(nil, string(b))
	b = append(b, byte(q.Syntax), byte(q.Ranking), byte(q.Prefix), byte(q.Match))
	b = binary.BigEndian.AppendUint64(b, math.Float64bits(q.MinScore))
	b = appendString(b, q.Query)
	b = appendString(b, q.Filter)
	b = binary.AppendUvarint(b, uint64(len(q.Indexes)))
	for _, name := range q.Indexes {
		b = appendString(b, name)
	}
	b = binary.AppendUvarint(b, uint64(len(q.Sort)))
	for _, k := range q.Sort {
		b = appendString(b, k.Field)
		b = strconv.AppendBool(b, k.Desc)
	}
	for _, f := range q.Fields {
		b = appendString(b, f.Field)
		b = binary.BigEndian.AppendUint64(b, math.Float64bits(f.Weight))
	}
	return q.appendColumns(q.intentIdentity(q.wordIdentity(b)))
}
