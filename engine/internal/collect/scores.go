package collect

// Scores keeps the k highest of the scores it is offered. Reset makes it ready.
type Scores struct {
	k    int
	heap []uint64 // binary, the lowest at the root
}

// Reset empties s and makes it keep k scores.
func (s *Scores) Reset(k int) { s.k, s.heap = max(k, 0), s.heap[:0] }

// Len returns the number of scores kept.
func (s *Scores) Len() int { return len(s.heap) }

// Lowest returns the lowest score kept, and whether there are k of them: then only
// those above it are kept from now on.
func (s *Scores) Lowest() (score uint64, full bool) {
	if len(s.heap) < s.k || s.k == 0 {
		return 0, false
	}
	return s.heap[0], true
}

// Add offers a score.
func (s *Scores) Add(score uint64) {
	if len(s.heap) < s.k {
		s.heap = append(s.heap, score)
		s.rise()
	} else if s.k > 0 && score > s.heap[0] {
		s.heap[0] = score
		s.sink()
	}
}

// rise moves the last score to its place.
func (s *Scores) rise() {
	h := s.heap
	for i := len(h) - 1; i > 0; {
		parent := (i - 1) / 2
		if h[parent] <= h[i] {
			return
		}
		h[i], h[parent] = h[parent], h[i]
		i = parent
	}
}

// sink moves the root to its place.
func (s *Scores) sink() {
	h := s.heap
	for i := 0; ; {
		kid := 2*i + 1
		if kid >= len(h) {
			return
		}
		if kid+1 < len(h) && h[kid+1] < h[kid] {
			kid++
		}
		if h[i] <= h[kid] {
			return
		}
		h[i], h[kid] = h[kid], h[i]
		i = kid
	}
}
