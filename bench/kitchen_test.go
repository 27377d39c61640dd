package bench

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"flag"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/quarry-search/quarry/bench/eval"
)

var rewrite = flag.Bool("rewrite", false, "write the collection in testdata/kitchen anew")

// recipe is what a record of the collection is written from.
type recipe struct {
	key             string // decides all that is chosen for it
	dish, main      row
	with            []row
	flavour         row
	minutes, serves int
	known           known
}

// choose picks a number below n for one purpose, the same one each time: what
// is chosen for a recipe does not depend on which others there are.
func (r *recipe) choose(purpose string, n int) int {
	h := fnv.New64a()
	io.WriteString(h, r.key+"/"+purpose)
	x := h.Sum64() // FNV leaves the low bits of similar keys alike
	x ^= x >> 32
	x *= 0x9e3779b97f4a7c15
	return int(x >> 33 % uint64(n))
}

// line picks one of the sentences of a table's row.
func (r *recipe) line(of row, column, purpose string) string {
	list := of.choices(column)
	return list[r.choose(purpose, len(list))]
}

// name is what the recipe calls a thing, and how that stands before another
// noun. The usual name is four times as frequent as another.
func (r *recipe) name(of row) (plain, before string) {
	names := of.choices("names")
	n := max(0, r.choose("name of "+of["key"], len(names)+3)-3)
	plain, before, ok := strings.Cut(names[n], "~")
	if !ok {
		before = plain
	}
	return plain, before
}

// recipes puts together what can be cooked of the tables.
func recipes(tb testing.TB) (list []*recipe) {
	tb.Helper()
	ingredients, flavours := facts(tb, "ingredients.tsv"), facts(tb, "flavours.tsv")
	of := func(dish row, column string) (out []row) {
		for _, i := range ingredients {
			if slices.Contains(strings.Split(dish[column], ","), i["group"]) {
				out = append(out, i)
			}
		}
		return out
	}
	for _, dish := range facts(tb, "dishes.tsv") {
		kind := "savoury"
		if slices.Contains(strings.Fields(dish["flags"]), "sweet") {
			kind = "sweet"
		}
		low, high, _ := strings.Cut(dish["minutes"], "-")
		least, err := strconv.Atoi(low)
		if err != nil {
			tb.Fatal(err)
		}
		most, err := strconv.Atoi(high)
		if err != nil {
			tb.Fatal(err)
		}
		flavours := slices.DeleteFunc(slices.Clone(flavours), func(f row) bool { return f["kind"] != kind })
		others := of(dish, "with")
		for _, main := range of(dish, "mains") {
			for variant := range 2 {
				r := &recipe{key: fmt.Sprint(dish["key"], "/", main["key"], "/", variant), dish: dish, main: main}
				if variant > 0 && r.choose("there", 3) > 0 {
					continue
				}
				for n := range 1 + r.choose("how many", 3) {
					other := others[r.choose("with "+strconv.Itoa(n), len(others))]
					if other["key"] != main["key"] && !slices.ContainsFunc(r.with, func(w row) bool { return w["key"] == other["key"] }) {
						r.with = append(r.with, other)
					}
				}
				r.flavour = flavours[r.choose("flavour", len(flavours))]
				r.minutes = least + r.choose("minutes", most-least+1)
				if r.minutes > 20 {
					r.minutes -= r.minutes % 5
				}
				r.serves = []int{1, 2, 2, 4, 4, 4, 6, 6, 8, 10, 12}[r.choose("serves", 11)]
				r.known = r.knowledge()
				list = append(list, r)
			}
		}
	}
	return list
}

