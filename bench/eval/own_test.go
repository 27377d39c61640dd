package eval

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestReadJudgments(t *testing.T) {
	want := []Judgment{{Query: "red shoes", Document: "sku-1", Grade: 2}, {Query: "red shoes", Document: "sku-2"}, {Query: "hat, green", Document: "7", Grade: 1}}
	for name, text := range map[string]string{
		"a.tsv":    "red shoes\tsku-1\t2\nred shoes\tsku-2\t0\r\nhat, green\t7\n",
		"b.tsv":    "\xef\xbb\xbfquery\trecord\tgrade\n\nred shoes\t sku-1 \t2\nred shoes\tsku-2\t0\nhat, green\t7\t1\n",
		"c.txt":    "what was asked\tanswer\thow good\nred shoes\tsku-1\t2\nred shoes\tsku-2\t0\nhat, green\t7\n",
		"d.csv":    "Query,Record,Grade\nred shoes,sku-1,2\nred shoes,sku-2,0\n\"hat, green\",7,1\n",
		"e.jsonl":  `{"query":"red shoes","id":"sku-1","grade":2}` + "\n" + `{"query":"red shoes","id":"sku-2","grade":0}` + "\n" + `{"query":"hat, green","id":7}` + "\n",
		"f.csv.gz": "red shoes,sku-1,2\nred shoes,sku-2,0\n\"hat, green\",7\n",
	} {
		got, err := ReadJudgments(filepath.Join(folder(t, map[string]string{name: text}), name))
		for i := range got {
			if !strings.HasPrefix(got[i].Place, name+":") {
				t.Errorf("%s: place %q", name, got[i].Place)
			}
			got[i].Place = ""
		}
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%s: error %v\n%s", name, err, diff)
		}
	}
}

func TestReadBadJudgments(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"a.tsv", "red shoes sku-1 2\n", "a.tsv:1: 1 columns, want 3 with tabs between: query, record id and grade"},
		{"a.tsv", "shoes\tsku-1\t2\nshoes\tsku-2\tgood\n", `a.tsv:2: grade "good" is no whole number`},
		{"a.tsv", "shoes\tsku-1\t\n", `a.tsv:1: grade "" is no whole number`},
		{"a.tsv", "query\tid\tgrade\n", "a.tsv: no judgments"},
		{"a.csv", "shoes,sku-1,2\n\"shoes,sku-2\n", `a.csv:2: column`},
		{"a.jsonl", `{"query":"shoes","id":"a"}` + "\n" + `{"query":"shoes"}`, `a.jsonl:2: "id" is not the id`},
		{"a.jsonl", `{"query":"shoes","record":"a"}`, `a.jsonl:1: a judgment has query, id and grade, and no "record"`},
		{"a.jsonl", `{"query":"shoes","id":"a","grade":1.5}`, `a.jsonl:1: "grade" 1.5 is no whole number`},
		{"a.jsonl", `{"query":`, "a.jsonl:1: "},
	} {
		_, err := ReadJudgments(filepath.Join(folder(t, map[string]string{c.name: c.text}), c.name))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: error %v, want %q", c.text, err, c.want)
		}
	}
}

func TestNew(t *testing.T) {
	docs := DocumentsOf(Document{"a", json.RawMessage(`{"id":"a"}`)}, Document{"b", json.RawMessage(`{"id":"b"}`)})
	c, err := New("own", docs, []Judgment{{Query: "two ", Document: "b", Grade: 2}, {Query: "one", Document: "a", Grade: 1}, {Query: "two", Document: "a"}, {Query: "one", Document: "a", Grade: 1}})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]Query{{"1", "two"}, {"2", "one"}}, c.Queries); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(Judgments{"1": {"b": 2, "a": 0}, "2": {"a": 1}}, c.Judgments); diff != "" {
		t.Error(diff)
	}
	for range 2 {
		got, err := records(c)
		if diff := cmp.Diff([]string{`a {"id":"a"}`, `b {"id":"b"}`}, got); err != nil || diff != "" {
			t.Errorf("error %v\n%s", err, diff)
		}
	}
	for range c.Documents() {
		break
	}
	for want, list := range map[string][]Judgment{
		"j.tsv:2: a judgment needs": {{Query: " ", Document: "a", Place: "j.tsv:2"}},
		`j.tsv:3: record "a" is judged 2 for "q", and another judgment says 0`: {{Query: "q", Document: "a", Place: "j.tsv:1"}, {Query: "q", Document: "a", Grade: 2, Place: "j.tsv:3"}},
	} {
		if _, err := New("own", docs, list); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

func TestWriteQueries(t *testing.T) {
	c, err := New("own", DocumentsOf(), []Judgment{{Query: "good", Document: "a", Grade: 1}, {Query: "bad", Document: "b", Grade: 1}})
	if err != nil {
		t.Fatal(err)
	}
	r, err := EvaluateRun(c, Run{"1": {{ID: "a"}}, "2": {{ID: "a"}, {ID: "b"}}}, &EvaluateOptions{Measures: []Measure{{Kind: MRR}}})
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := r.WriteQueries(&out); err != nil {
		t.Fatal(err)
	}
	want := "     MRR  relevant  found  query of own\n  0.5000         1      2  2  bad\n  1.0000         1      1  1  good\n"
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Error(diff)
	}
}
