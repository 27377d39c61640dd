package httpapi_test

import (
	"fmt"
	"net/http/httptest"
	"strings"

	"github.com/quarry-search/quarry/engine"
	"github.com/quarry-search/quarry/httpapi"
)

// A service over an engine in memory, without connections.
func Example() {
	e, err := engine.Open("", nil)
	if err != nil {
		panic(err)
	}
	defer e.Close()
	key := httpapi.GenerateKey()
	hash, err := httpapi.HashKey(key)
	if err != nil {
		panic(err)
	}
	s, err := httpapi.New(httpapi.Config{Engine: e, RootKey: hash})
	if err != nil {
		panic(err)
	}
	send := func(method, path, body string) {
		r := httptest.NewRequest(method, path, strings.NewReader(body))
		r.Header.Set("Authorization", "Bearer "+key)
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		s.Handler().ServeHTTP(w, r)
		fmt.Println(method, path, w.Code)
	}
	send("POST", "/v1/batch", `{"index":"films","records":[{"id":"1","title":"Metropolis"}]}`)
	send("POST", "/v1/search", `{"q":"metropolis"}`)
	send("GET", "/v1/indexes", "")
	send("DELETE", "/v1/record/1", "")
	send("DELETE", "/v1/record/1", "")
	// Output:
	// POST /v1/batch 201
	// POST /v1/search 200
	// GET /v1/indexes 200
	// DELETE /v1/record/1 204
	// DELETE /v1/record/1 404
}
