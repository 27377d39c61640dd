package engine

// The merge policy is a pure function of sizes. Segments are in the order of
// their documents, and only neighbours are merged, so that every segment keeps
// a range of documents of its own.

const (
	// memoryFanIn and diskFanIn are how many segments of about one size are
	// merged at once, in memory and on disk. Measured: with 4 on disk every
	// byte of postings is written about twice.
	memoryFanIn = 8
	diskFanIn   = 4
	// settledShare is the part of FlushBytes from which a segment in memory is
	// not merged there again: it costs a search one look into a dictionary in
	// memory until the next flush, which merges it anyhow. Of batches of 1,000
	// short records, every posting was written three times before.
	settledShare = 32
	// unawaitedSegments is how many segments an index may have in memory that nobody
	// searches. Merging those of batches of 1,000 records took a sixth of inserting them.
	unawaitedSegments = 64
	// unawaitedFactor is how many times diskFanIn and maxSegments hold for an index that
	// nobody searches.
	unawaitedFactor = 2
	// maxSegments is how many segments on disk an index may have before the
	// smallest neighbours are merged whatever their sizes: every segment costs
	// a query a look into its dictionary.
	maxSegments = 8
	// purgeShare is the share of deleted documents from which a segment is
	// written again without them: between 20 and 30 % they begin to cost
	// queries more than the rewriting.
	purgeShare = 0.25
)

// planMerge returns the number of the first segment of those at the end that
// are due to be merged; len(sizes) if none are. From the newest segment on, a
// run goes on as long as a segment is at most half as large again as all of the
// run before it, so sizes grow geometrically from run to run.
func planMerge(sizes []int64, fanIn int) int {
	sum, from := int64(0), len(sizes)
	for from > 0 && (from == len(sizes) || sizes[from-1] <= sum+sum/2) {
		from--
		sum += sizes[from]
	}
	if len(sizes)-from < fanIn {
		return len(sizes)
	}
	return from
}

// planDisk returns the range of segments on disk that are due to be merged, or
// rewritten if it is one; empty if none are. dead is the share of deleted
// documents by segment; awaited, that somebody searches.
func planDisk(sizes []int64, dead []float64, awaited bool) (from, to int) {
	fanIn, most := diskFanIn, maxSegments
	if !awaited {
		fanIn, most = unawaitedFactor*fanIn, unawaitedFactor*most
	}
	if from := planMerge(sizes, fanIn); from < len(sizes) {
		return from, len(sizes)
	}
	if len(sizes) > most {
		best := 0
		for i := 1; i+1 < len(sizes); i++ {
			if sizes[i]+sizes[i+1] < sizes[best]+sizes[best+1] {
				best = i
			}
		}
		return best, best + 2
	}
	for i, share := range dead {
		if share >= purgeShare {
			return i, i + 1
		}
	}
	return 0, 0
}

// planMemory is planMerge for segments in memory, of which those of at least
// settled bytes, and what is before them, stay as they are.
func planMemory(sizes []int64, settled int64) int {
	from := len(sizes)
	for from > 0 && sizes[from-1] < settled {
		from--
	}
	return from + planMerge(sizes[from:], memoryFanIn)
}

func sizes(segs []*segmentRef) []int64 {
	out := make([]int64, len(segs))
	for i, s := range segs {
		out[i] = s.bytes
	}
	return out
}
