package wordvec

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/quarry-search/quarry/engine"
)

const small = `the 0.1 0.1 0.1
car 1 0 0
engine 0.9 0.1 0
bread 0 1 0
`

func TestReadTakesBothForms(t *testing.T) {
	for _, text := range []string{small, "4 3\n" + small, strings.ReplaceAll(small, "\n", " \n")} {
		v, err := Read(strings.NewReader(text), nil)
		if err != nil || v.Dimensions() != 3 || v.Words() != 4 {
			t.Errorf("%q: %+v, %v", text, v, err)
		}
	}
	v, err := Read(strings.NewReader(small), &Options{Words: 2})
	if err != nil || v.Words() != 2 {
		t.Errorf("%d words of 2, %v", v.Words(), err)
	}
}

func TestReadNamesTheLineThatIsWrong(t *testing.T) {
	for text, want := range map[string]string{
		"":                       "no vectors",
		"a 1 2\nb 1\n":           "line 2: 1 numbers after the word, 2",
		"a 1 2\nb 1 x\n":         "line 2: 1 numbers, and then something else",
		"a 1 2\nb 1 NaN\n":       "line 2",
		"a 1 2\nb 1 1e300\n":     "line 2",
		"a\n":                    "line 1: 0 numbers",
		"a 1 2\n\nb 1 2\n":       "line 2: 0 numbers",
		"a" + many(maxDims+1, 1): "line 1: 4097 numbers",
	} {
		if _, err := Read(strings.NewReader(text), nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.20q: error %v, want %q", text, err, want)
		}
	}
}

func many(n int, x float64) string { return strings.Repeat(fmt.Sprint(" ", x), n) }

func TestLikeTextsAreNear(t *testing.T) {
	v, err := Read(strings.NewReader(small), nil)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := v.Embed(context.Background(), engine.QueryText, []string{"The CAR!", "an engine", "the bread", "unknown words"})
	if err != nil {
		t.Fatal(err)
	}
	if rows[3] != nil {
		t.Errorf("a text without known words has the vector %v", rows[3])
	}
	if near, far := cosine(rows[0], rows[1]), cosine(rows[0], rows[2]); near < 0.9 || far > 0.5 {
		t.Errorf("car is like engine by %v, like bread by %v", near, far)
	}
	// Filler, which stands first in the file, counts little.
	if c := cosine(rows[0], []float32{1, 0, 0}); c < 0.99 {
		t.Errorf("the car is like car by %v", c)
	}
}

func cosine(a, b []float32) float64 {
	var ab, aa, bb float64
	for i := range a {
		ab += float64(a[i]) * float64(b[i])
		aa += float64(a[i]) * float64(a[i])
		bb += float64(b[i]) * float64(b[i])
	}
	return ab / math.Sqrt(aa*bb)
}
