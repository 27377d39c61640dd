package storage

import (
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/atomicfs"
)

// A crash may tear what was written last, and that must not look like damage;
// damage must not look like a torn write. What tells them apart is how much of
// the log or manifest is known to have been on disk: what ends before is damaged.
// Blocks that can be read behind one that cannot say nothing, since a disk may
// write them in any order. What is known is kept in two places.
//
// The chunks of the log promise it themselves. Those that Pebble v2.1.7 makes promise
// too little: it leaves out all blocks that were full when they were written, so
// the promises fall behind by some part of each block, and for records of
// several blocks by nearly all. So a tail corrects them on their way to the file.
// Such promises say nothing of the last write, nor of the block that it is in.
//
// The file SYNCED is overwritten after each sync of the log or the manifest. It is
// synced itself after the manifest only, which changes seldom: damage of the last
// change would bring back logs that are gone by then. So after the kill of the
// process SYNCED is exact. After a loss of power it is exact for the manifest, and
// for the log it may be an older one, which promises less.

// syncedName is the file in the folder of Pebble that holds [synced].
const syncedName = "SYNCED"

// syncedMagic begins the file SYNCED. The numbers follow with 8 bytes each,
// little endian, then a Castagnoli checksum of all of that.
const syncedMagic = "QSYNCED1"

// A synced says how much of the newest log and manifest is on disk.
type synced struct{ log, logEnd, manifest, manifestEnd uint64 }

const syncedBytes = len(syncedMagic) + 4*8 + 4

func (s synced) encode() []byte {
	p := []byte(syncedMagic)
	for _, n := range []uint64{s.log, s.logEnd, s.manifest, s.manifestEnd} {
		p = binary.LittleEndian.AppendUint64(p, n)
	}
	return binary.LittleEndian.AppendUint32(p, chunkSum(p))
}

// decodeSynced returns the zero value for a file that is not whole: it promises
// nothing.
func decodeSynced(p []byte) (s synced) {
	n := syncedBytes - 4
	if len(p) != syncedBytes || string(p[:len(syncedMagic)]) != syncedMagic ||
		binary.LittleEndian.Uint32(p[n:]) != chunkSum(p[:n]) {
		return synced{}
	}
	for i, to := range []*uint64{&s.log, &s.logEnd, &s.manifest, &s.manifestEnd} {
		*to = binary.LittleEndian.Uint64(p[len(syncedMagic)+8*i:])
	}
	return s
}

// tails is what a guardFS knows of the log and the manifest that are written.
type tails struct {
	newest atomic.Pointer[tail] // log

	mu   sync.Mutex // guards what follows
	file vfs.File   // SYNCED; nil until the first sync
	synced
}

// A tail follows the writing of one log or manifest. Only its end on disk may be
// asked for by others than its one writer.
type tail struct {
	name     string
	number   uint64
	manifest bool
	written  int64        // bytes
	end      int64        // of the last chunk, without a trailer
	onDisk   atomic.Int64 // bytes
	buf      []byte
}

// fileNumber returns the number in the name of a log or manifest.
func fileNumber(base string) (number uint64, manifest, ok bool) {
	text, manifest := strings.CutPrefix(base, "MANIFEST-")
	if !manifest {
		if text, ok = strings.CutSuffix(base, ".log"); !ok {
			return 0, false, false
		}
	}
	number, err := strconv.ParseUint(text, 10, 64)
	return number, manifest, err == nil
}

// follow returns a tail for a file that is being made, or nil if it is neither
// log nor manifest of the store.
func (g *guardFS) follow(name string) *tail {
	number, manifest, ok := fileNumber(g.PathBase(name))
	if !ok || g.PathDir(name) != g.s.path(storeName) {
		return nil
	}
	t := &tail{name: name, number: number, manifest: manifest}
	if !manifest {
		g.tails.newest.Store(t)
	}
	return t
}

// write is told of what is written and returns what is to be written in its
// place, of the same length: chunks of a log with the promise that they can give.
func (t *tail) write(p []byte) []byte {
	start := t.written
	t.written += int64(len(p))
	if t.manifest {
		t.end = t.written
		return p
	}
	t.buf = append(t.buf[:0], p...)
	for at := 0; at < len(p); {
		rest := chunkBlock - int((start+int64(at))%chunkBlock)
		c := readChunk(t.buf[at:min(at+rest, len(p))], uint32(t.number))
		if c.state != chunkGood {
			if c.state == chunkPadding && rest <= len(p)-at {
				at += rest
				continue
			}
			break // a trailer, or a form that we do not know
		}
		if promise := t.onDisk.Load(); c.promises && c.promise < promise {
			head := t.buf[at : at+c.size]
			binary.LittleEndian.PutUint64(head[promiseAt:], uint64(promise))
			binary.LittleEndian.PutUint32(head, chunkSum(head[6:]))
		}
		at += c.size
		t.end = start + int64(at)
	}
	return t.buf
}

