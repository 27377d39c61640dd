package httpapi

import (
	"bytes"
	"regexp"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/quarry-search/quarry/engine"
	"github.com/quarry-search/quarry/httpapi/internal/keyring"
)

// A preset is a part of a search that an index keeps under a name, so that it
// can be changed without touching the clients. The presets of an index are a
// JSON object in its notes.

// presetsNote is the key of the presets in engine.Schema.Notes.
const presetsNote = "presets"

// maxPresets is how many presets an index may have.
const maxPresets = 100

var presetName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$`)

// notInPresets are members of a search that are not an index's to decide.
var notInPresets = []string{"index", "cursor", "preset", "min_version"}

// presets reads the member of that name of a schema: each preset must be a
// search. null takes all presets away.
func (s *Server) presets(d *reader, v value, to *engine.Schema) {
	if v.raw.Kind() == 'n' {
		setPresets(to, nil)
		return
	}
	if !d.want(v, "{", "an object of searches by name") {
		return
	}
	n := 0
	eachMember(v.raw, func(name string, raw jsontext.Value) {
		at := v.child(name)
		if n++; n == maxPresets+1 {
			d.at(v.at, engine.CodeLimitExceeded, "an index may have %d presets", maxPresets)
		}
		if !presetName.MatchString(name) {
			d.at(at, engine.CodeInvalidRequest, "the name of a preset has 1 to 64 letters, digits, _, . and -, and begins with a letter or digit")
		}
		if n > maxPresets || raw.Kind() != '{' {
			if raw.Kind() != '{' {
				d.at(at, engine.CodeInvalidRequest, "must be a search, an object")
			}
			return
		}
		forbidden := false
		eachMember(raw, func(member string, _ jsontext.Value) {
			if slices.Contains(notInPresets, member) {
				forbidden = true
				d.at(value{at: at}.child(member), engine.CodeInvalidRequest, "does not belong to a preset")
			}
		})
		if !forbidden {
			_, err := s.parseSearch(nil, value{raw: raw})
			d.within(at, err)
		}
	})
	text := v.raw.Clone()
	if text.Compact() == nil {
		setPresets(to, text)
	}
}

// setPresets puts presets into a schema, in place of those that it has.
func setPresets(to *engine.Schema, text jsontext.Value) {
	notes := map[string]string{}
	for key, note := range to.Notes {
		notes[key] = note
	}
	delete(notes, presetsNote)
	if len(text) > 0 && string(text) != "{}" {
		notes[presetsNote] = string(text)
	}
	to.Notes = notes
}

// withPreset returns the body of a search with the members of the preset that
// it names, those of the body before those of the preset.
func (s *Server) withPreset(key *keyring.Grant, body value) (value, error) {
	var d reader
	name, at := "", ""
	var indexes []string
	if body.raw.Kind() != '{' || !bytes.Contains(body.raw, []byte(`"preset"`)) && bytes.IndexByte(body.raw, '\\') < 0 {
		return body, nil // as nearly always
	}
	eachMember(body.raw, func(member string, raw jsontext.Value) {
		v := value{raw, body.child(member)}
		switch {
		case raw.Kind() == 'n': // it is not given
		case member == "preset":
			at = v.at
			if d.str(v, &name) && name == "" {
				d.at(at, engine.CodeInvalidRequest, "names no preset")
			}
		case member == "index":
			var quiet reader // what is wrong with it is told when the search is parsed
			quiet.strings(v, &indexes)
		}
	})
	if at == "" || d.total > 0 {
		return body, d.err()
	}
	for _, index := range indexes {
		if key != nil && !strings.HasSuffix(index, "*") && !key.Allows(index) {
			return body, nil // which is told when the search is parsed
		}
	}
	preset, wrong := s.findPreset(key, name, indexes)
	if wrong != "" {
		d.at(at, engine.CodeInvalidRequest, "%s", wrong)
		return body, d.err()
	}
	merged, err := overlay(preset, body.raw)
	if err != nil {
		return body, err
	}
	return value{raw: merged, at: body.at}, nil
}

// findPreset returns the preset of a name that all indexes of a search have, of
// those that a key may use.
func (s *Server) findPreset(key *keyring.Grant, name string, indexes []string) (preset jsontext.Value, wrong string) {
	found := false
	for _, info := range s.engine.Indexes() {
		if !searched(&info, indexes) || key != nil && !key.Allows(info.Name) {
			continue
		}
		p := presetOf(&info.Schema, name)
		switch {
		case p == nil:
			return nil, "an index of the search has no such preset"
		case found && !bytes.Equal(p, preset):
			return nil, "the indexes of the search have different presets of this name; name one index"
		}
		preset, found = p, true
	}
	if !found {
		return nil, "no index of the search has such a preset"
	}
	return preset, ""
}

// searched tells whether a search of the given names and patterns looks into
// an index.
func searched(info *engine.IndexInfo, names []string) bool {
	if len(names) == 0 {
		return !info.Schema.Hidden
	}
	return slices.ContainsFunc(names, func(n string) bool {
		prefix, pattern := strings.CutSuffix(n, "*")
		if pattern {
			return strings.HasPrefix(info.Name, prefix) && !info.Schema.Hidden
		}
		return n == info.Name
	})
}

// presetOf returns a preset of an index, or nil.
func presetOf(s *engine.Schema, name string) (preset jsontext.Value) {
	eachMember(jsontext.Value(s.Notes[presetsNote]), func(n string, raw jsontext.Value) {
		if n == name {
			preset = raw
		}
	})
	return preset
}

// overlay returns the object under with the members of over in the place of
// its own, without "preset".
func overlay(under, over jsontext.Value) (jsontext.Value, error) {
	members := map[string]jsontext.Value{}
	for _, object := range []jsontext.Value{under, over} {
		eachMember(object, func(name string, raw jsontext.Value) {
			if raw.Kind() != 'n' || searchMember(name) < 0 { // null: it is not given; unknown ones are told
				members[name] = raw
			}
		})
	}
	delete(members, "preset")
	return json.Marshal(members, json.Deterministic(true))
}
