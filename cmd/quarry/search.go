package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"
	"golang.org/x/term"
)

// searchOptions are the flags of quarry search.
type searchOptions struct {
	indexes, sort, fields, facets, returned []string
	filter, ranking, match, prefix, syntax  string
	limit, offset                           int
	explain, json                           bool
}

// searchCommand is quarry search.
func (p *program) searchCommand() *cobra.Command {
	t := target{reads: true}
	var o searchOptions
	c := &cobra.Command{
		Use:   "search QUERY...",
		Short: "Search",
		Long: `Search, and print a list to read on a terminal; elsewhere, or with --json,
the answer of the server. Without a query every record is a hit.`,
		Example: `  quarry search red shoes
  quarry search "rain jacket" --index products --filter "price < 100" --sort price
  quarry search lamp --facet brand --explain
  quarry search lamp --return title,price
  quarry search lamp --json | head`,
		Args:        wants(0, -1, ""),
		Annotations: map[string]string{argument + "q": "QUERY"},
		RunE: t.run(func(cmd *cobra.Command, c *client, args []string) error {
			body, err := o.body(strings.Join(args, " "), !p.wantsJSON(&o))
			if err != nil {
				return err
			}
			answer, err := c.call(cmd.Context(), http.MethodPost, "/v1/search", mediaJSON, body, nil)
			if err != nil {
				return err
			}
			if p.wantsJSON(&o) {
				_, err = p.stdout.Write(answer)
				return err
			}
			var found searchAnswer
			if err := json.Unmarshal(answer, &found); err != nil {
				return fmt.Errorf("answer of the server: %w", err)
			}
			if p.dumb() {
				return found.write(unmarked{p.stdout})
			}
			return found.write(p.stdout)
		}),
	}
	f := c.Flags()
	f.StringSliceVar(&o.indexes, "index", nil, "search this `INDEX` only; repeatable, or several with commas, may end in *")
	f.StringVar(&o.filter, "filter", "", "filter `EXPRESSION`, such as 'price < 50 AND brand = \"Norvik\"'")
	f.StringArrayVar(&o.sort, "sort", nil, "sort by this `FIELD`, or FIELD:desc; repeatable")
	f.IntVar(&o.limit, "limit", 10, "`NUMBER` of hits")
	f.IntVar(&o.offset, "offset", 0, "leave out this `NUMBER` of hits first")
	f.StringSliceVar(&o.fields, "field", nil, "search this text `FIELD` only, or FIELD^WEIGHT; repeatable, or several with commas")
	f.StringSliceVar(&o.returned, "return", nil, "return this `FIELD` of records only; repeatable, or several with commas")
	f.StringSliceVar(&o.facets, "facet", nil, "count the values of this `FIELD`; repeatable, or several with commas")
	f.StringVar(&o.match, "match", "", "auto, all or any `WORDS` have to match")
	f.StringVar(&o.prefix, "prefix", "", "last, all or off: which `WORDS` may be beginnings of words, from two letters on")
	f.StringVar(&o.syntax, "syntax", "", "simple or query: the `SYNTAX` of the query")
	f.StringVar(&o.ranking, "ranking", "", "default or bm25 `RANKING`")
	f.BoolVar(&o.explain, "explain", false, "take scores apart")
	f.BoolVar(&o.json, "json", false, "print the answer of the server (default where standard output is no terminal)")
	t.flags(c)
	return c
}

// wantsJSON tells whether the answer is for a program.
func (p *program) wantsJSON(o *searchOptions) bool { return o.json || !isTerminal(p.stdout) }

func isTerminal(w any) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// dumb tells whether the terminal says that it knows no codes, as those of editors do.
func (p *program) dumb() bool {
	name, _ := p.lookupEnv("TERM")
	return name == "dumb"
}

// unmarked leaves the marks out of a list for people.
type unmarked struct{ out io.Writer }

// Write implements io.Writer; b is a whole list.
func (u unmarked) Write(b []byte) (int, error) {
	if _, err := strings.NewReplacer(highlightOn, "", highlightOff, "", dimOn, "").WriteString(u.out, string(b)); err != nil {
		return 0, err
	}
	return len(b), nil
}

