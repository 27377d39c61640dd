package eval

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// ErrNoCollection is wrapped by the errors of [Open] for a folder in which a
// part of a collection is missing.
var ErrNoCollection = errors.New("not a judged collection")

// maxRecordBytes bounds one line or one TREC document, so that a file of another
// kind fails with an error instead of filling the memory.
const maxRecordBytes = 64 << 20

// Document is one record of a collection.
type Document struct {
	ID     string          // the value of "_id"
	Record json.RawMessage // the whole object, "_id" included; the receiver's to keep
}

// Query is one information need as it is typed into the search box.
type Query struct {
	ID   string `json:"id"`
	Text string `json:"text"`
}

// Judgments holds the judged documents of each query: query id, document id,
// grade. Grades of 1 and more are relevant.
type Judgments map[string]map[string]int

// Relevant returns how many documents are judged relevant for a query.
func (j Judgments) Relevant(query string) int {
	n := 0
	for _, grade := range j[query] {
		if grade > 0 {
			n++
		}
	}
	return n
}

// add notes a judgment; a pair that is judged twice keeps the higher grade.
func (j Judgments) add(query, doc string, grade int) {
	of := j[query]
	if of == nil {
		of = map[string]int{}
		j[query] = of
	}
	if old, ok := of[doc]; !ok || grade > old {
		of[doc] = grade
	}
}

// Collection is a set of documents, queries and judgments.
type Collection struct {
	Name      string  // the folder's base name
	Queries   []Query // in the order of the file, ids all different
	Judgments Judgments

	documents iter.Seq2[Document, error]
}

// OpenOptions says how a collection is read. The zero value reads what the
// folder's layout names.
type OpenOptions struct {
	// Queries names a file to read the queries from instead, of the same format
	// as the layout's own. A bare file name is looked for in the collection's
	// folder, anything else is a path.
	Queries string
	// Split names the part of a collection in BEIR layout whose judgments are read, such as
	// "dev" for qrels/dev.tsv; "" is qrels.tsv, and else "test", and else the only one there is.
	Split string
}

