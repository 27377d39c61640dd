package httpapi

import (
	"strconv"
	"sync"
	"time"
)

// limitRate counts a request against the rate of its key and tells in headers
// what is left of it, whatever the answer will be. The key of a service's
// settings has no rate.
func (s *Server) limitRate(x *exchange) error {
	pace, limited := x.key.Take(s.now())
	if !limited {
		return nil
	}
	rate := x.key.Key.Rate
	h := x.w.Header()
	h.Set("RateLimit-Policy", `"key";q=`+strconv.FormatInt(rate.PerSecond, 10)+";w=1")
	until := pace.Full
	if pace.Left == 0 {
		until = pace.Wait
	}
	h.Set("RateLimit", `"key";r=`+strconv.FormatInt(pace.Left, 10)+";t="+strconv.FormatInt(max(1, wholeSeconds(until)), 10))
	if pace.OK {
		return nil
	}
	return &problem{
		code: codeRateLimited, wait: pace.Wait, policies: []string{"key"},
		detail: "the API key may make " + strconv.FormatInt(rate.PerSecond, 10) + " requests a second, and " +
			strconv.FormatInt(rate.Burst, 10) + " at once",
	}
}

// wholeSeconds rounds up.
func wholeSeconds(d time.Duration) int64 { return int64((d + time.Second - 1) / time.Second) }

// searchMeter counts the searches of keys. Months are those of UTC.
type searchMeter interface {
	// Search notes that n searches of a key were answered.
	Search(key string, n int64)
	// MonthSearches returns how many there were in the running month.
	MonthSearches(key string) (int64, error)
}

// reservations are searches under way of keys with a quota: they count until
// it is known whether they were answered. The zero value is ready.
type reservations struct {
	mu    sync.Mutex
	byKey map[string]int64
}

// underWay is the searches of one request. answered is set to how many were.
type underWay struct {
	s        *Server
	key      string
	reserved int64
	answered int64
}

// beginSearches asks whether a request may make n searches more this month. If
// so, end must be called when it is known how many were answered.
func (s *Server) beginSearches(x *exchange, n int64) (*underWay, error) {
	u := &underWay{s: s, key: x.key.ID}
	quota := x.key.Key.Quota
	if quota == 0 {
		return u, nil
	}
	s.reserved.mu.Lock()
	defer s.reserved.mu.Unlock()
	made, err := s.searches.MonthSearches(x.key.ID)
	if err != nil {
		return nil, err
	}
	if made+s.reserved.byKey[x.key.ID]+n > quota {
		now := s.now().UTC()
		next := time.Date(now.Year(), now.Month()+1, 1, 0, 0, 0, 0, time.UTC)
		return nil, &problem{
			code: codeQuotaExhausted, wait: next.Sub(now), policies: []string{"searches_per_month"},
			detail: "the API key may make " + strconv.FormatInt(quota, 10) + " searches a month",
		}
	}
	if s.reserved.byKey == nil {
		s.reserved.byKey = map[string]int64{}
	}
	s.reserved.byKey[x.key.ID] += n
	u.reserved = n
	return u, nil
}

// end meters the searches that were answered.
func (u *underWay) end() {
	if u.reserved > 0 {
		u.s.reserved.mu.Lock()
		defer u.s.reserved.mu.Unlock()
		if left := u.s.reserved.byKey[u.key] - u.reserved; left > 0 {
			u.s.reserved.byKey[u.key] = left
		} else {
			delete(u.s.reserved.byKey, u.key)
		}
	}
	if u.answered > 0 {
		u.s.searches.Search(u.key, u.answered)
	}
}

// monthCounter is a searchMeter that forgets when the process ends.
type monthCounter struct {
	now   func() time.Time
	mu    sync.Mutex
	month time.Time // at its begin
	made  map[string]int64
}

func newMonthCounter(now func() time.Time) *monthCounter { return &monthCounter{now: now} }

// turn begins a new month.
func (c *monthCounter) turn() {
	now := c.now().UTC()
	if month := time.Date(now.Year(), now.Month(), 1, 0, 0, 0, 0, time.UTC); c.made == nil || !month.Equal(c.month) {
		c.month, c.made = month, map[string]int64{}
	}
}

func (c *monthCounter) Search(key string, n int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.turn()
	c.made[key] += n
}

func (c *monthCounter) MonthSearches(key string) (int64, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.turn()
	return c.made[key], nil
}
