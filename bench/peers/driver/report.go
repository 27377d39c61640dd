package main

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// report writes all that was measured on a corpus as Markdown. Engines are in
// the order of -engines; those without measures are left out.
func (c *config) report(out io.Writer) error {
	w := bufio.NewWriter(out)
	builds := map[string]Measured[[]Build]{}
	lives := map[string]Measured[[]Live]{}
	for _, e := range c.engines {
		if m, ok := load[[]Build](c.file(e, "build")); ok {
			builds[e] = m
		}
		if m, ok := load[[]Live](c.file(e, "live")); ok {
			lives[e] = m
		}
	}
	queries, haveQueries := load[Queries](c.queryResult())
	if len(builds)+len(lives) == 0 && !haveQueries {
		return fmt.Errorf("nothing was measured on %q in %s", c.corpus, c.out)
	}
	fmt.Fprintf(w, "# Peers on %s\n", c.title())
	c.reportSetups(w, builds, lives, queries, haveQueries)
	c.reportBuilds(w, builds)
	if haveQueries {
		c.reportQueries(w, queries.Result)
	}
	c.reportLives(w, lives)
	return w.Flush()
}

// reportSetups says under what each measure was taken, each setup once.
func (c *config) reportSetups(w io.Writer, builds map[string]Measured[[]Build], lives map[string]Measured[[]Live], queries Measured[Queries], haveQueries bool) {
	// Measures of one run of the driver have one setup.
	key := func(s Setup) string { return fmt.Sprint(s.Date, s.Commit, s.Settings) }
	var setups []Setup
	uses := map[string][]string{} // setup -> what was measured
	add := func(s Setup, use string) {
		if uses[key(s)] == nil {
			setups = append(setups, s)
		}
		uses[key(s)] = append(uses[key(s)], use)
	}
	for _, e := range c.engines {
		if m, ok := builds[e]; ok {
			add(m.Setup, "build "+e)
		}
	}
	if haveQueries {
		add(queries.Setup, "query")
	}
	for _, e := range c.engines {
		if m, ok := lives[e]; ok {
			add(m.Setup, "live "+e)
		}
	}
	engines := map[string]Engine{}
	fmt.Fprintf(w, "\n## Setup\n")
	for _, s := range setups {
		fmt.Fprintf(w, "\n- %s, commit %s: %s.\n", s.Date, s.Commit, strings.Join(uses[key(s)], ", "))
		fmt.Fprintf(w, "  Machine: %s, %d cores, %.1f GB, load average %s at the start; %s.\n", s.CPU, s.Cores, s.MemoryGB, s.Load, s.System)
		var settings []string
		for _, name := range slices.Sorted(maps.Keys(s.Settings)) {
			settings = append(settings, "-"+name+" "+s.Settings[name])
		}
		fmt.Fprintf(w, "  Settings: `%s`\n", strings.Join(settings, " "))
		maps.Copy(engines, s.Engines)
	}
	table(w, []string{"engine", "version", "command"}, "lll", func(row func(...string)) {
		for _, e := range c.engines {
			if v, ok := engines[e]; ok {
				row(e, v.Version, "`"+strings.Join(v.Command, " ")+"`")
			}
		}
	})
}

// reportBuilds gives the medians of the repeats.
func (c *config) reportBuilds(w io.Writer, builds map[string]Measured[[]Build]) {
	if len(builds) == 0 {
		return
	}
	fmt.Fprintf(w, "\n## Build\n\nFrom the corpus on standard input to one closed index, median of the repeats.\n")
	table(w, []string{"engine", "repeats", "wall s", "cpu s", "peak RSS MB", "index MB"}, "lrrrrr", func(row func(...string)) {
		for _, e := range c.engines {
			of := func(f func(Build) float64) string {
				var v []float64
				for _, b := range builds[e].Result {
					v = append(v, f(b))
				}
				return fmt.Sprintf("%.1f", median(v))
			}
			if n := len(builds[e].Result); n > 0 {
				row(e, fmt.Sprint(n), of(func(b Build) float64 { return b.WallS }), of(func(b Build) float64 { return b.CPUS }),
					of(func(b Build) float64 { return mb(b.PeakRSS) }), of(func(b Build) float64 { return mb(b.Bytes) }))
			}
		}
	})
}