// knowledge is what the rules of the queries can ask for.
func (r *recipe) knowledge() known {
	flags := append(strings.Fields(r.dish["flags"]), strings.Fields(r.main["flags"])...)
	flags = append(flags, strings.Fields(r.flavour["flags"])...)
	has := []string{r.main["key"]}
	for _, w := range r.with {
		flags, has = append(flags, strings.Fields(w["flags"])...), append(has, w["key"])
	}
	without := func(list ...string) bool {
		return !slices.ContainsFunc(list, func(f string) bool { return slices.Contains(flags, f) })
	}
	if without("meat", "fish") {
		flags = append(flags, "vegetarian")
		if without("dairy", "egg", "honey") {
			flags = append(flags, "vegan")
		}
	}
	if r.main["group"] == "fruit" {
		flags = append(flags, "fruity")
	}
	return known{
		map[string][]string{
			"dish": {r.dish["key"]}, "main": {r.main["key"]}, "has": has, "flavour": {r.flavour["key"]},
			"course": {r.dish["course"]}, "is": flags,
		},
		map[string]int{"minutes": r.minutes, "serves": r.serves},
	}
}

// diet is the value of the field of that name.
func (r *recipe) diet() string {
	for _, d := range []string{"meat", "fish", "vegan"} {
		if r.known.is("is", d) {
			return d
		}
	}
	return "vegetarian"
}

// capital begins a text with a capital letter.
func capital(s string) string {
	r := []rune(s)
	r[0] = unicode.ToUpper(r[0])
	return string(r)
}

// and joins names as a sentence lists them.
func and(names []string) string {
	last := len(names) - 1
	if last == 0 {
		return names[0]
	}
	return strings.Join(names[:last], ", ") + " and " + names[last]
}

// title names a recipe in one of several ways.
func (r *recipe) title() string {
	dish, _ := r.name(r.dish)
	plain, before := r.name(r.main)
	style := r.flavour.choices("names")[r.choose("style", len(r.flavour.choices("names")))]
	var other string
	if len(r.with) > 0 {
		other, _ = r.name(r.with[0])
	}
	way := r.choose("title", 5)
	if r.dish["key"] == "stuffed" || other == "" && (way == 1 || way == 4) {
		way = 3
	}
	switch way {
	case 1:
		return capital(before + " and " + other + " " + dish)
	case 2:
		return capital(style + " " + before + " " + dish)
	case 3:
		if other == "" {
			return capital(dish + " with " + plain)
		}
		return capital(dish + " with " + plain + " and " + other)
	case 4:
		return capital(before + " " + dish + " with " + other)
	}
	return capital(before + " " + dish)
}

// text tells how a recipe goes.
func (r *recipe) text(tb testing.TB, closings []row) string {
	tb.Helper()
	dish, _ := r.name(r.dish)
	plain, _ := r.name(r.main)
	names := []string{plain}
	for _, w := range r.with {
		n, _ := r.name(w)
		names = append(names, n)
	}
	opening := []string{
		"You need " + and(names) + " for this.",
		capital(and(names)) + ", and little besides.",
		"What goes in: " + and(names) + ".",
		capital(plain) + " and what goes well with that make this " + dish + ".",
	}
	lines := []string{opening[r.choose("opening", len(opening))], r.line(r.main, "notes", "note")}
	first := r.choose("method", 4)
	methods := r.dish.choices("lines")
	lines = append(lines, methods[first])
	for i, w := range r.with {
		n, _ := r.name(w)
		add := []string{"Stir in the " + n + " at the end.", "Add the " + n + " half way through.", "Then comes the turn of the " + n + ".", "The last thing to add is " + n + "."}
		lines = append(lines, add[r.choose("add "+strconv.Itoa(i), len(add))])
		if r.choose("note "+strconv.Itoa(i), 2) == 0 {
			lines = append(lines, r.line(w, "notes", "note of "+w["key"]))
		}
	}
	lines = append(lines, r.line(r.flavour, "lines", "flavour line"), methods[(first+1+r.choose("second", 3))%4])
	minutes := strconv.Itoa(r.minutes)
	if times := []string{"On the table in " + minutes + " minutes.", "Allow " + minutes + " minutes.", "It takes about " + minutes + " minutes from start to finish.", "", ""}; true {
		lines = append(lines, times[r.choose("time", len(times))])
	}
	var fitting []row
	for _, c := range closings {
		ok, err := r.known.satisfies(c["rule"])
		if err != nil {
			tb.Fatal(err)
		}
		if ok {
			fitting = append(fitting, c)
		}
	}
	lines = append(lines, r.line(fitting[r.choose("closing", len(fitting))], "lines", "closing line"))
	return strings.Join(slices.DeleteFunc(lines, func(l string) bool { return l == "" }), " ")
}

