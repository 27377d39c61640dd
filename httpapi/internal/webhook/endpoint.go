package webhook

import (
	"slices"
	"strings"
	"time"
)

// State of an [Endpoint].
type State string

// States of endpoints.
const (
	Active   State = "active"
	Disabled State = "disabled"
)

// Reason why an [Endpoint] is disabled.
type Reason string

// Reasons for disabling an endpoint.
const (
	ReasonRequest Reason = "request" // somebody asked for it
	ReasonGone    Reason = "gone"    // it answered 410
	ReasonFailing Reason = "failing" // it did nothing but fail for FailingTime
	ReasonBacklog Reason = "backlog" // more messages than Config.Backlog waited for it
)

// Spec is what the owner of an endpoint decides.
type Spec struct {
	URL string `json:"url"`
	// Events are names of events, "batch.*" for all that begin so, or "*".
	Events []string `json:"events"`
	// Indexes are names of indexes, or beginnings followed by "*". Where there
	// are any, events about indexes that none of them matches are left out;
	// events that are about no index are not.
	Indexes []string `json:"indexes"`
	// Confined is set where whoever made the endpoint may know of nothing but
	// Indexes: then events that are about other indexes as well, or about none,
	// are left out, too.
	Confined bool `json:"confined,omitzero"`
}

// Endpoint is a receiver of messages. The slices are not to be changed.
type Endpoint struct {
	Spec
	ID           string    `json:"id"`
	State        State     `json:"state"`
	Reason       Reason    `json:"reason,omitzero"` // "" while active
	CreatedAt    time.Time `json:"created_at"`
	RotatedAt    time.Time `json:"rotated_at,omitzero"`    // when Secret took the place of another
	GraceUntil   time.Time `json:"grace_until,omitzero"`   // when that one, Previous, ends
	FailingSince time.Time `json:"failing_since,omitzero"` // first failure after the last success
	Secret       Secret    `json:"secret"`
	Previous     Secret    `json:"previous,omitzero"`
}

// secrets returns those to sign with, the newest first.
func (e *Endpoint) secrets(now time.Time) []Secret {
	if now.Before(e.GraceUntil) && !e.Previous.zero() {
		return []Secret{e.Secret, e.Previous}
	}
	return []Secret{e.Secret}
}

// wants tells whether an event is for the endpoint.
func (e *Endpoint) wants(event *Event) bool {
	if e.State != Active || !matchAny(e.Events, event.Type) {
		return false
	}
	ours := func(name string) bool { return matchAny(e.Indexes, name) }
	if e.Confined {
		foreign := func(name string) bool { return !ours(name) }
		return len(event.Indexes) > 0 && !slices.ContainsFunc(event.Indexes, foreign)
	}
	return len(e.Indexes) == 0 || len(event.Indexes) == 0 || slices.ContainsFunc(event.Indexes, ours)
}

// matchAny tells whether one of the patterns is name, or a beginning of it
// followed by "*".
func matchAny(patterns []string, name string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool {
		begin, open := strings.CutSuffix(p, "*")
		return p == name || open && strings.HasPrefix(name, begin)
	})
}
