package httpapi

import (
	"github.com/quarry-search/quarry/engine"
)

// swapIndexes answers POST /v1/indexes/swap.
func (s *Server) swapIndexes(x *exchange) error {
	if _, err := x.query(); err != nil {
		return err
	}
	body, err := s.jsonBody(x, s.limits.SchemaBytes)
	if err != nil {
		return err
	}
	var d reader
	names := [2]string{}
	name := func(to *string) func(value) {
		return func(v value) {
			if d.str(v, to) && !engine.ValidIndexName(*to) {
				d.at(v.at, engine.CodeInvalidRequest, notIndexName)
			} else if *to != "" && !x.key.Allows(*to) {
				d.at(v.at, codeForbiddenIndex, forbiddenIndex)
			}
		}
	}
	if d.object(body, []member{{"a", name(&names[0])}, {"b", name(&names[1])}}) {
		known := d.total == 0 // else what is missing may be there under a wrong name
		for i, member := range [...]string{"a", "b"} {
			if names[i] == "" && known {
				d.at("", engine.CodeInvalidRequest, "%q is missing: the name of an index to swap", member)
			}
		}
	}
	if err := d.err(); err != nil {
		return err
	}
	ctx, cancel := s.writeContext(x)
	defer cancel()
	rows, done := s.indexChange(x, eventIndexSwapped, names[:]...)
	version, err := s.engine.SwapIndexes(ctx, names[0], names[1], rows...)
	if done(err); err != nil {
		return err
	}
	s.resumeRebuilds() // under their new names
	w := jsonWriter{}
	w.open('{')
	w.textsAt("swapped", names[:])
	w.integerAt("version", int64(version))
	w.close('}')
	x.json(200, w.buf)
	return nil
}
