// Package usage counts what each API key uses, by day, for bills that nobody
// has to believe.
//
// A [Meter] keeps the counts in rows of its caller's store. Use is told to it by
// [Meter.Search] and [Meter.Written], written down by [Meter.Flush], which
// [Meter.Run] calls all the time, and read by [Meter.Report]. Days are those of
// UTC.
//
// # What is counted when
//
// Writes are exact: Written returns a row for the commit of the write itself, so
// that however the process ends there is both or neither. Searches wait in
// memory for [FlushEvery] at most. A process that is killed loses those of its
// last second and never counts one twice. While the store takes no rows, as
// with a full disk, searches go on being counted in memory.
//
// RecordsMax and BytesMax are the greatest numbers of records and bytes that
// were stored when the key was used, looked at in each flush. A day on which a
// key was not used has no row.
//
// Use counts for the day that the clock shows, also when it was set back: what
// comes after a day was closed gets a second row.
//
// # The chain
//
// A minute after its end a day is closed: its rows become the next links of a
// chain, in the order of their keys, and never change again. The hash of a link
// is
//
//	chain(n) = "sha256:" + hex(SHA-256(chain(n-1) + "\n" + row(n) + "\n"))
//
// where chain(0) is "sha256:" and 64 zeros, and a row is this JSON object, with
// its members in this order and without white space:
//
//	{"seq":1,"day":"2026-11-21","key":"key_7fGh2Kq9","searches":1200,"writes":31,"records_max":19547,"bytes_max":8123456}
//
// The first row above has the hash
//
//	sha256:f4dfd99bd2fe0d60a911fcd421df72ada916dd11b22a18a9d9a9eb96041dfb12
//
// The chain of the last row is the head. Who notes it down can tell later
// whether anything before it was changed, see [Verify]. Rows of days that are
// not closed have no link yet.
//
// # Rows of the store
//
//	http/usage/write/<16 hex digits>      the writes of one commit that no flush has added up yet:
//	                                      {"day":"2026-11-21","key":"key_7fGh2Kq9","writes":2}
//	http/usage/open/<day>/<key>           the counts of a key on a day that is not closed: a row with seq 0
//	http/usage/day/<day>/<20 digits seq>  a link: a row, its chain and the chain before, a line each
//	http/usage/head                       the last seq and, after a newline, its chain
package usage
