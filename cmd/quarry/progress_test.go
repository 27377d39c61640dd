package main

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestProgress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out strings.Builder
		p := &progress{out: &out, name: "films.csv", size: 40 << 20, begin: time.Now()}
		for range 40 {
			p.Write(make([]byte, 1<<20))
			time.Sleep(progressPause / 2)
		}
		p.stop()
		p.stop()
		lines := strings.Split(out.String(), clearLine)
		if len(lines) != 22 || lines[1] != "films.csv  1.0 MiB of 40.0 MiB, 2 %" || lines[20] != "films.csv  39.0 MiB of 40.0 MiB, 97 %, 20.5 MiB/s" || lines[21] != "" {
			t.Errorf("%d lines, %q", len(lines), lines)
		}
		unknown := &progress{out: &out, name: "-", done: 2048}
		if got := unknown.line(2 * time.Second); got != "-  2.0 KiB, 1.0 KiB/s" {
			t.Errorf("%q", got)
		}
		if got := newProgress(&out, "-", 0); got.out != nil {
			t.Error("shown where there is no terminal")
		}
	})
}
