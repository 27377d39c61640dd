package engine

import (
	"encoding/binary"
	"fmt"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/quarry-search/quarry/engine/internal/page"
	"github.com/quarry-search/quarry/engine/internal/posting"
)

// The engine's own values in the store, beside the bytes of segments, chunks
// and blocks. The rare ones are JSON with a format number, so that a damaged
// directory can be read by people; the batch log is binary because every batch
// writes one. All of them are sealed, see ledger.go: the store's own checksums
// do not tell a value that was exchanged for another.

// FormatVersion is the version of the values that the engine writes, which changes
// more often than the layout of the directory (storage.FormatVersion).
//
//	1  without seals and ledger
//	2  with them; a directory of format 1 gets them from its first commit on
//	3  segments may hold packed long posting lists
//	4  chunks of pages may have their ids by blocks; fields may have
//	   analyzers of the application, with the version of their rules
//	5  long lists may have finer bounds and more champions
//	6  and champions in the order of hits
//	7  blocks of ids have 16 documents, not 256
//	8  and are packed by symbols, not by Zstandard
const FormatVersion = 8

// meta is the engine's own row: it is rewritten by every commit of batches and
// rows.
type meta struct {
	Format  int    `json:"format"`
	Version uint64 `json:"version"` // of the newest batch
	// Ledger counts entries that nothing else does; nil in format 1.
	Ledger *ledger `json:"ledger,omitzero"`
}

func encodeMeta(m meta) []byte {
	m.Format = FormatVersion
	return encodeJSON(m)
}

// catalogEntry says which number an index has. Numbers are not used again.
type catalogEntry struct {
	Number  uint32    `json:"number"`
	Created time.Time `json:"created"`
	// Update is the schema that the index is to get when it has been rebuilt
	// or, with Failed, that its records did not fit.
	Update jsontext.Value `json:"update,omitzero"`
	Failed *InvalidError  `json:"failed,omitzero"`
}

func (c catalogEntry) encode() []byte { return encodeJSON(c) }

// manifest is what is on disk of an index apart from the batches in the log:
// the state of the index after the batch Flushed.
type manifest struct {
	Format   int           `json:"format"`
	Flushed  uint64        `json:"flushed"`   // version up to which batches are in segments and chunks
	NextDoc  uint32        `json:"next_doc"`  // first document number that is not given out
	NextPart uint32        `json:"next_part"` // first number that no segment or chunk has had
	Updated  time.Time     `json:"updated"`
	Segments []segmentDesc `json:"segments"` // by document
	Chunks   []chunkDesc   `json:"chunks"`   // by document
	Stats    stats         `json:"stats"`
	// Filter is the version of which the saved id filter is; 0 if there is
	// none. It holds only if no later batch is in the log.
	Filter      uint64 `json:"filter"`
	FilterParts int    `json:"filter_parts"`
}

// newManifest is the manifest of an index of which nothing is on disk. Parts
// are numbered from 1: in memory, the number 0 says that a part is not on disk.
func newManifest() manifest { return manifest{NextPart: 1} }

// segmentDesc names a segment. Its parts have checksums of their own, which do not
// tell a list that stands in the place of another: Parts stands for the set of
// them, and Check compares it. Segments that were written before there was such a
// set have none.
type segmentDesc struct {
	ID    uint32 `json:"id"`
	Bytes int64  `json:"bytes"`
	Parts tally  `json:"parts,omitzero"`
}

// chunkDesc names a chunk. Its summary is kept here, and not among its parts,
// so that opening an index reads none of them. Parts is as of segmentDesc.
type chunkDesc struct {
	ID      uint32 `json:"id"`
	Base    uint32 `json:"base"`
	Len     int    `json:"len"`
	Summary []byte `json:"summary"`
	Parts   tally  `json:"parts,omitzero"`
}

func (m manifest) encode() []byte {
	m.Format = FormatVersion
	return encodeJSON(m)
}

// encodeJSON is for structs of this file, which cannot fail.
func encodeJSON(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		return nil
	}
	return b
}