func (c *config) reportQueries(w io.Writer, q Queries) {
	var have []string
	for _, e := range c.engines {
		a := q.Engines[e]
		switch {
		case a == nil:
		case a.Failed != "":
			fmt.Fprintf(w, "\n%s failed: %s\n", e, a.Failed)
		default:
			have = append(have, e)
		}
	}
	if len(have) == 0 {
		return
	}
	fmt.Fprintf(w, "\n## Open\n\nAnonymous memory is what is not a page of the index file.\n")
	table(w, []string{"engine", "open ms", "process start to first answer ms", "idle RSS MB", "idle anonymous MB", "RSS MB after queries", "anonymous MB after queries"}, "lrrrrrr", func(row func(...string)) {
		for _, e := range have {
			a := q.Engines[e]
			row(e, fmt.Sprintf("%.1f", a.OpenMS), fmt.Sprintf("%.0f", a.StartMS), digits(mb(a.Idle.RSS)), digits(mb(a.Idle.Anonymous)), digits(mb(a.Loaded.RSS)), digits(mb(a.Loaded.Anonymous)))
		}
	})
	base := c.base
	if !slices.Contains(have, base) {
		base = have[0]
	}
	reportSummary(w, q, have, c.commands)
	for _, command := range c.commands {
		if q.Engines[base].Timings[command] != nil {
			reportCommand(w, q, have, base, command)
		}
	}
	reportAgreement(w, q, have, base)
}

// reportSummary compares the means by command and kind of query with the first
// engine's in one table.
func reportSummary(w io.Writer, q Queries, have []string, commands []string) {
	fmt.Fprintf(w, "\n## Summary\n\nMean microseconds of a query, and in brackets that as a multiple of what %s takes. A dash: the engine does not support all of these queries.\n", have[0])
	var kinds []string
	of := map[string][]int{}
	for i, query := range q.Queries {
		kind, _, _ := strings.Cut(query.Tag, ":")
		if of[kind] == nil {
			kinds = append(kinds, kind)
		}
		of[kind] = append(of[kind], i)
	}
	table(w, append([]string{"command", "queries"}, have...), "ll"+strings.Repeat("r", len(have)), func(row func(...string)) {
		for _, command := range commands {
			if q.Engines[have[0]].Timings[command] == nil {
				continue
			}
			for _, kind := range kinds {
				cells := []string{command, fmt.Sprintf("%s (%d)", kind, len(of[kind]))}
				var first []float64
				for i, e := range have {
					v := bests(q, e, command, of[kind])
					switch {
					case len(v) < len(of[kind]):
						cells = append(cells, "–")
					case i == 0:
						first = v
						cells = append(cells, digits(mean(v)))
					case first == nil:
						cells = append(cells, digits(mean(v)))
					default:
						cells = append(cells, fmt.Sprintf("%s (×%s)", digits(mean(v)), digits(mean(v)/mean(first))))
					}
				}
				row(cells...)
			}
		}
	})
}

// bests returns the best times of those of the queries that the engine supports.
func bests(q Queries, engine, command string, queries []int) (v []float64) {
	for _, i := range queries {
		if t := q.Engines[engine].Timings[command][i]; t.N >= 0 {
			v = append(v, t.Best)
		}
	}
	return v
}

