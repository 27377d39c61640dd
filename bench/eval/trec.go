package eval

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
)

// sniffBytes is how far into a file its kind is looked for: far enough for the
// comments and root tags that some collections put in front.
const sniffBytes = 4096

// kind is what a file of a TREC folder holds.
type kind int

const (
	other kind = iota
	topics
	documents
	qrels
)

// openTREC classifies the files below dir, reads topics and qrels and remembers
// the document files.
func (c *Collection) openTREC(dir, queries string) error {
	files := map[kind][]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if strings.HasPrefix(d.Name(), ".") && path != dir {
			if d.IsDir() {
				return filepath.SkipDir
			}
			return nil
		}
		if !d.Type().IsRegular() {
			return nil
		}
		k, err := sniff(path)
		files[k] = append(files[k], path)
		return err
	})
	if err != nil {
		return missing(err)
	}
	if queries != "" {
		files[topics] = []string{queries}
	}
	switch {
	case len(files[documents]) == 0:
		return fmt.Errorf("%w: no corpus.jsonl[.gz] and no file that begins with <DOC>", ErrNoCollection)
	case len(files[topics]) == 0:
		return fmt.Errorf("%w: no file that begins with <top>", ErrNoCollection)
	case len(files[qrels]) == 0:
		return fmt.Errorf("%w: no qrels file of four columns", ErrNoCollection)
	}
	for _, path := range files[qrels] {
		if err := eachLine(path, func(_ int, line []byte) error {
			f := strings.Fields(string(line))
			if len(f) != 4 {
				return fmt.Errorf("%d columns, want query, iteration, document and score", len(f))
			}
			grade, err := strconv.Atoi(f[3])
			if err != nil {
				return fmt.Errorf("score %q is not an integer", f[3])
			}
			c.Judgments.add(f[0], f[2], grade)
			return nil
		}); err != nil {
			return err
		}
	}
	seen := map[string]bool{}
	for _, path := range files[topics] {
		if err := eachElement(path, "top", func(body string) error {
			q, err := topic(body)
			if err != nil {
				return err
			}
			// Topics 51 to 99 are written 051 in the topics of TREC and 51 in its qrels.
			if bare := strings.TrimLeft(q.ID, "0"); c.Judgments[q.ID] == nil && c.Judgments[bare] != nil {
				q.ID = bare
			}
			return c.addQuery(seen, q)
		}); err != nil {
			return missing(err)
		}
	}
	c.documents = func(yield func(Document, error) bool) {
		for _, path := range files[documents] {
			err := eachElement(path, "doc", func(body string) error {
				d, err := record(body)
				if err != nil {
					return err
				}
				if !yield(d, nil) {
					return errStop
				}
				return nil
			})
			if errors.Is(err, errStop) {
				return
			}
			if err != nil {
				yield(Document{}, err)
				return
			}
		}
	}
	return nil
}

// sniff tells what a file holds from its beginning.
func sniff(path string) (kind, error) {
	in, err := openFile(path)
	if err != nil {
		return other, err
	}
	defer in.Close()
	head := make([]byte, sniffBytes)
	n, err := io.ReadFull(in, head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return other, fmt.Errorf("%s: %w", path, err)
	}
	head = bytes.TrimSpace(head[:n])
	doc, _ := openTag(head, "doc")
	top, _ := openTag(head, "top")
	if len(head) > 0 && head[0] == '<' {
		switch {
		case doc >= 0 && (top < 0 || doc < top):
			return documents, nil
		case top >= 0:
			return topics, nil
		}
		return other, nil
	}
	line, _, _ := bytes.Cut(head, []byte("\n"))
	if f := strings.Fields(string(line)); len(f) == 4 {
		if _, err := strconv.Atoi(f[3]); err == nil {
			return qrels, nil
		}
	}
	return other, nil
}

// tag returns where the next tag with this name and prefix ("<" or "</") begins
// in b and where what follows it begins, or -1. Case does not matter.
func tag(b []byte, prefix, name string) (start, end int) {
	want := prefix + name
	for from := 0; ; {
		i := bytes.IndexByte(b[from:], '<')
		if i < 0 {
			return -1, -1
		}
		start = from + i
		after := start + len(want)
		if after >= len(b) {
			return -1, -1
		}
		if c := b[after]; strings.EqualFold(string(b[start:after]), want) && (c == '>' || c == ' ' || c == '\t' || c == '\n' || c == '\r') {
			if close := bytes.IndexByte(b[after:], '>'); close >= 0 {
				return start, after + close + 1
			}
			return -1, -1
		}
		from = start + 1
	}
}

func openTag(b []byte, name string) (start, end int)  { return tag(b, "<", name) }
func closeTag(b []byte, name string) (start, end int) { return tag(b, "</", name) }

// eachElement calls f with the content of every element of this name in a file.
// Errors name the file and the line on which the element begins.
func eachElement(path, name string, f func(body string) error) error {
	in, err := openFile(path)
	if err != nil {
		return err
	}
	defer in.Close()
	return scanElements(in, path, name, f)
}

