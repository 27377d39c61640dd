package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"net/netip"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// sample has a field of every kind that a record can have.
type sample struct {
	Key     string `json:"key" quarry:"id"`
	Title   string `quarry:"sort"`
	Text    string `json:"text,omitempty" quarry:"weight=0.5,language=de"`
	Brand   string `json:"brand" quarry:"keyword"`
	N       int64
	Small   uint32
	Price   float64
	Single  float32
	On      bool
	At      time.Time
	When    *time.Time
	Day     int64    `quarry:"date"`
	Tags    []string `quarry:"facet"`
	Place   Point
	Places  []Point
	Spot    spot `json:"spot" quarry:"geo"`
	Author  author
	Parts   []author
	Addr    netip.Addr
	Raw     json.RawMessage
	Blob    []byte
	Extra   map[string]string
	Any     any `quarry:"-"`
	Opt     *int64
	Quoted  int64 `json:",string"`
	Number  json.Number
	Skipped string `json:"-"`
	hidden  int    //lint:ignore U1000 members that JSON does not see are not fields
	embedded
}

type spot struct {
	Lat float64 `json:"lat"`
	Lon float64 `json:"lon"`
}

type author struct {
	Name string `json:"name" quarry:"filter,-search"`
	Born int16
}

type embedded struct {
	Inner int
	Title int // the outer one counts
}

func describe(s Schema) string {
	var out []string
	for _, f := range s.Fields {
		line := f.Name + " " + f.Type.String()
		for _, flag := range []string{"search", "filter", "facet", "sort"} {
			if *f.flag(flag) {
				line += " " + flag
			}
		}
		if f.Weight != 0 {
			line += fmt.Sprint(" weight=", f.Weight)
		}
		if f.Language+f.Analyzer != "" {
			line += " " + f.Language + f.Analyzer
		}
		out = append(out, line)
	}
	return strings.Join(out, "\n")
}

func TestSchemaOfStruct(t *testing.T) {
	s, err := SchemaOf[sample]()
	if err != nil {
		t.Fatal(err)
	}
	if s.PrimaryKey != "key" || !s.Dynamic {
		t.Errorf("primary key %q, dynamic %v", s.PrimaryKey, s.Dynamic)
	}
	want := `Title text search sort weight=5
text text search weight=0.5 de
brand keyword filter facet sort
N int filter facet sort
Small int filter facet sort
Price float filter facet sort
Single float filter facet sort
On bool filter facet sort
At date filter facet sort
When date filter facet sort
Day date filter facet sort
Tags text search facet
Place geo filter sort
Places geo filter sort
spot geo filter sort
Author.name text filter weight=5
Author.Born int filter facet sort
Parts.name text filter weight=5
Parts.Born int filter facet sort
Addr keyword filter facet sort
Raw json
Blob json
Any json
Opt int filter facet sort
Quoted keyword filter facet sort
Number float filter facet sort
Inner int filter facet sort`
	if got := describe(s); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	type plain struct {
		ID   int
		Code string `quarry:" text , analyzer = code "`
	}
	s, err = SchemaOf[*plain]()
	if want := "Code text search code"; err != nil || s.PrimaryKey != "ID" || s.Dynamic || describe(s) != want {
		t.Errorf("got %+v, %v", s, err)
	}
}

// own writes JSON of its own.
type own struct{}

func (own) MarshalJSON() ([]byte, error) { return []byte("1"), nil }

type tree struct {
	ID   string
	Kids []tree
}

func mistakes[T any](t *testing.T, want ...string) {
	t.Helper()
	_, err := SchemaOf[T]()
	var inv *InvalidError
	if !errors.As(err, &inv) || !errors.Is(err, ErrInvalid) {
		t.Fatalf("%T: %v", *new(T), err)
	}
	var got []string
	for _, p := range inv.Problems {
		got = append(got, p.String())
	}
	if len(got) != len(want) {
		t.Fatalf("%T: got\n%s", *new(T), strings.Join(got, "\n"))
	}
	for i := range got {
		if !strings.Contains(got[i], want[i]) {
			t.Errorf("%T: got %q, want %q in it", *new(T), got[i], want[i])
		}
	}
}

