package storage

import (
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
)

// A logger is what Pebble writes its log to. Libraries do not log, so only the
// message that asks for the end of the process is heard.
type logger struct{ s *Store }

func (logger) Infof(string, ...any)  {}
func (logger) Errorf(string, ...any) {}

// Fatalf ends the store. Pebble's callers rely on it to end the process; if it
// is still there, the file system is frozen by now and they do no harm.
func (l logger) Fatalf(format string, args ...any) {
	l.s.fail(fmt.Errorf(format, args...))
}

// listener translates Pebble's events into ours.
func (s *Store) listener() *pebble.EventListener {
	background := once{every: time.Second}
	e := s.opts.Events
	return &pebble.EventListener{
		// The default of Pebble ends the process at one damaged block.
		DataCorruption: func(info pebble.DataCorruptionInfo) {
			if e.Corruption != nil {
				e.Corruption(fmt.Errorf("%w: %s: %w", ErrCorrupt, info.Path, damage{info.Details}))
			}
		},
		BackgroundError: func(err error) {
			if e.BackgroundError != nil && background.due() {
				e.BackgroundError(translate(err))
			}
		},
		LowDiskSpace: func(info pebble.LowDiskSpaceInfo) {
			if e.LowDisk != nil {
				e.LowDisk(info.AvailBytes)
			}
		},
		WriteStallBegin: func(info pebble.WriteStallBeginInfo) {
			if e.WriteStall != nil {
				e.WriteStall(true, info.Reason)
			}
		},
		WriteStallEnd: func() {
			if e.WriteStall != nil {
				e.WriteStall(false, "")
			}
		},
	}
}

// watched returns base, of which slow changes are told, and what ends that.
func (s *Store) watched(base FS) (FS, io.Closer) {
	if s.opts.Events.SlowDisk == nil {
		return base, nil
	}
	told := once{every: time.Second}
	return vfs.WithDiskHealthChecks(base, s.opts.SlowDisk, nil, func(info vfs.DiskSlowInfo) {
		if told.due() {
			s.opts.Events.SlowDisk(base.PathBase(info.Path), info.OpType.String(), info.Duration)
		}
	})
}

// A once lets one event through in a while.
type once struct {
	every time.Duration
	mu    sync.Mutex
	last  time.Time
}

func (o *once) due() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	now := time.Now()
	if !o.last.IsZero() && now.Sub(o.last) < o.every {
		return false
	}
	o.last = now
	return true
}
