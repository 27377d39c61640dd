package search

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/quarry-search/quarry/engine/internal/collect"
	"github.com/quarry-search/quarry/engine/internal/posting"
	"github.com/quarry-search/quarry/engine/internal/score"
)

// phraseFreq is the definition in the comment of Phrase, tried out: at has the
// positions of each word in one field.
func phraseFreq(at [][]int, terms, offsets []int, slop int) uint32 {
	minima := map[int]bool{}
	taken := make([]int, len(at))
	var try func(i int)
	try = func(i int) {
		if i < len(at) {
			for _, p := range at[i] {
				taken[i] = p
				try(i + 1)
			}
			return
		}
		lo, hi := taken[0]-offsets[0], taken[0]-offsets[0]
		for i, p := range taken {
			lo, hi = min(lo, p-offsets[i]), max(hi, p-offsets[i])
			for j := range i {
				if terms[i] == terms[j] && offsets[i] != offsets[j] && (offsets[i] < offsets[j]) != (p < taken[j]) {
					return
				}
				if terms[i] == terms[j] && offsets[i] != offsets[j] && p == taken[j] {
					return
				}
			}
		}
		if hi-lo <= slop {
			minima[lo] = true
		}
	}
	try(0)
	return uint32(len(minima))
}

// inField returns the positions of a term of a record in a field.
func (rec *record) inField(term, field int) []int {
	from := 0
	for _, f := range rec.terms[term] {
		to := from + int(f.TF)
		if int(f.Field) == field {
			var out []int
			for _, p := range rec.at[term][from:to] {
				out = append(out, int(p))
			}
			return out
		}
		from = to
	}
	return nil
}

