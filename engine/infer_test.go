package engine

import (
	"errors"
	"testing"
)

func TestInferOfBadSamples(t *testing.T) {
	_, err := Infer([][]byte{[]byte(`{"a":1}`), []byte(`[1]`), []byte(`{"a":`)}, "")
	var invalid *InvalidError
	if !errors.As(err, &invalid) || invalid.Total != 2 {
		t.Fatalf("%v, want two problems", err)
	}
	for i, want := range []Problem{
		{Code: CodeInvalidRequest, Position: 1, Detail: "a record is a JSON object"},
		{Code: CodeMalformedJSON, Position: 2, Detail: "the JSON ends too early"},
	} {
		if got := invalid.Problems[i]; got != want {
			t.Errorf("problem %d: %+v, want %+v", i, got, want)
		}
	}
}
