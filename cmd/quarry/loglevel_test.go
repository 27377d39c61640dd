package main

import (
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"
)

// TestLogLevel: what the engine does in the background is logged for those who ask
// for it, and nothing below the level that is asked for.
func TestLogLevel(t *testing.T) {
	for level, want := range map[slog.Level]string{
		slog.LevelDebug: "flushed merged background down", slog.LevelInfo: "background down", slog.LevelError: "",
	} {
		var out strings.Builder
		e := events((&program{stderr: &out}).logger(level), &memoryGiver{give: func() {}})
		e.Flushed("a", 1, time.Second)
		e.Merged("a", 2, time.Second)
		e.Background(errors.New("x"))
		e.EmbedderDown("m", errors.New("x"))
		var got []string
		for what, text := range map[string]string{"flushed": "msg=flushed", "merged": "msg=merged", "background": "msg=\"background work", "down": "embedder=m"} {
			if strings.Contains(out.String(), text) != strings.Contains(want, what) {
				got = append(got, what)
			}
		}
		if len(got) > 0 {
			t.Errorf("at level %s %q should be otherwise:\n%s", level, got, out.String())
		}
	}
}