// A storedKind is a value that is stored as JSON and tells itself from those of other kinds: one of these
// under its key would be read as one of which nothing is said.
type storedKind interface {
	// always lists members that all values of the kind have, in every format, and
	// that no other kind has all of.
	always() []string
}

func (meta) always() []string         { return []string{"version"} }
func (catalogEntry) always() []string { return []string{"number", "created"} }
func (manifest) always() []string     { return []string{"flushed", "next_doc", "next_part"} }
func (storedSchema) always() []string { return []string{"fields"} }

func decodeJSON(what string, b []byte, v any) error {
	if err := json.Unmarshal(b, v); err != nil {
		return corruptf("%s: %w", what, err)
	}
	k, ok := v.(storedKind)
	if !ok {
		return nil
	}
	var has map[string]jsontext.Value
	if err := json.Unmarshal(b, &has); err != nil {
		return corruptf("%s: %w", what, err)
	}
	for _, name := range k.always() {
		if has[name] == nil {
			return corruptf("%s: it has no %q, so it is something else", what, name)
		}
	}
	return nil
}

// decodeSealed is decodeJSON of a value that seal has made.
func decodeSealed(what string, b []byte, v any) error {
	b, err := unseal(what, b)
	if err != nil {
		return err
	}
	return decodeJSON(what, b, v)
}

// storedField is a Field as it is stored.
type storedField struct {
	Name     string   `json:"name"`
	Type     string   `json:"type"`
	Search   bool     `json:"search,omitzero"`
	Filter   bool     `json:"filter,omitzero"`
	Facet    bool     `json:"facet,omitzero"`
	Sort     bool     `json:"sort,omitzero"`
	Weight   float64  `json:"weight,omitzero"`
	B        *float64 `json:"b,omitempty"`
	Language string   `json:"language,omitzero"`
	Analyzer string   `json:"analyzer,omitzero"`
	Rules    string   `json:"rules,omitzero"`
	Inferred bool     `json:"inferred,omitzero"`
	Widened  bool     `json:"widened,omitzero"`

	Dimensions int      `json:"dimensions,omitzero"`
	Metric     Metric   `json:"metric,omitzero"`
	Embedder   string   `json:"embedder,omitzero"`
	From       []string `json:"from,omitempty"`
}

type storedSchema struct {
	Format     int    `json:"format"`
	PrimaryKey string `json:"primary_key,omitzero"`
	Language   string `json:"language,omitzero"`
	Dynamic    bool   `json:"dynamic,omitzero"`
	Hidden     bool   `json:"hidden,omitzero"`

	Semantic Semantic `json:"semantic,omitzero"`

	NoThesaurus bool `json:"no_thesaurus,omitzero"`

	Notes  map[string]string `json:"notes,omitzero"`
	Fields []storedField     `json:"fields"`

	storedWords
}

func encodeSchema(s *Schema) []byte {
	out := storedSchema{Format: FormatVersion, PrimaryKey: s.PrimaryKey, Language: s.Language, Dynamic: s.Dynamic, Hidden: s.Hidden, Semantic: s.Semantic, NoThesaurus: s.NoThesaurus, Notes: s.Notes}
	for _, f := range s.Fields {
		out.Fields = append(out.Fields, storedField{
			f.Name, f.Type.String(), f.Search, f.Filter, f.Facet, f.Sort, f.Weight, f.B, f.Language, f.Analyzer, f.rules, f.inferred, f.widened,
			f.Dimensions, f.Metric, f.Embedder, f.From,
		})
	}
	out.storedWords = storeWords(s)
	return encodeJSON(out)
}

