package posting

// DocID is a document number: the page in the high 16 bits, the place in the
// page in the low 16.
type DocID = uint32

// PageSize is the number of documents of a page, and of a Roaring container.
const PageSize = 1 << 16

// List is the posting list of one term in one segment, ready to be read. It is
// immutable and safe for concurrent use; the bytes it points into are its own.
type List struct {
	DF         int         // documents in the list, deleted ones included
	Containers []Container // by ascending page, none empty
	HasFreqs   bool        // false: every code is 0 and means nothing (values of keyword fields)
	HasPos     bool        // positions have been loaded
	champions  champions   // see Champions
	codes      codes       // see Code
	positions  positions   // see Positions
	roaring    []byte      // the documents in Roaring's portable format; nil but in lists of version 1
}

// Words is a set of places of a page: bit i&63 of word i>>6 stands for place i.
type Words = [PageSize / 64]uint64

// Ranks says how many bits of Words are set before each of its words.
type Ranks = [PageSize / 64]uint16

// Container is the part of a list that lies in one page.
//
// Exactly one of Array and Words is set. Array holds Card little-endian
// uint16, ascending, and Words is for containers of more places: see Unpack.
type Container struct {
	Page  uint16
	Card  int
	Array []byte
	Words *Words
	Ranks *Ranks // of Words
	First int    // rank in the list of the container's first posting
	// Bounds has one byte for each 1<<Shift places, 6 <= Shift <= 16: the
	// impact at build time, divided by 256, of the strongest posting there; 0
	// where there is none (see score.Bounds).
	Shift  uint8
	Bounds []byte
	Coarse []byte // the same for each 4,096 places; nil if they are best taken from Bounds
	Max    uint8  // the largest of Bounds
}
