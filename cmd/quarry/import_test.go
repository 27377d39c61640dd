package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/quarry-search/quarry/cmd/quarry/internal/source"
	"github.com/quarry-search/quarry/engine"
)

// found searches a directory and returns total and body.
func (c *cli) found(args ...string) (total int64, body string) {
	c.t.Helper()
	body = c.must(append([]string{"search", "--json", "--limit", "1000"}, args...)...)
	var answer searchAnswer
	if err := json.Unmarshal([]byte(body), &answer); err != nil {
		c.t.Fatal(err)
	}
	return answer.Total, body
}

func packed(text string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write([]byte(text))
	z.Close()
	return b.String()
}

// The same records in all forms, into a server and into a directory.
func TestImportFormats(t *testing.T) {
	forms := map[string]string{
		"lines.ndjson": "{\"sku\":\"a\",\"title\":\"red shoes\",\"price\":10}\n{\"sku\":\"b\",\"title\":\"blue hat\",\"price\":2.5}\n",
		"array.json":   "[{\"sku\":\"a\",\n\"title\":\"red shoes\",\"price\":10}, {\"sku\":\"b\",\"title\":\"blue hat\",\"price\":2.5}]",
		"table.csv":    "sku,title,price\na,red shoes,10\nb,blue hat,2.5\n",
		"tabs.tsv":     "sku\ttitle\tprice\na\tred shoes\t10\nb\tblue hat\t2.5\n",
	}
	check := func(t *testing.T, c *cli, index string, connect ...string) {
		t.Helper()
		for query, args := range map[string][]string{
			"word":   {"shoes"},
			"filter": {"--filter", "price > 2.5"},
			"prefix": {"hat", "--filter", `title = "blue hat"`},
		} {
			if n, body := c.found(append(append(args, "--index", index), connect...)...); n != 1 {
				t.Errorf("%s: %d records by %s: %s", index, n, query, body)
			}
		}
		if out := c.must(append([]string{"indexes", "show", index, "--json"}, connect...)...); !strings.Contains(out, `"primary_key":"sku"`) {
			t.Errorf("%s: the id field is not sku: %s", index, out)
		}
	}
	t.Run("server", func(t *testing.T) {
		c := newCLI(t)
		c.clientEnv(c.start(serveArgs...))
		for name, text := range forms {
			index, format, _ := strings.Cut(name, ".")
			if out := c.must("import", c.write(name, text)); !strings.HasPrefix(out, "imported 2 records from "+name) {
				t.Errorf("%s: %q", name, out)
			}
			check(t, c, index)
			c.must("import", c.write("packed-"+name+".gz", packed(text)))
			check(t, c, "packed-"+index)
			c.stdin = text
			c.must("import", "-", "--index", "in-"+index, "--format", format)
			check(t, c, "in-"+index)
		}
	})
	t.Run("directory", func(t *testing.T) {
		c := newCLI(t)
		c.env["QUARRY_DATA"] = "d" // which is not there yet
		var files []string
		for name, text := range forms {
			files = append(files, c.write(name, text))
		}
		c.must(append([]string{"import"}, files...)...)
		for _, name := range files {
			check(t, c, strings.Split(name, ".")[0])
		}
		c.must("check", "--data", "d")
	})
}

// directory makes an empty data directory and works on it.
func directory(t *testing.T) *cli {
	c := newCLI(t)
	if err := os.Mkdir("d", 0o700); err != nil {
		t.Fatal(err)
	}
	c.env["QUARRY_DATA"] = "d"
	return c
}

func TestImportBadLines(t *testing.T) {
	cases := []struct{ name, text, says string }{
		{"a.ndjson", "{\"id\":1}\n\nhello\n", "quarry: a.ndjson:3: the line is not a JSON object\n"},
		{"a.ndjson", "{\"id\":1}\n\n{\"id\":2,}\n", "quarry: a.ndjson:3: "},
		{"a.ndjson", "{\"id\":1}\n{\"id\":2,\"id\":3}\n", "quarry: a.ndjson:2: "},
		{"a.json", "[{\"id\":1},\n5]", "quarry: a.json:2: an element of the array is not a JSON object\n"},
		{"a.csv", "id,n\n1,2\n3\n", "quarry: a.csv:3: 1 columns; the header has 2\n"},
		{"a.ndjson.gz", packed("{\"id\":1}\n{\"id\":[2]}\n"), "quarry: a.ndjson.gz:2: "},
		{"a.ndjson", "{\"id\":1,\"d\":\"2026-01-02\"}\n{\"id\":\"\\u0000\"}\n", "quarry: a.ndjson:2: "},
	}
	for _, tc := range cases {
		t.Run(tc.name+" "+tc.says, func(t *testing.T) {
			c := directory(t)
			code, stdout, stderr := c.run("import", c.write(tc.name, tc.text))
			lines := strings.SplitAfter(stderr, "\n")
			if last := lines[len(lines)-2]; code != exitFailed || stdout != "" || !strings.HasPrefix(last, tc.says) {
				t.Errorf("exit code %d, %q, error %q, want %q", code, stdout, stderr, tc.says)
			}
			if out := c.must("indexes", "list", "--json"); strings.Contains(out, `"records":1`) {
				t.Errorf("a record of the batch with the bad line is kept: %s", out)
			}
		})
	}
}