// The error says where the mistake is: the Go field, and the column of its tag.
func TestSchemaOfMistakes(t *testing.T) {
	type tagged struct {
		ID string
		A  string   `quarry:"text,wieght=2"`
		B  string   `quarry:"keyword,,sort"`
		C  int      `quarry:"geo"`
		D  chan int `quarry:"-"`
		E  own
		F  string         `quarry:"keyword, weight=2"`
		G  string         `quarry:"facet,-facet"`
		H  map[string]int `quarry:"facet"`
		I  string         `quarry:"language=xx"`
		J  string         `quarry:"weight=0"`
		K  struct {
			L string `quarry:"id"`
		}
		M author `quarry:"geo"`
		N string `quarry:"text,date"`
		O Point  `quarry:"facet"`
	}
	mistakes[tagged](t,
		`tagged.A: the tag "text,wieght=2": unknown option "wieght"; known are -, id, text`,
		`tagged.B: the tag "keyword,,sort": an option is missing (column 9)`,
		"tagged.C: int cannot be a geo",
		"tagged.D: encoding/json cannot write chan int",
		"tagged.E: engine.own writes JSON of its own",
		"tagged.F: search, weight, b, language and analyzer are for text, and the field is a keyword",
		`tagged.G: the tag "facet,-facet": "facet" stands twice (column 7)`,
		"tagged.H: map[string]int is an object, which takes no options but",
		`tagged.I: the tag "language=xx": unknown language "xx"; known are none,`,
		`tagged.J: the tag "weight=0": a weight is a number above 0`,
		"tagged.K.L: an id is a field of the record itself",
		"tagged.M: engine.author cannot be a geo",
		`tagged.N: the tag "text,date": a field has one type, and date is the second (column 6)`,
		"tagged.O: places have no facets",
	)
	// All mistakes of a tag are told. Without a type what is misspelt may be that, and
	// the rest is not judged; the id is known in any case.
	type several struct {
		Key string  `quarry:"id,wieght=2"`
		A   string  `quarry:"text,wieght=2,b=7,,analyser=x"`
		B   int     `quarry:"geo,sort,sort,language=xx"`
		C   string  `quarry:"keyword,weight=2,b=2"`
		D   own     `quarry:"flaot,facets"`
		E   Point   `quarry:"geo,weight=2,facet"`
		F   float64 `quarry:"-,json"`
	}
	mistakes[several](t,
		`several.Key: the tag "id,wieght=2": unknown option "wieght"`,
		`several.Key: the tag "id,wieght=2": "id" and "-" take no other options`,
		`several.A: the tag "text,wieght=2,b=7,,analyser=x": unknown option "wieght"`,
		`b is a number from 0 to 1 (column 15)`,
		`an option is missing (column 19)`,
		`unknown option "analyser"`,
		`several.B: the tag "geo,sort,sort,language=xx": "sort" stands twice (column 10)`,
		`unknown language "xx"`,
		`several.B: int cannot be a geo`,
		`several.C: the tag "keyword,weight=2,b=2": b is a number from 0 to 1`,
		`several.C: search, weight, b, language and analyzer are for text`,
		`several.D: the tag "flaot,facets": unknown option "flaot"`,
		`unknown option "facets"`,
		`several.E: search, weight, b, language and analyzer are for text`,
		`several.E: places have no facets`,
		`several.F: the tag "-,json": "id" and "-" take no other options`,
	)
	mistakes[struct{ Title string }](t, "no field is the record's id")
	mistakes[struct{ ID float64 }](t, "ID: an id is a string or an integer, not float64")
	mistakes[struct {
		A string `quarry:"id"`
		B string `quarry:"id"`
	}](t, ".B: a record has one id, and this is the second (column 1)")
	mistakes[struct {
		ID string `quarry:"keyword"`
	}](t, "the field is the record's id, which takes no options")
	mistakes[tree](t, "tree.Kids: engine.tree contains itself")
	mistakes[int](t, "an index is of a struct")
	mistakes[time.Time](t, "an index is of a struct")
	mistakes[map[string]any](t, "an index is of a struct")
	// go vet finds the next one, too; without quotes there is no tag.
	field := reflect.StructField{Name: "A", Type: reflect.TypeFor[string](), Tag: `quarry:keyword`}
	id := reflect.StructField{Name: "ID", Type: reflect.TypeFor[string]()}
	if _, err := schemaOf(reflect.StructOf([]reflect.StructField{id, field})); err == nil || !strings.Contains(err.Error(), "does not have the form") {
		t.Errorf("a tag without quotes: %v", err)
	}
}

