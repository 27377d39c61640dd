package keyring

import (
	"math"
	"sync"
	"time"
)

// Rate bounds how many requests a key may make: so many at once, and so many
// a second in the long run. The zero value is no bound.
type Rate struct {
	PerSecond int64
	Burst     int64
}

// Within returns the rate as far as another one allows it.
func (r Rate) Within(most Rate) Rate {
	switch {
	case most == (Rate{}):
		return r
	case r == (Rate{}):
		return most
	}
	return Rate{PerSecond: min(r.PerSecond, most.PerSecond), Burst: min(r.Burst, most.Burst)}
}

// DefaultRate is that of keys for which none is given.
var DefaultRate = Rate{PerSecond: 50, Burst: 100}

// Pace is what a bucket tells about one request.
type Pace struct {
	OK   bool          // the request may go on
	Left int64         // further requests that may be made at once
	Wait time.Duration // until the next request may be made; 0 if Left is above 0
	Full time.Duration // until a whole burst may be made
}

// bucket counts the requests of a key: it holds a token for each that may be
// made, and gets Rate.PerSecond of them a second up to Rate.Burst. Times should
// have a monotonic reading; without one, a clock that is set back stops the
// bucket for a second at most, and one that is set forward fills it, no more.
type bucket struct {
	mu     sync.Mutex // guards what follows
	tokens float64
	last   time.Time // zero: full
}

// take asks for one request.
func (b *bucket) take(rate Rate, now time.Time) Pace {
	perSecond, burst := float64(rate.PerSecond), float64(rate.Burst)
	b.mu.Lock()
	defer b.mu.Unlock()
	// Requests that run at a time bring their times in any order.
	const disorder = time.Second
	switch elapsed := now.Sub(b.last); {
	case b.last.IsZero():
		b.tokens, b.last = burst, now
	case elapsed > 0:
		b.tokens, b.last = b.tokens+elapsed.Seconds()*perSecond, now
	case elapsed < -disorder:
		b.last = now
	}
	b.tokens = min(b.tokens, burst)
	var p Pace
	if p.OK = b.tokens >= 1; p.OK {
		b.tokens--
	}
	p.Left = int64(b.tokens)
	if p.Left == 0 {
		p.Wait = seconds((1 - b.tokens) / perSecond)
	}
	p.Full = seconds((burst - b.tokens) / perSecond)
	return p
}

// seconds rounds up, so that what was announced is there when time has come.
func seconds(s float64) time.Duration { return time.Duration(math.Ceil(s * float64(time.Second))) }
