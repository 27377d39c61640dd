package source

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// readAll reads an input to its end.
func readAll(t *testing.T, in string, o Options) (records []string, lines []int, err error) {
	t.Helper()
	r, err := Open(strings.NewReader(in), o)
	if err != nil {
		return nil, nil, err
	}
	for {
		record, err := r.Next()
		if err == io.EOF {
			return records, lines, nil
		}
		if err != nil {
			return records, lines, err
		}
		records = append(records, string(record.JSON))
		lines = append(lines, record.Line)
	}
}

func TestRead(t *testing.T) {
	cases := []struct {
		name, in string
		o        Options
		records  []string
		lines    []int
	}{
		{"ndjson", "{\"a\":1}\n\n  {\"a\":2}\r\n{\"a\":3}", Options{}, []string{`{"a":1}`, `{"a":2}`, `{"a":3}`}, []int{1, 3, 4}},
		{"byte order mark", "\ufeff{\"a\":1}\n", Options{}, []string{`{"a":1}`}, []int{1}},
		{"empty file", "", Options{Name: "x.ndjson"}, nil, nil},
		{"array on lines", "[\n {\"a\": 1},\n {\"a\":\n  [2, \"x y\"]}\n]\n", Options{}, []string{`{"a":1}`, `{"a":[2,"x y"]}`}, []int{2, 3}},
		{"array on one line", `[{"a":1},{"a":2}]`, Options{}, []string{`{"a":1}`, `{"a":2}`}, []int{1, 1}},
		{"empty array", " [ ] ", Options{}, nil, nil},
		{
			"csv types", "id,n,f,ok,zip,mixed\n1,10,1.5,true,00123,7\n2,-3,2,false,99999,x\n", Options{Name: "a.csv"},
			[]string{`{"id":1,"n":10,"f":1.5,"ok":true,"zip":"00123","mixed":"7"}`, `{"id":2,"n":-3,"f":2,"ok":false,"zip":"99999","mixed":"x"}`},
			[]int{2, 3},
		},
		{
			"csv quotes and empty cells", "id,text,n\na,\"two\nlines, \"\"quoted\"\"\",\nb,,4\n", Options{Name: "a.csv"},
			[]string{`{"id":"a","text":"two\nlines, \"quoted\""}`, `{"id":"b","n":4}`}, []int{2, 4},
		},
		{
			"csv columns of an index", "id,n,code\n1,x,2\n", Options{Name: "a.csv", Columns: map[string]Column{"id": Text, "n": Number, "code": Text}},
			[]string{`{"id":"1","n":"x","code":"2"}`}, []int{2},
		},
		{"tsv", "id\tname\n1\ta,b\n", Options{Name: "x.tsv"}, []string{`{"id":1,"name":"a,b"}`}, []int{2}},
		{
			"tsv has no quotes", "id\tname\n1\t24\" \"wide\" screen\n\n2\t\"x\"\r\n3\t\"\n", Options{Name: "x.tsv"},
			[]string{`{"id":1,"name":"24\" \"wide\" screen"}`, `{"id":2,"name":"\"x\""}`, `{"id":3,"name":"\""}`}, []int{2, 4, 5},
		},
		{
			"csv with tabs", "id\ttext;s\tn\n1\t\"a,\n\tb\"\t2\n", Options{Name: "x.csv"},
			[]string{`{"id":1,"text;s":"a,\n\tb","n":2}`}, []int{2},
		},
		{"csv with tabs from a stream", "id\tn\r\n1\t2\r\n", Options{Name: "-"}, []string{`{"id":1,"n":2}`}, []int{2}},
		{"csv with a tab in a name", "id,a\tb\n1,2\n", Options{Name: "x.csv"}, []string{`{"id":1,"a\tb":2}`}, []int{2}},
		{"csv with ids of any form", "id,n\n1.10,1\n2.5,2\n", Options{Name: "x.csv"}, []string{`{"id":"1.10","n":1}`, `{"id":"2.5","n":2}`}, []int{2, 3}},
		{"csv with ids that are no numbers", "sku,n\ntrue,1\nfalse,2\n", Options{Name: "x.csv", ID: "sku"}, []string{`{"sku":"true","n":1}`, `{"sku":"false","n":2}`}, []int{2, 3}},
		{"csv of a spreadsheet", "id,b, n \n1,TRUE, 5\n2,False,  \n", Options{Name: "x.csv"}, []string{`{"id":1,"b":true,"n":5}`, `{"id":2,"b":false}`}, []int{2, 3}},
		{"csv with a large number", "n\n9223372036854775808\n", Options{Name: "x.csv"}, []string{`{"n":"9223372036854775808"}`}, []int{2}},
		{"csv with semicolons", "id;text;n\n1;a,b;2\n", Options{Name: "x.csv"}, []string{`{"id":1,"text":"a,b","n":2}`}, []int{2}},
		{"csv with a semicolon in a name", "id,a;b\n1,2\n", Options{Name: "x.csv"}, []string{`{"id":1,"a;b":2}`}, []int{2}},
		{"csv without rows", "a,b\n", Options{Name: "x.csv"}, nil, nil},
		{"csv from a stream", "a,b\n1,2\n", Options{Name: "-"}, []string{`{"a":1,"b":2}`}, []int{2}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			records, lines, err := readAll(t, c.in, c.o)
			if err != nil {
				t.Fatalf("%q: %v", c.in, err)
			}
			if d := cmp.Diff(c.records, records); d != "" {
				t.Errorf("%q: records (-want +got):\n%s", c.in, d)
			}
			if d := cmp.Diff(c.lines, lines); d != "" {
				t.Errorf("%q: lines (-want +got):\n%s", c.in, d)
			}
			var packed bytes.Buffer
			z := gzip.NewWriter(&packed)
			io.WriteString(z, c.in)
			z.Close()
			unpacked, _, err := readAll(t, packed.String(), c.o)
			if err != nil || !cmp.Equal(unpacked, records) {
				t.Errorf("%q packed: %q, %v", c.in, unpacked, err)
			}
		})
	}
}

