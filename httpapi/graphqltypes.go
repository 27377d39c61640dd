package httpapi

import (
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// The following are answers of REST routes, read as the types of the GraphQL
// schema; its names and those of the fields here are matched without regard to
// case.

type graphSearch struct {
	Hits       []*graphHit     `json:"hits"`
	Total      int32           `json:"total"`
	TotalExact bool            `json:"total_exact"`
	Facets     graphFacets     `json:"facets"`
	NextCursor *string         `json:"next_cursor"`
	TookMs     float64         `json:"took_ms"`
	Version    graphInt64      `json:"version"`
	Query      *graphQueryInfo `json:"query"`
}

type graphSuggest struct {
	Suggestions []*graphSuggestion `json:"suggestions"`
	TookMs      float64            `json:"took_ms"`
	Version     graphInt64         `json:"version"`
}

type graphSuggestion struct {
	Text  string `json:"text"`
	Count int32  `json:"count"`
	Title bool   `json:"title"`
}

type graphHit struct {
	ID        graphID          `json:"id"`
	Index     string           `json:"index"`
	Score     float64          `json:"score"`
	Stored    graphJSON        `json:"record"`
	Highlight *graphHighlights `json:"highlight"`
	Pinned    bool             `json:"pinned"`
	Explain   *graphJSON       `json:"explain"`
}

type graphFieldsArgs struct{ Fields graphJSON }

// Record returns the record or parts of it.
func (h *graphHit) Record(a graphFieldsArgs) graphJSON { return h.Stored.parts(a.Fields) }

// parts returns the parts of a record at paths, all of it without any.
func (v graphJSON) parts(paths graphJSON) graphJSON {
	if !paths.given() {
		return v
	}
	var w jsonWriter
	w.project(v.raw, paths.texts())
	return graphJSON{w.buf}
}

type graphHighlight struct {
	Field   string    `json:"-"`
	Text    string    `json:"text"`
	Start   int32     `json:"start"`
	Item    int32     `json:"item"`
	Matches [][]int32 `json:"matches"`

	More []*graphHighlight `json:"more"`
}

// graphHighlights is an object by field, which GraphQL has as a list.
type graphHighlights []*graphHighlight

// UnmarshalJSONFrom reads the object.
func (l *graphHighlights) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	return eachNamed(dec, func(field string) error {
		h := &graphHighlight{Field: field}
		*l = append(*l, h)
		err := json.UnmarshalDecode(dec, h)
		for _, m := range h.More {
			m.Field = field
		}
		return err
	})
}

type graphFacet struct {
	Field   string              `json:"-"`
	Values  *[]*graphFacetValue `json:"values"`
	Ranges  *[]*graphFacetRange `json:"ranges"`
	Other   *int32              `json:"other"`
	Missing int32               `json:"missing"`
	Stats   *graphFacetStats    `json:"stats"`
	Exact   bool                `json:"exact"`
}

type graphFacetValue struct {
	Value graphJSON `json:"value"`
	Count int32     `json:"count"`
}

type graphFacetRange struct {
	From  *float64 `json:"from"`
	To    *float64 `json:"to"`
	Count int32    `json:"count"`
}

type graphFacetStats struct {
	Min   *graphJSON `json:"min"`
	Max   *graphJSON `json:"max"`
	Avg   *graphJSON `json:"avg"`
	Sum   graphJSON  `json:"sum"`
	Count int32      `json:"count"`
}

// graphFacets is an object by field, which GraphQL has as a list.
type graphFacets []*graphFacet

// UnmarshalJSONFrom reads the object.
func (l *graphFacets) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	return eachNamed(dec, func(field string) error {
		f := &graphFacet{Field: field}
		*l = append(*l, f)
		return json.UnmarshalDecode(dec, f)
	})
}

// eachNamed calls f with the name of each member of an object, before its
// value.
func eachNamed(dec *jsontext.Decoder, f func(name string) error) error {
	if _, err := dec.ReadToken(); err != nil {
		return err
	}
	for dec.PeekKind() == '"' {
		name, err := dec.ReadToken()
		if err != nil {
			return err
		}
		if err := f(name.String()); err != nil {
			return err
		}
	}
	_, err := dec.ReadToken()
	return err
}

type graphQueryInfo struct {
	Text              string             `json:"text"`
	FiltersFromIntent []string           `json:"filters_from_intent"`
	Intent            []*graphUnderstood `json:"intent"`
	SortFromIntent    *[]string          `json:"sort_from_intent"`
	Corrections       []*graphCorrection `json:"corrections"`
	DidYouMean        *string            `json:"did_you_mean"`
	Semantic          *graphSemantic     `json:"semantic"`
}

type graphSemantic struct {
	Weight  float64  `json:"weight"`
	Field   *string  `json:"field"`
	Hybrid  *float64 `json:"hybrid"`
	Nearest *int32   `json:"nearest"`
	Failed  *bool    `json:"failed"`
}

