package httpapi

import (
	"bytes"
	"embed"
	"fmt"
	"net/http"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// The description of the interface, a file for each group of routes and one
// for what they share.
//
//go:embed openapi/*.json
var openAPIFiles embed.FS

// openAPI is the document, or the part of it that one of the files is.
type openAPI struct {
	OpenAPI    string                               `json:"openapi,omitzero"`
	Info       jsontext.Value                       `json:"info,omitzero"`
	Servers    jsontext.Value                       `json:"servers,omitzero"`
	Security   jsontext.Value                       `json:"security,omitzero"`
	Paths      map[string]jsontext.Value            `json:"paths"`
	Components map[string]map[string]jsontext.Value `json:"components"`
}

// openAPIDocument joins the files and puts the program's version in.
func openAPIDocument(version string) ([]byte, error) {
	whole := openAPI{Paths: map[string]jsontext.Value{}, Components: map[string]map[string]jsontext.Value{}}
	files, err := openAPIFiles.ReadDir("openapi")
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		text, err := openAPIFiles.ReadFile("openapi/" + file.Name())
		if err != nil {
			return nil, err
		}
		var part openAPI
		if err := json.Unmarshal(text, &part, json.RejectUnknownMembers(true)); err != nil {
			return nil, fmt.Errorf("openapi/%s: %w", file.Name(), err)
		}
		for path, item := range part.Paths {
			whole.Paths[path] = addLimits(item)
		}
		for kind, named := range part.Components {
			if whole.Components[kind] == nil {
				whole.Components[kind] = map[string]jsontext.Value{}
			}
			for name, component := range named {
				if kind == "responses" {
					component = addLimitHeaders(component)
				}
				whole.Components[kind][name] = component
			}
		}
		if part.OpenAPI != "" { // the file of what the groups share
			whole.OpenAPI, whole.Info, whole.Servers, whole.Security = part.OpenAPI, part.Info, part.Servers, part.Security
		}
	}
	for _, name := range [...]string{"SearchRequest", "SuggestRequest"} {
		whole.Components["schemas"][name] = mapMembers(whole.Components["schemas"][name], func(name string, v jsontext.Value) jsontext.Value {
			if name != "properties" {
				return v
			}
			return mapMembers(v, func(_ string, schema jsontext.Value) jsontext.Value { return nullable(schema) })
		})
	}
	text, err := json.Marshal(whole, json.Deterministic(true))
	if err != nil {
		return nil, err
	}
	quoted, err := jsontext.AppendQuote(nil, version)
	return bytes.Replace(text, []byte(`"{version}"`), quoted, 1), err
}

// nullable makes a schema take null, too, in place of saying so at each member
// of a request that does.
func nullable(schema jsontext.Value) jsontext.Value {
	ref := false
	schema = mapMembers(schema, func(name string, v jsontext.Value) jsontext.Value {
		switch {
		case name == "$ref":
			ref = true
		case name == "type" && v.Kind() == '"':
			return append(append([]byte("["), v...), `,"null"]`...)
		case name == "enum":
			return append(v[:len(v)-1:len(v)-1], ",null]"...)
		case name == "anyOf" || name == "oneOf":
			return append(v[:len(v)-1:len(v)-1], `,{"type":"null"}]`...)
		}
		return v
	})
	if ref {
		return append(append([]byte(`{"anyOf":[`), schema...), `,{"type":"null"}]}`...)
	}
	return schema
}

// showOpenAPI answers GET /v1/openapi.json.
func (s *Server) showOpenAPI(x *exchange) error {
	if _, err := x.query(); err != nil {
		return err
	}
	document, err := s.openapi()
	if err != nil {
		return err
	}
	x.send(http.StatusOK, mediaJSON, document)
	return nil
}