// reportCommand compares the engines on one command, by kind of query. ALL has
// the queries that every engine supports, so that its numbers are about the same
// work; a kind shows what each engine supports of it.
func reportCommand(w io.Writer, q Queries, have []string, base, command string) {
	groups := map[string][]int{} // row -> queries
	for i, query := range q.Queries {
		kind, _, _ := strings.Cut(query.Tag, ":")
		groups[kind] = append(groups[kind], i)
		if kind != query.Tag {
			groups[query.Tag] = append(groups[query.Tag], i)
		}
		if !slices.ContainsFunc(have, func(e string) bool { return q.Engines[e].Timings[command][i].N < 0 }) {
			groups["ALL"] = append(groups["ALL"], i)
		}
	}
	best := func(e string, queries []int) []float64 { return bests(q, e, command, queries) }
	fmt.Fprintf(w, "\n## %s\n\nMicroseconds in the engine, best of %d passes per query: mean (p50 / p90 / p99) and the mean as a multiple of %s's.\n", command, q.Passes, base)
	table(w, append([]string{"queries", "n"}, have...), "lr"+strings.Repeat("r", len(have)), func(row func(...string)) {
		for _, name := range slices.Sorted(maps.Keys(groups)) {
			of := groups[name]
			cells := []string{name, fmt.Sprint(len(of))}
			for _, e := range have {
				v := best(e, of)
				if len(v) < len(of) {
					cells = append(cells, "–")
					continue
				}
				slices.Sort(v)
				cell := fmt.Sprintf("%s (%s / %s / %s)", digits(mean(v)), digits(at(v, .5)), digits(at(v, .9)), digits(at(v, .99)))
				if ref := best(base, of); len(ref) == len(of) {
					cell += fmt.Sprintf(" ×%.2f", mean(v)/mean(ref))
				}
				cells = append(cells, cell)
			}
			row(cells...)
		}
		all := groups["ALL"]
		if len(all) == 0 {
			return
		}
		perSecond := []string{"ALL, queries a second", ""}
		medians := []string{"ALL, mean of the medians", ""}
		ratios := []string{"ALL, geometric mean of the ratios to " + base, ""}
		for _, e := range have {
			v := best(e, all)
			perSecond = append(perSecond, fmt.Sprintf("%.0f", 1e6/mean(v)))
			for j, i := range all {
				v[j] = q.Engines[e].Timings[command][i].Median
			}
			medians = append(medians, digits(mean(v)))
			var ratio []float64
			for _, i := range all {
				// The clock of some engines does not see the shortest queries.
				if a, b := q.Engines[e].Timings[command][i].Best, q.Engines[base].Timings[command][i].Best; a > 0 && b > 0 {
					ratio = append(ratio, a/b)
				}
			}
			if len(ratio) == 0 {
				ratios = append(ratios, "–")
			} else {
				ratios = append(ratios, fmt.Sprintf("%.2f", geometricMean(ratio)))
			}
		}
		row(perSecond...)
		row(medians...)
		row(ratios...)
		if counts := countsOf(q, have, base, command); counts != nil {
			row(append([]string{"counts equal to " + base + "'s", ""}, counts...)...)
		}
		if exact := exactOf(q, have, command); exact != nil {
			row(append([]string{"hits equal to those of scoring every match", ""}, exact...)...)
		}
	})
}

// countsOf tells for each engine how many of its counts are those of the base,
// of the queries that both support; nil if the command does not count.
func countsOf(q Queries, have []string, base, command string) (cells []string) {
	if command != "COUNT" && !strings.HasSuffix(command, "_COUNT") {
		return nil
	}
	for _, e := range have {
		var c Check
		for i, t := range q.Engines[e].Timings[command] {
			if want := q.Engines[base].Timings[command][i]; t.N >= 0 && want.N >= 0 {
				c.Of++
				if t.N == want.N {
					c.Equal++
				}
			}
		}
		cells = append(cells, c.String())
	}
	return cells
}

// exactOf tells for each engine how many of its answers hold the best hits; nil
// if no engine can tell.
func exactOf(q Queries, have []string, command string) (cells []string) {
	any := false
	for _, e := range have {
		c, ok := q.Engines[e].Exact[command]
		any = any || ok
		cells = append(cells, c.String())
	}
	if !any {
		return nil
	}
	return cells
}

// String writes a dash for no answers.
func (c Check) String() string {
	if c.Of == 0 {
		return "–"
	}
	return fmt.Sprintf("%d of %d", c.Equal, c.Of)
}

