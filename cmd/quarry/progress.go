package main

import (
	"fmt"
	"io"
	"time"
)

// progress shows on a terminal how much of a file is read, in one line that it
// writes again and again. It is an io.Writer for the bytes that were read.
type progress struct {
	out         io.Writer // nil shows nothing
	name        string
	size, done  int64 // size 0: not known
	begin, next time.Time
}

// newProgress begins to show. Nothing is shown where out is no terminal.
func newProgress(out io.Writer, name string, size int64) *progress {
	if !isTerminal(out) {
		out = nil
	}
	return &progress{out: out, name: name, size: size, begin: time.Now()}
}

// progressPause is the time between two lines.
const progressPause = 100 * time.Millisecond

// clearLine takes the cursor to the beginning of its line and empties that.
const clearLine = "\r\x1b[K"

// Write implements io.Writer.
func (p *progress) Write(b []byte) (int, error) {
	p.done += int64(len(b))
	if now := time.Now(); p.out != nil && !now.Before(p.next) {
		p.next = now.Add(progressPause)
		fmt.Fprint(p.out, clearLine, p.line(now.Sub(p.begin)))
	}
	return len(b), nil
}

// line is what there is to say after a while.
func (p *progress) line(after time.Duration) string {
	text := p.name + "  " + formatBytes(p.done)
	if p.size > 0 {
		text += fmt.Sprintf(" of %s, %d %%", formatBytes(p.size), 100*min(p.done, p.size)/p.size)
	}
	if after >= time.Second {
		text += ", " + formatBytes(int64(float64(p.done)/after.Seconds())) + "/s"
	}
	return text
}

// clear takes the line away, so that another may be written, until there is more
// to show.
func (p *progress) clear() {
	if p.out != nil {
		fmt.Fprint(p.out, clearLine)
	}
}

// stop takes the line away for good. It may be called more than once.
func (p *progress) stop() {
	p.clear()
	p.out = nil
}
