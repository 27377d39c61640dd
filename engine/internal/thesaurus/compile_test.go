package thesaurus

import (
	"bytes"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/quarry-search/quarry/tokenize"
)

var rewrite = flag.Bool("rewrite", false, "make data/*.tab of words/*.txt")

// TestTables makes the tables of the files once more, and tells the mistakes of these
// with their lines.
func TestTables(t *testing.T) {
	names, err := filepath.Glob("words/*.txt")
	if err != nil || len(names) == 0 {
		t.Fatal("no files", err)
	}
	byLanguage := map[string][]string{}
	for _, name := range names {
		language, _, _ := strings.Cut(filepath.Base(name), "-")
		byLanguage[language] = append(byLanguage[language], name)
	}
	for language, names := range byLanguage {
		a, err := tokenize.New(tokenize.Options{Language: language})
		if err != nil {
			t.Fatal(err)
		}
		c := compiler{analyzer: a, others: map[string][]Other{}, written: map[string]string{}}
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err == nil {
				err = c.file(text)
			}
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		c.inherit()
		table := c.table()
		path := filepath.Join("data", language)
		for path, want := range map[string][]byte{path + ".tab": table, path + ".idx": index(string(table))} {
			if *rewrite {
				if err := os.WriteFile(path, want, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, want) {
				t.Errorf("%s is not what the files make: run go test ./engine/internal/thesaurus -rewrite (%v)", path, err)
			}
		}
		if !*rewrite && Of(language) != (Thesaurus{string(table), string(index(string(table)))}) {
			t.Errorf("Of(%q) is another table", language)
		}
		t.Logf("%s: %d lines, %d phrases stand for something, %d bytes", language, c.lines, len(c.others), len(table))
	}
}

// compiler makes a table of files.
type compiler struct {
	analyzer *tokenize.Analyzer
	others   map[string][]Other // by the terms of a phrase
	written  map[string]string  // by its terms, a phrase as it was first written
	forms    [][]phrase         // of words, where no stemmer brings them together
	lines    int
}

// phrase is the terms of a phrase in a query and in a text, where a character follows at the end of
// what is cut into pairs of them; held is "" if only questions can have it: a character by itself.
type phrase struct{ asked, held string }

func (c *compiler) file(text []byte) error {
	var wrong []error
	seen := map[string]int{}
	for i, line := range strings.Split(string(text), "\n") {
		line, _, _ = strings.Cut(line, "#")
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		c.lines++
		err := c.line(line)
		if before, ok := seen[line]; ok {
			err = fmt.Errorf("line %d again", before)
		}
		if seen[line] = i + 1; err != nil {
			wrong = append(wrong, fmt.Errorf("line %d: %q: %w", i+1, line, err))
		}
	}
	return errors.Join(wrong...)
}

func (c *compiler) line(line string) error {
	relation := Same
	if rest, ok := strings.CutPrefix(line, "=="); ok {
		relation, line = Spelling, rest
	} else if rest, ok := strings.CutPrefix(line, "="); ok {
		relation, line = Form, rest
	} else if rest, ok := strings.CutPrefix(line, "~"); ok {
		relation, line = Kin, rest
	}
	broad, narrow, directed := strings.Cut(line, ">")
	from, err := c.phrases(broad)
	if err != nil {
		return err
	}
	to := from
	if directed {
		switch relation {
		case Same:
			relation = Narrower
		case Form, Kin:
			return errors.New("a sign and >")
		}
		if to, err = c.phrases(narrow); err != nil {
			return err
		}
	} else if len(from) < 2 {
		return errors.New("a phrase alone")
	}
	if relation <= Form && !directed && c.analyzer.Stems() == "" {
		c.forms = append(c.forms, from)
	}
	for _, a := range from {
		for _, b := range to {
			if a != b && b.held != "" && !c.finds(a, b) {
				c.add(a.asked, Other{b.held, c.written[b.held], relation})
			}
		}
	}
	return nil
}

// finds tells whether whoever asks for a phrase finds another one anyway, since it is part of that:
// 鼠标 of 无线鼠标, which is to be no better than others of them.
func (c *compiler) finds(a, b phrase) bool {
	return c.analyzer.Stems() == "" && strings.Contains(" "+b.held+" ", " "+a.asked+" ")
}

// formsHeld is how many forms of a word are looked for, those that are written first, in
// place of another word.
const formsHeld = 5

// inherit gives the forms of a word what stands for the first of them, in several forms,
// too, where no stemmer brings them together.
func (c *compiler) inherit() {
	formsOf := map[string][]phrase{} // by the first as it is held
	for _, forms := range c.forms {
		formsOf[forms[0].held] = forms
	}
	for _, forms := range c.forms {
		for _, o := range slices.Clone(c.others[forms[0].asked]) {
			if o.Relation <= Form {
				continue
			}
			for _, f := range forms[1:] {
				if c.finds(f, phrase{held: o.Terms}) {
					continue
				}
				c.add(f.asked, o)
			}
		}
	}
	for asked, others := range c.others {
		for _, o := range slices.Clone(others) {
			if forms := formsOf[o.Terms]; o.Relation > Form && forms != nil {
				for _, f := range forms[1:min(len(forms), formsHeld)] {
					if f.asked == asked || f.held == "" || c.finds(phrase{asked: asked}, f) {
						continue
					}
					c.add(asked, Other{f.held, c.written[f.held], o.Relation})
				}
			}
		}
	}
}

// add notes what a phrase stands for; of two relations the nearer one holds.
func (c *compiler) add(phrase string, o Other) {
	list := c.others[phrase]
	if i := slices.IndexFunc(list, func(p Other) bool { return p.Terms == o.Terms }); i >= 0 {
		list[i].Relation = min(list[i].Relation, o.Relation)
		return
	}
	c.others[phrase] = append(list, o)
}

// phrases reads phrases between commas, and returns their terms.
func (c *compiler) phrases(text string) ([]phrase, error) {
	var out []phrase
	for p := range strings.SplitSeq(text, ",") {
		p = strings.TrimSpace(p)
		if p == "" {
			return nil, errors.New("an empty phrase")
		}
		for i, r := range p {
			ok := unicode.In(r, unicode.L, unicode.M, unicode.Nd) || strings.ContainsRune("-'+.&/", r) || r == ' ' && p[i-1] != ' '
			if !ok || unicode.IsUpper(r) {
				return nil, fmt.Errorf("%q: %q", p, r)
			}
		}
		of := phrase{termsOf(c.analyzer.AnalyzeQuery(p)), termsOf(held(c.analyzer.Analyze(p)))}
		if own := Apart(c.analyzer.Stems(), p); own != "" {
			of.asked = own
			if strings.Contains(apartEnglish, "\n! "+strings.TrimSuffix(own, apartMark)+" ") {
				of.held = "" // its term is in texts about something else
			}
		}
		if of.asked == "" || strings.ContainsAny(of.asked+p, "|;\t\n") {
			return nil, fmt.Errorf("%q has the terms %q", p, of.asked)
		}
		if _, ok := c.written[of.held]; !ok {
			c.written[of.held] = p
		}
		if !slices.Contains(out, of) { // two inflections of a word are one
			out = append(out, of)
		}
	}
	return out, nil
}

// held returns what every text has that holds a phrase with such tokens: a character at its end
// may be one of a longer run. It is nothing for two letters of Kana, which are in many words.
func held(tokens []tokenize.Token) []tokenize.Token {
	if len(tokens) == 2 && tokens[0].Kind == tokenize.KindBigram && !strings.ContainsFunc(string(tokens[0].Term), notKana) {
		return nil
	}
	if n := len(tokens); n > 0 && tokens[n-1].Kind == tokenize.KindUnigram && (n == 1 || tokens[n-2].Kind == tokenize.KindBigram) {
		return tokens[:n-1]
	}
	return tokens
}

func notKana(r rune) bool { return r < 0x3040 || r > 0x30FF }

func termsOf(tokens []tokenize.Token) string {
	var terms []string
	for i := range tokens {
		if !tokens[i].Part {
			terms = append(terms, string(tokens[i].Term))
		}
	}
	return strings.Join(terms, " ")
}

func (c *compiler) table() []byte {
	for phrase := range c.others {
		first, _, longer := strings.Cut(phrase, " ")
		if _, ok := c.others[first]; longer && !ok {
			c.others[first] = nil
		}
	}
	short := c.shorten()
	lines := make([]string, 0, len(c.others))
	for phrase, others := range c.others {
		if word := short[phrase]; word != "" {
			lines = append(lines, phrase+"\t"+string(like)+word+"\n")
			continue
		}
		slices.SortStableFunc(others, func(a, b Other) int { return int(a.Relation) - int(b.Relation) })
		var row []string
		for _, o := range others {
			row = append(row, other(o))
		}
		lines = append(lines, phrase+"\t"+strings.Join(row, "|")+"\n")
	}
	slices.Sort(lines)
	return []byte(strings.Join(lines, ""))
}

// shorten returns words of which others are forms that the same stands for, by those. To these words
// it adds themselves: they stand for their forms.
func (c *compiler) shorten() map[string]string {
	short, firsts := map[string]string{}, map[string]bool{}
	single := func(p phrase) bool { return p.asked == p.held && !strings.Contains(p.asked, " ") }
	for _, forms := range c.forms {
		first := forms[0].asked
		if !single(forms[0]) || short[first] != "" {
			continue
		}
		others := map[Other]bool{{first, c.written[first], Form}: true}
		for _, o := range c.others[first] {
			others[o] = true
		}
		for _, f := range forms[1:] {
			same := single(f) && short[f.asked] == "" && !firsts[f.asked] && len(c.others[f.asked]) == len(others)-1
			for _, o := range c.others[f.asked] {
				same = same && others[o]
			}
			if same {
				short[f.asked], firsts[first] = first, true
			}
		}
	}
	for first := range firsts {
		c.add(first, Other{first, c.written[first], Form})
	}
	return short
}

// other is something that stands for a phrase, as the table has it.
func other(o Other) string {
	text := signs[o.Relation:o.Relation+1] + o.Terms
	if o.Text != o.Terms {
		text += ";" + o.Text
	}
	return text
}

// index makes the table of hashes of a table.
func index(table string) []byte {
	words := map[string]int{} // of the longest phrase that begins with a term
	phrases := 0
	for line := range strings.Lines(table) {
		phrase, _, _ := strings.Cut(line, "\t")
		term, _, _ := strings.Cut(phrase, " ")
		words[term] = max(words[term], 1+strings.Count(phrase, " "))
		phrases++
	}
	slots := 1
	for slots <= phrases+phrases/2 {
		slots *= 2
	}
	out := make([]byte, slots*slotSize)
	line := 1
	for text := range strings.Lines(table) {
		phrase, _, _ := strings.Cut(text, "\t")
		if line >= 1<<lineBits || words[phrase] > 1<<wordBits {
			panic("too much for a slot: " + phrase)
		}
		hash := hashOf(firstHash, phrase)
		at := hash ^ hash>>16
		place := func() []byte { return out[int(at)&(slots-1)*slotSize:][:slotSize] }
		for binary.LittleEndian.Uint32(place()) != 0 {
			at++
		}
		binary.LittleEndian.PutUint32(place(), uint32(line)|uint32(max(words[phrase], 1)-1)<<lineBits|uint32(tagOf(hash))<<(lineBits+wordBits))
		line += len(text)
	}
	return out
}