func scanElements(in io.Reader, path, name string, f func(body string) error) error {
	line := 1 // of the first byte that is not yet consumed
	began := 1
	sc := bufio.NewScanner(in)
	sc.Buffer(make([]byte, 0, 64<<10), maxRecordBytes)
	sc.Split(func(data []byte, atEOF bool) (int, []byte, error) {
		start, body := openTag(data, name)
		if start < 0 {
			n := withoutTag(data, atEOF)
			line += bytes.Count(data[:n], []byte("\n"))
			return n, nil, nil
		}
		stop, end := closeTag(data[body:], name)
		if stop < 0 {
			if atEOF {
				line += bytes.Count(data[:start], []byte("\n"))
				return 0, nil, fmt.Errorf("<%s> without </%s>", name, name)
			}
			return 0, nil, nil
		}
		began = line + bytes.Count(data[:start], []byte("\n"))
		line += bytes.Count(data[:body+end], []byte("\n"))
		return body + end, data[body : body+stop], nil
	})
	for sc.Scan() {
		if err := f(sc.Text()); err != nil {
			return fmt.Errorf("%s:%d: %w", path, began, err)
		}
	}
	if err := sc.Err(); err != nil {
		return fmt.Errorf("%s:%d: %w", path, line, err)
	}
	return nil
}

// withoutTag returns how much of data, in which the tag looked for was not
// found, can hold no part of it: all up to the last "<" that is near enough to
// the end to be a tag cut in two.
func withoutTag(data []byte, atEOF bool) int {
	i := bytes.LastIndexByte(data, '<')
	if atEOF || i < 0 || len(data)-i > sniffBytes {
		return len(data)
	}
	return i
}

// topic reads the content of a <top> element, whose parts often have no closing
// tags and often begin with a label.
func topic(body string) (Query, error) {
	parts := map[string]string{}
	for rest := body; ; {
		_, after, ok := strings.Cut(rest, "<")
		if !ok {
			break
		}
		name, value, ok := strings.Cut(after, ">")
		if !ok {
			break
		}
		text, _, _ := strings.Cut(value, "<")
		name = strings.ToLower(strings.TrimSpace(name))
		if _, dup := parts[name]; !dup {
			parts[name] = text
		}
		rest = value
	}
	part := func(name, label string) string {
		s := strings.TrimSpace(parts[name])
		s = strings.TrimPrefix(s, label)
		return strings.Join(strings.Fields(html.UnescapeString(s)), " ")
	}
	q := Query{ID: part("num", "Number:"), Text: part("title", "Topic:")}
	if q.Text == "" {
		q.Text = part("desc", "Description:")
	}
	if q.ID == "" {
		return q, errors.New("topic without <num>")
	}
	return q, nil
}

// record turns the content of a <DOC> element into a JSON object.
func record(body string) (Document, error) {
	fields := map[string]string{}
	var id string
	for b := []byte(body); ; {
		i := bytes.IndexByte(b, '<')
		if i < 0 {
			break
		}
		b = b[i+1:]
		end := bytes.IndexByte(b, '>')
		if end < 0 {
			break
		}
		name, _, _ := strings.Cut(string(b[:end]), " ")
		b = b[end+1:]
		if name == "" || !isName(name) {
			continue
		}
		stop, after := closeTag(b, name)
		if stop < 0 {
			continue // a tag that is never closed holds nothing
		}
		text := plain(string(b[:stop]))
		b = b[after:]
		switch name = strings.ToLower(name); {
		case name == "docno":
			id = strings.ToValidUTF8(strings.TrimSpace(text), "\uFFFD") // as JSON will have it
		case fields[name] != "":
			fields[name] += "\n" + text
		default:
			fields[name] = text
		}
	}
	if id == "" {
		return Document{}, errors.New("document without <DOCNO>")
	}
	fields["_id"] = id
	raw, err := json.Marshal(fields)
	return Document{ID: id, Record: raw}, err
}

func isName(s string) bool {
	for i, r := range s {
		letter := 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || r == '_'
		if !letter && (i == 0 || !('0' <= r && r <= '9' || r == '-')) {
			return false
		}
	}
	return true
}

// plain drops tags and resolves entities. A "<" that begins no tag is kept.
func plain(s string) string {
	var b strings.Builder
	for {
		i := strings.IndexByte(s, '<')
		if i < 0 {
			break
		}
		end := strings.IndexByte(s[i:], '>')
		name := ""
		if end > 0 {
			name, _, _ = strings.Cut(strings.Trim(s[i+1:i+end], "/"), " ")
		}
		if name == "" || !isName(name) {
			b.WriteString(s[:i+1])
			s = s[i+1:]
			continue
		}
		b.WriteString(s[:i])
		b.WriteByte(' ')
		s = s[i+end+1:]
	}
	b.WriteString(s)
	return strings.TrimSpace(html.UnescapeString(b.String()))
}
