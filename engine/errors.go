package engine

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/quarry-search/quarry/storage"
)

// Sentinels for errors.Is: one for each decision a caller can take.
var (
	ErrNotFound     = errors.New("not found")        // no such index, record or row
	ErrIndexExists  = errors.New("index exists")     // CreateIndex with a name in use
	ErrRecordExists = errors.New("record exists")    // OpPutNew with an id in use
	ErrVersion      = errors.New("version mismatch") // an IfVersion that does not hold
	ErrInvalid      = errors.New("invalid")          // the input is at fault; the error is an *InvalidError
	ErrTooLarge     = errors.New("too large")        // a limit on size is met; the error names it

	ErrNoAnalyzer    = errors.New("no such analyzer")     // Open without one of Options.Analyzers that an index needs
	ErrOtherAnalyzer = errors.New("analyzer has changed") // the index has to be rebuilt: UpdateIndex with its own schema does it

	ErrCorrupt     = storage.ErrCorrupt                                                   // stored bytes are damaged
	ErrUnsettled   = errors.New("the write is in the log, but could not be made visible") // whether it has happened is known when the engine is opened again
	ErrStorageFull = storage.ErrFull                                                      // nothing was written; searches go on
	ErrClosed      = storage.ErrClosed                                                    // the engine was closed
	ErrBusy        = storage.ErrBusy                                                      // Close while snapshots are open
	ErrReadOnly    = storage.ErrReadOnly                                                  // the engine, or its file system, is read-only
	ErrLocked      = storage.ErrLocked                                                    // another process holds the data directory
	ErrForeign     = storage.ErrForeign                                                   // the directory has other contents
	ErrBackup      = storage.ErrBackup                                                    // the directory is a backup; RestoreBackup makes a data directory of it
	ErrUnfinished  = storage.ErrUnfinished                                                // the directory is a backup that was not finished; comes with ErrBackup or ErrForeign
	ErrHalfMade    = storage.ErrHalfMade                                                  // the directory is being made by RestoreBackup or Repair, or that was interrupted; comes with ErrForeign
	ErrNewerFormat = storage.ErrNewerFormat                                               // a later release wrote the directory
)

// Codes of problems. They are part of the API and never change meaning.
const (
	CodeInvalidRequest   = "invalid_request"
	CodeInvalidFieldType = "invalid_field_type"
	CodeUnknownField     = "unknown_field"
	CodeInvalidFilter    = "invalid_filter"
	CodeInvalidQuery     = "invalid_query"
	CodeInvalidSort      = "invalid_sort"
	CodeNotFilterable    = "not_filterable"
	CodeNotSortable      = "not_sortable"
	CodeInvalidCursor    = "invalid_cursor"
	CodeLimitExceeded    = "limit_exceeded"
	CodeMalformedJSON    = "malformed_json"
	CodeRecordTooLarge   = "record_too_large"
	CodeRecordExists     = "record_exists"
	CodeRecordNotFound   = "record_not_found"
	CodeIndexNotFound    = "index_not_found"
	CodeVersionMismatch  = "version_mismatch"
)

// Problem is one thing that is wrong with an input.
type Problem struct {
	Code string
	// Position is the number of the operation in a batch, from 0; -1 where the
	// problem is not one operation's.
	Position int
	// Pointer is a JSON pointer (RFC 6901) relative to the record, schema or
	// request that is at fault, such as "/price"; "" is the whole of it.
	Pointer string
	// Column is the place in a query or filter text in characters, from 1; 0
	// where there is none.
	Column int
	// Detail says what is wrong in a sentence without a full stop. It never
	// repeats the contents of a record.
	Detail string
}

// String is the problem as text: the operation, the place, and Detail.
func (p Problem) String() string {
	var b strings.Builder
	if p.Position >= 0 {
		fmt.Fprintf(&b, "operation %d: ", p.Position)
	}
	if p.Pointer != "" {
		fmt.Fprintf(&b, "%s: ", p.Pointer)
	}
	b.WriteString(p.Detail)
	if p.Column > 0 {
		fmt.Fprintf(&b, " (column %d)", p.Column)
	}
	return b.String()
}

// InvalidError reports everything that is wrong with an input at once, the
// first hundred problems of it. errors.Is(err, ErrInvalid) holds; so does
// errors.Is with the sentinel that belongs to the first problem's code, such
// as ErrRecordExists.
type InvalidError struct {
	Problems []Problem // never empty
	Total    int       // how many there are in all
}

// Error is the first problem, and how many more there are.
func (e *InvalidError) Error() string {
	if e.Total == 1 {
		return e.Problems[0].String()
	}
	return fmt.Sprintf("%s (and %d more problems)", e.Problems[0], e.Total-1)
}

// Is makes errors.Is work with the sentinels.
func (e *InvalidError) Is(target error) bool {
	switch target {
	case ErrInvalid:
		return true
	case ErrRecordExists:
		return e.Problems[0].Code == CodeRecordExists
	case ErrVersion:
		return e.Problems[0].Code == CodeVersionMismatch
	case ErrTooLarge:
		return e.Problems[0].Code == CodeRecordTooLarge || e.Problems[0].Code == CodeLimitExceeded
	case ErrNotFound:
		return e.Problems[0].Code == CodeRecordNotFound || e.Problems[0].Code == CodeIndexNotFound
	}
	return false
}

// maxProblems bounds the list of an InvalidError.
const maxProblems = 100

// problems collects what is wrong with an input.
type problems struct{ err InvalidError }

func (p *problems) add(q Problem) {
	if p.err.Total++; len(p.err.Problems) < maxProblems {
		p.err.Problems = append(p.err.Problems, q)
	}
}

// insert is add for problems that do not come in the order of their positions:
// the first hundred of these stay.
func (p *problems) insert(q Problem) {
	p.err.Total++
	list := p.err.Problems
	at := len(list)
	for at > 0 && list[at-1].Position > q.Position {
		at--
	}
	if at == maxProblems {
		return
	}
	p.err.Problems = slices.Insert(list[:min(len(list), maxProblems-1)], at, q)
}

func (p *problems) addf(code, pointer, format string, args ...any) {
	p.add(Problem{Code: code, Position: -1, Pointer: pointer, Detail: fmt.Sprintf(format, args...)})
}

func (p *problems) orNil() error {
	if p.err.Total == 0 {
		return nil
	}
	err := p.err // so that p need not be on the heap where all is well
	return &err
}

// invalid makes an error of one problem.
func invalid(code, pointer, format string, args ...any) error {
	var p problems
	p.addf(code, pointer, format, args...)
	return p.orNil()
}
