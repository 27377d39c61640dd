package usage

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
)

// Day is a day of UTC, counted from 1970-01-01.
type Day int32

const (
	// LastDay is the last one that has a text, 9999-12-31.
	LastDay Day = 2932896

	secondsPerDay = 24 * 60 * 60
)

// DayOf returns the day of a moment.
func DayOf(t time.Time) Day {
	s := t.Unix()
	day := s / secondsPerDay
	if s%secondsPerDay < 0 {
		day--
	}
	return Day(day)
}

// ParseDay reads a day written as 2006-01-02.
func ParseDay(s string) (Day, error) {
	t, err := time.Parse(time.DateOnly, s)
	if err != nil {
		return 0, errors.New("not a day such as 2026-11-21")
	}
	return DayOf(t), nil
}

// Start returns the moment when the day begins.
func (d Day) Start() time.Time { return time.Unix(int64(d)*secondsPerDay, 0).UTC() }

// String returns the day as 2006-01-02.
func (d Day) String() string { return d.Start().Format(time.DateOnly) }

// month is a number that all days of a month share.
func (d Day) month() int {
	t := d.Start()
	return t.Year()*12 + int(t.Month())
}

// Row is what a key used on a day or, in a grouped [Report], over several keys
// or days.
type Row struct {
	Seq        int64  // place in the chain, from 1; 0 as long as the day is not closed
	Day        Day    // of UTC
	Key        string // public id; "" where keys are taken together
	Searches   int64
	Writes     int64 // records put, patched and deleted
	RecordsMax int64
	BytesMax   int64
	Chain      string // hash of the link; "" as long as the day is not closed
}

// add takes the use of another row together with r's.
func (r *Row) add(o *Row) {
	r.Searches += o.Searches
	r.Writes += o.Writes
	r.RecordsMax = max(r.RecordsMax, o.RecordsMax)
	r.BytesMax = max(r.BytesMax, o.BytesMax)
}

// appendText appends the row in the form that is hashed.
func (r *Row) appendText(b []byte) []byte {
	b = append(b, `{"seq":`...)
	b = strconv.AppendInt(b, r.Seq, 10)
	b = append(b, `,"day":"`...)
	b = append(b, r.Day.String()...)
	b = append(b, `","key":`...)
	b = strconv.AppendQuote(b, r.Key) // keys are ASCII letters, digits and underscores
	for _, n := range [...]struct {
		name  string
		count int64
	}{{"searches", r.Searches}, {"writes", r.Writes}, {"records_max", r.RecordsMax}, {"bytes_max", r.BytesMax}} {
		b = append(b, ',', '"')
		b = append(b, n.name...)
		b = append(b, '"', ':')
		b = strconv.AppendInt(b, n.count, 10)
	}
	return append(b, '}')
}

// rowText is a row as it is stored and answered.
type rowText struct {
	Seq        int64   `json:"seq"`
	Day        string  `json:"day"`
	Key        string  `json:"key"`
	Searches   int64   `json:"searches"`
	Writes     int64   `json:"writes"`
	RecordsMax int64   `json:"records_max"`
	BytesMax   int64   `json:"bytes_max"`
	Chain      *string `json:"chain"`
}

func (t *rowText) row() (Row, error) {
	day, err := ParseDay(t.Day)
	r := Row{Seq: t.Seq, Day: day, Key: t.Key, Searches: t.Searches, Writes: t.Writes, RecordsMax: t.RecordsMax, BytesMax: t.BytesMax}
	if t.Chain != nil {
		r.Chain = *t.Chain
	}
	return r, err
}

// parseRow reads what appendText wrote.
func parseRow(b []byte) (Row, error) {
	var t rowText
	if err := json.Unmarshal(b, &t, json.RejectUnknownMembers(true)); err != nil {
		return Row{}, err
	}
	return t.row()
}

// Keys of rows in the store.
const (
	writeRows = "http/usage/write/"
	openRows  = "http/usage/open/"
	dayRows   = "http/usage/day/"
	headRow   = "http/usage/head"
)

func openKey(day Day, key string) string { return openRows + day.String() + "/" + key }

func linkKey(day Day, seq int64) string { return fmt.Sprintf("%s%s/%020d", dayRows, day, seq) }

// storedLink is a row in the chain, and the chain of the row before it.
type storedLink struct {
	Row
	before string
}

// appendLink appends a link as it is stored.
func appendLink(b []byte, l *storedLink) []byte {
	b = append(l.appendText(b), '\n')
	b = append(append(b, l.Chain...), '\n')
	return append(b, l.before...)
}

// parseLink reads what appendLink wrote.
func parseLink(b []byte) (storedLink, error) {
	lines := strings.Split(string(b), "\n")
	if len(lines) != 3 {
		return storedLink{}, errors.New("not a row, its chain and the one before")
	}
	r, err := parseRow([]byte(lines[0]))
	r.Chain = lines[1]
	return storedLink{Row: r, before: lines[2]}, err
}

// appendHead appends the end of the chain as it is stored.
func appendHead(b []byte, h head) []byte {
	b = strconv.AppendInt(b, h.seq, 10)
	return append(append(b, '\n'), h.chain...)
}

// parseHead reads what appendHead wrote.
func parseHead(b []byte) (head, error) {
	seq, chain, _ := strings.Cut(string(b), "\n")
	n, err := strconv.ParseInt(seq, 10, 64)
	if err != nil || n < 1 || !strings.HasPrefix(chain, chainPrefix) {
		return head{}, errors.New("not a number and a hash")
	}
	return head{seq: n, chain: chain}, nil
}
