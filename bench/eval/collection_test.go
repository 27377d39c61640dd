package eval

import (
	"bytes"
	"compress/gzip"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// folder writes files into a new folder; those whose names end in .gz are packed.
func folder(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		data := []byte(text)
		if strings.HasSuffix(name, ".gz") {
			var b bytes.Buffer
			z := gzip.NewWriter(&b)
			z.Write(data)
			z.Close()
			data = b.Bytes()
		}
		if err := os.WriteFile(path, data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// records reads all documents, as "id record".
func records(c *Collection) (out []string, err error) {
	for d, err := range c.Documents() {
		if err != nil {
			return out, err
		}
		out = append(out, d.ID+" "+string(d.Record))
	}
	return out, nil
}

func beir() map[string]string {
	return map[string]string{
		"corpus.jsonl":       `{"_id":"d1","title":"One","price":4995}` + "\n\n" + `{"text":"two","_id":"d2"}` + "\n",
		"queries.jsonl":      `{"_id":"q1","text":"first"}` + "\n" + `{"_id":"q2","text":"second"}`,
		"queries-typo.jsonl": `{"_id":"q2","text":"secnod","clean":"second"}`,
		"qrels.tsv":          "query-id\tcorpus-id\tscore\nq1\td1\t2\nq1\td2\t-1\r\nq2\td1\t0\nq1\td1\t1\n",
	}
}

func TestOpenBEIR(t *testing.T) {
	files := beir()
	plain := folder(t, files)
	files["corpus.jsonl.gz"] = files["corpus.jsonl"]
	delete(files, "corpus.jsonl")
	packed := folder(t, files)
	for _, dir := range []string{plain, packed} {
		c, err := Open(dir, nil)
		if err != nil {
			t.Fatal(err)
		}
		if c.Name != filepath.Base(dir) {
			t.Errorf("name %q, want %q", c.Name, filepath.Base(dir))
		}
		if diff := cmp.Diff([]Query{{"q1", "first"}, {"q2", "second"}}, c.Queries); diff != "" {
			t.Error(diff)
		}
		want := Judgments{"q1": {"d1": 2, "d2": -1}, "q2": {"d1": 0}}
		if diff := cmp.Diff(want, c.Judgments); diff != "" {
			t.Error(diff)
		}
		if c.Judgments.Relevant("q1") != 1 || c.Judgments.Relevant("q2") != 0 || c.Judgments.Relevant("q3") != 0 {
			t.Error("relevant counts differ from 1, 0, 0")
		}
		for range 2 { // the stream can be had again
			got, err := records(c)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff([]string{`d1 {"_id":"d1","title":"One","price":4995}`, `d2 {"text":"two","_id":"d2"}`}, got); diff != "" {
				t.Error(diff)
			}
		}
		for range c.Documents() {
			break // and be left early
		}
	}
}

func TestOpenReadsOtherQueries(t *testing.T) {
	dir := folder(t, beir())
	for _, name := range []string{"queries-typo.jsonl", filepath.Join(dir, "queries-typo.jsonl")} {
		c, err := Open(dir, &OpenOptions{Queries: name})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]Query{{"q2", "secnod"}}, c.Queries); diff != "" {
			t.Error(diff)
		}
	}
	if _, err := Open(dir, &OpenOptions{Queries: "absent.jsonl"}); !errors.Is(err, ErrNoCollection) {
		t.Errorf("absent query file: %v, want ErrNoCollection", err)
	}
}

// Published collections have a folder of judgments, one file a split.
func TestOpenBEIRSplits(t *testing.T) {
	qrels := func(grade string) string { return "query-id\tcorpus-id\tscore\nq1\td1\t" + grade + "\n" }
	for _, test := range []struct {
		files map[string]string
		split string
		grade int    // of d1 for q1
		err   string // in place of it
	}{
		{map[string]string{"qrels/test.tsv": qrels("3"), "qrels/dev.tsv": qrels("4")}, "", 3, ""},
		{map[string]string{"qrels/test.tsv": qrels("3"), "qrels/dev.tsv": qrels("4")}, "dev", 4, ""},
		{map[string]string{"qrels/dev.tsv": qrels("4")}, "", 4, ""},
		{map[string]string{"qrels.tsv": qrels("2"), "qrels/test.tsv": qrels("3")}, "", 2, ""},
		{map[string]string{"qrels.tsv": qrels("2"), "qrels/test.tsv": qrels("3")}, "test", 3, ""},
		{map[string]string{"qrels/dev.tsv": qrels("4"), "qrels/train.tsv": qrels("5")}, "", 0, "several splits, of which none is the test: dev, train"},
		{map[string]string{"qrels/dev.tsv": qrels("4"), "qrels/train.tsv": qrels("5")}, "test", 0, `no split "test"; there is dev, train`},
		{map[string]string{"qrels.tsv": qrels("2")}, "dev", 0, `no split "dev", and no other`},
		{nil, "", 0, "no qrels.tsv, and no qrels"},
	} {
		files := beir()
		delete(files, "qrels.tsv")
		maps.Copy(files, test.files)
		c, err := Open(folder(t, files), &OpenOptions{Split: test.split})
		switch {
		case test.err != "":
			if !errors.Is(err, ErrNoCollection) || !strings.Contains(err.Error(), test.err) {
				t.Errorf("%v, split %q: %v, want %q", slices.Sorted(maps.Keys(test.files)), test.split, err, test.err)
			}
		case err != nil:
			t.Errorf("%v, split %q: %v", slices.Sorted(maps.Keys(test.files)), test.split, err)
		case c.Judgments["q1"]["d1"] != test.grade:
			t.Errorf("%v, split %q: judgments %v, want a grade of %d", slices.Sorted(maps.Keys(test.files)), test.split, c.Judgments, test.grade)
		}
	}
	odd := filepath.Join(t.TempDir(), "odd[1]*")
	files := beir()
	delete(files, "qrels.tsv")
	files["qrels/dev.tsv"] = qrels("4")
	if err := os.Rename(folder(t, files), odd); err != nil {
		t.Fatal(err)
	}
	if c, err := Open(odd, nil); err != nil || c.Judgments["q1"]["d1"] != 4 {
		t.Errorf("in a folder with an odd name: %v", err)
	}
	trec := folder(t, map[string]string{"topics": "<top>\n<num> Number: 1\n<title> one\n</top>\n", "qrels": "1 0 a 1\n", "docs": "<DOC>\n<DOCNO>a</DOCNO>\n</DOC>\n"})
	if _, err := Open(trec, &OpenOptions{Split: "dev"}); !errors.Is(err, ErrNoCollection) || !strings.Contains(err.Error(), "only collections in BEIR layout have splits") {
		t.Errorf("a split of a collection of TREC: %v", err)
	}
}

func TestOpenBEIRErrorsNameFileAndLine(t *testing.T) {
	for _, test := range []struct{ file, text, want string }{
		{"corpus.jsonl", `{"_id":"a"}` + "\n{", "corpus.jsonl:2: unexpected end"},
		{"corpus.jsonl", `{"id":"a"}`, `corpus.jsonl:1: document without "_id"`},
		{"corpus.jsonl", `{"_id":7}`, "corpus.jsonl:1: json: cannot unmarshal number"},
		{"corpus.jsonl", `["_id"]`, "corpus.jsonl:1: json: cannot unmarshal array"},
		{"queries.jsonl", `{"_id":"q"}` + "\n\n" + `{"_id":"q"}`, `queries.jsonl:3: query "q" occurs twice`},
		{"queries.jsonl", `{"text":"q"}`, `queries.jsonl:1: query without "_id"`},
		{"qrels.tsv", "a\tb\tscore\nq1\td1\thigh", `qrels.tsv:2: score "high" is not an integer`},
		{"qrels.tsv", "q1 d1 1", "qrels.tsv:1: 1 columns"},
		{"qrels.tsv", "q1\t0\td1\t1", "qrels.tsv:1: 4 columns"},
	} {
		files := beir()
		files[test.file] = test.text
		c, err := Open(folder(t, files), nil)
		if err == nil {
			_, err = records(c)
		}
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s with %q: %v, want %q", test.file, test.text, err, test.want)
		}
	}
	for _, name := range []string{"queries.jsonl", "qrels.tsv"} {
		files := beir()
		delete(files, name)
		if _, err := Open(folder(t, files), nil); !errors.Is(err, ErrNoCollection) {
			t.Errorf("without %s: %v, want ErrNoCollection", name, err)
		}
	}
	files := beir()
	files["corpus.jsonl.gz"] = files["corpus.jsonl"]
	delete(files, "corpus.jsonl")
	dir := folder(t, files)
	path := filepath.Join(dir, "corpus.jsonl.gz")
	if err := os.Truncate(path, 40); err != nil {
		t.Fatal(err)
	}
	c, err := Open(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := records(c); err == nil || !strings.Contains(err.Error(), "corpus.jsonl.gz") {
		t.Errorf("cut gzip file: %v, want an error with its name", err)
	}
}

// TestCollectionsOnDisk opens every collection that the environment offers and
// checks that the judged documents exist.
func TestCollectionsOnDisk(t *testing.T) {
	root := os.Getenv("QUARRY_COLLECTIONS")
	if root == "" {
		t.Skip("QUARRY_COLLECTIONS names no folder of collections")
	}
	found, err := filepath.Glob(filepath.Join(root, "*", "qrels.tsv"))
	if err != nil || len(found) == 0 {
		t.Fatalf("no collection in %s: %v", root, err)
	}
	for _, path := range found {
		t.Run(filepath.Base(filepath.Dir(path)), func(t *testing.T) {
			c, err := Open(filepath.Dir(path), nil)
			if err != nil {
				t.Fatal(err)
			}
			have := map[string]bool{}
			for d, err := range c.Documents() {
				if err != nil {
					t.Fatal(err)
				}
				have[d.ID] = true
			}
			for q, docs := range c.Judgments {
				for id := range docs {
					if !have[id] {
						t.Fatalf("query %s: judged document %s is not in the corpus of %d", q, id, len(have))
					}
				}
			}
		})
	}
}