func TestPhraseIsAsDefined(t *testing.T) {
	const seed = 21
	r := rand.New(rand.NewPCG(seed, 1))
	for _, fields := range []int{1, 3} {
		frequent := 0
		c := newCorpus(t, r, corpusOptions{
			ranges: [][2]posting.DocID{{65_000, 65_900}, {65_901, 66_400}},
			fields: fields, share: []float64{0.9, 0.8, 0.5, 0.2, 0.01}, holes: 0.1, dead: 0.1, short: true,
		})
		for round := range 80 {
			n := 1 + r.IntN(4)
			terms, offsets := make([]int, n), make([]int, n)
			for i := range n {
				terms[i], offsets[i] = r.IntN(c.terms), i
				if i > 0 && r.IntN(3) == 0 {
					terms[i] = terms[i-1]
				}
			}
			o := PhraseOptions{Slop: max(0, r.IntN(7)-2)}
			if r.IntN(2) == 0 {
				o.Fields = make([]bool, 1+r.IntN(fields))
				o.Fields[r.IntN(len(o.Fields))] = true
			}
			if r.IntN(3) == 0 {
				for i := range offsets {
					offsets[i] = r.IntN(5)
				}
				o.Offsets = offsets
			}
			phrase := testPhrase{terms, o}
			c.phrases = []testPhrase{phrase}
			q := c.query([]Leaf{{Weight: 1}}, []int{c.terms}, &Expr{Op: OpLeaf})
			got := map[posting.DocID]bool{}
			err := Matches(context.Background(), q, func(seg, slot int, words *Page) error {
				for place := range collect.Places(words) {
					got[posting.DocID(q.Segments[seg].Slots[slot].Page)<<16|posting.DocID(place)] = true
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			scores := map[posting.DocID]uint64{}
			hits, _, err := Top(context.Background(), q, TopOptions{K: len(c.records)})
			if err != nil {
				t.Fatal(err)
			}
			for _, h := range hits {
				scores[h.Doc] = h.Score
			}
			for i := range c.records {
				rec := &c.records[i]
				if rec.dead {
					continue
				}
				want := phrase.in(rec)
				if want.Total() > 1 {
					frequent++
				}
				// Top reads positions in another way than ScoreDoc.
				if score, _ := ScoreDoc(q, rec.segment, rec.doc); score != scores[rec.doc] {
					t.Fatalf("seed %d, %d fields, round %d: terms %v, %+v, document %d: score %d, by its parts %d", seed, fields, round, terms, o, rec.doc, scores[rec.doc], score)
				}
				var vector score.Vector
				if _, parts := ScoreDoc(q, rec.segment, rec.doc); len(parts) > 0 {
					vector = parts[0].Vector
				}
				if !slices.Equal(vector, want) || got[rec.doc] != (len(want) > 0) {
					t.Fatalf("seed %d, %d fields, round %d: terms %v, %+v, document %d %v %v: found %v, frequencies %v, want %v",
						seed, fields, round, terms, o, rec.doc, rec.terms, rec.at, got[rec.doc], vector, want)
				}
				delete(got, rec.doc)
			}
			if len(got) > 0 {
				t.Fatalf("seed %d, round %d: documents that are dead or not there: %v", seed, round, got)
			}
			checkPhraseLists(t, fmt.Sprintf("seed %d, %d fields, round %d: terms %v, %+v", seed, fields, round, terms, o), c, q, phrase)
		}
		if frequent < 100 {
			t.Errorf("seed %d, %d fields: %d documents that hold a phrase more than once", seed, fields, frequent)
		}
	}
}

// checkPhraseLists compares the lists of a phrase, which is the leaf of q, with the records.
func checkPhraseLists(t *testing.T, name string, c *corpus, q *Query, phrase testPhrase) {
	t.Helper()
	for s, p := range q.Leaves[0].Phrases {
		seg := &q.Segments[s]
		got := map[posting.DocID]score.Vector{}
		if p != nil {
			im := &posting.Impacts{Table: seg.Table, Norms: seg.norms}
			list, err := p.List(im)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if list != nil {
				if err := list.Validate(im); err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				for rank, doc := range list.All {
					got[doc] = list.Vector(rank, seg.Table.Book())
				}
			}
		}
		for i := range c.records {
			rec := &c.records[i]
			if rec.segment != s {
				continue
			}
			if want := phrase.in(rec); !slices.Equal(got[rec.doc], want) {
				t.Fatalf("%s: document %d: frequencies %v in the list, want %v", name, rec.doc, got[rec.doc], want)
			}
			delete(got, rec.doc)
		}
		if len(got) > 0 {
			t.Fatalf("%s: the list has documents that are not there: %v", name, got)
		}
	}
}

func TestPhraseRefusesWhatItCannotAnswer(t *testing.T) {
	docs := posting.FromDocs([]posting.DocID{1})
	if _, err := NewPhrase([]*posting.List{docs}, PhraseOptions{}); !errors.Is(err, ErrMalformed) {
		t.Errorf("list without positions: error %v, want ErrMalformed", err)
	}
	if _, err := NewPhrase([]*posting.List{docs}, PhraseOptions{Offsets: []int{1, 2}}); !errors.Is(err, ErrMalformed) {
		t.Errorf("too many offsets: error %v, want ErrMalformed", err)
	}
	for _, words := range [][]*posting.List{nil, {nil}} {
		if list, err := NewPhrase(words, PhraseOptions{}); list != nil || err != nil {
			t.Errorf("words %v: %v, %v, want no list", words, list, err)
		}
	}
}

func TestExpandIsTheUnion(t *testing.T) {
	const seed = 22
	c := testCorpora(t, seed)["border pages, holes and deletes"]
	r := rand.New(rand.NewPCG(seed, 2))
	for round := range 30 {
		for s, of := range c.lists {
			lists, picked := []*posting.List{nil}, map[int]bool{}
			for range r.IntN(6) {
				term := r.IntN(c.terms)
				lists, picked[term] = append(lists, of[term]), true
			}
			var want, got []posting.DocID
			for _, rec := range c.records {
				for term := range picked {
					if _, ok := rec.terms[term]; ok && rec.segment == s {
						want = append(want, rec.doc)
						break
					}
				}
			}
			if list := Expand(lists); list != nil {
				for _, doc := range list.All {
					got = append(got, doc)
				}
			}
			if !slices.Equal(got, want) {
				t.Fatalf("seed %d, round %d, segment %d, terms %v: %d documents, want %d", seed, round, s, picked, len(got), len(want))
			}
		}
	}
}

func TestRestrictKeepsTheFieldsOnly(t *testing.T) {
	const seed = 23
	r := rand.New(rand.NewPCG(seed, 1))
	c := newCorpus(t, r, corpusOptions{
		ranges: [][2]posting.DocID{{65_000, 70_000}}, fields: 3, share: []float64{0.9, 0.01, 0}, dead: 0.1,
	})
	seg := &c.segments[0]
	for term := range c.terms {
		for mask := range 8 {
			fields := []bool{mask&1 != 0, mask&2 != 0, mask&4 != 0}
			list, err := Restrict(seg, c.lists[0][term], fields)
			if err != nil {
				t.Fatal(err)
			}
			got := map[posting.DocID]score.Vector{}
			if list != nil {
				for rank, doc := range list.All {
					got[doc] = list.Vector(rank, seg.Table.Book())
				}
			}
			for _, rec := range c.records {
				var want score.Vector
				for _, f := range rec.terms[term] {
					if fields[f.Field] {
						want = append(want, f)
					}
				}
				if !slices.Equal(got[rec.doc], want) {
					t.Fatalf("term %d, fields %v, document %d: %v, want %v", term, fields, rec.doc, got[rec.doc], want)
				}
			}
		}
	}
}

// TestMadeListsArePruned checks that the bounds of lists made for one query
// hold: with them, Top gives what TopExhaustive gives, be they searched together
// or alone, where nothing makes up for a bound that is too low.
func TestMadeListsArePruned(t *testing.T) {
	for seed := range uint64(12) {
		r := rand.New(rand.NewPCG(seed, 3))
		c := newCorpus(t, r, corpusOptions{
			ranges: [][2]posting.DocID{{60_000, 75_000}, {75_001, 80_000}}, fields: 2,
			share: []float64{0.7, 0.6, 0.3, 0.1}, dead: 0.1,
		})
		leaf := func(i int) *Expr { return &Expr{Op: OpLeaf, Leaf: i} }
		q := c.query(nil, nil, nil)
		q.Leaves = []Leaf{{Weight: 900}, {Weight: 700}, {Weight: 500}}
		for i := range q.Segments {
			seg, lists := &q.Segments[i], c.lists[i]
			phrase, err := NewPhrase(lists[:2], PhraseOptions{Slop: 1})
			if err != nil {
				t.Fatal(err)
			}
			title, err := Restrict(seg, lists[2], []bool{true})
			if err != nil {
				t.Fatal(err)
			}
			dense, err := Restrict(seg, lists[0], []bool{true})
			if err != nil {
				t.Fatal(err)
			}
			q.Leaves[0].Phrases = append(q.Leaves[0].Phrases, phrase)
			q.Leaves[1].Lists = append(q.Leaves[1].Lists, title)
			q.Leaves[2].Lists = append(q.Leaves[2].Lists, dense)
		}
		all := q.Leaves
		for name, match := range map[string]*Expr{
			"together": {Op: OpOr, Kids: []*Expr{leaf(0), leaf(1), leaf(2)}}, "phrase": leaf(0), "title": leaf(1), "dense": leaf(2),
		} {
			q.Match, q.Leaves = match, slices.Clone(all)
			if match.Op == OpLeaf {
				for i := range q.Leaves {
					if i != match.Leaf {
						q.Leaves[i].Weight = 0
					}
				}
			}
			o := TopOptions{K: 10, Count: true}
			want, wantTotal, err := TopExhaustive(context.Background(), q, o)
			if err != nil {
				t.Fatal(err)
			}
			got, total, err := Top(context.Background(), q, o)
			if err != nil || total != wantTotal || !slices.Equal(got, want) {
				t.Fatalf("seed %d, %s: error %v, total %d, want %d, hits\n%s\nwant\n%s", seed, name, err, total, wantTotal, fmt.Sprint(got), fmt.Sprint(want))
			}
		}
	}
}
