package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"
)

// keyOptions are the flags that say what a key may do.
type keyOptions struct {
	scopes, indexes []string
	filter, expires string
	rate, quota     bound
	burst           int64
	changes         bool // a key that is there: an empty filter takes away its own
}

// bound is a whole number as a flag, or none, which takes away what there is.
type bound struct {
	n    int64
	none bool
}

// Set implements pflag.Value.
func (b *bound) Set(text string) (err error) {
	if *b = (bound{none: text == "none"}); !b.none {
		b.n, err = strconv.ParseInt(text, 10, 64)
	}
	return err
}

func (b *bound) String() string {
	if *b == (bound{}) {
		return ""
	}
	return strconv.FormatInt(b.n, 10)
}

// Type implements pflag.Value.
func (b *bound) Type() string { return "int" }

func (o *keyOptions) flags(c *cobra.Command) {
	f := c.Flags()
	f.StringArrayVar(&o.scopes, "scope", nil, "`SCOPE` of the key: search, read, write, admin, keys, webhooks, usage or * for all; repeatable")
	f.StringArrayVar(&o.indexes, "index", nil, "`INDEX` that it may use, may end in *; repeatable (default: all)")
	f.StringVar(&o.filter, "filter", "", "`EXPRESSION` that records have to match to be found or shown, such as 'tenant = 7'")
	f.StringVar(&o.expires, "expires", "", "`TIME` of its end, such as 12h, 90d, 2027-01-01 or 2027-01-01T12:00:00Z (default: never)")
	f.Var(&o.rate, "rate", "`NUMBER` of requests a second (default, and what none stands for: 50)")
	f.Int64Var(&o.burst, "burst", 0, "`NUMBER` of requests at once (default: twice the rate)")
	f.Var(&o.quota, "quota", "`NUMBER` of searches a month (default, and what none stands for: no bound)")
}

// body is what the flags that are given say, as the interface takes it. "never"
// and "none" take away what a key has, and so does an empty filter from a key
// that is there. A new one whose filter is empty, or which may do 0 of something,
// is refused: a variable of a script that is not set makes no key without bounds.
func (o *keyOptions) body(cmd *cobra.Command) (map[string]any, error) {
	body, given := map[string]any{}, cmd.Flags().Changed
	if given("scope") {
		body["scopes"] = o.scopes
	}
	if given("index") {
		body["indexes"] = o.indexes
	}
	if given("filter") {
		if o.filter == "" && !o.changes {
			return nil, usagef("--filter is empty; without it the key is for all records")
		}
		if body["filter"] = nil; o.filter != "" {
			body["filter"] = o.filter
		}
	}
	if given("expires") {
		body["expires_at"] = nil
		if o.expires != "never" {
			at, err := parseEnd(o.expires, time.Now())
			if err != nil {
				return nil, usagef("--expires %q: %w", o.expires, err)
			}
			body["expires_at"] = at.Format(time.RFC3339)
		}
	}
	for flag, zero := range map[string]bool{"rate": o.rate == bound{}, "burst": o.burst == 0, "quota": o.quota == bound{}} {
		if given(flag) && zero {
			return nil, usagef("--%s: 0 would leave nothing; leave the flag out for the default%s", flag, map[bool]string{true: ", or give none to go back to it"}[o.changes && flag != "burst"])
		}
	}
	if given("rate") || given("burst") {
		rate := map[string]int64{}
		if o.rate.n != 0 {
			rate["per_second"] = o.rate.n
		}
		if o.burst != 0 {
			rate["burst"] = o.burst
		}
		if body["rate"] = nil; len(rate) > 0 {
			body["rate"] = rate
		}
	}
	if given("quota") {
		if body["quota"] = nil; !o.quota.none {
			body["quota"] = map[string]int64{"searches_per_month": o.quota.n}
		}
	}
	return body, nil
}

var errEnd = errors.New("want a time from now such as 12h or 90d, or a date such as 2027-01-01 or 2027-01-01T12:00:00Z")

