package httpapi

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/quarry-search/quarry/engine"
)

// soundsLike is an embedder whose vectors count vowels. down makes it fail.
type soundsLike struct{ down atomic.Bool }

func (*soundsLike) Dimensions() int { return 5 }

func (s *soundsLike) Embed(_ context.Context, _ engine.TextKind, texts []string) ([][]float32, error) {
	if s.down.Load() {
		return nil, errors.New("the embedder is down")
	}
	out := make([][]float32, len(texts))
	for i, t := range texts {
		out[i] = make([]float32, 5)
		for j, v := range "aeiou" {
			out[i][j] = float32(strings.Count(strings.ToLower(t), string(v)))
		}
	}
	return out, nil
}

// withSounds is a service whose index has an embedder.
func withSounds(t *testing.T) (*service, *soundsLike, *engine.Engine) {
	t.Helper()
	sounds := &soundsLike{}
	e, err := engine.Open("", &engine.Options{Embedders: map[string]engine.Embedder{"sounds": sounds}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	return newService(t, func(c *Config) { c.Engine = e }), sounds, e
}

type vectorAnswer struct {
	Hits []struct {
		ID      string
		Score   float64
		Explain struct {
			Parts []struct {
				Stage, Field string
				Similarity   *float64
			}
		}
	}
	Total      int
	NextCursor *string `json:"next_cursor"`
	Query      struct {
		Semantic *struct {
			Weight, Hybrid float64
			Field          string
			Nearest        int
			Failed         bool
		}
	}
}

func (a *vectorAnswer) ids() string {
	var ids []string
	for _, h := range a.Hits {
		ids = append(ids, h.ID)
	}
	return strings.Join(ids, " ")
}

const vectorIndex = `{"fields":[{"name":"title","type":"text"},{"name":"kind","type":"keyword","filter":true},
	{"name":"at","type":"vector","dimensions":2},{"name":"size","type":"vector","dimensions":2,"metric":"dot"}]}`

func TestVectorsGivenWithRecords(t *testing.T) {
	s := withEngine(t, "")
	made := s.want(201, "PUT", "/v1/indexes/places", vectorIndex)
	for _, want := range []string{`"dimensions":2,"metric":"cosine"`, `"metric":"dot"`} {
		if !strings.Contains(made.body, want) {
			t.Errorf("%s lacks %s", made.body, want)
		}
	}
	s.want(201, "POST", "/v1/batch", `{"index":"places","records":[
		{"id":"east","title":"sunrise hotel","kind":"a","at":[1,0],"size":[1,0]},{"id":"north","title":"polar hotel","kind":"b","at":[0,1],"size":[5,5]},
		{"id":"northeast","title":"inn","kind":"a","at":[0.5,0.5],"size":[2,2]},{"id":"nowhere","title":"hotel"}]}`)
	for _, c := range []struct{ body, ids string }{
		{`{"vector":[1,0.1]}`, "east northeast north"},
		{`{"vector":[1,0.1],"filter":"kind = \"b\""}`, "north"},
		{`{"vector":[1,0.1],"semantic":{"nearest":1}}`, "east"},
		{`{"vector":[1,1],"semantic":{"field":"size"}}`, "north northeast east"},
		{`{"vector":[1,0.1],"q":"polar","semantic":{"hybrid":0.1}}`, "north east northeast"},
		{`{"vector":[1,0.1],"q":"polar","semantic":{"hybrid":1}}`, "east northeast north"},
		{`{"vector":[1,0.1],"q":"hotel","semantic":{"nearest":0},"match":"all"}`, "east nowhere north"},
	} {
		var got vectorAnswer
		s.want(200, "POST", "/v1/search", c.body).into(t, &got)
		if got.ids() != c.ids || got.Total != len(strings.Fields(c.ids)) {
			t.Errorf("%s finds %s of %d, want %s", c.body, got.ids(), got.Total, c.ids)
		}
		if strings.Contains(c.body, "nearest") {
			continue
		}
		// A cursor belongs to its vector.
		page := strings.TrimSuffix(c.body, "}") + `,"limit":1`
		s.want(200, "POST", "/v1/search", page+"}").into(t, &got)
		if got.NextCursor == nil {
			if got.Total > 1 {
				t.Errorf("%s has no next page", page)
			}
			continue
		}
		s.want(200, "POST", "/v1/search", fmt.Sprintf(`%s,"cursor":%q}`, page, *got.NextCursor))
		other := strings.Replace(page, `"vector":[1`, `"vector":[2`, 1)
		if p := s.want(422, "POST", "/v1/search", fmt.Sprintf(`%s,"cursor":%q}`, other, *got.NextCursor)); !strings.Contains(p.body, "invalid_cursor") {
			t.Errorf("the cursor of another vector: %s", p.body)
		}
	}
	for _, c := range []struct{ body, pointer, says string }{
		{`{"vector":[1]}`, "/vector", "the vector has 1 numbers"},
		{`{"vector":[]}`, "/vector", "must have numbers"},
		{`{"vector":1}`, "/vector", "a list of numbers"},
		{`{"vector":[1,"2"]}`, "/vector/1", "a number"},
		{`{"vector":[1,1e39]}`, "/vector/1", "a number from"},
		{`{"vector":[1` + strings.Repeat(",1", 4096) + `]}`, "/vector", "4097 numbers"},
		{`{"vector":[0,0]}`, "/vector", "no direction"},
		{`{"vector":[1,2],"sort":"score"}`, "/vector", "exclude"},
		{`{"vector":[1,2],"semantic":"off"}`, "/vector", "exclude"},
		{`{"vector":[1,2],"semantic":{"hybrid":0}}`, "/vector", "exclude"},
		{`{"vector":[1,2],"semantic":{"field":"title"}}`, "/semantic/field", "not a vector"},
		{`{"semantic":{"hybrid":2}}`, "/semantic/hybrid", "0 to 1"},
		{`{"semantic":{"nearest":1001}}`, "/semantic/nearest", "1000"},
	} {
		p := s.want(422, "POST", "/v1/search", c.body)
		if !strings.Contains(p.body, `"`+c.pointer+`"`) || !strings.Contains(p.body, c.says) {
			t.Errorf("%.80s: %s does not say %q at %s", c.body, p.body, c.says, c.pointer)
		}
	}
	p := s.want(422, "POST", "/v1/batch", `{"index":"places","records":[{"id":"x","at":[1,2,3]},{"id":"y","at":[1,"a"]}]}`)
	for _, want := range []string{`"/records/0/at"`, `"/records/1/at/1"`, "the vector has 3 numbers"} {
		if !strings.Contains(p.body, want) {
			t.Errorf("%s lacks %s", p.body, want)
		}
	}
}

func TestIndexWithAnEmbedder(t *testing.T) {
	s, sounds, e := withSounds(t)
	s.want(201, "PUT", "/v1/indexes/words", `{"fields":[{"name":"title","type":"text"},{"name":"v","type":"vector","embedder":"sounds","from":"title"}]}`)
	s.want(201, "POST", "/v1/batch", `{"index":"words","records":[{"id":"1","title":"banana"},{"id":"2","title":"cheese"},{"id":"3","title":"sushi"}]}`)
	if err := e.EmbedRecords(context.Background(), "words"); err != nil {
		t.Fatal(err)
	}
	var got vectorAnswer
	s.want(200, "POST", "/v1/search", `{"q":"papaya","explain":true}`).into(t, &got)
	if sem := got.Query.Semantic; got.ids() != "1 2 3" || sem == nil || sem.Field != "v" || sem.Hybrid != 0.3 || sem.Nearest != 100 {
		t.Errorf("found %s, semantic %+v", got.ids(), sem)
	}
	if parts := got.Hits[0].Explain.Parts; len(parts) != 1 || parts[0].Stage != "vector" || parts[0].Field != "v" || parts[0].Similarity == nil {
		t.Errorf("explained by %+v", parts)
	}
	if info := s.want(200, "GET", "/v1/indexes/words", ""); !strings.Contains(info.body, `"embedded":[{"field":"v","pending":0}]`) {
		t.Errorf("index %s", info.body)
	}
	s.want(200, "POST", "/v1/search", `{"q":"papaya","semantic":"off"}`).into(t, &got)
	if got.Total != 0 || got.Query.Semantic != nil {
		t.Errorf("with meaning off it finds %d", got.Total)
	}
	sounds.down.Store(true)
	s.want(200, "POST", "/v1/search", `{"q":"banana"}`).into(t, &got)
	if got.ids() != "1" || got.Query.Semantic == nil || !got.Query.Semantic.Failed {
		t.Errorf("with the embedder down it finds %s, %+v", got.ids(), got.Query.Semantic)
	}
	s.want(201, "POST", "/v1/batch", `{"index":"words","records":[{"id":"4","title":"mango"}]}`)
	s.want(200, "POST", "/v1/search", `{"q":"mango"}`).into(t, &got)
	if got.ids() != "4" {
		t.Errorf("a record that was just written is not found: %s", got.ids())
	}
	p := s.want(422, "PUT", "/v1/indexes/other", `{"fields":[{"name":"v","type":"vector","embedder":"none","dimensions":3}]}`)
	if !strings.Contains(p.body, "known are sounds") {
		t.Errorf("an unknown embedder: %s", p.body)
	}
}

// Vectors by GraphQL are those of REST.
func TestVectorsByGraphQL(t *testing.T) {
	s, _, e := withSounds(t)
	made := s.want(200, "POST", "/v1/graphql", graphBody(`mutation { putIndex(name: "words", schema: {fields: [{name: "title", type: "text"},
		{name: "v", type: "vector", embedder: "sounds", from: ["title"]}]}) { fields { name type dimensions metric embedder from } } }`)).body
	if !strings.Contains(made, `{"name":"v","type":"vector","dimensions":5,"metric":"cosine","embedder":"sounds","from":["title"]}`) {
		t.Errorf("made %s", made)
	}
	s.want(201, "POST", "/v1/batch", `{"index":"words","records":[{"id":"1","title":"banana"},{"id":"2","title":"cheese"}]}`)
	if err := e.EmbedRecords(context.Background(), "words"); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ args, want string }{
		{`vector: [0, 1, 0, 0, 0]`, `{"hits":[{"id":"2"},{"id":"1"}],"query":{"semantic":{"field":"v","hybrid":1,"nearest":100,"failed":null}}}`},
		{`q: "papaya", semantic: {hybrid: 0.25, nearest: 1}`, `{"hits":[{"id":"1"}],"query":{"semantic":{"field":"v","hybrid":0.25,"nearest":1,"failed":null}}}`},
	} {
		got := s.want(200, "POST", "/v1/graphql", graphBody(`{ search(`+c.args+`) { hits { id } query { semantic { field hybrid nearest failed } } } }`)).body
		if !strings.Contains(got, c.want) {
			t.Errorf("%s: %s, want %s", c.args, got, c.want)
		}
	}
}

func graphBody(document string) string { return fmt.Sprintf(`{"query":%q}`, document) }
