// Command driver runs search engines side by side on the same work.
//
//	driver build  [flags]   build each index: time, memory, size
//	driver query  [flags]   time the query file on all engines, in turn
//	driver live   [flags]   play the write scenario on each
//	driver report [flags]   print what was measured as Markdown
//
// An engine is a program that the table (engines.json) says how to start; package
// proto has the protocol. All engines get the same number of measured rounds, and
// in each round every engine has its turn, so that whatever else the machine does
// hits all of them alike.
//
// Measures are kept as JSON in the -out folder with the machine, the date, the
// commit and the settings they were taken with: CORPUS.query.json (or
// CORPUS.GROUP.query.json) for all engines, CORPUS.ENGINE.build.json and CORPUS.ENGINE.live.json for each, so that those two
// steps can be repeated for one engine.
package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"strings"
	"time"
)

// config is what the flags set.
type config struct {
	engines  []string
	table    string
	bin      string
	data     string
	corpus   string
	indexes  string
	out      string
	commands []string
	warm     time.Duration
	passes   int
	repeats  int
	liveDocs int
	batch    int
	sample   int
	base     string
	group    string

	settings map[string]string // every flag as it was, for the record
}

func parseFlags(args []string) (*config, error) {
	c := &config{settings: map[string]string{}}
	f := flag.NewFlagSet("driver", flag.ContinueOnError)
	engines := f.String("engines", "quarry,lucene10,tantivy,bleve,bluge,sqlite", "engines, separated by commas")
	commands := f.String("commands", "COUNT,TOP_10,TOP_10_COUNT,TOP_100", "query commands, separated by commas")
	f.StringVar(&c.table, "table", "engines.json", "how each engine's program is started; $BIN is -bin, other variables come from the environment")
	f.StringVar(&c.bin, "bin", "bin", "folder of the engine programs")
	f.StringVar(&c.data, "data", "data", "folder of CORPUS.tsv and CORPUS.q")
	f.StringVar(&c.corpus, "corpus", "packages", "name of the corpus")
	f.StringVar(&c.indexes, "indexes", "indexes", "folder for the indexes")
	f.StringVar(&c.out, "out", "results", "folder for the measures")
	f.DurationVar(&c.warm, "warm", 20*time.Second, "warm-up of each engine before each command: whole passes until this long")
	f.IntVar(&c.passes, "passes", 10, "measured passes over the queries, for every engine and command")
	f.IntVar(&c.repeats, "repeats", 1, "how often build and live are repeated")
	f.IntVar(&c.liveDocs, "livedocs", 100000, "documents of the write scenario")
	f.IntVar(&c.batch, "batch", 1000, "batch size of the write scenario")
	f.IntVar(&c.sample, "sample", 1, "ask only every so many queries of the file")
	f.StringVar(&c.base, "base", "lucene10", "engine that the report's ratios are relative to")
	f.StringVar(&c.group, "group", "", "name for this set of engines, for a query result and a report of its own")
	if err := f.Parse(args); err != nil {
		return nil, err
	}
	if c.passes < 1 || c.repeats < 1 || c.sample < 1 || c.batch < 1 || c.liveDocs < 1 {
		return nil, fmt.Errorf("-passes, -repeats, -sample, -batch and -livedocs must be at least 1")
	}
	c.engines = strings.Split(*engines, ",")
	c.commands = strings.Split(*commands, ",")
	f.VisitAll(func(f *flag.Flag) { c.settings[f.Name] = f.Value.String() })
	return c, nil
}

func run(args []string) error {
	if len(args) == 0 {
		return fmt.Errorf("usage: driver build|query|live|report [flags]")
	}
	c, err := parseFlags(args[1:])
	if err != nil {
		return err
	}
	steps := map[string]func() error{
		"build":  c.build,
		"query":  c.query,
		"live":   c.live,
		"report": func() error { return c.report(os.Stdout) },
	}
	step, ok := steps[args[0]]
	if !ok {
		return fmt.Errorf("no step %q: want build, query, live or report", args[0])
	}
	for _, dir := range []string{c.out, c.indexes} {
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return err
		}
	}
	return step()
}

func main() {
	log.SetFlags(log.Ltime)
	if err := run(os.Args[1:]); err != nil {
		log.Fatal(err)
	}
}
