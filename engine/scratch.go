package engine

import (
	"sync"

	"github.com/quarry-search/quarry/engine/internal/page"
	"github.com/quarry-search/quarry/engine/internal/segment"
)

// scratch keeps the memory of batches that are done for those to come: tables
// of terms and compressors, which are large beside a small batch. What lies
// idle the garbage collector takes.
type scratch struct {
	inverters sync.Pool // *segment.Writer
	packers   sync.Pool // *page.BlockWriter
}

// inverter returns an empty segment.Writer.
func (s *scratch) inverter(textFields int) *segment.Writer {
	if w, ok := s.inverters.Get().(*segment.Writer); ok {
		w.Reset(textFields)
		return w
	}
	return segment.NewWriter(textFields)
}

// maxIdleInverter bounds the memory of a writer that is kept, so that one huge
// batch does not hold it until the next garbage collection.
const maxIdleInverter = 16 << 20

// giveBack takes a writer whose segment has been built.
func (s *scratch) giveBack(w *segment.Writer) {
	if w.Bytes() <= maxIdleInverter {
		s.inverters.Put(w)
	}
}

// packer returns a writer of an empty block. It is given back with packers.Put
// when it is empty again.
func (s *scratch) packer() (*page.BlockWriter, error) {
	if w, ok := s.packers.Get().(*page.BlockWriter); ok {
		return w, nil
	}
	return page.NewBlockWriter()
}
