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
	left := min(pace.Left, rate.PerSecond) // of the policy, whose second has no more, though the burst may
	h.Set("RateLimit", `"key";r=`+strconv.FormatInt(left, 10)+";t="+strconv.FormatInt(max(1, wholeSeconds(until)), 10))
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

// quota returns how many searches a key may make in a month; 0 stands for no
// bound.
func (s *Server) quota(key string) int64 {
	k, err := s.keys.Key(key)
	if err != nil {
		return 0
	}
	return k.Quota
}

// reservations are searches under way of keys with a quota: they count until
// it is known whether they were answered. The zero value is ready.
type reservations struct {
	mu    sync.Mutex
	byKey map[string]int64
}

// underWay is the searches of one request.
type underWay struct {
	s        *Server
	key      string
	reserved int64
}

// beginSearches asks whether a request may make n searches more this month. If
// so, those that are about to be answered have to be counted, and then end must
// be called.
func (s *Server) beginSearches(x *exchange, n int64) (*underWay, error) {
	u := &underWay{s: s, key: x.key.ID}
	quota := x.key.Key.Quota
	if quota == 0 {
		return u, nil
	}
	s.reserved.mu.Lock()
	defer s.reserved.mu.Unlock()
	made, err := s.meter.MonthSearches(x.key.ID)
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

// count meters searches that are about to be answered.
func (u *underWay) count(n int64) { u.s.meter.Search(u.key, n) }

// end gives back what was reserved.
func (u *underWay) end() {
	if u.reserved == 0 {
		return
	}
	r := &u.s.reserved
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.byKey[u.key] -= u.reserved; r.byKey[u.key] == 0 {
		delete(r.byKey, u.key)
	}
}