func TestBadPlaces(t *testing.T) {
	cases := []struct {
		name, in string
		o        Options
		good     int // records before the bad place
		line     int
		reason   string
	}{
		{"ndjson line", "{\"a\":1}\nhello\n", Options{}, 1, 2, "the line is not a JSON object"},
		{"ndjson array line", "{\"a\":1}\n[1]\n", Options{}, 1, 2, "the line is an array, not a JSON object"},
		{"ndjson split object", "{\"a\":\n1}\n", Options{}, 0, 1, "the JSON object does not end on its line"},
		{"ndjson too long", "{\"a\":\"" + strings.Repeat("x", 300<<10) + "\"}\n", Options{MaxRecord: 100 << 10}, 0, 1, "the record is longer than 102400 bytes"},
		{"array element", "[{\"a\":1},\n5]", Options{}, 1, 2, "an element of the array is not a JSON object"},
		{"array syntax", "[{\"a\":1},\n\n{\"a\" 2}]", Options{}, 1, 3, "malformed JSON"},
		{"array cut off", "[{\"a\":1},\n{\"a\":", Options{}, 1, 2, "the file ends in the middle of the array"},
		{"array and more", "[{\"a\":1}]\n{}", Options{}, 1, 2, "there is more after the end of the array"},
		{"no array", "{}", Options{Format: JSON}, 0, 1, "expected an array of JSON objects"},
		{"csv columns", "a,b\n1,2\n1,2,3\n", Options{Name: "x.csv"}, 1, 3, "3 columns; the header has 2"},
		{"csv quote", "a,b\n1,\"2\n", Options{Name: "x.csv"}, 0, 2, "quote"},
		{"csv with tabs and a quote", "a\tb\n1\t2\"\n", Options{Name: "x.csv"}, 0, 2, "--format tsv takes quotes as they stand"},
		{"tsv columns", "a\tb\n1\t2\n\n1\t2\t3\n", Options{Name: "x.tsv"}, 1, 4, "3 columns; the header has 2"},
		{"tsv too long", "a\tb\n1\t" + strings.Repeat("x", 300<<10) + "\n", Options{Name: "x.tsv", MaxRecord: 100 << 10}, 0, 2, "the record is longer than 102400 bytes"},
		{"tsv not UTF-8", "a\n\xff\n", Options{Name: "x.tsv"}, 0, 2, "a cell is not UTF-8"},
		{"csv header", "a,,c\n1,2,3\n", Options{Name: "x.csv"}, 0, 1, "the header needs a different name for each column"},
		{"csv not UTF-8", "a\n\xff\n", Options{Name: "x.csv"}, 0, 2, "a cell is not UTF-8"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if c.o.Name == "" {
				c.o.Name = "input"
			}
			records, _, err := readAll(t, c.in, c.o)
			var at *LineError
			if !errors.As(err, &at) {
				t.Fatalf("%q: error %v, want a LineError", c.in, err)
			}
			if at.Name != c.o.Name || at.Line != c.line || !strings.Contains(at.Reason, c.reason) || len(records) != c.good {
				t.Errorf("%q: %d records and %v, want %d and %s:%d: %s", c.in, len(records), err, c.good, c.o.Name, c.line, c.reason)
			}
		})
	}
}