// The members of structs are those that encoding/json writes.
func TestMembersAreThoseOfJSON(t *testing.T) {
	type deep struct{ A, B, C int }
	type left struct {
		deep
		X int
		Y int
	}
	type right struct {
		*deep
		X int
		Y int `json:"Y"`
		Z int `json:"z,omitempty,string"`
	}
	type named struct {
		left  `json:"left"`
		Right right `json:"a b.c"`
	}
	type bad struct {
		//lint:ignore SA5008 what encoding/json makes of tags that are wrong counts here
		A int `json:"quote\""`
		//lint:ignore SA5008 the same
		B int `json:"-,"`
		C int `json:"-"`
		d int
		E int `json:",string"`
	}
	type ring struct {
		//lint:ignore U1000 found by reflection
		*ring
		A int
	}
	for _, v := range []any{deep{}, left{}, right{deep: &deep{}}, named{Right: right{deep: &deep{}}}, bad{d: 1}, ring{}, struct {
		left
		right
		B string
	}{right: right{deep: &deep{}}}, embedded{}, struct {
		spot `json:"p"`
		time.Duration
		*embedded
	}{embedded: &embedded{}}} {
		b, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		var object map[string]any
		if err := json.Unmarshal(b, &object); err != nil {
			t.Fatal(err)
		}
		var want, got []string
		for name := range object {
			want = append(want, name)
		}
		for _, m := range membersOf(reflect.TypeOf(v)) {
			if m.name != "z" { // omitted
				got = append(got, m.name)
			}
		}
		slices.Sort(want)
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("%T: members %q, encoding/json writes %q", v, got, want)
		}
	}
}

func FuzzParseTag(f *testing.F) {
	for _, s := range []string{"", "-", "id", "keyword", "text,weight=2", "facet,-search, b=0.5", "language=de,analyzer=code", "-facet", "weight=1e309", "b=NaN", "ä,ü", "=,=", "weight = 3 ", "\xff"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, tag string) {
		got, wrong := parseTag(tag)
		for _, e := range wrong {
			if e.column < 1 || e.column > len([]rune(tag))+1 || e.detail == "" {
				t.Fatalf("parseTag(%q): %#v", tag, e)
			}
		}
		if len(wrong) > 0 {
			return
		}
		// The order of options does not matter, nor does white space.
		options := strings.Split(tag, ",")
		slices.Reverse(options)
		again, wrong := parseTag(" " + strings.Join(options, " , "))
		slices.Reverse(again.on)
		slices.Reverse(again.off)
		if len(wrong) > 0 || !reflect.DeepEqual(got, again) {
			t.Fatalf("parseTag(%q) = %+v, reversed %+v, %v", tag, got, again, wrong)
		}
		if !(got.weight >= 0 && got.weight <= 1000) || got.b != nil && !(*got.b >= 0 && *got.b <= 1) {
			t.Fatalf("parseTag(%q) = %+v", tag, got)
		}
		for _, natural := range []Type{Text, Keyword, Int, Float, Bool, Date, JSON, Geo} {
			field, details := got.field("f", natural)
			s := Schema{Fields: []Field{field}}
			if err := s.validate(Limits{}.orDefaults(), nil); len(details) == 0 && err != nil {
				t.Fatalf("the field of %q, %s, is invalid: %v", tag, natural, err)
			}
		}
	})
}