// Open reads the queries and judgments of the collection in dir; the documents
// stay on disk until [Collection.Documents] is ranged over. The layout is BEIR if
// dir has a corpus.jsonl or corpus.jsonl.gz, else TREC. A nil opts is the zero
// value. Errors about the content name file and line.
func Open(dir string, opts *OpenOptions) (*Collection, error) {
	if opts == nil {
		opts = &OpenOptions{}
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	c := &Collection{Name: filepath.Base(abs), Judgments: Judgments{}}
	queries := opts.Queries
	if queries != "" && filepath.Base(queries) == queries {
		queries = filepath.Join(dir, queries)
	}
	corpus, err := firstExisting(filepath.Join(dir, "corpus.jsonl"), filepath.Join(dir, "corpus.jsonl.gz"))
	switch {
	case err == nil:
		err = c.openBEIR(dir, corpus, queries, opts.Split)
	case !errors.Is(err, fs.ErrNotExist):
	case opts.Split != "":
		err = fmt.Errorf("%w: there is no corpus.jsonl, and only collections in BEIR layout have splits", ErrNoCollection)
	default:
		err = c.openTREC(dir, queries)
	}
	if err != nil {
		return nil, fmt.Errorf("collection %s: %w", dir, err)
	}
	return c, nil
}

// Documents streams the documents in the order of the files. The sequence ends
// after the first error, whose document is the zero value. It may be ranged over
// more than once; each time the files are read anew.
func (c *Collection) Documents() iter.Seq2[Document, error] { return c.documents }

// addQuery appends a query; ids must be new.
func (c *Collection) addQuery(seen map[string]bool, q Query) error {
	if seen[q.ID] {
		return fmt.Errorf("query %q occurs twice", q.ID)
	}
	seen[q.ID] = true
	c.Queries = append(c.Queries, q)
	return nil
}

// openBEIR reads the two small files and remembers where the corpus is.
func (c *Collection) openBEIR(dir, corpus, queries, split string) error {
	qrels, err := judgmentsFile(dir, split)
	if err != nil {
		return err
	}
	if queries == "" {
		queries = filepath.Join(dir, "queries.jsonl")
	}
	seen := map[string]bool{}
	if err := eachLine(queries, func(_ int, line []byte) error {
		var q struct {
			ID   *string `json:"_id"`
			Text string  `json:"text"`
		}
		if err := json.Unmarshal(line, &q); err != nil {
			return err
		}
		if q.ID == nil {
			return errors.New(`query without "_id"`)
		}
		return c.addQuery(seen, Query{ID: *q.ID, Text: q.Text})
	}); err != nil {
		return missing(err)
	}
	if err := eachLine(qrels, func(n int, line []byte) error {
		f := strings.Split(strings.TrimRight(string(line), "\r"), "\t")
		if len(f) != 3 {
			return fmt.Errorf("%d columns, want query-id, corpus-id and score between tabs", len(f))
		}
		grade, err := strconv.Atoi(f[2])
		if err != nil {
			if n == 1 { // the header line
				return nil
			}
			return fmt.Errorf("score %q is not an integer", f[2])
		}
		c.Judgments.add(f[0], f[1], grade)
		return nil
	}); err != nil {
		return missing(err)
	}
	c.documents = func(yield func(Document, error) bool) {
		err := eachLine(corpus, func(_ int, line []byte) error {
			var d struct {
				ID *string `json:"_id"`
			}
			if err := json.Unmarshal(line, &d); err != nil {
				return err
			}
			if d.ID == nil {
				return errors.New(`document without "_id"`)
			}
			if !yield(Document{ID: *d.ID, Record: append(json.RawMessage(nil), line...)}, nil) {
				return errStop
			}
			return nil
		})
		if err != nil && !errors.Is(err, errStop) {
			yield(Document{}, err)
		}
	}
	return nil
}

// judgmentsFile is where a folder in BEIR layout has its judgments, as OpenOptions.Split says.
func judgmentsFile(dir, split string) (string, error) {
	folder := filepath.Join(dir, "qrels")
	if split == "" {
		path, err := firstExisting(filepath.Join(dir, "qrels.tsv"), filepath.Join(folder, "test.tsv"))
		if err == nil || !errors.Is(err, fs.ErrNotExist) {
			return path, err
		}
	} else if path, err := firstExisting(filepath.Join(folder, split+".tsv")); err == nil || !errors.Is(err, fs.ErrNotExist) {
		return path, err
	}
	entries, err := os.ReadDir(folder)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	var all []string
	for _, e := range entries {
		if name, ok := strings.CutSuffix(e.Name(), ".tsv"); ok {
			all = append(all, name)
		}
	}
	switch {
	case len(all) == 0 && split != "":
		return "", fmt.Errorf("%w: there is no split %q, and no other in the folder qrels", ErrNoCollection, split)
	case len(all) == 0:
		return "", fmt.Errorf("%w: there is no qrels.tsv, and no qrels%ctest.tsv", ErrNoCollection, filepath.Separator)
	case split != "":
		return "", fmt.Errorf("%w: there is no split %q; there is %s", ErrNoCollection, split, strings.Join(all, ", "))
	case len(all) > 1:
		return "", fmt.Errorf("%w: there are several splits, of which none is the test: %s; name one", ErrNoCollection, strings.Join(all, ", "))
	}
	return filepath.Join(folder, all[0]+".tsv"), nil
}

// errStop ends eachLine and eachDoc early when a range loop breaks.
var errStop = errors.New("stop")

// missing marks the absence of a file that the layout needs.
func missing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w: %w", ErrNoCollection, err)
	}
	return err
}

func firstExisting(paths ...string) (string, error) {
	var err error
	for _, p := range paths {
		if _, err = os.Stat(p); err == nil {
			return p, nil
		}
	}
	return "", err
}

// openFile opens a file for reading and unpacks it if its name ends in .gz.
func openFile(path string) (io.ReadCloser, error) {
	f, err := os.Open(path)
	if err != nil || !strings.HasSuffix(path, ".gz") {
		return f, err
	}
	z, err := gzip.NewReader(f)
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return struct {
		io.Reader
		io.Closer
	}{z, f}, nil
}

// eachLine calls f with the number and the bytes of every line that is not
// blank; the bytes are valid during the call. Errors name file and line.
func eachLine(path string, f func(n int, line []byte) error) error {
	in, err := openFile(path)
	if err != nil {
		return err
	}
	defer in.Close()
	return scanLines(in, path, f)
}

func scanLines(in io.Reader, name string, f func(n int, line []byte) error) error {
	sc := bufio.NewScanner(in)
	sc.Buffer(make([]byte, 0, 64<<10), maxRecordBytes)
	n := 0
	for sc.Scan() {
		n++
		if len(bytes.TrimSpace(sc.Bytes())) == 0 {
			continue
		}
		if err := f(n, sc.Bytes()); err != nil {
			return fmt.Errorf("%s:%d: %w", name, n, err)
		}
	}
	if err := sc.Err(); err != nil {
		return fmt.Errorf("%s:%d: %w", name, n+1, err)
	}
	return nil
}
