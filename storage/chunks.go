package storage

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
)

// The format of Pebble's log and manifest, from its package record. A file is a
// sequence of blocks of 32 KiB, and a block one of chunks, padded with zeros. A
// record is one chunk or several. A chunk has a header,
//
//	checksum 4 | length 2 | kind 1 | log number 4 | promise 8
//
// and its payload of that length. The kinds 1 to 4 have neither log number nor
// promise, 5 to 8 no promise. The log number tells a chunk from one that was left
// by a log that had the file before. The promise is an offset up to which the log
// was on disk when the chunk was made. A log that was closed ends with a header
// of kind 5 of the log number plus one, without length and checksum.
const (
	chunkBlock    = 32 << 10
	plainHeader   = 7  // of the manifest
	loggedHeader  = 11 // with a log number
	promiseHeader = 19 // with a promise
	promiseAt     = 11 // where in the header the promise is
	chunkKinds    = 4  // only one, first, middle, last
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// chunkSum returns the checksum of a chunk over its bytes from the kind on.
func chunkSum(p []byte) uint32 {
	c := crc32.Checksum(p, castagnoli)
	return (c>>15 | c<<17) + 0xa282ead8
}

// What stands at an offset of a block.
type chunkState int

const (
	chunkBad     chunkState = iota // nothing that can be read
	chunkGood                      // a chunk whose checksum is right
	chunkPadding                   // the zeros at the end of a block
	chunkTrailer                   // the end of a log that was closed
)

// A chunk is what a header says. If the chunk is bad and the header makes sense,
// size is still set.
type chunk struct {
	state    chunkState
	size     int   // with the header; 0: unknown
	begins   bool  // a record
	ends     bool  // a record
	promises bool  // its header has room for a promise
	promise  int64 // 0: none
}

// readChunk reads the chunk at the beginning of p, which is the rest of a block.
// The log number is 0 for a manifest.
func readChunk(p []byte, log uint32) chunk {
	if len(p) < plainHeader {
		return chunk{state: chunkPadding}
	}
	sum, length, kind := binary.LittleEndian.Uint32(p), int(binary.LittleEndian.Uint16(p[4:])), int(p[6])
	if sum == 0 && length == 0 && kind == 0 {
		if len(p) < loggedHeader || len(p) < promiseHeader && allZero(p) {
			return chunk{state: chunkPadding}
		}
		return chunk{}
	}
	header := plainHeader
	switch {
	case kind == 0 || kind > 3*chunkKinds:
		return chunk{}
	case kind > 2*chunkKinds:
		header = promiseHeader
	case kind > chunkKinds:
		header = loggedHeader
	}
	if len(p) < header {
		return chunk{}
	}
	if header > plainHeader {
		switch number := binary.LittleEndian.Uint32(p[7:]); {
		case number == log+1 && sum == 0 && length == 0 && kind == chunkKinds+1:
			return chunk{state: chunkTrailer, size: header}
		case number != log:
			return chunk{}
		}
	}
	if len(p) < header+length {
		return chunk{}
	}
	position := (kind - 1) % chunkKinds
	c := chunk{size: header + length, begins: position < 2, ends: position%3 == 0}
	if chunkSum(p[6:c.size]) != sum {
		return c
	}
	c.state = chunkGood
	if c.promises = header == promiseHeader; c.promises {
		c.promise = int64(binary.LittleEndian.Uint64(p[promiseAt:]))
	}
	return c
}

func allZero(p []byte) bool {
	for _, b := range p {
		if b != 0 {
			return false
		}
	}
	return true
}

// A scan is what scanChunks found.
type scan struct {
	end     int64 // of the unbroken chunks at the beginning
	whole   int64 // end of the last record that is whole in them
	promise int64 // the largest of the chunks behind the end; 0: none
	begins  bool  // a record begins behind the end
	closed  bool  // the end is that of a log that was closed
}

// scanChunks reads a log, or a manifest if log is 0, to its end.
func scanChunks(r io.Reader, log uint32) (scan, error) {
	var s scan
	buf := make([]byte, chunkBlock)
	broken := false
	for start := int64(0); ; start += chunkBlock {
		n, err := io.ReadFull(r, buf)
		if err == io.EOF {
			return s, nil
		}
		if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
			return s, err
		}
		for at := 0; at < n; {
			c := readChunk(buf[at:n], log)
			switch {
			case c.state == chunkTrailer && !broken:
				s.end, s.closed = start+int64(at), true
				return s, nil
			case c.state == chunkBad || c.state == chunkTrailer:
				broken = true
			case c.state == chunkGood && !broken:
				s.end = start + int64(at+c.size)
				if c.ends {
					s.whole = s.end
				}
			case c.state == chunkPadding && !broken && n == chunkBlock:
				s.end = start + chunkBlock // it was written with the chunk before it, and is promised with it
			case c.state == chunkGood:
				s.begins = s.begins || c.begins
				// No chunk promises more than what is before it.
				if c.promise <= start+int64(at) {
					s.promise = max(s.promise, c.promise)
				}
			}
			if c.size == 0 {
				break // go on with the next block
			}
			at += c.size
		}
		if n < chunkBlock {
			return s, nil
		}
	}
}
