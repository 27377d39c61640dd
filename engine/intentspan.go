package engine

import (
	"math"
	"time"

	"github.com/quarry-search/quarry/engine/internal/page"
)

// Span implements intent.Vocabulary: by what the columns of all chunks say of themselves,
// deleted records included. Whoever may not see all records is told nothing.
func (v *facetWords) Span(field string) (least, greatest float64, known bool) {
	if len(v.s.req.Restrict) > 0 {
		return 0, 0, false
	}
	least, greatest = math.Inf(1), math.Inf(-1)
	for i := range v.runs {
		iv := v.runs[i].iv
		n := iv.schema.Field(field)
		if n < 0 {
			continue
		}
		for _, ref := range iv.chunks {
			for _, number := range [...]uint16{uint16(n), uint16(n) | floatColumns} {
				info, ok := ref.chunk.ColumnInfo(number)
				if !ok || info.Values == 0 {
					continue
				}
				lo, hi := amount(info.Min), amount(info.Max)
				least, greatest = min(least, lo), max(greatest, hi)
			}
		}
	}
	return least, greatest, least <= greatest
}

// amount is a value as a number; of a date, its year.
func amount(v page.Value) float64 {
	switch v.Kind {
	case page.KindFloat:
		return v.Float
	case page.KindDate:
		return float64(time.UnixMicro(v.Int).UTC().Year())
	}
	return float64(v.Int)
}