// body is the request.
func (o *searchOptions) body(query string, toRead bool) ([]byte, error) {
	request := map[string]any{"q": query, "limit": o.limit}
	for name, v := range map[string]string{
		"filter": o.filter, "match": o.match, "prefix": o.prefix, "syntax": o.syntax, "ranking": o.ranking,
	} {
		if v != "" {
			request[name] = v
		}
	}
	for name, v := range map[string][]string{
		"index": o.indexes, "sort": o.sort, "fields": o.fields, "return": o.returned, "facets": o.facets,
	} {
		for _, item := range v {
			list, _ := request[name].([]string)
			request[name] = append(list, strings.TrimSpace(item)) // "title, price"
		}
	}
	if o.offset != 0 {
		request["offset"] = o.offset
	}
	if o.explain {
		request["explain"] = true
	}
	if toRead && query != "" {
		request["highlight"] = map[string]any{"pre": highlightOn, "post": highlightOff, "words": 30}
	}
	return json.Marshal(request)
}

// Codes that make a terminal show bold, and dim, text.
const (
	highlightOn  = "\x1b[1m"
	highlightOff = "\x1b[0m"
	dimOn        = "\x1b[2m"
)

// searchAnswer is what of an answer is shown.
type searchAnswer struct {
	Hits []struct {
		ID        string                 `json:"id"`
		Index     string                 `json:"index"`
		Score     float64                `json:"score"`
		Record    jsontext.Value         `json:"record"`
		Highlight map[string]highlighted `json:"highlight"`
		Explain   *struct {
			Parts []struct {
				Stage   string   `json:"stage"`
				Field   string   `json:"field"`
				Term    string   `json:"term"`
				From    string   `json:"from"`
				TF      int      `json:"tf"`
				DF      int64    `json:"df"`
				IDF     float64  `json:"idf"`
				Norm    float64  `json:"norm"`
				Weight  float64  `json:"weight"`
				Penalty *float64 `json:"penalty"`
				Score   float64  `json:"score"`
			} `json:"parts"`
		} `json:"explain"`
	} `json:"hits"`
	Total      int64 `json:"total"`
	TotalExact bool  `json:"total_exact"`
	TimedOut   bool  `json:"timed_out"`
	Offset     int   `json:"offset"`
	Facets     map[string]struct {
		Values []struct {
			Value any   `json:"value"`
			Count int64 `json:"count"`
		} `json:"values"`
		Other   int64 `json:"other"`
		Missing int64 `json:"missing"`
	} `json:"facets"`
	TookMS float64 `json:"took_ms"`
}

// highlighted is a field with its matches marked.
type highlighted struct {
	Text string        `json:"text"`
	Item int           `json:"item"`
	More []highlighted `json:"more"`
}

// text is all of the field's texts that match, in their order.
func (h highlighted) text() string {
	all := append([]highlighted{h}, h.More...)
	slices.SortFunc(all, func(a, b highlighted) int { return a.Item - b.Item })
	var texts []string
	for _, m := range all {
		texts = append(texts, m.Text)
	}
	return strings.Join(texts, ", ")
}

// titleFields are the names of fields that say what a record is, best first.
var titleFields = []string{"title", "name", "headline", "subject", "label"}

