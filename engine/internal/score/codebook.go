package score

import "slices"

// Escape is the code of a posting whose vector is in no codebook.
const Escape = 255

// Freq is the frequency of a term in one text field.
type Freq struct {
	Field uint16 // ordinal among the text fields of the segment
	TF    uint32 // occurrences, at least 1
}

// Vector is the frequencies of a term in one document: one entry a field that
// holds the term, by ascending field. It is never empty.
type Vector []Freq

// Total returns the number of occurrences over all fields.
func (v Vector) Total() uint32 {
	var n uint32
	for _, f := range v {
		n += f.TF
	}
	return n
}

// Codebook maps the vectors of a number of text fields to codes and back. It
// is immutable and safe for concurrent use.
type Codebook struct {
	fields  int
	vectors []Vector
	codes   map[string]uint8
	single  []uint8   // [field*17+tf] = code+1 of the one-field vectors with tf <= 16
	ones    [256]Freq // by code: the vector's only entry, TF 0 if it has more or there is none
	in      [256]uint64
}

// NewCodebook returns the codebook of the given number of text fields: all
// vectors by total frequency, then by number of fields, then by field and
// frequency, up to 255 of them. For one field, code c is the frequency c+1.
func NewCodebook(fields int) *Codebook {
	c := &Codebook{fields: fields, codes: make(map[string]uint8, Escape)}
	for total := 1; len(c.vectors) < Escape && fields > 0; total++ {
		level := vectorsOf(fields, total, Escape-len(c.vectors))
		c.vectors = append(c.vectors, level...)
	}
	c.single = make([]uint8, fields*17)
	for i, v := range c.vectors {
		c.codes[key(v)] = uint8(i)
		if len(v) == 1 {
			c.ones[i] = v[0]
		}
		for _, f := range v {
			if f.Field < 64 {
				c.in[i] |= 1 << f.Field
			}
		}
		if len(v) == 1 && v[0].TF <= 16 {
			c.single[int(v[0].Field)*17+int(v[0].TF)] = uint8(i) + 1
		}
	}
	return c
}

// vectorsOf lists the vectors of one total, at most limit of them.
func vectorsOf(fields, total, limit int) []Vector {
	var out []Vector
	var grow func(v Vector, from, left, parts int)
	grow = func(v Vector, from, left, parts int) {
		if len(out) >= limit {
			return
		}
		if parts == 0 {
			if left == 0 {
				out = append(out, slices.Clone(v))
			}
			return
		}
		for f := from; f < fields; f++ {
			for tf := 1; tf <= left-(parts-1); tf++ {
				if parts == 1 && tf != left {
					continue
				}
				grow(append(v, Freq{uint16(f), uint32(tf)}), f+1, left-tf, parts-1)
			}
		}
	}
	for parts := 1; parts <= min(total, fields) && len(out) < limit; parts++ {
		grow(nil, 0, total, parts)
	}
	return out
}

func key(v Vector) string {
	b := make([]byte, 0, 8)
	for _, f := range v {
		b = append(b, byte(f.Field), byte(f.Field>>8), byte(f.TF), byte(f.TF>>8))
	}
	return string(b)
}

// Fields returns the number of text fields that the codebook is for.
func (c *Codebook) Fields() int { return c.fields }

// Len returns the number of codes in use, at most 255.
func (c *Codebook) Len() int { return len(c.vectors) }

// Code returns the code of v, or Escape.
func (c *Codebook) Code(v Vector) uint8 {
	if len(v) == 1 {
		if f := v[0]; f.TF <= 16 {
			if s := c.single[int(f.Field)*17+int(f.TF)]; s != 0 {
				return s - 1
			}
			return Escape
		} else if c.fields == 1 {
			return uint8(min(f.TF-1, Escape))
		}
	}
	for _, f := range v {
		if f.TF > 255 {
			return Escape
		}
	}
	if code, ok := c.codes[key(v)]; ok {
		return code
	}
	return Escape
}

// One returns the only entry of the vector of a code. Its TF is 0 if the vector has
// more of them or the code stands for none.
func (c *Codebook) One(code uint8) Freq { return c.ones[code] }

// In returns the fields of the vector of a code as bits by ordinal, those below 64;
// none if the code stands for no vector.
func (c *Codebook) In(code uint8) uint64 { return c.in[code] }

// Vector returns the vector of a code below Len. It must not be changed.
func (c *Codebook) Vector(code uint8) Vector { return c.vectors[code] }
