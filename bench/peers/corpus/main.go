// Command corpus makes the inputs of the benchmark: a corpus file with one
// "id\ttext" line a document, text being lowercase runs of letters and digits
// with single spaces between, and a query file with "tag\tquery" lines.
//
//	corpus lines OUT.tsv IN.jsonl[.gz]...  one {"_id","title","text"} object a line
//	corpus queries OUT.q CORPUS.tsv [GAME_QUERIES.jsonl]
//
// The query file has, drawn with a fixed seed: single terms of high, middle and
// low document frequency, unions and intersections of 2 to 5 terms, phrases of 2
// to 4 words, and mixtures of required, optional and excluded ones. Queries of search-benchmark-game are added if their file is
// given, where all their terms occur in the corpus.
package main

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"math/rand"
	"os"
	"sort"
	"strings"
	"unicode"

	"github.com/quarry-search/quarry/bench/peers/proto"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) < 4 {
		log.Fatal("usage: corpus lines|queries OUT IN...")
	}
	out, err := os.Create(os.Args[2])
	if err != nil {
		log.Fatal(err)
	}
	w := bufio.NewWriterSize(out, 1<<20)
	switch os.Args[1] {
	case "lines":
		err = objects(w, os.Args[3:])
	case "queries":
		game := ""
		if len(os.Args) > 4 {
			game = os.Args[4]
		}
		err = queries(w, os.Args[3], game)
	default:
		err = fmt.Errorf("no subcommand %q", os.Args[1])
	}
	if err == nil {
		err = w.Flush()
	}
	if err == nil {
		err = out.Close()
	}
	if err != nil {
		log.Fatal(err)
	}
}

// normalize lowers s and keeps its runs of letters and digits, each of at most
// 60 runes, with single spaces between.
func normalize(s string) string {
	var b strings.Builder
	var tok []rune
	flush := func() {
		if n := len(tok); n > 0 && n <= 60 {
			if b.Len() > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(string(tok))
		}
		tok = tok[:0]
	}
	for _, r := range s {
		if r = unicode.ToLower(r); unicode.IsLetter(r) || unicode.IsDigit(r) {
			tok = append(tok, r)
		} else {
			flush()
		}
	}
	flush()
	return b.String()
}

func each(path string, f func(line string)) error {
	in, err := os.Open(path)
	if err != nil {
		return err
	}
	defer in.Close()
	var r io.Reader = in
	if strings.HasSuffix(path, ".gz") {
		if r, err = gzip.NewReader(in); err != nil {
			return err
		}
	}
	sc := bufio.NewScanner(r)
	sc.Buffer(make([]byte, 1<<20), 1<<26)
	for sc.Scan() {
		f(sc.Text())
	}
	return sc.Err()
}

func objects(w *bufio.Writer, paths []string) error {
	for _, p := range paths {
		n := 0
		if err := each(p, func(line string) {
			n++
			var m struct {
				ID    string `json:"_id"`
				Title string `json:"title"`
				Text  string `json:"text"`
			}
			if json.Unmarshal([]byte(line), &m) != nil {
				return
			}
			if m.ID == "" {
				m.ID = fmt.Sprintf("d%d", n)
			}
			if text := normalize(m.Title + " " + m.Text); text != "" {
				fmt.Fprintf(w, "%s\t%s\n", strings.Join(strings.Fields(m.ID), "_"), text)
			}
		}); err != nil {
			return err
		}
	}
	return nil
}

// How many queries of each kind are made.
const (
	perGameTag = 60
	perClass   = 20
	headTerms  = 100
)