// parseEnd reads a time to come: from now, in days or as Go writes durations,
// or a date, whose time is that of the machine unless it says so itself.
func parseEnd(text string, now time.Time) (time.Time, error) {
	if days, ok := strings.CutSuffix(text, "d"); ok {
		n, err := strconv.Atoi(days)
		if err != nil || n < 1 || n > 36_500 {
			return time.Time{}, errEnd
		}
		return now.AddDate(0, 0, n), nil
	}
	if d, err := time.ParseDuration(text); err == nil && d > 0 {
		return now.Add(d), nil
	}
	if t, err := time.Parse(time.RFC3339, text); err == nil {
		return t, nil
	}
	if t, err := time.ParseInLocation(time.DateOnly, text, now.Location()); err == nil {
		return t, nil
	}
	return time.Time{}, errEnd
}

// keyInfo is a key, as the interface describes it.
type keyInfo struct {
	ID      string    `json:"id"`
	Name    string    `json:"name"`
	Scopes  []string  `json:"scopes"`
	Indexes []string  `json:"indexes"`
	Filter  string    `json:"filter"`
	Expires time.Time `json:"expires_at"`
	Rate    *struct {
		PerSecond int64 `json:"per_second"`
		Burst     int64 `json:"burst"`
	} `json:"rate"`
	Quota *struct {
		Searches int64 `json:"searches_per_month"`
	} `json:"quota"`
	Hint    string    `json:"hint"`
	Created time.Time `json:"created_at"`
	Rotated time.Time `json:"rotated_at"`
	Grace   time.Time `json:"grace_until"`
	LastDay string    `json:"last_day"`
	State   string    `json:"state"`
	Root    bool      `json:"root"`
}

// keys describes all keys.
func (c *client) keys(ctx context.Context) ([]keyInfo, error) {
	return listAll[keyInfo](ctx, c, "/v1/keys?limit=1000", "keys")
}

func writeKeys(out io.Writer, keys []keyInfo, all bool) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "ID\tNAME\tENDS IN\tSCOPES\tINDEXES\tSTATE\tEXPIRES\tLAST USED")
	for _, k := range keys {
		if k.State == "revoked" && !all {
			continue
		}
		expires := "never"
		if !k.Expires.IsZero() {
			expires = localTime(k.Expires)
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", k.ID, printable(k.Name), orDash(k.Hint), strings.Join(k.Scopes, " "),
			strings.Join(k.Indexes, " "), k.state(), expires, orDash(k.LastDay))
	}
	return w.Flush()
}

// state is the state of a key in a word or two.
func (k *keyInfo) state() string {
	if k.Root {
		return k.State + ", root"
	}
	return k.State
}

func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

// localTime writes a time for a person at this machine.
func localTime(t time.Time) string { return t.Local().Format(time.DateTime) }

func writeKey(out io.Writer, k *keyInfo) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	line := func(name, value string) {
		if value != "" {
			fmt.Fprintf(w, "%s\t%s\n", name, value)
		}
	}
	timeLine := func(name string, t time.Time) {
		if !t.IsZero() {
			line(name, localTime(t))
		}
	}
	line("id", k.ID)
	line("name", printable(k.Name))
	line("ends in", k.Hint)
	line("state", k.state())
	line("scopes", strings.Join(k.Scopes, ", "))
	line("indexes", strings.Join(k.Indexes, ", "))
	line("filter", printable(k.Filter))
	if k.Rate != nil {
		line("rate", fmt.Sprintf("%s requests a second, %s at once", formatCount(k.Rate.PerSecond), formatCount(k.Rate.Burst)))
	}
	if k.Quota != nil {
		line("quota", formatCount(k.Quota.Searches)+" searches a month")
	}
	timeLine("expires", k.Expires)
	timeLine("created", k.Created)
	timeLine("rotated", k.Rotated)
	timeLine("grace until", k.Grace)
	line("last used", k.LastDay)
	return w.Flush()
}
