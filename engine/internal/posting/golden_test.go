package posting

import (
	"encoding/binary"
	"flag"
	"fmt"
	"math/bits"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/quarry-search/quarry/engine/internal/score"
)

var rewrite = flag.Bool("rewrite", false, "write the golden files instead of comparing with them")

// dump prints bytes with their meaning.
type dump struct {
	text strings.Builder
	data []byte
	at   int
}

// next prints the next n bytes, 16 a line.
func (d *dump) next(n int, meaning string, args ...any) {
	note := fmt.Sprintf(meaning, args...)
	for from := 0; from < n; from += 16 {
		line := d.data[d.at+from : d.at+min(n, from+16)]
		fmt.Fprintf(&d.text, "%05d  % -48x %s\n", d.at+from, line, note)
		note = ""
	}
	d.at += n
}

// u16 and u32 read without moving.
func (d *dump) u16(offset int) int { return int(binary.LittleEndian.Uint16(d.data[d.at+offset:])) }
func (d *dump) u32(offset int) int { return int(binary.LittleEndian.Uint32(d.data[d.at+offset:])) }

// golden compares text with a file of testdata.
func golden(t *testing.T, name, text string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *rewrite {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if text != string(want) {
		t.Errorf("%s: the format has changed; if it was meant to, run the tests with -rewrite and give it a new version\ngot:\n%s", path, text)
	}
}

// TestGoldenSmall is the worked example of the package comment.
func TestGoldenSmall(t *testing.T) {
	im := testImpacts(1)
	coding := NewCoding(im.Table.Book())
	b := NewBuilder(coding, KindPositions)
	add(t, b, []posted{
		{5, score.Vector{{Field: 0, TF: 1}}, []uint32{2}},
		{7, score.Vector{{Field: 0, TF: 2}}, []uint32{0, 4}},
	})
	data, err := b.AppendSmall(nil, 5, im)
	if err != nil {
		t.Fatal(err)
	}
	d := dump{data: data}
	d.next(1, "document 5: 5 - base 5")
	d.next(1, "document 7: 7 - 5 - 1")
	d.next(1, "bound of page 0")
	d.next(1, "codes of 1 bit")
	d.next(1, "codes 0, 1")
	d.next(1, "document 5: position 2")
	d.next(2, "document 7: positions 0, 0+4")
	if d.at != len(data) {
		t.Errorf("%d bytes, %d explained", len(data), d.at)
	}
	golden(t, "small.txt", d.text.String())
}

// TestGoldenLong is a list with an array and a bitmap container, blocks of
// several kinds and an escape.
func TestGoldenLong(t *testing.T) {
	im := testImpacts(2)
	coding := NewCoding(im.Table.Book())
	b := NewBuilder(coding, KindPositions)
	var list []posted
	for i := range 4400 {
		p := posted{doc: 65536 - 200 + DocID(i)*3}
		p.vector = score.Vector{{Field: 1, TF: 1}}
		switch {
		case i == 100:
			p.vector = score.Vector{{Field: 0, TF: 90}}
		case i > 256 && i < 384 && i%2 == 0:
			p.vector = score.Vector{{Field: 0, TF: 1}}
		case i > 384 && i < 512 && i%5 == 0:
			p.vector = score.Vector{{Field: 0, TF: 1}, {Field: 1, TF: 1}}
		}
		for _, f := range p.vector {
			for n := range f.TF {
				p.positions = append(p.positions, n*uint32(i))
			}
		}
		list = append(list, p)
	}
	add(t, b, list)
	data, err := b.AppendLong(nil, im)
	if err != nil {
		t.Fatal(err)
	}
	d := dump{data: data}
	champions, df, containers, docs, escapes := d.u16(2), d.u32(4), d.u32(8), d.u32(12), d.u32(16)
	d.next(1, "version")
	d.next(1, "kind: positions")
	d.next(2, "%d champions", champions)
	d.next(4, "%d documents", df)
	d.next(4, "%d containers", containers)
	d.next(4, "%d bytes of documents", docs)
	d.next(4, "%d escapes", escapes)
	d.next(2, "the least impact of a champion")
	d.next((champions*bits.Len(uint(df-1))+7)/8, "ranks of the champions")
	var cards []int
	for range containers {
		cards = append(cards, d.u16(2)+1)
		d.next(4, "page %d, %d documents", d.u16(0), d.u16(2)+1)
	}
	for _, card := range cards {
		if form, size := formOf(card); form != formPacked {
			t.Errorf("%d documents have form %d of %d bytes", card, form, size)
		}
		low, high := packedDocsSize(card)
		d.next(low, "packed: low %d bits", lowBits(card))
		d.next(high, "the rest in unary")
	}
	for _, card := range cards {
		shift := boundShift(card, rankedVersion)
		switch {
		case coarse(shift, rankedVersion):
			d.next(coarseBounds, "bounds, 4096 places each")
		case shift < 16:
			d.next(1, "largest bound")
		}
		d.next(PageSize>>shift, "bounds, %d places each", 1<<shift)
	}
	blocks := (df + codeBlock - 1) / codeBlock
	var sizes []int
	for block := range blocks {
		e := d.u16(0)
		d.next(2, "block %d: kind %d at unit %d", block, e&7, e>>3)
		sizes = append(sizes, packedSize(min(codeBlock, df-block*codeBlock), uint(e&7)))
	}
	for block, size := range sizes {
		d.next(size, "codes of block %d", block)
	}
	d.next(4*escapes, "ranks of the escapes")
	d.next(4*escapes, "ends of their vectors")
	d.next(len(data)-d.at, "vector: fields, then gap and frequency of each")
	golden(t, "long.txt", d.text.String())

	if data, err = b.AppendPositions(nil); err != nil {
		t.Fatal(err)
	}
	d = dump{data: data}
	d.next(1, "version")
	d.next(3, "zero")
	d.next(4, "%d documents", d.u32(0))
	var starts []int
	for block := range (df + positionBlock - 1) / positionBlock {
		e := d.u32(0)
		starts = append(starts, e)
		d.next(4, "block %d: at %d", block, e)
	}
	for block, start := range starts[:3] {
		d.next(1, "block %d: bits of a position", block)
		d.next(starts[block+1]-start-1, "positions of block %d", block)
	}
	golden(t, "positions.txt", d.text.String())
}
