package engine

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

func suggested(t *testing.T, e *Engine, r *SuggestRequest) string {
	t.Helper()
	res, err := e.Suggest(context.Background(), r)
	if err != nil {
		t.Fatalf("Suggest(%+v): %v", *r, err)
	}
	var out []string
	for _, s := range res.Suggestions {
		out = append(out, fmt.Sprintf("%s=%d%s", s.Text, s.Count, map[bool]string{true: " title"}[s.Title]))
	}
	return strings.Join(out, ", ")
}

func TestSuggest(t *testing.T) {
	d := newDisk(t, Options{})
	create(t, d.e, "store", storeSchema())
	apply(t, d.e, puts("store", store...))
	create(t, d.e, "more", Schema{Fields: []Field{{Name: "title", Type: Text, Search: true}}})
	apply(t, d.e, puts("more", `{"id":"m1","title":"A red runner. Happily running"}`, `{"id":"m2","title":"the reader of the red book"}`))
	for range 3 { // deleted records leave no trace
		apply(t, d.e, puts("more", `{"id":"m3","title":"redundant rust"}`))
	}
	var b Batch
	b.Delete("more", "m3")
	apply(t, d.e, &b)
	d.states("store", func(t *testing.T, e *Engine) {
		for _, c := range []struct {
			req  SuggestRequest
			want string
		}{
			{SuggestRequest{Query: "red ru"}, "Red running shoes=1 title, red runner=2, red running=2"},
			{SuggestRequest{Query: "Red RU", Indexes: []string{"store"}}, "Red running shoes=1 title, Red running=1"},
			{SuggestRequest{Query: "re", Limit: 2}, "Red scarf=1 title, red=5"},
			{SuggestRequest{Query: "happ"}, "Happy red hat=1 title, happily=1, happily running=1, happy=1"}, // the stem of happy is happi
			{SuggestRequest{Query: "happil", Limit: 1}, "happily=1"},
			{SuggestRequest{Query: "th"}, ""},         // filler
			{SuggestRequest{Query: "redunda"}, ""},    // deleted
			{SuggestRequest{Query: "", Limit: 3}, ""}, // nothing typed
			{SuggestRequest{Query: "  ", Limit: 3}, ""},
			{SuggestRequest{Query: "red ", Indexes: []string{"store"}}, "Red scarf=1 title, Red running shoes=1 title, Happy red hat=1 title, red hat=1, red running=1"},
			{SuggestRequest{Query: "reader ", Indexes: []string{"more"}}, ""},
			{SuggestRequest{Query: "runnign sho"}, "Red running shoes=1 title, Blue running shoes=1 title, running shoes=2"},
			{SuggestRequest{Query: "televsi"}, "Television stand XR500=1 title, television=1, television stand=1"},
			{SuggestRequest{Query: "ku", Restrict: []string{"tenant = 1"}, Indexes: []string{"store"}}, ""},
			{SuggestRequest{Query: "kubernets", Restrict: []string{"tenant = 1"}, Indexes: []string{"store"}}, ""},
			{SuggestRequest{Query: "ru", Filter: "tenant = 2", Indexes: []string{"store"}, Limit: 1}, "Blue running shoes=1 title"},
			{SuggestRequest{Query: "zzzz"}, ""},
		} {
			if got := suggested(t, e, &c.req); got != c.want {
				t.Errorf("%+v:\n got %s\nwant %s", c.req, got, c.want)
			}
		}
	})
	for _, c := range []struct {
		req      SuggestRequest
		code, at string
	}{
		{SuggestRequest{Query: "x", Limit: 101}, CodeLimitExceeded, "/limit"},
		{SuggestRequest{Query: "x", Limit: -1}, CodeInvalidRequest, "/limit"},
		{SuggestRequest{Query: strings.Repeat("x", 5000)}, CodeLimitExceeded, "/q"},
		{SuggestRequest{Query: "x", Filter: "nope ="}, CodeInvalidFilter, "/filter"},
	} {
		_, err := d.e.Suggest(context.Background(), &c.req)
		wantProblem(t, err, c.code, c.at)
	}
}

