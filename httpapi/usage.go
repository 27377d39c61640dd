package httpapi

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/quarry-search/quarry/engine"
	"github.com/quarry-search/quarry/httpapi/internal/usage"
)

// usageWitness puts the count of what a change writes into its commit.
type usageWitness struct{ meter *usage.Meter }

func (w usageWitness) witness(c *change) ([]engine.Row, func(error)) {
	return w.meter.Written(c.key, c.at, c.writes)
}

// openMeter makes the server's meter, and a witness of it.
func (s *Server) openMeter(off bool) (err error) {
	s.meter, err = usage.Open(s.engine, usage.Options{
		Now: s.now, Stored: s.stored, Quota: s.quota, Reached: s.reached, Off: off,
	})
	s.witnesses = append(s.witnesses, usageWitness{s.meter})
	return err
}

// stored sums up the records and bytes of all indexes, for the meter: the same
// for every key.
func (s *Server) stored() func(string) (records, bytes int64) {
	var records, bytes int64
	for _, info := range s.engine.Indexes() {
		records += info.Records
		bytes += info.Bytes
	}
	return func(string) (int64, int64) { return records, bytes }
}

// reached makes the event of a key that has used up a part of its quota.
func (s *Server) reached(t usage.Threshold) ([]engine.Row, func(error)) {
	return s.witnessed(&change{event: eventUsageThreshold, key: t.Key, at: t.At, threshold: &t})
}

const (
	usagePage    = 10_000
	maxUsagePage = 100_000
)

// showUsage answers GET /v1/usage: what all keys have used. The figures are of
// all indexes, so a key that may not use all of them is not told.
func (s *Server) showUsage(x *exchange) error {
	if len(x.key.Indexes) > 0 {
		return &problem{code: codeForbiddenIndex, detail: "usage is counted over all indexes, and the API key may not use all of them"}
	}
	params, err := x.query("from", "to", "group", "limit", "cursor")
	if err != nil {
		return err
	}
	var f faults
	q := usage.Query{
		From: usageDay(&f, params, "from", 0), To: usageDay(&f, params, "to", usage.LastDay+1),
	}
	if q.From >= q.To {
		f.param("to", engine.CodeInvalidRequest, "must be later than from; it is the day after the last one")
	}
	q.ByDay, q.ByKey = usageGroup(&f, params)
	q.Limit = pageLimit(&f, params, usagePage, maxUsagePage)
	identity := fmt.Appendf(nil, "%d %d %t %t", q.From, q.To, q.ByDay, q.ByKey)
	if after := s.pageStart(&f, params, cursorUsage, identity); after != "" {
		q.After = usagePosition(after)
	}
	if err := f.err(); err != nil {
		return err
	}
	report, err := s.meter.Report(q)
	if err != nil {
		return err
	}
	next := ""
	if report.More {
		last := report.Rows[len(report.Rows)-1]
		next = s.cursors.sign(cursorUsage, identity, fmt.Appendf(nil, "%d %d %s", last.Day, last.Seq, last.Key))
	}
	x.json(200, appendUsage(nil, q, report, next))
	return nil
}

// usageDay reads a parameter that is a day, or the moment at which a day of UTC
// begins.
func usageDay(f *faults, params url.Values, name string, byDefault usage.Day) usage.Day {
	if !params.Has(name) {
		return byDefault
	}
	text := params.Get(name)
	day, err := usage.ParseDay(text)
	if err == nil {
		return day
	}
	if t, err := time.Parse(time.RFC3339, text); err == nil && t.Unix()%(24*60*60) == 0 {
		return usage.DayOf(t)
	}
	f.param(name, engine.CodeInvalidRequest, "must be a day of UTC such as 2026-11-21, as use is counted by day")
	return byDefault
}

// usageGroup reads the parameter group.
func usageGroup(f *faults, params url.Values) (byDay, byKey bool) {
	if !params.Has("group") {
		return true, true
	}
	names := strings.Split(params.Get("group"), ",")
	byDay, byKey = slices.Contains(names, "day"), slices.Contains(names, "key")
	for _, name := range names {
		if name != "day" && name != "key" || len(names) > 2 {
			f.param("group", engine.CodeInvalidRequest, `must be "key,day", "key" or "day"`)
			break
		}
	}
	return byDay, byKey
}

// usagePosition reads the position of a cursor, which showUsage has written.
func usagePosition(position string) *usage.Row {
	day, rest, _ := strings.Cut(position, " ")
	seq, key, _ := strings.Cut(rest, " ")
	d, _ := strconv.ParseInt(day, 10, 32)
	n, _ := strconv.ParseInt(seq, 10, 64)
	return &usage.Row{Day: usage.Day(d), Seq: n, Key: key}
}

func appendUsage(dst []byte, q usage.Query, r *usage.Report, next string) []byte {
	w := jsonWriter{buf: dst}
	w.open('{')
	w.key("rows")
	w.open('[')
	for i := range r.Rows {
		w.usageRow(q, &r.Rows[i])
	}
	w.close(']')
	w.textOrNullAt("base", r.Base)
	w.textOrNullAt("head", r.Head)
	w.integerAt("chain_length", r.Length)
	w.textOrNullAt("next_cursor", next)
	w.close('}')
	return w.buf
}

// usageRow writes a row. The place in the chain belongs to rows by key and day.
func (w *jsonWriter) usageRow(q usage.Query, r *usage.Row) {
	w.open('{')
	if q.ByDay {
		w.textAt("day", r.Day.String())
	}
	if q.ByKey {
		w.textAt("key", r.Key)
	}
	w.integerAt("searches", r.Searches)
	w.integerAt("writes", r.Writes)
	w.integerAt("records_max", r.RecordsMax)
	w.integerAt("bytes_max", r.BytesMax)
	if q.ByDay && q.ByKey {
		w.key("seq")
		if r.Seq == 0 {
			w.null()
		} else {
			w.integer(r.Seq)
		}
		w.textOrNullAt("chain", r.Chain)
	}
	w.close('}')
}
