package engine

import (
	"bytes"
	"errors"
)

// scanSteps is how often scan tries to get past a damaged place. Each try takes
// the store about half a second.
const scanSteps = 64

// scan calls f with the entries of a range that can be read. At a damaged place
// it goes on behind it, by trying larger and larger keys.
func (r *repairer) scan(what string, lo, hi []byte, f func(key, value []byte) error) error {
	at, err := r.forward(lo, hi, f)
	if err == nil || errors.Is(err, errBroken) {
		return errors.Unwrap(err)
	}
	r.damaged("%s: %v", what, err)
	from, step := at, uint64(1)
	for range scanSteps {
		if err := r.ctx.Err(); err != nil {
			return err
		}
		next := keyAfter(from, step)
		if next == nil || bytes.Compare(next, hi) >= 0 {
			return nil
		}
		reached, err := r.forward(next, hi, f)
		switch {
		case err == nil, errors.Is(err, errBroken):
			return errors.Unwrap(err)
		case bytes.Compare(reached, next) > 0: // it got somewhere
			from, step = reached, 1
		default:
			step *= 2
		}
	}
	return nil
}

// errBroken wraps an error of the function given to scan.
var errBroken = errors.New("broken off")

type brokenOff struct{ err error }

func (b brokenOff) Error() string        { return b.err.Error() }
func (b brokenOff) Unwrap() error        { return b.err }
func (b brokenOff) Is(target error) bool { return target == errBroken }

// forward calls f with the entries from lo on. It returns the last key that
// could be read, lo if there is none.
func (r *repairer) forward(lo, hi []byte, f func(key, value []byte) error) (at []byte, err error) {
	at = bytes.Clone(lo)
	it, err := r.from.Iter(lo, hi)
	if err != nil {
		return at, err
	}
	defer it.Close()
	for ok := it.First(); ok; ok = it.Next() {
		if err := r.ctx.Err(); err != nil {
			return at, brokenOff{err}
		}
		at = append(at[:0], it.Key()...)
		if err := f(it.Key(), it.Value()); err != nil {
			return at, brokenOff{err}
		}
	}
	return at, it.Err()
}

// keyAfter returns a key that, taken as a number of its length, is larger by n;
// nil if there is none.
func keyAfter(key []byte, n uint64) []byte {
	out := bytes.Clone(key)
	for i := len(out) - 1; i >= 0 && n > 0; i-- {
		n += uint64(out[i])
		out[i] = byte(n)
		n >>= 8
	}
	if n > 0 {
		return nil
	}
	return out
}
