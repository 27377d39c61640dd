// Package proto is what the Go engine programs share: the command line, the corpus
// reader, the query syntax, the query loop and the write scenario. The programs in
// other languages follow it.
//
// Protocol of the query program: on start it prints "READY\t<open_ns>". Then it
// reads "COMMAND\tquery" lines and answers each with one line
// "<number>\t<ns>[\t<id>=<score> ...]" where ns is the time inside the engine
// from the query text to the answer, or with "UNSUPPORTED".
package proto

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// Clause is one part of a query: a term (one element) or a phrase.
type Clause struct {
	Occur byte // '+' must, '-' must not, ' ' should
	Terms []string
}

// Parse reads the game's query syntax: words or "phrases", each with an
// optional + or - in front.
func Parse(q string) []Clause {
	var out []Clause
	for q = strings.TrimSpace(q); q != ""; q = strings.TrimSpace(q) {
		c := Clause{Occur: ' '}
		if q[0] == '+' || q[0] == '-' {
			c.Occur, q = q[0], q[1:]
		}
		var body string
		if strings.HasPrefix(q, `"`) {
			end := strings.IndexByte(q[1:], '"')
			if end < 0 {
				end = len(q) - 1
			}
			body, q = q[1:1+end], strings.TrimPrefix(q[1+end:], `"`)
		} else if i := strings.IndexByte(q, ' '); i >= 0 {
			body, q = q[:i], q[i:]
		} else {
			body, q = q, ""
		}
		if c.Terms = strings.Fields(body); len(c.Terms) > 0 {
			out = append(out, c)
		}
	}
	return out
}

// Uniform tells whether all clauses have the same occur, and which.
func Uniform(cs []Clause) (byte, bool) {
	for _, c := range cs {
		if c.Occur != cs[0].Occur {
			return 0, false
		}
	}
	return cs[0].Occur, true
}

// Docs calls f for each "id\ttext" line of standard input or the named file.
func Docs(path string, f func(id, text string) error) error {
	in := os.Stdin
	if path != "-" {
		var err error
		if in, err = os.Open(path); err != nil {
			return err
		}
		defer in.Close()
	}
	sc := bufio.NewScanner(in)
	sc.Buffer(make([]byte, 1<<20), 1<<26)
	for sc.Scan() {
		id, text, ok := strings.Cut(sc.Text(), "\t")
		if !ok {
			continue
		}
		if err := f(id, text); err != nil {
			return err
		}
	}
	return sc.Err()
}

// Hit is a scored document, reported by IDS_ commands only.
type Hit struct {
	ID    string
	Score float64
}

// Command is a parsed command name: COUNT, TOP_k, TOP_k_COUNT or IDS_k.
type Command struct {
	K     int  // how many hits to collect; 0 for COUNT
	Count bool // an exact count is asked for
	IDs   bool // hits are to be named
}

// ErrUnsupported is what an engine returns for what it cannot do.
var ErrUnsupported = errors.New("unsupported")

func command(s string) (Command, error) {
	if s == "COUNT" {
		return Command{Count: true}, nil
	}
	var c Command
	rest, ok := strings.CutPrefix(s, "TOP_")
	if !ok {
		if rest, c.IDs = strings.CutPrefix(s, "IDS_"); !c.IDs {
			return c, ErrUnsupported
		}
	}
	rest, c.Count = strings.CutSuffix(rest, "_COUNT")
	k, err := strconv.Atoi(rest)
	if err == nil && k < 1 {
		err = fmt.Errorf("%d hits", k)
	}
	c.K = k
	return c, err
}

// Serve runs the query loop. search returns the count (or the number of hits
// when no count is asked for) and, for IDs, the hits.
func Serve(openNS time.Duration, search func(Command, []Clause) (int, []Hit, error)) {
	in := bufio.NewScanner(os.Stdin)
	out := bufio.NewWriter(os.Stdout)
	fmt.Fprintf(out, "READY\t%d\n", openNS.Nanoseconds())
	out.Flush()
	for in.Scan() {
		name, q, _ := strings.Cut(in.Text(), "\t")
		cmd, err := command(name)
		var n int
		var hits []Hit
		start := time.Now()
		if err == nil {
			n, hits, err = search(cmd, Parse(q))
		}
		ns := time.Since(start).Nanoseconds()
		switch {
		case errors.Is(err, ErrUnsupported):
			out.WriteString("UNSUPPORTED")
		case err != nil:
			fmt.Fprintf(out, "ERROR %v", err)
		default:
			fmt.Fprintf(out, "%d\t%d", n, ns)
			for i, h := range hits {
				sep := " "
				if i == 0 {
					sep = "\t"
				}
				fmt.Fprintf(out, "%s%s=%.5f", sep, h.ID, h.Score)
			}
		}
		out.WriteByte('\n')
		out.Flush()
	}
}
