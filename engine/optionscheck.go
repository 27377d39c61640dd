package engine

// leastMemory is the least of Options.Memory: below it the shares of the caches
// would not hold what a single search needs.
const leastMemory = 16 << 20

// check tells which options make no sense: they were meant to be something
// else, which the defaults would hide. Pointers are the names of the fields.
func (o *Options) check() error {
	if o == nil {
		return nil
	}
	var p problems
	if o.Memory != 0 && o.Memory < leastMemory {
		p.addf(CodeInvalidRequest, "/Memory", "must be at least 16 MiB; 0 stands for 256 MiB")
	}
	l := &o.Limits
	for _, c := range [...]struct {
		name  string
		value int64
	}{
		{"FlushBytes", o.FlushBytes}, {"FlushRecords", int64(o.FlushRecords)},
		{"Limits/RecordBytes", int64(l.RecordBytes)}, {"Limits/RecordDepth", int64(l.RecordDepth)},
		{"Limits/BatchOps", int64(l.BatchOps)}, {"Limits/BatchBytes", int64(l.BatchBytes)},
		{"Limits/IndexFields", int64(l.IndexFields)}, {"Limits/Indexes", int64(l.Indexes)},
		{"Limits/QueryBytes", int64(l.QueryBytes)}, {"Limits/QueryTerms", int64(l.QueryTerms)},
		{"Limits/FilterOps", int64(l.FilterOps)}, {"Limits/FilterDepth", int64(l.FilterDepth)},
		{"Limits/Hits", int64(l.Hits)}, {"Limits/Window", int64(l.Window)},
		{"Limits/Facets", int64(l.Facets)}, {"Limits/FacetValues", int64(l.FacetValues)},
		{"Limits/PrefixTerms", int64(l.PrefixTerms)}, {"Limits/KeywordBytes", int64(l.KeywordBytes)},
		{"Vectors/Records", o.Vectors.Records}, {"Vectors/Sample", int64(o.Vectors.Sample)},
		{"Vectors/Terms", int64(o.Vectors.Terms)}, {"Vectors/Memory", o.Vectors.Memory},
		{"Vectors/FieldMemory", o.Vectors.FieldMemory},
	} {
		if c.value < 0 {
			p.addf(CodeInvalidRequest, "/"+c.name, "must not be negative; 0 stands for the default")
		}
	}
	if !(o.Vectors.Words >= 0) { // nor NaN
		p.addf(CodeInvalidRequest, "/Vectors/Words", "must not be negative; 0 stands for the default")
	}
	o.checkAnalyzers(&p)
	o.checkEmbedders(&p)
	return p.orNil()
}