// A type that does not fit an index is found by the server, in the second
// batch; what came before is kept and the import can go on.
func TestImportResume(t *testing.T) {
	c := directory(t)
	var lines []string
	for i := range 400 {
		lines = append(lines, fmt.Sprintf(`{"id":%d,"n":%d,"t":"some words to fill a line of record %d"}`, i, i, i))
	}
	good := strings.Join(lines, "\n") + "\n"
	bad := strings.Join(lines[:300], "\n") + "\n{\"id\":300,\"n\":\"three hundred\"}\n" + strings.Join(lines[301:], "\n") + "\n"
	c.write("big.ndjson", bad)
	stdout, stderr, err := importInBatches(c, "big.ndjson", 4000, false)
	var at *source.LineError
	if !errors.As(err, &at) || at.Line != 301 || stdout != "" {
		t.Fatalf("error %v, want one about line 301; output %q", err, stdout)
	}
	if !strings.Contains(stderr, "--resume goes on behind them") {
		t.Errorf("no hint how to go on: %q", stderr)
	}
	stored, _ := c.found("--index", "big")
	if stored < 100 || stored == 400 {
		t.Errorf("%d records are stored, want the batches before the one with the bad line", stored)
	}
	var state journalState
	text, err := os.ReadFile("big.ndjson" + journalEnding)
	if err != nil || json.Unmarshal(text, &state) != nil || state.Records < 100 || state.Records > stored {
		t.Fatalf("journal %q (error %v) beside %d records", text, err, stored)
	}

	c.write("big.ndjson", strings.Replace(bad, "words", "other", 1))
	if _, _, err := importInBatches(c, "big.ndjson", 4000, true); err == nil || !strings.Contains(err.Error(), "has changed in the part") {
		t.Errorf("resumed a file that has changed: %v", err)
	}
	c.write("big.ndjson", good)
	stdout, _, err = importInBatches(c, "big.ndjson", 4000, true)
	if err != nil || !strings.HasPrefix(stdout, fmt.Sprintf("imported %d records", 400-state.Records)) {
		t.Errorf("resumed behind %d: %q, error %v", state.Records, stdout, err)
	}
	if n, _ := c.found("--index", "big"); n != 400 {
		t.Errorf("%d records after all, want 400", n)
	}
	if _, err := os.Stat("big.ndjson" + journalEnding); err == nil {
		t.Error("the journal is still there")
	}
	if code, _, stderr := c.run("import", "big.ndjson", "--resume"); code != exitFailed || !strings.Contains(stderr, "import without --resume") {
		t.Errorf("resumed without a journal: exit code %d, %q", code, stderr)
	}
	if code, _, _ := c.run("import", "-", "--index", "x", "--resume"); code != exitUsage {
		t.Errorf("resumed standard input: exit code %d", code)
	}
}

// importInBatches imports a file into directory d with small batches.
func importInBatches(c *cli, name string, most int, resume bool) (stdout, stderr string, err error) {
	c.t.Helper()
	cl, err := openDirectory("d", false)
	if err != nil {
		c.t.Fatal(err)
	}
	var out, log bytes.Buffer
	i := importer{p: c.program(&out, &log), c: cl, o: &importOptions{resume: resume}, name: name, most: most}
	err = i.run(c.t.Context())
	if closeErr := cl.close(); closeErr != nil {
		c.t.Fatal(closeErr)
	}
	return out.String(), log.String(), err
}

// Batches overtake each other on the way, but of records with the same id the
// last one stays.
func TestImportLastRecordStays(t *testing.T) {
	c := directory(t)
	seed := uint64(7)
	r := rand.New(rand.NewPCG(seed, 0))
	last := map[int]int{}
	var b strings.Builder
	for i := range 2000 {
		id := r.IntN(150)
		last[id] = i
		fmt.Fprintf(&b, "{\"n\":%d,\"id\":%d}\n", i, id)
	}
	c.write("again.ndjson", b.String())
	if _, _, err := importInBatches(c, "again.ndjson", 300, false); err != nil {
		t.Fatal(err)
	}
	total, body := c.found("--index", "again")
	if int(total) != len(last) {
		t.Errorf("seed %d: %d records, want %d", seed, total, len(last))
	}
	for id, n := range last {
		if !strings.Contains(body, fmt.Sprintf(`{"n":%d,"id":%d}`, n, id)) {
			t.Errorf("seed %d: the last record %d, of line %d, is not there", seed, id, n+1)
		}
	}
}