// cook makes the files of the collection from the tables: corpus, queries and
// judgments.
func cook(tb testing.TB) (corpus, queries, qrels []byte) {
	tb.Helper()
	var c, q, j bytes.Buffer
	list, closings := recipes(tb), facts(tb, "closings.tsv")
	ids := make([]string, len(list))
	for i, r := range list {
		ids[i] = fmt.Sprintf("r%04d", i+1)
		record, err := json.Marshal(struct {
			ID      string `json:"_id"`
			Title   string `json:"title"`
			Text    string `json:"text"`
			Course  string `json:"course"`
			Diet    string `json:"diet"`
			Minutes int    `json:"minutes"`
			Serves  int    `json:"serves"`
		}{ids[i], r.title(), r.text(tb, closings), r.dish["course"], r.diet(), r.minutes, r.serves})
		if err != nil {
			tb.Fatal(err)
		}
		c.Write(append(record, '\n'))
	}
	j.WriteString("query-id\tcorpus-id\tscore\n")
	of := map[string]int{} // queries of a kind so far
	for _, query := range facts(tb, "queries.tsv") {
		of[query["kind"]]++
		id := fmt.Sprintf("%s-%02d", query["kind"], of[query["kind"]])
		text, err := json.Marshal(query["query"])
		if err != nil {
			tb.Fatal(err)
		}
		fmt.Fprintf(&q, "{\"_id\":%q,\"text\":%s}\n", id, text)
		for i, r := range list {
			for _, g := range []struct {
				column string
				grade  int
			}{{"good", 2}, {"fair", 1}} {
				ok, err := r.known.satisfies(query[g.column])
				if err != nil {
					tb.Fatalf("query %q: %v", query["query"], err)
				}
				if ok {
					fmt.Fprintf(&j, "%s\t%s\t%d\n", id, ids[i], g.grade)
					break
				}
			}
		}
	}
	return c.Bytes(), q.Bytes(), j.Bytes()
}

// The collection in git is what the tables of facts make, and no more than a
// clone should carry.
func TestKitchenIsMadeOfFacts(t *testing.T) {
	corpus, queries, qrels := cook(t)
	packed := filepath.Join(kitchen, "corpus.jsonl.gz")
	if *rewrite {
		var z bytes.Buffer
		w, err := gzip.NewWriterLevel(&z, gzip.BestCompression)
		if err != nil {
			t.Fatal(err)
		}
		w.Write(corpus)
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		for name, text := range map[string][]byte{packed: z.Bytes(), filepath.Join(kitchen, "queries.jsonl"): queries, filepath.Join(kitchen, "qrels.tsv"): qrels} {
			if err := os.WriteFile(name, text, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	size := 0
	for name, want := range map[string][]byte{packed: corpus, filepath.Join(kitchen, "queries.jsonl"): queries, filepath.Join(kitchen, "qrels.tsv"): qrels} {
		got, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		size += len(got)
		if name == packed {
			z, err := gzip.NewReader(bytes.NewReader(got))
			if err != nil {
				t.Fatal(err)
			}
			if got, err = io.ReadAll(z); err != nil {
				t.Fatal(err)
			}
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s is not what the facts make: go test ./bench -run Kitchen -rewrite", name)
		}
	}
	if size > 400_000 {
		t.Errorf("the collection has %d bytes", size)
	}
	c, err := eval.Open(kitchen, nil)
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]bool{}
	for _, q := range c.Queries {
		good := 0
		for _, grade := range c.Judgments[q.ID] {
			if grade == 2 {
				good++
			}
		}
		if good == 0 || texts[q.Text] {
			t.Errorf("query %s, %q, has %d good answers, or is there twice", q.ID, q.Text, good)
		}
		texts[q.Text] = true
	}
}
