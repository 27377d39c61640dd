package engine

import (
	"github.com/quarry-search/quarry/engine/internal/page"
	"github.com/quarry-search/quarry/engine/internal/posting"
	"github.com/quarry-search/quarry/storage"
)

// storedBlock is the compressed records of the local documents from first to
// next - 1 of a batch.
type storedBlock struct {
	first, next int
	data        []byte
}

// packBlocks compresses records before their numbers are known. Documents from
// first on are packed, to the end of docs.
func (e *Engine) packBlocks(docs []*document, first int) ([]storedBlock, error) {
	if first == len(docs) {
		return nil, nil
	}
	w, err := e.scratch.packer()
	if err != nil {
		return nil, err
	}
	var out []storedBlock
	for i := first; i < len(docs); i++ {
		w.Add([]byte(docs[i].id), docs[i].json)
		if w.Full() || i+1 == len(docs) {
			data, err := w.Encode(nil)
			if err != nil {
				return nil, err
			}
			out = append(out, storedBlock{first, i + 1, data})
			first = i + 1
		}
	}
	e.scratch.packers.Put(w)
	return out, nil
}

// putBlocks writes the records of new documents, of which blocks are packed. No
// block reaches over the end of a page, so that the blocks of a page can be
// deleted with it: the one that would is packed anew, and so are the documents
// that the batch got after it was prepared.
func (e *Engine) putBlocks(kv *storage.Batch, ix uint32, base posting.DocID, docs []*document, blocks []storedBlock) error {
	put := func(b storedBlock) { kv.Set(storage.BlockKey(ix, base+uint32(b.first)), b.data) }
	pageEnd := func(i int) int { return i + page.Size - int((base+uint32(i))%page.Size) }
	pack := func(from, to int) error {
		for from < to {
			next := min(to, pageEnd(from))
			fresh, err := e.packBlocks(docs[:next], from)
			if err != nil {
				return err
			}
			for _, b := range fresh {
				put(b)
			}
			from = next
		}
		return nil
	}
	packed := 0
	for _, b := range blocks {
		packed = b.next
		if b.next <= pageEnd(b.first) {
			put(b)
		} else if err := pack(b.first, b.next); err != nil {
			return err
		}
	}
	return pack(packed, len(docs))
}
