package page

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
)

// Flags of an encoded column.
const (
	flagSparse = 1 << 0 // some documents have no value: presence follows
	flagMany   = 1 << 1 // some document has several values: their ends follow
)

// columnBuilder gathers the values of one field, by ascending document.
type columnBuilder struct {
	field  uint16
	kind   Kind
	places []uint16 // documents with a value, from the chunk's base
	ends   []uint64 // how many values there were after each of places
	keys   []uint64 // numbers: intKey or floatKey; keywords: index in terms

	terms []string          // keywords, in no order; those of merged columns repeat
	index map[string]uint32 // of those that add met: value -> index in terms
	last  []int             // by the same: 1 + the last of places that had it
}

// add adds the values of document place, which is above all places before.
func (b *columnBuilder) add(place int, values []Value) error {
	before := len(b.keys)
	for _, v := range values {
		if v.Kind != b.kind {
			return fmt.Errorf("column %d: %w: %v in a column of %v", b.field, ErrInvalid, v.Kind, b.kind)
		}
		switch {
		case b.kind == KindKeyword:
			b.addTerm(b.intern(v.Str))
		case b.kind == KindFloat:
			if math.IsNaN(v.Float) || math.IsInf(v.Float, 0) {
				return fmt.Errorf("column %d: %w: %v is not a finite number", b.field, ErrInvalid, v.Float)
			}
			b.keys = append(b.keys, floatKey(v.Float+0)) // -0 + 0 is 0
		case b.kind == KindBool && v.Int&^1 != 0:
			return fmt.Errorf("column %d: %w: %d as a bool", b.field, ErrInvalid, v.Int)
		default:
			b.keys = append(b.keys, intKey(v.Int))
		}
	}
	if len(b.keys) > before {
		b.endDoc(place)
	}
	return nil
}

func (b *columnBuilder) endDoc(place int) {
	b.places = append(b.places, uint16(place))
	b.ends = append(b.ends, uint64(len(b.keys)))
}

// intern returns the index of a keyword in terms.
func (b *columnBuilder) intern(value []byte) uint32 {
	if i, ok := b.index[string(value)]; ok {
		return i
	}
	if b.index == nil {
		b.index = make(map[string]uint32)
	}
	i, s := uint32(len(b.terms)), string(value)
	b.terms = append(b.terms, s)
	b.last = append(b.last, 0)
	b.index[s] = i
	return i
}

// addDict appends the values of a dictionary to terms, and returns where they begin.
// That some may be there already is found out when all are sorted: to look each up in a
// map took two thirds of a merge.
func (b *columnBuilder) addDict(d *Dict) (first uint64) {
	first = uint64(len(b.terms))
	all := string(d.values.data)
	from := d.values.ends.at(0)
	for i := range d.Len() {
		to := d.values.ends.at(i + 1)
		b.terms = append(b.terms, all[from:to])
		from = to
	}
	return first
}

// addTerm adds a keyword to the current document unless it has it.
func (b *columnBuilder) addTerm(i uint32) {
	if doc := len(b.places) + 1; b.last[i] != doc {
		b.last[i] = doc
		b.keys = append(b.keys, uint64(i))
	}
}

// addColumn adds the values of col, whose document 0 is document shift here.
func (b *columnBuilder) addColumn(col *Column, shift int) error {
	if col.kind != b.kind {
		return fmt.Errorf("column %d: %w: chunks have it as %v and as %v", b.field, ErrInvalid, b.kind, col.kind)
	}
	var first uint64 // of its terms
	if col.kind == KindKeyword {
		first = b.addDict(col.dict)
	}
	for i := range col.n {
		from, to := col.span(i)
		for k := from; k < to; k++ {
			switch col.kind {
			case KindKeyword:
				b.keys = append(b.keys, first+col.vals.at(k))
			case KindFloat:
				b.keys = append(b.keys, floatKey(col.float(col.key(k))))
			default:
				b.keys = append(b.keys, col.key(k))
			}
		}
		if from < to {
			b.endDoc(shift + i)
		}
	}
	return nil
}

