package engine

import "fmt"

// Semantic is whether an index ranks by meaning besides words.
type Semantic uint8

// Choices of Schema.Semantic.
const (
	// SemanticAuto learns from an index where that is known to help: see
	// VectorOptions.
	SemanticAuto Semantic = iota
	SemanticOff
	SemanticOn // whatever the records are
)

var semanticNames = [...]string{SemanticAuto: "auto", SemanticOff: "off", SemanticOn: "on"}

// String is the name of the choice, which ParseSemantic reads.
func (s Semantic) String() string {
	if int(s) < len(semanticNames) {
		return semanticNames[s]
	}
	return fmt.Sprintf("semantic(%d)", uint8(s))
}

// ParseSemantic reads the name of a choice: "auto", "off" or "on".
func ParseSemantic(s string) (Semantic, bool) {
	for c, name := range semanticNames {
		if name == s {
			return Semantic(c), true
		}
	}
	return 0, false
}

// VectorOptions bound what is learnt from the records of indexes. Learning
// takes place in the background, on one processor core, after an index has not
// been written to for a moment.
//
// With SemanticAuto an index learns if it has at least Records records and
// these have at least Words words on average. Nothing is known to be gained
// below: no judged collection with fewer or shorter records was ranked better.
type VectorOptions struct {
	// Off switches learning off for all indexes. What was learnt before is not
	// used, but kept.
	Off bool
	// Records and Words are from when an index learns by itself. Defaults 1,000
	// and 15.
	Records int64
	Words   float64
	// Sample bounds the time of a training: about how many words of records it
	// looks at, in up to 50,000 records. Of larger indexes it takes a sample, the
	// same each time. Default 2,000,000, some ten seconds.
	Sample int
	// Terms bounds the memory of a training, which is about 2 KiB a term, 1 KiB a
	// record and 60 bytes a word that it looks at, and is free again after it:
	// how many different terms get a vector, the most frequent ones. Default
	// 30,000.
	Terms int
	// Memory bounds the vectors that are held for searches, in bytes; a record
	// takes 132, a term 200, and 512 records that were written one after the other are
	// held as long as one of them is there. An index that would take more than half of it
	// learns nothing. Default an eighth of Options.Memory.
	Memory int64
	// FieldMemory bounds the vectors of Vector fields that are held for
	// searches, in bytes; one takes its dimensions and 4. Those of a larger index
	// are read from disk by every search that ranks by them, which takes several
	// times as long. Default a quarter of Options.Memory.
	FieldMemory int64
}

func (o VectorOptions) withDefaults(memory int64) VectorOptions {
	o.Records = orDefault(o.Records, 1000)
	if o.Words == 0 {
		o.Words = 15
	}
	o.Sample = orDefault(o.Sample, 2_000_000)
	o.Terms = orDefault(o.Terms, 30_000)
	o.Memory = orDefault(o.Memory, memory/8)
	o.FieldMemory = orDefault(o.FieldMemory, memory/4)
	return o
}
