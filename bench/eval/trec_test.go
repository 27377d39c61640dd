package eval

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const topicsText = `<?xml version="1.0"?>
<xml>
<top>
<num> Number: 051
<title> Topic:  Airbus
 &amp; subsidies

<desc> Description:
How much?
</top>
<TOP><num>302</num><title></title><desc>Post-polio syndrome</desc></TOP>
`

const documentsText = `<DOC>
<DOCNO> FT911-3 </DOCNO>
<HEADLINE>FT  14 MAY 91 / Profit &lt; loss</HEADLINE>
<TEXT>
First <b>bold</b> line, 3 < 4.
</TEXT>
<TEXT>Second</TEXT>
<BR>
</DOC>
<doc id="x"><docno>b</docno><date>1991</date></doc>`

func trec() map[string]string {
	return map[string]string{
		"README.txt":    "about 4 files\n",
		"topics.51-302": topicsText,
		"docs/0001.gz":  documentsText,
		"docs/0002":     "<doc>\n<docno>c</docno></doc>\n",
		"judged.txt":    "51 0 FT911-3 1\n51\t0\tb -2\n302 Q0 c 0\n",
		"run.txt":       "51 Q0 b 1 2.5 tag\n",
		".hidden/extra": "<DOC><DOCNO>never</DOCNO></DOC>",
		"empty":         "",
		"page.html":     "<html>hello</html>",
	}
}

func TestOpenTREC(t *testing.T) {
	c, err := Open(folder(t, trec()), nil)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]Query{{"51", "Airbus & subsidies"}, {"302", "Post-polio syndrome"}}, c.Queries); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(Judgments{"51": {"FT911-3": 1, "b": -2}, "302": {"c": 0}}, c.Judgments); diff != "" {
		t.Error(diff)
	}
	got, err := records(c)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		`FT911-3 {"_id":"FT911-3","headline":"FT  14 MAY 91 / Profit \u003c loss","text":"First  bold  line, 3 \u003c 4.\nSecond"}`,
		`b {"_id":"b","date":"1991"}`,
		`c {"_id":"c"}`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	other, err := Open(folder(t, map[string]string{"d": documentsText, "q": "51 0 b 1", "t": topicsText, "few": "<top><num>7<title>few</top>"}),
		&OpenOptions{Queries: "few"})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]Query{{"7", "few"}}, other.Queries); diff != "" {
		t.Error(diff)
	}
}

func TestOpenTRECErrors(t *testing.T) {
	for _, test := range []struct{ file, text, want string }{
		{"topics.51-302", "<top>\n<num>1</num>\n<title>a</title>\n</top>\n<top><title>b</top>", "topics.51-302:5: topic without <num>"},
		{"topics.51-302", "<top><num>1<title>a</top>\n<top><num>1<title>b</top>", `topics.51-302:2: query "1" occurs twice`},
		{"topics.51-302", "<top><num>1<title>a</top>\n\n<top><num>2", "topics.51-302:3: <top> without </top>"},
		{"docs/0002", "<doc><docno>x</docno></doc>\n<doc>\n<text>y</text></doc>", "0002:2: document without <DOCNO>"},
		{"docs/0002", "<doc>\n<docno>x</docno>", "0002:1: <doc> without </doc>"},
		{"judged.txt", "51 0 b 1\n51 0 b", "judged.txt:2: 3 columns"},
		{"judged.txt", "51 0 b 1\n51 0 b one", `judged.txt:2: score "one"`},
		{"judged.txt", "", "no qrels file"},
		{"topics.51-302", "", "no file that begins with <top>"},
	} {
		files := trec()
		files[test.file] = test.text
		c, err := Open(folder(t, files), nil)
		if err == nil {
			_, err = records(c)
		}
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s with %q: %v, want %q", test.file, test.text, err, test.want)
		}
	}
	for _, dir := range []string{t.TempDir(), filepath.Join(t.TempDir(), "absent")} {
		if _, err := Open(dir, nil); !errors.Is(err, ErrNoCollection) {
			t.Errorf("%s: %v, want ErrNoCollection", dir, err)
		}
	}
}

// Documents of any length, with tags cut by the ends of the read buffer, come
// out as they went in.
func TestTRECDocumentsOfAnyLength(t *testing.T) {
	const seed = 5
	rnd := rand.New(rand.NewPCG(seed, 0))
	var file strings.Builder
	var want []string
	for i := range 200 {
		text := strings.TrimSpace(strings.Repeat("word < 5 ", rnd.IntN(1<<rnd.IntN(14))))
		id := fmt.Sprintf("d%d", i)
		fmt.Fprintf(&file, "%s<DOC>\n<DOCNO>%s</DOCNO><TEXT>%s</TEXT>\n</DOC>\n", strings.Repeat("<p> junk\n", rnd.IntN(2)*rnd.IntN(20000)), id, text)
		want = append(want, text)
	}
	i := 0
	path := filepath.Join(folder(t, map[string]string{"d": file.String()}), "d")
	if err := eachElement(path, "doc", func(body string) error {
		d, err := record(body)
		if err != nil {
			return err
		}
		var m map[string]string
		if err := json.Unmarshal(d.Record, &m); err != nil {
			return err
		}
		if m["_id"] != fmt.Sprintf("d%d", i) || m["text"] != want[i] {
			t.Fatalf("seed %d: document %d is %s with %d bytes, want %d", seed, i, m["_id"], len(m["text"]), len(want[i]))
		}
		i++
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if i != len(want) {
		t.Errorf("%d documents, want %d", i, len(want))
	}
}

// Whatever a file holds, what comes out is a topic with a number and a document
// whose record is valid JSON with the id inside.
func FuzzTREC(f *testing.F) {
	f.Add(topicsText)
	f.Add(documentsText)
	f.Add("<doc><docno>1</docno><a>&#0;<a></doc><top><num>1<title>x</top>")
	f.Add("<doc><doc></doc></docno><top")
	f.Add("<top></top><doc><docno>\xff</docno></doc>")
	f.Add("<doc><docno>1</docno><_id>2</_id></doc>")
	f.Fuzz(func(t *testing.T, in string) {
		err := scanElements(strings.NewReader(in), "in", "top", func(body string) error {
			q, err := topic(body)
			if err == nil && q.ID == "" {
				t.Errorf("topic %q without an id", body)
			}
			return nil
		})
		if err != nil && !strings.HasPrefix(err.Error(), "in:") {
			t.Errorf("error without the file: %v", err)
		}
		_ = scanElements(strings.NewReader(in), "in", "doc", func(body string) error {
			d, err := record(body)
			if err != nil {
				return nil
			}
			var m map[string]string
			if err := json.Unmarshal(d.Record, &m); err != nil {
				t.Errorf("record %q: %v", d.Record, err)
			}
			if d.ID == "" || m["_id"] != d.ID {
				t.Errorf("id %q in record %s", d.ID, d.Record)
			}
			return nil
		})
	})
}