// encode returns the part of a chunk of n documents and its line of the
// summary. The builder has a value, and is used up.
func (b *columnBuilder) encode(n int) ([]byte, ColumnInfo, error) {
	if len(b.keys) > math.MaxInt32 {
		return nil, ColumnInfo{}, fmt.Errorf("column %d: %w: %d values in a page", b.field, ErrInvalid, len(b.keys))
	}
	info := ColumnInfo{Field: b.field, Kind: b.kind, Docs: len(b.places), Values: len(b.keys)}
	var flags, exponent byte
	if info.Docs < n {
		flags |= flagSparse
	}
	if info.Values > info.Docs {
		flags |= flagMany
	}
	if b.kind == KindFloat {
		exponent = b.scale()
	}
	data := beginFrame(nil, Part{PartColumn, b.field})
	data = append(data, byte(b.kind), flags, exponent, 0)
	data = binary.LittleEndian.AppendUint32(data, uint32(n))
	data = binary.LittleEndian.AppendUint32(data, uint32(info.Docs))
	data = binary.LittleEndian.AppendUint32(data, uint32(info.Values))
	if flags&flagSparse != 0 {
		data = appendPresence(data, n, b.places)
	}
	if flags&flagMany != 0 {
		data = appendPacked(data, slices.Insert(b.ends, 0, 0))
	}
	if b.kind == KindKeyword {
		data, info.Distinct = b.appendTerms(data)
	} else {
		view := Column{kind: b.kind, exponent: exponent, scale: pow10(exponent % rawFloats)}
		lo, hi := minMax(b.keys)
		info.Min, info.Max = view.keyValue(lo), view.keyValue(hi)
		data = b.appendNumbers(data, lo)
	}
	return endFrame(data, 0), info, nil
}

// scale turns the keys of floats into those of scaled integers, where all of
// them are decimals, and returns the exponent.
func (b *columnBuilder) scale() uint8 {
	e := decimals(b.keys)
	if e == rawFloats {
		return e
	}
	scale := pow10(e)
	for i, key := range b.keys {
		n, _ := decimal(keyFloat(key), scale)
		b.keys[i] = intKey(n)
	}
	return e
}

func (b *columnBuilder) appendNumbers(data []byte, base uint64) []byte {
	unit := commonDivisor(b.keys, base)
	for i, key := range b.keys {
		b.keys[i] = (key - base) / unit
	}
	data = binary.LittleEndian.AppendUint64(data, base)
	data = binary.LittleEndian.AppendUint64(data, unit)
	return appendPacked(data, b.keys)
}

// appendTerms appends the dictionary and the ordinals, and returns how many different
// keywords there are.
func (b *columnBuilder) appendTerms(data []byte) ([]byte, int) {
	sorted := make([]headed, len(b.terms))
	for i, s := range b.terms {
		sorted[i] = headed{head(s), uint32(i)}
	}
	slices.SortFunc(sorted, func(x, y headed) int {
		if x.head != y.head {
			return cmp.Compare(x.head, y.head)
		}
		return cmp.Compare(b.terms[x.i], b.terms[y.i])
	})
	ords := make([]uint64, len(b.terms)) // by index in terms
	distinct := make([]string, 0, len(b.terms))
	for _, x := range sorted {
		if s := b.terms[x.i]; len(distinct) == 0 || distinct[len(distinct)-1] != s {
			distinct = append(distinct, s)
		}
		ords[x.i] = uint64(len(distinct) - 1)
	}
	for i, term := range b.keys {
		b.keys[i] = ords[term]
	}
	data = binary.LittleEndian.AppendUint32(data, uint32(len(distinct)))
	data = appendStrings(data, len(distinct), func(i int) string { return distinct[i] })
	return appendPacked(data, b.keys), len(distinct)
}

// headed is a string of a list with its first eight bytes as a number: where these
// differ, it takes no look at the strings to put them in order.
type headed struct {
	head uint64
	i    uint32
}

// head returns the first eight bytes of a string, zeros behind a shorter one. Of two
// strings the one with the lower head is the lower one.
func head[S ~string | ~[]byte](s S) uint64 {
	var first [8]byte
	copy(first[:], s)
	return binary.BigEndian.Uint64(first[:])
}

