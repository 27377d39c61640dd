package segment

// Grow raises the number of text fields to fields, for documents to come. It
// never lowers it.
func (w *Writer) Grow(fields int) { w.fields = max(w.fields, fields) }
