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

// openAPIPart is one of the files: a part of the document.
type openAPIPart struct {
	Paths      map[string]jsontext.Value            `json:"paths"`
	Components map[string]map[string]jsontext.Value `json:"components"`
	Rest       jsontext.Value                       `json:",inline"`
}

// openAPIDocument joins the files and puts the program's version in.
func openAPIDocument(version string) ([]byte, error) {
	whole := openAPIPart{Paths: map[string]jsontext.Value{}, Components: map[string]map[string]jsontext.Value{}}
	files, err := openAPIFiles.ReadDir("openapi")
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		text, err := openAPIFiles.ReadFile("openapi/" + file.Name())
		if err != nil {
			return nil, err
		}
		var part openAPIPart
		if err := json.Unmarshal(text, &part); err != nil {
			return nil, fmt.Errorf("openapi/%s: %w", file.Name(), err)
		}
		for path, item := range part.Paths {
			whole.Paths[path] = item
		}
		for kind, named := range part.Components {
			if whole.Components[kind] == nil {
				whole.Components[kind] = map[string]jsontext.Value{}
			}
			for name, component := range named {
				whole.Components[kind][name] = component
			}
		}
		if part.Rest != nil {
			whole.Rest = part.Rest
		}
	}
	text, err := json.Marshal(whole, json.Deterministic(true))
	if err != nil {
		return nil, err
	}
	quoted, err := jsontext.AppendQuote(nil, version)
	return bytes.Replace(text, []byte(`"{version}"`), quoted, 1), err
}

// showOpenAPI answers GET /v1/openapi.json.
func (s *Server) showOpenAPI(x *exchange) error {
	if _, err := x.query(); err != nil {
		return err
	}
	x.send(http.StatusOK, mediaJSON, s.openapi)
	return nil
}
