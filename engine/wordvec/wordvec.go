// Package wordvec makes vectors of texts from a file of word vectors, on this
// machine alone: a text's is the weighted mean of those of its words. It is an
// engine.Embedder of little cost, and of little knowledge: it does not look at
// the order of words, and knows no others than the file's.
//
// The file is text, as the tools GloVe and word2vec write it: a line for each
// word, the word and then its numbers, separated by spaces. A first line of two
// whole numbers is passed over.
package wordvec

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"strings"
	"unicode"

	"github.com/quarry-search/quarry/engine"
)

// Options bound what is read. The zero value works.
type Options struct {
	// Words is how many words are kept at most, the first of the file. Default
	// 200,000. A word takes its dimensions and some 80 bytes of memory.
	Words int
}

const (
	defaultWords = 200_000
	maxDims      = 4096
	maxLine      = 1 << 20
	// rarity is the a of the weights a/(a+p), where p is the share of a word in
	// texts: smooth inverse frequency (Arora, Liang and Ma, A simple but
	// tough-to-beat baseline for sentence embeddings, ICLR 2017), which is idf
	// with a bound.
	rarity = 1e-3
)

// Vectors are the vectors of words. It is safe for concurrent use.
type Vectors struct {
	dims    int
	numbers map[string]int32
	weights []float32 // of each word: the size of a step, times what the word counts
	steps   []int8    // of each word
}

var _ engine.Embedder = (*Vectors)(nil)

// Open reads the file at path.
func Open(path string, o *Options) (*Vectors, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	v, err := Read(f, o)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return v, nil
}

// Read reads word vectors. A line of another form is an error that names it. Of
// a word that is there twice the first vector counts.
func Read(r io.Reader, o *Options) (*Vectors, error) {
	most := defaultWords
	if o != nil && o.Words > 0 {
		most = o.Words
	}
	v := &Vectors{numbers: map[string]int32{}}
	lines := bufio.NewScanner(r)
	lines.Buffer(make([]byte, 64<<10), maxLine)
	var row []float64
	for n := 1; len(v.numbers) < most && lines.Scan(); n++ {
		word, rest, _ := bytes.Cut(bytes.TrimSpace(lines.Bytes()), []byte(" "))
		var err error
		if row, err = parseRow(row[:0], rest); err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		if n == 1 && len(row) == 1 && isWhole(word) {
			continue // how many words and dimensions there are
		}
		switch {
		case v.dims == 0 && (len(row) == 0 || len(row) > maxDims):
			return nil, fmt.Errorf("line %d: %d numbers after the word; there may be 1 to %d", n, len(row), maxDims)
		case v.dims == 0:
			v.dims = len(row)
		case len(row) != v.dims:
			return nil, fmt.Errorf("line %d: %d numbers after the word, %d in the lines before", n, len(row), v.dims)
		}
		if _, ok := v.numbers[string(word)]; !ok {
			v.numbers[string(word)] = int32(len(v.weights))
			v.add(row)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	if v.dims == 0 {
		return nil, fmt.Errorf("it holds no vectors")
	}
	v.weigh()
	return v, nil
}

func parseRow(row []float64, text []byte) ([]float64, error) {
	for len(text) > 0 {
		var number []byte
		if number, text, _ = bytes.Cut(text, []byte(" ")); len(number) == 0 {
			continue
		}
		x, err := strconv.ParseFloat(string(number), 64)
		if err != nil || math.IsNaN(x) || math.Abs(x) > math.MaxFloat32 {
			return nil, fmt.Errorf("%d numbers, and then something else", len(row))
		}
		row = append(row, x)
	}
	return row, nil
}

func isWhole(word []byte) bool {
	_, err := strconv.ParseUint(string(word), 10, 63)
	return err == nil
}

// add keeps the vector of a word in steps of a hundred and twenty-seventh of its
// largest number.
func (v *Vectors) add(row []float64) {
	largest := 0.0
	for _, x := range row {
		largest = max(largest, math.Abs(x))
	}
	step := largest / math.MaxInt8
	for _, x := range row {
		n := int8(0)
		if step > 0 {
			n = int8(math.RoundToEven(x / step))
		}
		v.steps = append(v.steps, n)
	}
	v.weights = append(v.weights, float32(step))
}

// weigh makes rare words count more. Such files are sorted by frequency, so how
// frequent a word is follows from its place by Zipf's law: one in
// place * (ln words + 0.577) words of a text.
func (v *Vectors) weigh() {
	harmonic := math.Log(float64(len(v.weights))) + 0.577
	for i := range v.weights {
		p := 1 / (float64(i+1) * max(1, harmonic))
		v.weights[i] *= float32(rarity / (rarity + p))
	}
}

// Dimensions implements engine.Embedder.
func (v *Vectors) Dimensions() int { return v.dims }

// Words is the number of words that have a vector.
func (v *Vectors) Words() int { return len(v.weights) }

// Embed implements engine.Embedder. A text without a known word has no vector.
func (v *Vectors) Embed(ctx context.Context, _ engine.TextKind, texts []string) ([][]float32, error) {
	out := make([][]float32, len(texts))
	for i, t := range texts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		out[i] = v.mean(t)
	}
	return out, nil
}

// mean is the weighted mean of the words of a text but for its length, which
// does not count.
func (v *Vectors) mean(text string) []float32 {
	var sum []float32
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r) }) {
		n, ok := v.numbers[word]
		if !ok {
			n, ok = v.numbers[strings.ToLower(word)]
		}
		if !ok {
			continue
		}
		if sum == nil {
			sum = make([]float32, v.dims)
		}
		w := v.weights[n]
		for j, s := range v.steps[int(n)*v.dims:][:v.dims] {
			sum[j] += w * float32(s)
		}
	}
	return sum
}