func TestImportWithoutIDs(t *testing.T) {
	c := directory(t)
	c.write("log.ndjson", strings.Repeat("{\"text\":\"the same each time\"}\n", 50))
	if _, _, err := importInBatches(c, "log.ndjson", 200, false); err != nil {
		t.Fatal(err)
	}
	if n, _ := c.found("--index", "log"); n != 50 {
		t.Errorf("%d records, want 50", n)
	}
}

// A column of whole numbers becomes one of numbers when the first comes that is
// not whole, far behind the sample.
func TestImportNumbersWiden(t *testing.T) {
	c := directory(t)
	var b strings.Builder
	for i := range sampleRecords + 10 {
		fmt.Fprintf(&b, "{\"id\":%d,\"price\":%d}\n", i, i)
	}
	b.WriteString("{\"id\":9999,\"price\":0.5}\n")
	c.must("import", c.write("prices.ndjson", b.String()))
	if n, body := c.found("--filter", "price = 0.5"); n != 1 {
		t.Errorf("%d records with the price 0.5: %s", n, body)
	}
}

func TestImportIntoExistingIndex(t *testing.T) {
	c := directory(t)
	c.must("import", c.write("one.ndjson", "{\"code\":\"a\",\"zip\":\"00123\"}\n{\"code\":\"b\",\"zip\":\"4\"}\n"), "--id", "code", "--index", "places")
	c.must("import", c.write("two.csv", "code,zip\nc,42\na,7\n"), "--index", "places")
	total, body := c.found("--index", "places")
	if total != 3 || !strings.Contains(body, `{"code":"c","zip":"42"}`) || !strings.Contains(body, `{"code":"a","zip":"7"}`) {
		t.Errorf("%d records: %s", total, body)
	}
	if code, _, stderr := c.run("import", "one.ndjson", "--index", "places", "--id", "zip"); code != exitFailed || !strings.Contains(stderr, `in the field "code"`) {
		t.Errorf("another id field: exit code %d, %q", code, stderr)
	}
}

func TestIndexFor(t *testing.T) {
	for file, want := range map[string]string{
		"products.ndjson": "products", "dir/Big File (2).json.gz": "big-file-2", "a.b.csv": "a-b", "x.tar.gz": "x-tar",
		"-": "", "....json": "", "Äpfel.json": "apfel", "Ünï.json": "uni", "A\u0308pfel.json": "apfel", "Größe ﬁne.csv": "grosse-fine",
		"产品-2024.json": "", "цены.csv": "", "prix – été.csv": "prix-ete", strings.Repeat("n", 80) + ".csv": strings.Repeat("n", 64), "data": "data",
	} {
		got := indexFor(file)
		if got != want || got != "" && !engine.ValidIndexName(got) {
			t.Errorf("indexFor(%q) = %q, want %q", file, got, want)
		}
	}
}

func TestInferKey(t *testing.T) {
	for _, c := range []struct {
		records []string
		want    string
	}{
		{[]string{`{"id":1,"x":2}`, `{"id":2}`}, "id"},
		{[]string{`{"id":1}`, `{"id":1}`}, "id"},
		{[]string{`{"_id":"a","sku":"b"}`, `{"_id":"b","sku":"c"}`}, "_id"},
		{[]string{`{"sku":"b","n":1}`, `{"sku":"c","n":1}`}, "sku"},
		{[]string{`{"sku":"b"}`, `{"sku":"b"}`}, ""},
		{[]string{`{"group_id":1,"movie_id":1}`, `{"group_id":1,"movie_id":2}`}, "movie_id"},
		{[]string{`{"movieId":1}`, `{"movieId":2}`}, "movieId"},
		{[]string{`{"id":1}`, `{"name":"x"}`}, ""},
		{[]string{`{"id":1.5}`}, ""}, {[]string{`{"id":null}`}, ""}, {[]string{`{"id":""}`}, ""}, {[]string{`{"id":{"a":1}}`}, ""},
		{nil, ""},
	} {
		var sample []source.Record
		for _, r := range c.records {
			sample = append(sample, source.Record{JSON: []byte(r)})
		}
		if got := inferKey(sample); got != c.want {
			t.Errorf("inferKey(%s) = %q, want %q", c.records, got, c.want)
		}
	}
}

