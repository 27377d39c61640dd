package webhook

import (
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"time"
)

const (
	// FailingTime is how long an endpoint may do nothing but fail.
	FailingTime = 5 * 24 * time.Hour
	// maxRetryAfter is the longest wait that a receiver can ask for.
	maxRetryAfter = 24 * time.Hour
)

// Schedule returns the wait before each attempt at a message, counted from the
// end of the one before: that of Standard Webhooks 1.0.0. The sum is 75 hours
// and 35 minutes; up to a tenth of each is added at random.
func Schedule() []time.Duration {
	return []time.Duration{
		0, 5 * time.Second, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour,
		5 * time.Hour, 10 * time.Hour, 14 * time.Hour, 20 * time.Hour, 24 * time.Hour,
	}
}

// jitter is the default of Config.Jitter.
func jitter(wait time.Duration) time.Duration {
	if wait < 10 {
		return 0
	}
	return rand.N(wait / 10)
}

// retryAfter reads the header of that name: seconds or a date. What cannot be
// read and what is over is 0.
func retryAfter(header string, now time.Time) time.Duration {
	header = strings.TrimSpace(header)
	if seconds, err := strconv.ParseUint(header, 10, 32); err == nil {
		return min(time.Duration(seconds)*time.Second, maxRetryAfter)
	}
	at, err := http.ParseTime(header)
	if err != nil {
		return 0
	}
	return min(max(at.Sub(now), 0), maxRetryAfter)
}