// randomSample makes a value with extremes in it.
func randomSample(r *rand.Rand, key string) sample {
	words := strings.Fields("red blue Schuhe Läufer hat <b>&amp;</b> \u2028 \ufffd 東京都 \"quoted\" back\\slash \\ufffd")
	text := func(n int) string {
		var out []string
		for range r.IntN(n) {
			out = append(out, words[r.IntN(len(words))])
		}
		return strings.Join(out, " ")
	}
	ints := []int64{0, 1, -1, 1<<53 + 1, math.MaxInt64, math.MinInt64, r.Int64(), -r.Int64()}
	times := []time.Time{{}, time.Unix(r.Int64N(4e9), r.Int64N(1e9)).UTC(), time.Date(9999, 12, 31, 23, 59, 59, 999999999, time.UTC)}
	place := func() Point { return Point{r.Float64()*180 - 90, r.Float64()*360 - 180} }
	n := ints[r.IntN(len(ints))]
	when := times[r.IntN(len(times))]
	s := sample{
		Key: key, Title: text(4), Text: text(9), Brand: text(2), N: n, Small: r.Uint32(), Price: r.NormFloat64() * math.Pow(10, float64(r.IntN(40)-20)),
		Single: r.Float32(), On: r.IntN(2) == 0, At: times[r.IntN(len(times))], Day: r.Int64N(253402300800), Place: place(), Spot: spot{1, 2},
		Author: author{text(3), int16(r.Uint32())}, Addr: netip.AddrFrom4([4]byte{10, 0, 0, byte(r.IntN(4))}), Raw: json.RawMessage(`{"a":[1,null,{}]}`),
		Quoted: n, Number: json.Number(fmt.Sprint(n)), embedded: embedded{Inner: r.IntN(5)},
	}
	if r.IntN(2) == 0 {
		s.When, s.Opt, s.Blob, s.Any = &when, &n, []byte(text(5)), []any{text(3), nil, true, 1.5, map[string]any{"a": "b"}}
		s.Tags, s.Places, s.Parts = []string{text(2), text(2)}, []Point{place(), place()}, []author{{text(3), 1}, {text(2), -1}}
		s.Extra = map[string]string{"colour": text(2), "größe": text(2)}
	}
	return s
}

// A typed index does what the same records as plain JSON do, and gives back
// the very values, in whatever state the index is.
func TestTypedEqualsPlainRecords(t *testing.T) {
	for seed := range uint64(4) {
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) { playTyped(t, seed) })
	}
}

func playTyped(t *testing.T, seed uint64) {
	ctx := context.Background()
	r := rand.New(rand.NewPCG(seed, 5))
	d := newDisk(t, Options{})
	x, err := Bind[sample](ctx, d.e, "typed", nil)
	if err != nil {
		t.Fatal(err)
	}
	if x.Name() != "typed" {
		t.Errorf("the index is called %q", x.Name())
	}
	schema, err := SchemaOf[sample]()
	if err != nil {
		t.Fatal(err)
	}
	create(t, d.e, "plain", schema)
	model := map[string]sample{}
	for range 12 {
		var values []sample
		var b Batch
		for range 1 + r.IntN(8) {
			s := randomSample(r, fmt.Sprint("k", r.IntN(40)))
			record, err := json.Marshal(s)
			if err != nil {
				t.Fatal(err)
			}
			b.Put("plain", record)
			values, model[s.Key] = append(values, s), s
		}
		gone := fmt.Sprint("k", r.IntN(40))
		b.Delete("plain", gone)
		delete(model, gone)
		apply(t, d.e, &b)
		if err := x.Put(ctx, values...); err != nil {
			t.Fatal(err)
		}
		if err := x.Delete(ctx, gone, "never there"); err != nil {
			t.Fatal(err)
		}
	}
	requests := []Request{
		{}, {Query: "red"}, {Query: "blue schuhe", Match: MatchAny}, {Query: "lauf*", Highlight: &HighlightRequest{}},
		{Filter: "N = 9007199254740993 OR N < 0", Sort: []SortKey{{Field: "N"}}},
		{Filter: "On = true AND At > 2000-01-01", Sort: []SortKey{{Field: "Title", Desc: true}}},
		{Filter: `Addr = "10.0.0.1"`, Facets: []FacetRequest{{Field: "brand"}, {Field: "Inner"}, {Field: "Tags"}, {Field: "N", Stats: true}}},
		{Filter: "EXISTS Extra.colour", Explain: true, Query: "red hat"},
		{Sort: []SortKey{{Field: "Place", From: &Point{52, 13}}}}, {Filter: "geo(Places, 0, 0, 9000km)"},
		{Filter: "Day >= 1970-01-02", Sort: []SortKey{{Field: "Day"}, {Field: "Single"}}},
	}
	d.states("typed", func(t *testing.T, e *Engine) {
		x, err := Bind[sample](ctx, e, "typed", nil)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for v, err := range x.Records(ctx, RecordsOptions{}) {
			n++
			if err != nil || !reflect.DeepEqual(v, model[v.Key]) {
				t.Fatalf("record %s: got %+v, %v, want %+v", v.Key, v, err, model[v.Key])
			}
		}
		if n != len(model) {
			t.Errorf("%d records, want %d", n, len(model))
		}
		for key, want := range model {
			if got, err := x.Get(ctx, key); err != nil || !reflect.DeepEqual(got, want) {
				t.Fatalf("Get(%s): got %+v, %v, want %+v", key, got, err, want)
			}
		}
		for _, r := range requests {
			r.Limit = 7
			typed, err := x.Search(ctx, &r)
			if err != nil {
				t.Fatalf("%+v: %v", r, err)
			}
			r.Indexes = []string{"plain"}
			plain := find(t, e, &r)
			if typed.Total != plain.Total || !reflect.DeepEqual(typed.Facets, plain.Facets) || len(typed.Hits) != len(plain.Hits) {
				t.Errorf("%+v: totals %d and %d, facets %v and %v", r, typed.Total, plain.Total, typed.Facets, plain.Facets)
			}
			for i, h := range typed.Hits {
				p := plain.Hits[i]
				if h.ID != p.ID || h.Score != p.Score || !reflect.DeepEqual(h.Highlight, p.Highlight) || !reflect.DeepEqual(h.Geo, p.Geo) || !reflect.DeepEqual(h.Record, model[h.ID]) {
					t.Errorf("%+v: hit %d is %s %v, as plain JSON %s %v", r, i, h.ID, h.Score, p.ID, p.Score)
				}
			}
			all, n := map[string]bool{}, int64(0)
			for h, err := range x.Hits(ctx, &r) {
				if err != nil {
					t.Fatal(err)
				}
				if n < int64(len(typed.Hits)) && h.ID != typed.Hits[n].ID {
					t.Errorf("%+v: hit %d of all is %s, of the page %s", r, n, h.ID, typed.Hits[n].ID)
				}
				all[h.ID], n = true, n+1
			}
			if n != typed.Total || len(all) != int(n) {
				t.Errorf("%+v: %d hits, %d of them different, want %d", r, n, len(all), typed.Total)
			}
		}
	})
}