// What follows in a record is not offered where the text holds it already.
func TestSuggestionsRepeatNoWord(t *testing.T) {
	d := newDisk(t, Options{})
	create(t, d.e, "i", Schema{Fields: []Field{{Name: "t", Type: Text, Search: true}}})
	apply(t, d.e, puts("i", `{"id":"1","t":"red running shoes, red and light"}`, `{"id":"2","t":"shoes reddish"}`))
	if got, want := suggested(t, d.e, &SuggestRequest{Query: "red running sh"}), "red running shoes=1"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestSuggestionsCountWhatASearchFinds compares counts with searches, and
// completions with a look at all words.
func TestSuggestionsCountWhatASearchFinds(t *testing.T) {
	for seed := range uint64(6) {
		r := rand.New(rand.NewPCG(seed, 6))
		e := newEngine(t, nil)
		create(t, e, "i", Schema{Language: "none", Fields: []Field{{Name: "t", Type: Text, Search: true}, {Name: "n", Type: Int, Filter: true}}})
		words := map[string]bool{}
		for range 5 {
			var b Batch
			for range 60 {
				var text []string
				for range 4 {
					w := string([]byte{'a' + byte(r.IntN(3)), 'a' + byte(r.IntN(3)), 'a' + byte(r.IntN(3)), 'a' + byte(r.IntN(2))})
					text = append(text, w)
					words[w] = true
				}
				b.Put("i", fmt.Appendf(nil, `{"id":"%d","t":%q,"n":%d}`, r.IntN(200), strings.Join(text, " "), r.IntN(3)))
			}
			apply(t, e, &b)
		}
		total := func(q, filter string) int64 {
			return find(t, e, &Request{Query: q, Filter: filter, Match: MatchAll, Prefix: PrefixOff, Typo: Typo{Off: true}, Limit: -1}).Total
		}
		for range 20 {
			head := ""
			if r.IntN(2) == 0 {
				head = string([]byte{'a' + byte(r.IntN(3)), 'a', 'a' + byte(r.IntN(3)), 'a'}) + " "
			}
			last := string([]byte{'a' + byte(r.IntN(3)), 'a' + byte(r.IntN(3))}[:1+r.IntN(2)])
			filter := ""
			if r.IntN(2) == 0 {
				filter = fmt.Sprintf("n = %d", r.IntN(3))
			}
			res, err := e.Suggest(context.Background(), &SuggestRequest{Query: head + last, Filter: filter, Limit: 5})
			if err != nil {
				t.Fatal(err)
			}
			if head != "" && total(head, filter) == 0 {
				continue // it is repaired
			}
			least, got := int64(1<<62), map[string]bool{}
			for _, s := range res.Suggestions {
				if n := total(s.Text, filter); n != s.Count || n == 0 || n > least {
					t.Fatalf("seed %d: %q filter %q: %q has %d, a search finds %d", seed, head+last, filter, s.Text, s.Count, n)
				}
				least = s.Count
				got[s.Text] = true
			}
			for w := range words {
				if !strings.HasPrefix(w, last) || got[head+w] {
					continue
				}
				if n := total(head+w, filter); n > least || n > 0 && len(res.Suggestions) < 5 {
					t.Fatalf("seed %d: %q filter %q: %q with %d is not among %v", seed, head+last, filter, head+w, n, res.Suggestions)
				}
			}
		}
	}
}

func TestSimilar(t *testing.T) {
	d := newDisk(t, Options{})
	create(t, d.e, "store", storeSchema())
	apply(t, d.e, puts("store", store...))
	create(t, d.e, "more", Schema{Fields: []Field{{Name: "name", Type: Text, Search: true}}})
	apply(t, d.e, puts("more", `{"id":"1","name":"A scarf to wear when running"}`, `{"id":"m","name":"happy gloves"}`))
	d.states("store", func(t *testing.T, e *Engine) {
		for _, c := range []struct {
			req  Request
			want string
		}{
			{Request{Indexes: []string{"store"}, Similar: &Similar{ID: "1"}}, "2 6 3 5"},
			{Request{Indexes: []string{"store"}, Similar: &Similar{ID: "1"}, Filter: "tenant = 1"}, "6 3"},
			{Request{Indexes: []string{"store"}, Similar: &Similar{ID: "4"}}, "3 6"}, // by the brand
			{Request{Similar: &Similar{ID: "6", Index: "store"}, Limit: 1}, "3"},
			{Request{Similar: &Similar{ID: "m"}}, "3"},
			{Request{Indexes: []string{"store"}, Similar: &Similar{ID: "1"}, Hide: []string{"2"}, Restrict: []string{"brand = \"acme\""}}, "5"},
		} {
			if got := idsOf(find(t, e, &c.req)); got != c.want {
				t.Errorf("%+v: %q, want %q", *c.req.Similar, got, c.want)
			}
		}
	})
	all := find(t, d.e, &Request{Indexes: []string{"store"}, Similar: &Similar{ID: "1"}})
	var paged []string
	req := Request{Indexes: []string{"store"}, Similar: &Similar{ID: "1"}, Limit: 1}
	for range 10 {
		res := find(t, d.e, &req)
		paged = append(paged, strings.Fields(idsOf(res))...)
		if req.After = res.Next; res.Next == nil {
			break
		}
	}
	if strings.Join(paged, " ") != idsOf(all) {
		t.Errorf("by pages %v, in one %q", paged, idsOf(all))
	}
	for _, c := range []struct {
		req      Request
		code, at string
	}{
		{Request{Similar: &Similar{ID: "nope"}}, CodeRecordNotFound, "/similar/id"},
		{Request{Similar: &Similar{ID: "4"}, Restrict: []string{"tenant = 1"}, Indexes: []string{"store"}}, CodeRecordNotFound, "/similar/id"},
		{Request{Similar: &Similar{ID: "1", Index: "more"}, Indexes: []string{"store"}}, CodeInvalidRequest, "/similar/index"},
		{Request{Similar: &Similar{ID: "1"}, Query: "red"}, CodeInvalidRequest, "/similar"},
	} {
		_, err := d.e.Search(context.Background(), &c.req)
		wantProblem(t, err, c.code, c.at)
	}
}

// TestSuggestedTitles: what no query can be is not suggested, and does not keep others from it; and
// titles are found among many that hold the other words, in any segments, whatever others hold.
func TestSuggestedTitles(t *testing.T) {
	e := newEngine(t, &Options{NoMerge: true})
	s := titleAndBody("en")
	create(t, e, "i", s)
	apply(t, e, puts("i", `{"id":"1","title":"zebra `+strings.Repeat("a ", 70)+`"}`, `{"id":"2","title":"Zebra lion"}`, `{"id":"3","title":"-zebra crossing"}`))
	for _, q := range []string{"zeb", "zebra", "zebra l"} {
		if got := suggested(t, e, &SuggestRequest{Query: q, Limit: 1}); got != "Zebra lion=1 title" && got != "zebra=2" {
			t.Errorf("%q: %s", q, got)
		}
	}
	if got := suggested(t, e, &SuggestRequest{Query: "zebra c"}); strings.Contains(got, "-zebra") {
		t.Errorf("an exclusion is suggested: %s", got)
	}
	b := puts("i", `{"id":"goal","title":"castle pantry","kind":1}`)
	for i := range 2 * maxBegun {
		b.Put("i", fmt.Appendf(nil, `{"id":"v%d","title":"castle %d","kind":1}`, i, i))
	}
	apply(t, e, b)
	for seg := range 4 {
		b := &Batch{}
		for i := range 50 {
			var words []string
			for n := range 100 {
				n += 100 * i
				words = append(words, fmt.Sprintf("pan%c%c%c%c", 'a'+seg, 'a'+n%26, 'a'+n/26%26, 'a'+n/676%26))
			}
			b.Put("i", fmt.Appendf(nil, `{"id":"w%d-%d","title":"w","body":%q,"kind":2}`, seg, i, strings.Join(words, " ")))
		}
		apply(t, e, b)
		if err := e.Flush(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 {
		for _, restrict := range [][]string{nil, {"kind = 1"}} {
			if got := suggested(t, e, &SuggestRequest{Query: "castle pan", Restrict: restrict}); !strings.HasPrefix(got, "castle pantry=1 title") {
				t.Errorf("restricted to %q: %s", restrict, got)
			}
		}
		if err := e.Merge(context.Background(), "i"); err != nil {
			t.Fatal(err)
		}
	}
}

// TestSuggestedTitlesWithoutSpaces: where no spaces stand, titles that begin with what was typed, or
// have it, are suggested, whichever characters write it, and no pairs of characters.
func TestSuggestedTitlesWithoutSpaces(t *testing.T) {
	e := newEngine(t, nil)
	create(t, e, "zh", titleAndBody("zh"))
	create(t, e, "ja", titleAndBody("ja"))
	create(t, e, "ko", titleAndBody("ko"))
	apply(t, e, puts("zh", `{"id":"1","title":"华为手机Mate 60 Pro"}`, `{"id":"2","title":"小米手机 14"}`, `{"id":"3","title":"红色跑步鞋 轻便"}`,
		`{"id":"4","title":"无线蓝牙耳机"}`, `{"id":"5","title":"不锈钢保温杯"}`, `{"id":"6","title":"iPhone 手机壳"}`))
	b := puts("ja", `{"id":"1","title":"東京タワーの歴史"}`, `{"id":"2","title":"東京スカイツリー ガイド"}`, `{"id":"3","title":"京都の寺"}`)
	for i := range 2 * maxBegun {
		b.Put("ja", fmt.Appendf(nil, `{"id":"b%d","title":"東京","body":"タワー"}`, i))
	}
	apply(t, e, b)
	apply(t, e, puts("ko", `{"id":"1","title":"서울 여행 안내"}`))
	for _, c := range []struct{ index, q, want string }{
		{"zh", "华为手", "华为手机Mate 60 Pro=1 title"},
		{"zh", "华为手机Ma", "华为手机Mate 60 Pro=1 title"},
		{"zh", "华", "华为手机Mate 60 Pro=1 title"},
		{"zh", "小米手机", "小米手机 14=1 title"},
		{"zh", "红色跑", "红色跑步鞋 轻便=1 title"},
		{"zh", "跑步鞋", "红色跑步鞋 轻便=1 title"},
		{"zh", "無線", "无线蓝牙耳机=1 title"},
		{"zh", "無線藍", "无线蓝牙耳机=1 title"},
		{"zh", "不锈", "不锈钢保温杯=1 title"},
		{"zh", "iphone 手", "iPhone 手机壳=1 title"},
		{"zh", "跑鞋", ""},
		{"ja", "東京タ", "東京タワーの歴史=1 title"},
		{"ja", "東京スカイツリー ガ", "東京スカイツリー ガイド=1 title"},
		{"ko", "서울 여", "서울 여행 안내=1 title"},
	} {
		if got := suggested(t, e, &SuggestRequest{Query: c.q, Indexes: []string{c.index}}); got != c.want {
			t.Errorf("%s: %q: got %s, want %s", c.index, c.q, got, c.want)
		}
	}
}