// reportAgreement checks that the engines did the same work.
func reportAgreement(w io.Writer, q Queries, have []string, base string) {
	fmt.Fprintf(w, "\n## Agreement with %s\n\nCounts must be equal. Top tens differ where the engines' BM25 does; a hit that ties with the tenth is not held against an engine.\n", base)
	table(w, []string{"engine", "counts equal", "differing", "not supported", "top ten the same", "mean overlap"}, "lrrrrr", func(row func(...string)) {
		for _, e := range have {
			equal, differing, unsupported := 0, 0, 0
			for i, t := range q.Engines[e].Timings["COUNT"] {
				switch want := q.Engines[base].Timings["COUNT"][i]; {
				case t.N < 0 || want.N < 0:
					unsupported++
				case t.N == want.N:
					equal++
				default:
					differing++
				}
			}
			same := 0
			var overlaps []float64
			for i, hits := range q.Engines[e].Hits {
				if want := q.Engines[base].Hits[i]; hits != "" && want != "" {
					o := overlap(want, hits)
					overlaps = append(overlaps, o)
					if o == 1 {
						same++
					}
				}
			}
			shared := "–"
			if len(overlaps) > 0 {
				shared = fmt.Sprintf("%.3f", mean(overlaps))
			}
			row(e, fmt.Sprint(equal), fmt.Sprint(differing), fmt.Sprint(unsupported), fmt.Sprintf("%d of %d", same, len(overlaps)), shared)
		}
	})
}

// overlap is the share of the hits of want that got has too. A hit of want with
// the score of its last one need not be there: which of them are is arbitrary.
func overlap(want, got string) float64 {
	in := map[string]bool{}
	for _, h := range strings.Fields(got) {
		id, _, _ := cutScore(h)
		in[id] = true
	}
	hits := strings.Fields(want)
	_, last, _ := cutScore(hits[len(hits)-1])
	n := 0
	for _, h := range hits {
		if id, score, _ := cutScore(h); in[id] || score == last {
			n++
		}
	}
	return float64(n) / float64(len(hits))
}

// cutScore divides "id=score" at the last equals sign, as ids may have one.
func cutScore(hit string) (id, score string, ok bool) {
	i := strings.LastIndexByte(hit, '=')
	if i < 0 {
		return hit, "", false
	}
	return hit[:i], hit[i+1:], true
}

// reportLives gives the medians of the repeats.
func (c *config) reportLives(w io.Writer, lives map[string]Measured[[]Live]) {
	names := map[string]bool{}
	var have []string
	for _, e := range c.engines {
		if len(lives[e].Result) == 0 {
			continue
		}
		have = append(have, e)
		for _, l := range lives[e].Result {
			for name := range l {
				names[name] = true
			}
		}
	}
	if len(have) == 0 {
		return
	}
	fmt.Fprintf(w, "\n## Writes\n\nBatches are durable when they return, as far as the engine promises it; median of the repeats.\n")
	table(w, append([]string{"measure"}, have...), "l"+strings.Repeat("r", len(have)), func(row func(...string)) {
		for _, name := range slices.Sorted(maps.Keys(names)) {
			cells := []string{name}
			for _, e := range have {
				var v []float64
				for _, l := range lives[e].Result {
					if x, ok := l[name]; ok {
						v = append(v, x)
					}
				}
				if len(v) == 0 {
					cells = append(cells, "–")
				} else {
					cells = append(cells, digits(median(v)))
				}
			}
			row(cells...)
		}
	})
}

// table writes a Markdown table; align has a letter for each column, l or r.
func table(w io.Writer, head []string, align string, rows func(row func(...string))) {
	fmt.Fprintf(w, "\n| %s |\n|", strings.Join(head, " | "))
	for _, a := range align {
		if a == 'r' {
			fmt.Fprint(w, "--:|")
		} else {
			fmt.Fprint(w, "---|")
		}
	}
	fmt.Fprintln(w)
	rows(func(cells ...string) {
		fmt.Fprintf(w, "| %s |\n", strings.Join(cells, " | "))
	})
}

func mb(n int64) float64 { return float64(n) / (1 << 20) }
