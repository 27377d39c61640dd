package main

import (
	"io"
	"time"

	"github.com/schollz/progressbar/v3"
)

// progress shows on a terminal how much of a file is read. It is an io.Writer
// for the bytes that were read.
type progress struct{ bar *progressbar.ProgressBar }

// newProgress begins to show; size 0 means that it is not known. Nothing is
// shown where out is no terminal.
func newProgress(out io.Writer, name string, size int64) *progress {
	if !isTerminal(out) {
		return &progress{}
	}
	if size == 0 {
		size = -1
	}
	return &progress{progressbar.NewOptions64(size,
		progressbar.OptionSetWriter(out),
		progressbar.OptionSetDescription(name),
		progressbar.OptionShowBytes(true),
		progressbar.OptionThrottle(100*time.Millisecond),
		progressbar.OptionClearOnFinish(),
	)}
}

// Write implements io.Writer.
func (p *progress) Write(b []byte) (int, error) {
	if p.bar == nil {
		return len(b), nil
	}
	return p.bar.Write(b)
}

// stop takes the bar away. It may be called more than once.
func (p *progress) stop() {
	if p.bar != nil {
		p.bar.Clear()
		p.bar = nil
	}
}