// write prints the list for people.
func (a *searchAnswer) write(out io.Writer) error {
	var b bytes.Buffer
	for i, h := range a.Hits {
		fields := flatten(h.Record)
		title, shown := h.ID, ""
		for _, name := range titleFields {
			if at := slices.IndexFunc(fields, func(f field) bool { return f.name == name }); at >= 0 && fields[at].text != "" {
				title, shown = fields[at].text, name
				if marked := h.Highlight[name].text(); marked != "" {
					title = marked
				}
				break
			}
		}
		fmt.Fprintf(&b, "%3d. %s  %s%s/%s  %.2f%s\n", a.Offset+i+1, printable(title), dimOn, h.Index, printable(h.ID), h.Score, highlightOff)
		var short []string
		for _, f := range fields {
			switch marked := h.Highlight[f.name].text(); {
			case f.name == shown || f.text == "" || f.text == h.ID:
			case strings.Contains(marked, highlightOn) && len(f.text) > 40:
				fmt.Fprintf(&b, "     %s\n", printable(marked))
			case len(f.text) <= 40 && len(short) < 6:
				text := f.text
				if marked != "" {
					text = marked
				}
				short = append(short, printable(f.name)+": "+printable(text))
			}
		}
		if len(short) > 0 {
			fmt.Fprintf(&b, "     %s\n", strings.Join(short, " · "))
		}
		if h.Explain != nil {
			for _, part := range h.Explain.Parts {
				from := ""
				if part.From != "" && part.From != part.Term {
					from = " from " + printable(part.From)
				}
				penalty := ""
				if part.Penalty != nil {
					penalty = fmt.Sprintf(" × %.3g (penalty)", *part.Penalty)
				}
				if part.Stage != "" { // not of BM25: no frequencies
					fmt.Fprintf(&b, "     %8.4f  %s\n", part.Score, strings.Join(strings.Fields(part.Stage+" "+part.Field+" "+printable(part.Term)), " "))
					continue
				}
				fmt.Fprintf(&b, "     %8.4f  %s:%s%s  tf %d, df %d, idf %.3f, norm %.3f, weight %.3g%s\n",
					part.Score, part.Field, printable(part.Term), from, part.TF, part.DF, part.IDF, part.Norm, part.Weight, penalty)
			}
		}
	}
	for _, name := range sortedKeys(a.Facets) {
		fmt.Fprintf(&b, "%s:", name)
		for _, v := range a.Facets[name].Values {
			fmt.Fprintf(&b, "  %s (%s)", printable(fmt.Sprint(v.Value)), formatCount(v.Count))
		}
		if n := a.Facets[name].Other; n > 0 {
			fmt.Fprintf(&b, "  others (%s)", formatCount(n))
		}
		b.WriteByte('\n')
	}
	about := ""
	if !a.TotalExact {
		about = "at least "
	}
	fmt.Fprintf(&b, "%s%s found in %.3g ms", about, formatCount(a.Total), a.TookMS)
	if a.TimedOut {
		b.WriteString(" (time ran out; there may be more)")
	}
	b.WriteByte('\n')
	_, err := out.Write(b.Bytes())
	return err
}

// printable makes a text of a record safe for a terminal: one line, and no
// control characters but our own marks.
func printable(s string) string {
	const on, off = "\ue000", "\ue001"
	s = strings.NewReplacer(highlightOn, on, highlightOff, off).Replace(s)
	s = strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t' || r == '\r':
			return ' '
		case r < 0x20 || r >= 0x7f && r < 0xa0:
			return -1
		}
		return r
	}, s)
	return strings.NewReplacer(on, highlightOn, off, highlightOff).Replace(s)
}

// field is a member of a record, nested ones with dots in their names.
type field struct{ name, text string }

// flatten lists the fields of a record in their order, lists joined by commas.
func flatten(record jsontext.Value) (out []field) {
	d := jsontext.NewDecoder(bytes.NewReader(record))
	var walk func(name string) bool
	walk = func(name string) bool {
		switch d.PeekKind() {
		case '{':
			d.ReadToken()
			for d.PeekKind() != '}' {
				key, err := d.ReadToken()
				if err != nil {
					return false
				}
				below := key.String()
				if name != "" {
					below = name + "." + below
				}
				if !walk(below) {
					return false
				}
			}
			d.ReadToken()
			return true
		case '[':
			d.ReadToken()
			for first := true; d.PeekKind() != ']'; first = false {
				at := len(out)
				if !walk(name) {
					return false
				}
				if !first && at > 0 && len(out) > at && out[at-1].name == name {
					out[at-1].text += ", " + out[at].text
					out = out[:at]
				}
			}
			d.ReadToken()
			return true
		}
		token, err := d.ReadToken()
		if err != nil {
			return false
		}
		if token.Kind() != 'n' {
			out = append(out, field{name, token.String()})
		}
		return true
	}
	walk("")
	return out
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
