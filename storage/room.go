package storage

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// roomAge is how long a measured amount of free space is believed.
const roomAge = 200 * time.Millisecond

// A room refuses writes before the disk is full. Pebble must never meet a full
// disk: a commit then waits for ever and without an error for a flush that
// cannot succeed, and so does Open.
type room struct {
	fs      vfs.FS
	dir     string
	min     int64 // bytes that must stay free; negative turns the check off
	lowDisk func(freeBytes uint64)

	mu       sync.Mutex
	measured time.Time
	free     int64 // at the time of measured
	written  int64 // since then
	full     bool  // what the last check found
	refused  once
}

// check returns ErrFull if writing n bytes would leave less than the minimum
// free. A write that makes room in the long run may use half of that.
func (r *room) check(n int64, shrinks bool) error {
	if r.min < 0 {
		return nil
	}
	low := r.min
	if shrinks {
		low /= 2
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	// A flush and a compaction can write each byte again, so growth counts
	// double. A disk that was full is looked at every time, so that writes go
	// on as soon as there is room.
	if r.full || time.Since(r.measured) > roomAge || r.free-2*r.written-n < low {
		free, err := freeBytes(r.fs, r.dir)
		if errors.Is(err, errors.ErrUnsupported) || errors.Is(err, vfs.ErrUnsupported) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("measure free space: %w", err)
		}
		r.measured, r.free, r.written = time.Now(), free, 0
	}
	r.full = r.free-n < low
	if r.full {
		if r.lowDisk != nil && r.refused.due() {
			r.lowDisk(uint64(r.free))
		}
		return fmt.Errorf("%w: %d bytes free, %d are kept in reserve", ErrFull, r.free, low)
	}
	r.written += n
	return nil
}

// freeBytes returns the bytes that this process may still write to the file
// system of dir.
func freeBytes(fsys vfs.FS, dir string) (int64, error) {
	usage, err := fsys.GetDiskUsage(dir)
	if err != nil {
		return 0, err
	}
	return int64(min(usage.AvailBytes, 1<<62)), nil
}
