package httpapi

import "github.com/quarry-search/quarry/engine"

func (e *memEngine) Stats() engine.Stats { return engine.Stats{} }
