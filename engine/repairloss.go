package engine

import (
	"fmt"
	"strings"

	"github.com/quarry-search/quarry/storage"
)

// sure tells whether what is there under a key, or that there is nothing, is what
// was there: no file that was left out may have held the key.
func (r *repairer) sure(key []byte) bool {
	for _, l := range r.losses {
		if l.MayHold(key) {
			return false
		}
	}
	return true
}

// sureOf is sure for all keys with lo <= key < hi.
func (r *repairer) sureOf(lo, hi []byte) bool {
	for _, l := range r.losses {
		if l.Overlaps(lo, hi) {
			return false
		}
	}
	return true
}

// tellLosses reports the files that are left out, and what they may have held; for themselves
// those that held nothing but what is derived.
func (r *repairer) tellLosses(names []named) {
	var lines []string
	for _, l := range r.losses {
		if held := heldBy(l, names); len(held) == 0 {
			r.report.Derived = append(r.report.Derived, fmt.Sprintf("%s is left out: %v", l.File, l.Err))
		} else {
			part := ""
			if l.Lo == nil { // a log
				part = " from its damaged place on"
			}
			lines = append(lines, fmt.Sprintf("%s is left out%s, which may have held %s: %v", l.File, part, strings.Join(held, ", "), l.Err))
		}
	}
	if len(lines) > 0 {
		lines = append(lines, "what had been changed in the files that are left out is as it was before: deleted records and rows may be back")
	}
	r.report.Damage = append(lines, r.report.Damage...)
}

// heldBy says what may have been in a file of which nothing can be read.
func heldBy(l storage.Loss, names []named) (held []string) {
	if l.Lo == nil {
		return []string{"anything"}
	}
	if l.MayHold(storage.MetaKey()) {
		held = append(held, "the row of the engine")
	}
	if l.Overlaps(storage.CatalogRange()) {
		held = append(held, "the catalogue")
	}
	if l.Overlaps(storage.RowRange(nil)) {
		held = append(held, "rows of the application")
	}
	for _, n := range names {
		var kinds []string
		if l.MayHold(storage.SchemaKey(n.number)) {
			kinds = append(kinds, "schema")
		}
		if l.Overlaps(storage.IDRange(n.number)) {
			kinds = append(kinds, "ids")
		}
		if l.Overlaps(storage.BlockRange(n.number, 0, ^uint32(0))) {
			kinds = append(kinds, "records")
		}
		if len(kinds) > 0 {
			held = append(held, fmt.Sprintf("parts of index %q (%s)", n.name, strings.Join(kinds, ", ")))
		}
	}
	return held
}
