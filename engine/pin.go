package engine

import "fmt"

// Pin puts a record at a fixed place of the hits, whether it matches the query
// or not. It still has to satisfy the request's filters.
type Pin struct {
	ID       string
	Index    string // "" means the index of the request, which must be one
	Position int    // from 1; 0 means the first place that is free
}

func checkPins(p *problems, at string, pins []Pin) {
	if len(pins) > maxPins {
		p.addf(CodeLimitExceeded, at, "there may be %d pins", maxPins)
		return
	}
	type record struct{ index, id string }
	records, places := map[record]bool{}, map[int]bool{}
	for i, pin := range pins {
		here := fmt.Sprintf("%s/%d", at, i)
		if problem := idProblem(pin.ID); problem != "" {
			p.addf(CodeInvalidRequest, here+"/id", "%s", problem)
		}
		if r := (record{pin.Index, pin.ID}); records[r] {
			p.addf(CodeInvalidRequest, here, "the record is pinned twice")
		} else {
			records[r] = true
		}
		if pin.Position < 0 || pin.Position > maxPinPosition {
			p.addf(CodeInvalidRequest, here+"/position", "a position is 1 to %d", maxPinPosition)
		} else if pin.Position > 0 && places[pin.Position] {
			p.addf(CodeInvalidRequest, here+"/position", "the position is taken twice")
		}
		places[pin.Position] = true
	}
}

// maxPinPosition is the last place of the hits that a record can be pinned to.
const maxPinPosition = 1000

func checkHidden(p *problems, at string, ids []string) {
	if len(ids) > maxHidden {
		p.addf(CodeLimitExceeded, at, "there may be %d hidden records", maxHidden)
		return
	}
	for i, id := range ids {
		if problem := idProblem(id); problem != "" {
			p.addf(CodeInvalidRequest, fmt.Sprintf("%s/%d", at, i), "%s", problem)
		}
	}
}