// synced is told that all that was written to t is on disk.
func (g *guardFS) synced(t *tail) {
	t.onDisk.Store(t.written)
	s := &g.tails
	s.mu.Lock()
	defer s.mu.Unlock()
	if t.manifest {
		s.synced.manifest, s.manifestEnd = t.number, uint64(t.end)
	} else {
		s.log, s.logEnd = t.number, uint64(t.end)
	}
	if g.s.opts.InMemory {
		return
	}
	// Whatever fails here, there is less of a promise.
	if s.file == nil {
		name := g.PathJoin(g.s.path(storeName), syncedName)
		f, err := g.FS.OpenReadWrite(name, vfs.WriteCategoryUnspecified)
		if err != nil {
			return
		}
		if g.private {
			_ = os.Chmod(name, 0o600)
		}
		s.file = f
		_ = syncDir(g.FS, g.PathDir(name))
	}
	if _, err := s.file.WriteAt(s.encode(), 0); err == nil && t.manifest {
		_ = s.file.SyncData()
	}
}

// endTails closes the file SYNCED.
func (g *guardFS) endTails() {
	g.tails.mu.Lock()
	defer g.tails.mu.Unlock()
	if f := g.tails.file; f != nil {
		g.tails.file = nil
		f.Close() // nothing depends on it
	}
}

// A prefix is the part of a log that is on disk, for reading.
type prefix struct {
	vfs.File
	left int64
}

func (p *prefix) Read(b []byte) (int, error) {
	if p.left <= 0 {
		return 0, io.EOF
	}
	n, err := p.File.Read(b[:min(int64(len(b)), p.left)])
	p.left -= int64(n)
	return n, err
}

// checkTails looks for damage in the logs and the manifest, which Pebble would
// take for the end of what was written.
func (s *Store) checkTails(names []string) error {
	store := s.path(storeName)
	var known synced
	if text, err := s.readAll(s.fs.PathJoin(store, syncedName)); err == nil {
		known = decodeSynced(text)
	}
	current, err := atomicfs.ReadMarker(s.fs, store, "manifest")
	if err != nil {
		return err
	}
	newest := uint64(0)
	for _, name := range names {
		number, manifest, ok := fileNumber(name)
		if !ok || manifest && name != current {
			continue
		}
		if !manifest {
			newest = max(newest, number)
		}
		promised := int64(0)
		switch {
		case manifest && number == known.manifest:
			promised = int64(known.manifestEnd)
		case !manifest && number == known.log:
			promised = int64(known.logEnd)
		}
		found, err := s.checkTail(name, number, manifest, promised)
		if err != nil && s.salvaged != nil && !manifest {
			s.salvaged.cutOff(name, found.whole, err)
		} else if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	if newest >= known.log {
		return nil
	}
	// A log goes when there is a newer one.
	missing := fmt.Sprintf("%06d.log", known.log)
	if err := fmt.Errorf("%w: no file %s in folder %s", ErrCorrupt, missing, storeName); s.salvaged == nil {
		return err
	} else {
		s.salvaged.cutOff(missing, 0, err)
	}
	return nil
}

// checkTail looks for damage in a log or manifest of which at least the promised
// bytes must be there. It returns what it has found.
func (s *Store) checkTail(name string, number uint64, manifest bool, promised int64) (scan, error) {
	f, err := s.fs.Open(s.fs.PathJoin(s.path(storeName), name))
	if err != nil {
		return scan{}, err
	}
	defer f.Close()
	if manifest {
		number = 0
	}
	found, err := scanChunks(f, uint32(number))
	if err != nil {
		return found, err
	}
	switch promised = max(promised, found.promise); {
	case found.end < promised:
		return found, fmt.Errorf("%w: it can be read up to byte %d, and at least %d were written", ErrCorrupt, found.end, promised)
	case manifest && found.begins:
		// Each change of the manifest is synced before the next one is written.
		return found, fmt.Errorf("%w: it cannot be read at byte %d, and more was written", ErrCorrupt, found.end)
	}
	return found, nil
}