// What encoding/json would change on the way is refused, and nothing is put.
func TestTypedRefusesWhatItCannotKeep(t *testing.T) {
	type record struct {
		ID    string
		Text  string
		Price float64
		Map   map[string][]*string
		Big   uint64
	}
	ctx := context.Background()
	e := newEngine(t, nil)
	x, err := Bind[record](ctx, e, "i", nil)
	if err != nil {
		t.Fatal(err)
	}
	bad := "\xff"
	for _, r := range []record{
		{ID: "1", Text: bad}, {ID: "1", Map: map[string][]*string{"a": {nil, &bad}}}, {ID: "1", Map: map[string][]*string{bad: nil}},
		{ID: "1", Price: math.NaN()}, {ID: "1", Price: math.Inf(1)}, {ID: ""}, {ID: "1", Big: 1 << 63},
	} {
		err := x.Put(ctx, record{ID: "0"}, r)
		var inv *InvalidError
		if !errors.As(err, &inv) || inv.Problems[0].Position != 1 {
			t.Errorf("Put(%+v): %v", r, err)
		}
	}
	if err := x.Put(ctx, record{ID: "1", Text: "\ufffd \\ufffd", Big: math.MaxInt64}); err != nil {
		t.Errorf("text that is valid: %v", err)
	}
	if _, err := x.Get(ctx, "0"); !errors.Is(err, ErrNotFound) {
		t.Errorf("a record beside a bad one: %v", err)
	}
	// A record that somebody else wrote.
	apply(t, e, puts("i", `{"ID":"2","Text":17}`))
	var wrong *json.UnmarshalTypeError
	if _, err := x.Get(ctx, "2"); !errors.As(err, &wrong) || !strings.Contains(err.Error(), `record "2"`) {
		t.Errorf("Get of a record that does not fit: %v", err)
	}
	if _, err := x.Search(ctx, &Request{Query: "17"}); !errors.As(err, &wrong) {
		t.Errorf("Search: %v", err)
	}
	for _, err := range x.Hits(ctx, &Request{Query: "17"}) {
		if !errors.As(err, &wrong) {
			t.Errorf("Hits: %v", err)
		}
	}
}

