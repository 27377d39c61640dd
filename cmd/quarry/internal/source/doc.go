// Package source reads records for an import: a file or a stream in, one JSON
// object at a time out, each with the line it begins in.
//
// [Open] looks at the first bytes of its input and finds out by itself whether
// it is packed with gzip and which [Format] it has; [Reader.Next] returns the
// records. What is wrong with one place of the input is a [*LineError], which
// names the file and the line.
//
// The formats:
//
//	ndjson  one JSON object a line; empty lines are passed over
//	json    one array of JSON objects
//	csv     a header line with the names of the fields, then a record a row;
//	        quotes as in RFC 4180, so that a row may go over several lines
//	        (tabs or else semicolons in place of commas, if the header has no
//	        comma)
//	tsv     the same with a tab between cells, one row a line: there are no
//	        quotes, by the definition of text/tab-separated-values that is
//	        registered with IANA, so that one in a value is part of it
//
// An NDJSON line is only looked at from outside: it must begin with { and end
// with }. Whoever stores the record checks the rest. Cells of CSV become
// numbers and booleans where the whole column looks like it, see [Options].
package source