func queries(w *bufio.Writer, corpus, game string) error {
	df := map[string]int{}
	var docs []string
	if err := proto.Docs(corpus, func(_, text string) error {
		docs = append(docs, text)
		seen := map[string]bool{}
		for _, t := range strings.Fields(text) {
			if !seen[t] {
				seen[t] = true
				df[t]++
			}
		}
		return nil
	}); err != nil {
		return err
	}
	emitted := map[string]bool{}
	emit := func(tag, q string) bool {
		if emitted[q] {
			return false
		}
		emitted[q] = true
		fmt.Fprintf(w, "%s\t%s\n", tag, q)
		return true
	}

	// The game's queries all of whose terms occur in the corpus.
	if game != "" {
		per := map[string]int{}
		if err := each(game, func(line string) {
			var q struct {
				Query string
				Tags  []string
			}
			if json.Unmarshal([]byte(line), &q) != nil || len(q.Tags) == 0 {
				return
			}
			tag := q.Tags[0]
			if per[tag] >= perGameTag {
				return
			}
			for _, c := range proto.Parse(q.Query) {
				for _, t := range c.Terms {
					if df[t] == 0 {
						return
					}
				}
			}
			if emit("game:"+tag, q.Query) {
				per[tag]++
			}
		}); err != nil {
			return err
		}
	}

	// Three classes of terms by document frequency.
	terms := make([]string, 0, len(df))
	for t := range df {
		if len(t) > 1 {
			terms = append(terms, t)
		}
	}
	sort.Slice(terms, func(i, j int) bool {
		if df[terms[i]] != df[terms[j]] {
			return df[terms[i]] > df[terms[j]]
		}
		return terms[i] < terms[j]
	})
	if len(terms) < headTerms {
		return fmt.Errorf("%s: %d terms, want at least %d", corpus, len(terms), headTerms)
	}
	mid := max(len(docs)/2000, 10) // least document frequency of the middle class
	head := df[terms[headTerms-1]]
	class := map[byte][]string{'h': terms[:headTerms]}
	for _, t := range terms[headTerms:] {
		switch f := df[t]; {
		case f >= mid && f <= len(docs)/100:
			class['m'] = append(class['m'], t)
		case f < mid && f >= 5 && f <= 100:
			class['t'] = append(class['t'], t)
		}
	}
	for _, c := range []byte("mt") {
		if len(class[c]) < 2*perClass {
			return fmt.Errorf("%s: too small: %d terms of class %c, want at least %d", corpus, len(class[c]), c, 2*perClass)
		}
	}
	of := func(t string) byte {
		switch f := df[t]; {
		case f >= head:
			return 'h'
		case f >= mid:
			return 'm'
		}
		return 't'
	}
	rnd := rand.New(rand.NewSource(42))
	name := map[byte]string{'h': "head", 'm': "mid", 't': "tail"}
	for _, c := range []byte("hmt") {
		for n := 0; n < perClass; {
			if emit("term:"+name[c], class[c][rnd.Intn(len(class[c]))]) {
				n++
			}
		}
	}
	// Unions: n terms drawn from the classes.
	for n := 2; n <= 5; n++ {
		for k := 0; k < perClass; {
			var ts []string
			for len(ts) < n {
				c := class["hmmt"[rnd.Intn(4)]]
				ts = append(ts, c[rnd.Intn(len(c))])
			}
			if emit(fmt.Sprintf("union:%d", n), strings.Join(ts, " ")) {
				k++
			}
		}
	}
	// Intersections: n different terms of one document, at most one a tail term.
	for n := 2; n <= 5; n++ {
		for k := 0; k < perClass; {
			words := strings.Fields(docs[rnd.Intn(len(docs))])
			rnd.Shuffle(len(words), func(i, j int) { words[i], words[j] = words[j], words[i] })
			var ts []string
			tails, seen := 0, map[string]bool{}
			for _, t := range words {
				if len(ts) == n || seen[t] {
					continue
				}
				seen[t] = true
				if of(t) == 't' {
					if tails++; tails > 1 {
						continue
					}
				}
				ts = append(ts, "+"+t)
			}
			if len(ts) == n && emit(fmt.Sprintf("intersection:%d", n), strings.Join(ts, " ")) {
				k++
			}
		}
	}
	// Phrases: n neighbouring words of one document, none a tail term.
	for n := 2; n <= 4; n++ {
		for k := 0; k < perClass; {
			words := strings.Fields(docs[rnd.Intn(len(docs))])
			if len(words) < n {
				continue
			}
			i := rnd.Intn(len(words) - n + 1)
			ok := true
			for _, t := range words[i : i+n] {
				ok = ok && of(t) != 't'
			}
			if ok && emit(fmt.Sprintf("phrase:%d", n), `"`+strings.Join(words[i:i+n], " ")+`"`) {
				k++
			}
		}
	}
	// Mixtures: a required term with two optional ones, a union without a
	// frequent term, a phrase with an optional term of its document.
	draw := func(c byte) string { return class[c][rnd.Intn(len(class[c]))] }
	for k := 0; k < perClass; {
		if emit("mixed:optional", "+"+draw("hm"[k%2])+" "+draw('m')+" "+draw('h')) {
			k++
		}
	}
	for k := 0; k < perClass; {
		if emit("mixed:without", draw('h')+" "+draw('m')+" -"+draw('h')) {
			k++
		}
	}
	for k := 0; k < perClass; {
		words := strings.Fields(docs[rnd.Intn(len(docs))])
		i := rnd.Intn(len(words))
		if i+1 < len(words) && of(words[i]) != 't' && of(words[i+1]) != 't' &&
			emit("mixed:phrase", `+"`+words[i]+" "+words[i+1]+`" `+words[rnd.Intn(len(words))]) {
			k++
		}
	}
	return nil
}