func TestPlaceAsJSON(t *testing.T) {
	for _, c := range []struct {
		in   string
		want Point
		ok   bool
	}{
		{`{"lat":52.5,"lon":13.4}`, Point{52.5, 13.4}, true}, {`"52.5, 13.4"`, Point{52.5, 13.4}, true}, {`null`, Point{}, true},
		{`{"lat":91,"lon":0}`, Point{}, false}, {`{"lat":1}`, Point{}, false}, {`[1,2]`, Point{}, false}, {`"x"`, Point{}, false}, {`{"lat":1,"lon":2,"x":3}`, Point{}, false},
	} {
		var p Point
		if err := json.Unmarshal([]byte(c.in), &p); (err == nil) != c.ok || p != c.want {
			t.Errorf("%s: %v, %v", c.in, p, err)
		}
	}
	if b, err := json.Marshal(Point{52.5, -0.1}); err != nil || string(b) != `{"lat":52.5,"lon":-0.1}` {
		t.Errorf("%s, %v", b, err)
	}
}

// A struct that has changed changes the index; what it does not speak of stays.
func TestBindFollowsTheStruct(t *testing.T) {
	ctx := context.Background()
	d := newDisk(t, Options{})
	type first struct {
		ID    string
		Title string
		Brand string
		Note  string
	}
	settings := &Schema{Language: "de", Synonyms: []Synonym{{Words: []string{"rot", "karmin"}}}, Fields: []Field{{Name: "Note", Type: JSON}}}
	x, err := Bind[first](ctx, d.e, "i", settings)
	if err != nil {
		t.Fatal(err)
	}
	if err := x.Put(ctx, first{"1", "Rote Schuhe", "Nike", "unsearched"}, first{"2", "Hut", "Asics", ""}); err != nil {
		t.Fatal(err)
	}
	if res, err := x.Search(ctx, &Request{Query: "karmin schuh"}); err != nil || res.Total != 1 {
		t.Errorf("a synonym: %v", err)
	}
	version := d.e.Version()
	if _, err := Bind[first](ctx, d.e, "i", settings); err != nil || d.e.Version() != version {
		t.Errorf("binding once more changed something: %v", err)
	}
	if _, err := x.Search(ctx, &Request{Filter: `Brand = "Nike"`}); !errors.Is(err, ErrInvalid) {
		t.Errorf("a filter on words: %v", err)
	}
	type second struct {
		ID    string
		Title string
		Brand string `quarry:"facet"`
		Stock int
	}
	y, err := Bind[second](ctx, d.e, "i", nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := y.Put(ctx, second{"3", "Karmin", "Nike", 7}); err != nil {
		t.Fatal(err)
	}
	d.states("i", func(t *testing.T, e *Engine) {
		y, err := Bind[second](ctx, e, "i", nil)
		if err != nil {
			t.Fatal(err)
		}
		res, err := y.Search(ctx, &Request{Query: "rot", Filter: `Brand = "Nike"`, Facets: []FacetRequest{{Field: "Brand"}, {Field: "Stock"}}})
		if err != nil || res.Total != 2 || res.Facets["Brand"].Values[0].Count != 2 || res.Facets["Stock"].Missing != 1 {
			t.Errorf("%+v, %v", res, err)
		}
		if res.Hits[0].Record.Title == "" || res.Result.Hits != nil {
			t.Errorf("hits %+v", res.Hits)
		}
	})
	if info, err := d.e.Index("i"); err != nil || info.Schema.Language != "de" || describe(info.Schema) != "Title text search weight=5\nBrand text search facet\nNote json\nStock int filter facet sort" {
		t.Errorf("%s, %v", describe(info.Schema), err)
	}
	// Records that do not fit: nothing changes.
	type third struct {
		ID    string
		Title int
	}
	var inv *InvalidError
	if _, err := Bind[third](ctx, d.e, "i", nil); !errors.As(err, &inv) || inv.Problems[0].Code != CodeInvalidFieldType {
		t.Errorf("a title that is an int: %v", err)
	}
	if y, err = Bind[second](ctx, d.e, "i", nil); err != nil {
		t.Fatal(err)
	}
	if res, err := y.Search(ctx, &Request{Query: "rot"}); err != nil || res.Total != 2 {
		t.Errorf("after it: %v", err)
	}
}

func TestBindAtTheSameTime(t *testing.T) {
	ctx := context.Background()
	e := newEngine(t, nil)
	type record struct{ ID, Title string }
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			x, err := Bind[record](ctx, e, "i", nil)
			if err == nil {
				err = x.Put(ctx, record{fmt.Sprint(i), "word"})
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	x, err := Bind[record](ctx, e, "i", nil)
	if err != nil {
		t.Fatal(err)
	}
	if res, err := x.Search(ctx, nil); err != nil || res.Total != 8 {
		t.Errorf("%+v, %v", res, err)
	}
}

// An index at a snapshot sees what was there, also while Hits goes from page
// to page, and takes no writes.
func TestTypedSnapshot(t *testing.T) {
	ctx := context.Background()
	e := newEngine(t, nil)
	type record struct {
		ID    int
		Title string
	}
	x, err := Bind[record](ctx, e, "i", nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 10 {
		if err := x.Put(ctx, record{i, "word"}); err != nil {
			t.Fatal(err)
		}
	}
	s, err := e.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	old, n := x.At(s), 0
	for h, err := range x.Hits(ctx, &Request{Query: "word", Limit: 3}) {
		if err != nil {
			t.Fatal(err)
		}
		if err := x.Delete(ctx, fmt.Sprint(9-h.Record.ID)); err != nil {
			t.Fatal(err)
		}
		n++
	}
	if n != 10 {
		t.Errorf("%d hits, though records were deleted behind the iteration", n)
	}
	if _, err := x.Get(ctx, "3"); !errors.Is(err, ErrNotFound) {
		t.Errorf("a deleted record: %v", err)
	}
	if r, err := old.Get(ctx, "3"); err != nil || r.ID != 3 {
		t.Errorf("in the snapshot: %+v, %v", r, err)
	}
	if res, err := old.Search(ctx, &Request{Limit: 4, Offset: 2}); err != nil || res.Total != 10 || len(res.Hits) != 4 {
		t.Errorf("in the snapshot: %+v, %v", res, err)
	}
	n = 0
	for _, err := range old.Hits(ctx, &Request{Offset: 2}) {
		if n++; err != nil {
			t.Fatal(err)
		}
	}
	if n != 8 {
		t.Errorf("%d hits from the third on", n)
	}
	for _, err := range old.Records(ctx, RecordsOptions{After: "3"}) {
		if n--; err != nil {
			t.Fatal(err)
		}
	}
	if n != 2 {
		t.Errorf("%d", n)
	}
	if err := errors.Join(old.Put(ctx, record{}), old.Delete(ctx, "1")); !errors.Is(err, ErrReadOnly) {
		t.Errorf("a write to a snapshot: %v", err)
	}
	s.Close()
	if _, err := old.Search(ctx, nil); !errors.Is(err, ErrClosed) {
		t.Errorf("Search: %v", err)
	}
	if _, err := old.Get(ctx, "3"); !errors.Is(err, ErrClosed) {
		t.Errorf("Get: %v", err)
	}
	for _, err := range old.Hits(ctx, nil) {
		if !errors.Is(err, ErrClosed) {
			t.Errorf("Hits: %v", err)
		}
	}
}

// A time keeps its offset and its nanoseconds; filters compare microseconds.
func TestTypedTimesKeepTheirOffset(t *testing.T) {
	type record struct {
		ID int
		At time.Time
	}
	ctx := context.Background()
	e := newEngine(t, nil)
	x, err := Bind[record](ctx, e, "i", nil)
	if err != nil {
		t.Fatal(err)
	}
	want := time.Date(2026, 11, 22, 1, 2, 3, 456789012, time.FixedZone("somewhere", 3*3600+1800))
	if err := x.Put(ctx, record{1, want}); err != nil {
		t.Fatal(err)
	}
	got, err := x.Get(ctx, "1")
	if err != nil || !got.At.Equal(want) || got.At.Format(time.RFC3339Nano) != want.Format(time.RFC3339Nano) {
		t.Errorf("got %v, %v, want %v", got.At, err, want)
	}
	for filter, n := range map[string]int64{
		`At = "2026-11-21T21:32:03.456789Z"`: 1, `At >= "2026-11-22T01:02:03.456789+03:30"`: 1, `At > "2026-11-21T21:32:03.456789Z"`: 0,
	} {
		if res, err := x.Search(ctx, &Request{Filter: filter}); err != nil || res.Total != n {
			t.Errorf("%s: %+v, %v", filter, res, err)
		}
	}
}