type graphUnderstood struct {
	Filter string `json:"filter"`
	Words  string `json:"words"`
	Used   string `json:"used"`
}

type graphCorrection struct {
	From string `json:"from"`
	To   string `json:"to"`
}

type graphIndexes struct {
	Nodes      []*graphIndex `json:"indexes"`
	Total      int32         `json:"total"`
	NextCursor *string       `json:"next_cursor"`
}

type graphIndex struct {
	Name       string        `json:"name"`
	Visible    bool          `json:"visible"`
	Records    int32         `json:"records"`
	Bytes      graphInt64    `json:"bytes"`
	State      string        `json:"state"`
	Version    graphInt64    `json:"version"`
	PrimaryKey string        `json:"primary_key"`
	Language   string        `json:"language"`
	Dynamic    bool          `json:"dynamic"`
	CreatedAt  graphJSON     `json:"created_at"`
	UpdatedAt  graphJSON     `json:"updated_at"`
	Fields     []*graphField `json:"fields"`
	Rebuild    *graphRebuild `json:"rebuild"`
}

type graphRebuild struct {
	State string     `json:"state"`
	Done  *int32     `json:"done"`
	Total *int32     `json:"total"`
	Error *graphJSON `json:"error"`
}

type graphField struct {
	Name     string   `json:"name"`
	Type     string   `json:"type"`
	Search   bool     `json:"search"`
	Filter   bool     `json:"filter"`
	Facet    bool     `json:"facet"`
	Sort     bool     `json:"sort"`
	Weight   *float64 `json:"weight"`
	B        *float64 `json:"b"`
	Language *string  `json:"language"`
	Analyzer *string  `json:"analyzer"`

	Dimensions *int32    `json:"dimensions"`
	Metric     *string   `json:"metric"`
	Embedder   *string   `json:"embedder"`
	From       *[]string `json:"from"`
}

type graphRecord struct {
	ID      graphID    `json:"id"`
	Index   string     `json:"index"`
	Version graphInt64 `json:"version"`
	Stored  graphJSON  `json:"record"`
}

// Record returns the record or parts of it.
func (r *graphRecord) Record(a graphFieldsArgs) graphJSON { return r.Stored.parts(a.Fields) }

type graphBatch struct {
	ID             graphID            `json:"id"`
	State          string             `json:"state"`
	Atomic         bool               `json:"atomic"`
	Version        *graphInt64        `json:"version"`
	Counts         *graphBatchCounts  `json:"counts"`
	IDs            *[]*graphID        `json:"ids"`
	IndexesCreated []string           `json:"indexes_created"`
	Errors         []*graphBatchError `json:"errors"`
	TookMs         *float64           `json:"took_ms"`
	CreatedAt      graphJSON          `json:"created_at"`
	AppliedAt      *graphJSON         `json:"applied_at"`
	Progress       *graphProgress     `json:"progress"`
}

type graphProgress struct {
	Done  int32 `json:"done"`
	Total int32 `json:"total"`
}

type graphBatchCounts struct {
	Put     int32 `json:"put"`
	Patched int32 `json:"patched"`
	Deleted int32 `json:"deleted"`
	Failed  int32 `json:"failed"`
}

type graphBatchError struct {
	Position *int32  `json:"position"`
	Code     string  `json:"code"`
	Pointer  *string `json:"pointer"`
	Detail   string  `json:"detail"`
}

type graphUsageRow struct {
	Day        *string     `json:"day"`
	Key        *string     `json:"key"`
	Searches   graphInt64  `json:"searches"`
	Writes     graphInt64  `json:"writes"`
	RecordsMax graphInt64  `json:"records_max"`
	BytesMax   graphInt64  `json:"bytes_max"`
	Seq        *graphInt64 `json:"seq"`
	Chain      *string     `json:"chain"`
}

// graphID is a string of the GraphQL type ID.
type graphID string

// ImplementsGraphQLType names the type.
func (graphID) ImplementsGraphQLType(name string) bool { return name == "ID" }

// UnmarshalGraphQL is never called: arguments are graphJSON.
func (*graphID) UnmarshalGraphQL(any) error { return nil }

// graphInt64 is a 64-bit integer, which GraphQL has as a String: its Int has 32
// bits.
type graphInt64 int64

// ImplementsGraphQLType names the type.
func (graphInt64) ImplementsGraphQLType(name string) bool { return name == "String" }

// UnmarshalGraphQL is never called: arguments are graphJSON.
func (*graphInt64) UnmarshalGraphQL(any) error { return nil }

// MarshalJSON writes the digits in quotes.
func (n graphInt64) MarshalJSON() ([]byte, error) {
	return strconv.AppendQuote(nil, strconv.FormatInt(int64(n), 10)), nil
}
