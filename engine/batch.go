package engine

// OpKind is what an operation of a batch does.
type OpKind uint8

// Operations.
const (
	OpPut         OpKind = iota // insert or replace the record with this id
	OpPutNew                    // insert; fails with CodeRecordExists if the id is in use
	OpPatch                     // replace the given top-level fields of an existing record; null removes one
	OpDelete                    // delete the record with this id; nothing happens if there is none in the index, which must be there or made by the batch
	OpDeleteWhere               // delete every record that a filter matches
	OpPatchWhere                // do as OpPatch with every record that a filter matches
)

// Op is one operation of a batch.
type Op struct {
	Kind  OpKind
	Index string
	// ID of the record for OpPatch and OpDelete; for puts it may be empty: the
	// id is then the record's own, or a new one is made and returned.
	ID string
	// Record is a JSON object, for puts and patches. The engine keeps it until
	// Apply returns.
	Record []byte
	// Filter for OpDeleteWhere and OpPatchWhere. It may not be blank.
	Filter string
	// IfVersion, when not nil, makes the operation fail with CodeVersionMismatch
	// unless the record was last written by the batch with this version; 0
	// stands for a record that does not exist. Operations by a filter have none.
	IfVersion *uint64

	version uint64 // that the record keeps, when a rebuild copies it
}

// Batch is an ordered list of operations on any indexes. Later operations see
// what earlier ones did. It is used by one goroutine; the zero value is empty.
type Batch struct {
	Ops []Op
	// Partial applies the operations that are valid and reports the others in
	// BatchResult.Errors. Without it one failing operation fails the batch and
	// nothing changes.
	Partial bool
	// Shrinks says that the rows take something away in the end, though they set
	// some. Like deletions, such a batch goes through on a disk that is too full
	// for others, unless it puts a record or makes an index.
	Shrinks bool
	// Rows are written in the same commit: rows of the application, which the
	// engine keeps but never looks into (see Engine.Row). A nil Value deletes.
	Rows []Row
	// Finish, when not nil, is called with the result of the batch before it is
	// committed, and returns further rows for the same commit. It runs while
	// other batches wait, must not call the engine, and must not keep the
	// result.
	Finish func(*BatchResult) []Row
}

// Row is a key and value of the application's own.
type Row struct {
	Key   string
	Value []byte
}

// Put adds an operation that inserts or replaces a record, a JSON object.
func (b *Batch) Put(index string, record []byte) {
	b.Ops = append(b.Ops, Op{Kind: OpPut, Index: index, Record: record})
}

// PutNew adds an operation that inserts a record and fails if its id is in use.
func (b *Batch) PutNew(index string, record []byte) {
	b.Ops = append(b.Ops, Op{Kind: OpPutNew, Index: index, Record: record})
}

// Patch adds an operation that replaces the given top-level fields of a record.
func (b *Batch) Patch(index, id string, fields []byte) {
	b.Ops = append(b.Ops, Op{Kind: OpPatch, Index: index, ID: id, Record: fields})
}

// Delete adds an operation that deletes a record if it is there.
func (b *Batch) Delete(index, id string) {
	b.Ops = append(b.Ops, Op{Kind: OpDelete, Index: index, ID: id})
}

// BatchResult tells what a batch did. All of it is durable, and seen by every
// search that begins later.
type BatchResult struct {
	Version        uint64   // of the engine after the batch; versions grow by one a batch
	Put            int      // records inserted or replaced
	Patched        int      // also those that a filter matched
	Deleted        int      // records that were there and are deleted
	Failed         int      // operations in Errors, with Partial
	IDs            []string // by operation: the record's id; "" where there is none
	IndexesCreated []string // in the order of their creation
	Errors         []Problem
}