// memberValue finds what encoding/json finds.
func TestMemberValue(t *testing.T) {
	for _, object := range []string{
		`{"id":1}`, ` { "a" : [1,{"id":3}] , "id" : "x,}\"" }`, `{"a":"\\","id":{"id":[2]}}`, `{"\u0069d":7}`, `{}`, `{"a":"}"}`, `{"a":{"id":1},"b":[]}`,
	} {
		var want map[string]json.RawMessage
		if err := json.Unmarshal([]byte(object), &want); err != nil {
			t.Fatal(err)
		}
		if got := memberValue([]byte(object), "id"); string(got) != string(want["id"]) {
			t.Errorf("memberValue(%s) = %s, want %s", object, got, want["id"])
		}
		if got := memberNames([]byte(object)); len(got) != len(want) {
			t.Errorf("memberNames(%s) = %q", object, got)
		}
	}
}

func FuzzMemberValue(f *testing.F) {
	f.Add([]byte(`{"id":1}`), "id")
	f.Add([]byte(`{"a":"\\\"","b":[{}],"id":{"x":"]"}}`), "id")
	f.Add([]byte(`{"a":"`), "a")
	f.Fuzz(func(t *testing.T, object []byte, name string) {
		got := memberValue(object, name) // must not panic
		var want map[string]json.RawMessage
		if bytes.IndexByte(object, '\\') >= 0 || json.Unmarshal(object, &want) != nil || want == nil || len(memberNames(object)) != len(want) {
			return // not an object, or with names that come twice
		}
		if string(got) != string(want[name]) {
			t.Fatalf("memberValue(%q, %q) = %q, want %q", object, name, got, want[name])
		}
	})
}

// TestImportBreaksOff: an import that waits for its input ends when it is told to.
func TestImportBreaksOff(t *testing.T) {
	c := newCLI(t)
	ctx, cancel := context.WithCancel(t.Context())
	var out, stderr bytes.Buffer
	p := c.program(&out, &stderr)
	silent, end := io.Pipe()
	t.Cleanup(func() { end.Close() })
	p.stdin = silent
	code := make(chan int)
	go func() { code <- p.run(ctx, []string{"import", "-", "--index", "products", "--data", "d"}) }()
	if _, err := end.Write([]byte(`{"id":"1"}` + "\n")); err != nil { // it reads
		t.Fatal(err)
	}
	cancel()
	select {
	case code := <-code:
		if code != exitFailed || stderr.String() != "quarry: interrupted\n" {
			t.Errorf("exit code %d, %q", code, &stderr)
		}
	case <-time.After(30 * time.Second):
		t.Fatal("it still waits for input")
	}
}

// TestImportFindsTheLanguage: an import says which language it takes the texts for, and what is
// known of its words holds at once; in a server, too.
func TestImportFindsTheLanguage(t *testing.T) {
	var text strings.Builder
	for i := range 20 {
		fmt.Fprintf(&text, "{\"id\":\"%d\",\"titulo\":\"Una computadora para la casa y los niños que no saben qué hacer con ella, número %d\"}\n", i, i)
	}
	check := func(c *cli) {
		t.Helper()
		c.must("import", c.write("tienda.ndjson", text.String()))
		if out := c.must("indexes", "show", "tienda", "--json"); !strings.Contains(out, `"language":"es"`) {
			t.Errorf("the language is not es: %s", out)
		}
		if n, body := c.found("ordenadores", "--index", "tienda"); n != 20 {
			t.Errorf("%d records: %s", n, body)
		}
		// Who knows better says so, before there is an index.
		if code, _, told := c.run("import", c.write("negozio.ndjson", text.String()), "--language", "none"); code != 0 || !strings.Contains(told, "in the language none\n") {
			t.Errorf("--language none: %d, %s", code, told)
		}
		if out := c.must("indexes", "show", "negozio", "--json"); !strings.Contains(out, `"language":"none"`) {
			t.Errorf("the language is not none: %s", out)
		}
		if code, _, told := c.run("import", c.write("tienda.ndjson", text.String()), "--language", "fr"); code == 0 || !strings.Contains(told, `index "tienda" has its texts in the language es, not in fr`) {
			t.Errorf("another language for an index that is there: %d, %s", code, told)
		}
		if code, _, told := c.run("import", c.write("other.ndjson", text.String()), "--language", "klingon"); code == 0 || !strings.Contains(told, "klingon") {
			t.Errorf("a language that is none: %d, %s", code, told)
		}
	}
	check(directory(t))
	c := newCLI(t)
	c.clientEnv(c.start(serveArgs...))
	check(c)
}