func decodeSchema(b []byte) (*Schema, error) {
	var in storedSchema
	if err := decodeJSON("schema", b, &in); err != nil {
		return nil, err
	}
	s := &Schema{PrimaryKey: in.PrimaryKey, Language: in.Language, Dynamic: in.Dynamic, Hidden: in.Hidden, Semantic: in.Semantic, NoThesaurus: in.NoThesaurus, Notes: in.Notes}
	in.storedWords.load(s)
	for _, f := range in.Fields {
		t, ok := ParseType(f.Type)
		if !ok {
			return nil, corruptf("schema: the field %q has an unknown type", f.Name)
		}
		s.Fields = append(s.Fields, Field{
			Name: f.Name, Type: t, Search: f.Search, Filter: f.Filter, Facet: f.Facet, Sort: f.Sort,
			Weight: f.Weight, B: f.B, Language: f.Language, Analyzer: f.Analyzer, rules: f.Rules, inferred: f.Inferred, widened: f.Widened,
			Dimensions: f.Dimensions, Metric: f.Metric, Embedder: f.Embedder, From: f.From,
		})
	}
	return s, nil
}

// logEntry is what a batch did to one index. It stays in the log until the
// batch is flushed, and with the stored blocks is all that recovery needs.
//
//	varint  time, microseconds since 1970
//	uvarint number of the first new document
//	uvarint new documents
//	uvarint fields of the schema after the batch
//	uvarint deleted documents, then their numbers as uvarints
//	uvarint 0, or the number of new documents if they keep older versions than
//	        the batch's, then those as uvarints
type logEntry struct {
	Time   time.Time
	Base   posting.DocID
	Docs   uint32
	Fields uint32 // later ones are not for the batch's records
	Killed []posting.DocID

	Versions []uint64 // of the new documents; nil: all have the batch's
}

func (l logEntry) encode() []byte {
	b := binary.AppendVarint(nil, l.Time.UnixMicro())
	b = binary.AppendUvarint(b, uint64(l.Base))
	b = binary.AppendUvarint(b, uint64(l.Docs))
	b = binary.AppendUvarint(b, uint64(l.Fields))
	b = binary.AppendUvarint(b, uint64(len(l.Killed)))
	for _, d := range l.Killed {
		b = binary.AppendUvarint(b, uint64(d))
	}
	b = binary.AppendUvarint(b, uint64(len(l.Versions)))
	for _, v := range l.Versions {
		b = binary.AppendUvarint(b, v)
	}
	return b
}

func decodeLogEntry(b []byte) (logEntry, error) {
	var l logEntry
	micros, n := binary.Varint(b)
	if n <= 0 {
		return l, corruptf("batch log: time")
	}
	l.Time = time.UnixMicro(micros).UTC()
	b = b[n:]
	next := func() (uint32, error) {
		v, n := binary.Uvarint(b)
		if n <= 0 || v > 1<<32-1 {
			return 0, fmt.Errorf("%w: batch log: number", ErrCorrupt)
		}
		b = b[n:]
		return uint32(v), nil
	}
	var err error
	if l.Base, err = next(); err != nil {
		return l, err
	}
	if l.Docs, err = next(); err != nil {
		return l, err
	}
	if l.Fields, err = next(); err != nil {
		return l, err
	}
	killed, err := next()
	if err != nil {
		return l, err
	}
	if int(killed) > len(b) {
		return l, corruptf("batch log: %d deleted documents in %d bytes", killed, len(b))
	}
	for range killed {
		d, err := next()
		if err != nil {
			return l, err
		}
		l.Killed = append(l.Killed, d)
	}
	versions, err := next()
	if err != nil {
		return l, err
	}
	if versions != 0 && versions != l.Docs || int(versions) > len(b) {
		return l, corruptf("batch log: %d versions of %d documents", versions, l.Docs)
	}
	for range versions {
		v, n := binary.Uvarint(b)
		if n <= 0 {
			return l, corruptf("batch log: version")
		}
		l.Versions, b = append(l.Versions, v), b[n:]
	}
	if len(b) != 0 {
		return l, corruptf("batch log: %d bytes too many", len(b))
	}
	return l, nil
}

// Segments and chunks are numbered from one counter and share a range of
// keys: the parts of a segment have the kinds of package segment, those of a
// chunk have chunkPart added.
const chunkPart = 0x80

// partKind is the kind of a chunk's part in keys.
func partKind(p page.Part) (uint8, uint32) { return chunkPart + uint8(p.Kind), uint32(p.Field) }
