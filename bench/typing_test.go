package bench

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/quarry-search/quarry/engine"
)

// TestTyping types titles letter by letter, from the second on, as into a search box, and prints
// after how many letters the first five hits have one of that title (the median), after which share
// of all letters they do, and after which they do not though no more than five titles begin as
// is typed; by default without bonuses for titles, and by default, where the last may be one
// in eight.
func TestTyping(t *testing.T) {
	wanted(t)
	const seed, asked = 7, 200
	fmt.Println("| corpus | titles | letters | without titles: first after | there | missing | default: first after | there | missing |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|")
	for _, name := range []string{"movies-wikipedia", "world-cities", "debian-packages"} {
		e, lines := titledCorpus(t, name)
		title := func(record []byte) string {
			of, _, _ := strings.Cut(titleOf(t, record), " - ") // what a package is called
			return of
		}
		var titles []string
		for _, line := range lines {
			titles = append(titles, plainTitle(title(line)))
		}
		slices.Sort(titles)
		titles = slices.Compact(titles)
		r := rand.New(rand.NewPCG(seed, 0))
		r.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
		n, letters := 0, 0
		var after [2][]int
		var there, missing [2]int
		for _, line := range lines {
			want := title(line)
			if notAsked(want) || len(want) < 3 {
				continue
			}
			if n++; n > asked {
				break
			}
			typed := []rune(want)
			first := [2]int{len(typed) + 1, len(typed) + 1}
			for at := 2; at <= len(typed); at++ {
				q := string(typed[:at])
				if typed[at-1] == ' ' {
					continue
				}
				letters++
				begin := plainTitle(q)
				from := sort.SearchStrings(titles, begin)
				few := from+5 >= len(titles) || !strings.HasPrefix(titles[from+5], begin)
				for i, req := range []engine.Request{{Tuning: engine.Tuning{Title: -1}}, {}} {
					req.Query, req.Limit = q, 5
					res, err := e.Search(context.Background(), &req)
					if err != nil {
						t.Fatalf("%s: %q: %v", name, q, err)
					}
					if slices.ContainsFunc(res.Hits, func(h engine.Hit) bool { return plainTitle(title(h.Record)) == plainTitle(want) }) {
						there[i]++
						first[i] = min(first[i], at)
					} else if few {
						missing[i]++
					}
				}
			}
			for i := range after {
				after[i] = append(after[i], first[i])
			}
		}
		fmt.Printf("| %s | %d | %d |", name, len(after[0]), letters)
		for i := range after {
			slices.Sort(after[i])
			fmt.Printf(" %d | %.1f %% | %.1f %% |", after[i][len(after[i])/2], 100*float64(there[i])/float64(letters), 100*float64(missing[i])/float64(letters))
		}
		fmt.Println()
		if 8*missing[1] > letters {
			t.Errorf("%s: after %d of %d letters a title that is one of five is not among the first hits", name, missing[1], letters)
		}
	}
}