// decodeColumn reads a column of a chunk of n documents. It copies nothing but
// presence, and reads the whole part once.
func decodeColumn(field uint16, n int, data []byte) (*Column, error) {
	r, err := openFrame(Part{PartColumn, field}, data)
	if err != nil {
		return nil, err
	}
	col := &Column{kind: Kind(r.u8()), n: n}
	flags := r.u8()
	col.exponent = r.u8()
	reserved, docsHere := r.u8(), r.u32()
	docs, values := int(r.u32()), int(r.u32())
	switch {
	case r.short:
		return nil, r.corrupt("cut short")
	case !col.kind.valid() || flags&^(flagSparse|flagMany) != 0 || reserved != 0:
		return nil, r.corrupt("kind %d, flags %#x, reserved %d", col.kind, flags, reserved)
	case int(docsHere) != n:
		return nil, r.corrupt("%d documents, want %d", docsHere, n)
	case col.kind == KindFloat && col.exponent > maxDecimals && col.exponent != rawFloats,
		col.kind != KindFloat && col.exponent != 0:
		return nil, r.corrupt("exponent %d", col.exponent)
	case docs == 0 || docs > n || (docs < n) != (flags&flagSparse != 0):
		return nil, r.corrupt("%d of %d documents have values, flags %#x", docs, n, flags)
	case values < docs || (values > docs) != (flags&flagMany != 0):
		return nil, r.corrupt("%d values of %d documents, flags %#x", values, docs, flags)
	}
	col.docs, col.scale = docs, pow10(col.exponent%rawFloats)
	if err := col.readShape(r, flags, values); err != nil {
		return nil, err
	}
	if err := col.readValues(r, values); err != nil {
		return nil, err
	}
	return col, r.end()
}

// readShape reads which documents have how many values.
func (col *Column) readShape(r *reader, flags byte, values int) error {
	if flags&flagSparse != 0 {
		p, err := readPresence(r, col.n)
		if err != nil {
			return err
		}
		if p.docs != col.docs {
			return r.corrupt("presence has %d documents, want %d", p.docs, col.docs)
		}
		col.present = p
	}
	if flags&flagMany != 0 {
		ends, err := readPacked(r, col.docs+1)
		if err != nil {
			return err
		}
		if !ends.ascending(1, uint64(values)) {
			return r.corrupt("ends of values do not ascend to %d", values)
		}
		col.ends = &ends
	}
	return nil
}

func (col *Column) readValues(r *reader, values int) (err error) {
	distinct := 0
	if col.kind == KindKeyword {
		distinct = int(r.u32())
		strs, err := readStrings(r, distinct)
		if err != nil {
			return err
		}
		col.dict = &Dict{values: strs}
		if distinct == 0 || !col.dict.ordered() {
			return r.corrupt("dictionary of %d values is empty or not ascending", distinct)
		}
	} else {
		col.base, col.unit = r.u64(), r.u64()
		if col.unit == 0 {
			return r.corrupt("numbers of unit 0")
		}
	}
	if col.vals, err = readPacked(r, values); err != nil {
		return err
	}
	if col.dict != nil && !col.vals.within(uint64(distinct-1)) {
		return r.corrupt("ordinals above a dictionary of %d", distinct)
	}
	return nil
}

// bytes returns the memory that the column takes beside its part.
func (col *Column) bytes() int {
	n := 256 + col.vals.bytes()
	if col.ends == nil && col.docs >= sortedFrom {
		n += 2 * col.docs // see byValue
	}
	if col.present != nil {
		n += col.present.bytes()
	}
	if col.ends != nil {
		n += col.ends.bytes()
	}
	if col.dict != nil {
		n += col.dict.values.ends.bytes()
	}
	if col.keepsAll() {
		n += 4 * int(col.vals.max+1) // see allCounts
	}
	return n
}

// matches reports whether the column is the one that a summary describes.
func (col *Column) matches(info *ColumnInfo) bool {
	if col.kind != info.Kind || col.docs != info.Docs || col.vals.n != info.Values {
		return false
	}
	if col.kind == KindKeyword {
		return col.dict.Len() == info.Distinct
	}
	lo, hi := col.Min(), col.Max()
	return lo.Int == info.Min.Int && lo.Float == info.Min.Float && hi.Int == info.Max.Int && hi.Float == info.Max.Float
}