func TestLongLine(t *testing.T) {
	long := `{"a":"` + strings.Repeat("x", 3*readAhead) + `"}`
	records, lines, err := readAll(t, "{\"a\":1}\n"+long+"\n{\"a\":2}\n", Options{})
	if err != nil || len(records) != 3 || records[1] != long || lines[2] != 3 {
		t.Errorf("%d records, lines %v, error %v", len(records), lines, err)
	}
}

func TestTruncatedGzip(t *testing.T) {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	io.WriteString(z, strings.Repeat("{\"a\":\"some text that is packed\"}\n", 10_000))
	z.Close()
	_, _, err := readAll(t, packed.String()[:packed.Len()/2], Options{Name: "x.ndjson.gz"})
	if !errors.Is(err, io.ErrUnexpectedEOF) || !strings.HasPrefix(err.Error(), "x.ndjson.gz:") {
		t.Errorf("error %v, want an unexpected end in x.ndjson.gz", err)
	}
}

// Whatever comes in: no panic, lines that go up, and records that are objects
// on one line.
func FuzzRead(f *testing.F) {
	f.Add([]byte("{\"a\":1}\n{}"), "")
	f.Add([]byte("[{\"a\":\n1}]"), "json")
	f.Add([]byte("a,b\n1,\"x\ny\"\n"), "csv")
	f.Add([]byte("a\tb\n1\t2\n"), "tsv")
	f.Add([]byte("\x1f\x8b\x08\x00"), "ndjson")
	f.Fuzz(func(t *testing.T, in []byte, format string) {
		parsed, ok := ParseFormat(format)
		if !ok {
			return
		}
		r, err := Open(bytes.NewReader(in), Options{Name: "fuzz", Format: parsed, MaxRecord: 1 << 16})
		if err != nil {
			return
		}
		last := 0
		for {
			record, err := r.Next()
			if err != nil {
				return
			}
			if record.Line < last || record.Line < 1 {
				t.Fatalf("%q: line %d after line %d", in, record.Line, last)
			}
			last = record.Line
			if bytes.ContainsAny(record.JSON, "\n") || record.JSON[0] != '{' || record.JSON[len(record.JSON)-1] != '}' {
				t.Fatalf("%q: record %q is not an object on one line", in, record.JSON)
			}
			if r.Format() == CSV || r.Format() == TSV {
				if !json.Valid(record.JSON) {
					t.Fatalf("%q: record %q is not JSON", in, record.JSON)
				}
			}
		}
	})
}
