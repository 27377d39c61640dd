package httpapi

import (
	"net/http"
	"path"
	"slices"
	"strings"
)

// route is one method of one path.
type route struct {
	method  string
	pattern string   // of http.ServeMux, without method
	scope   Scope    // the key must have one of these; 0: no key is needed
	body    []string // media types of the body; nil: the body is not looked at
	answer  string   // media type of the answer; "": there is no body or any will do
	handle  func(*Server, *exchange) error
}

// routeTable returns everything that the service offers, but for the pages (see
// pageRoutes).
func routeTable() []route {
	json := []string{mediaJSON}
	batch := []string{mediaJSON, mediaNDJSON, mediaCSV}
	return []route{
		{"POST", "/v1/search", ScopeSearch, json, mediaJSON, (*Server).search},
		{"POST", "/v1/multi-search", ScopeSearch, json, mediaJSON, (*Server).multiSearch},
		{"POST", "/v1/suggest", ScopeSearch, json, mediaJSON, (*Server).suggest},

		{"GET", "/v1/indexes", ScopeRead, nil, mediaJSON, (*Server).listIndexes},
		{"GET", "/v1/indexes/{name}", ScopeRead, nil, mediaJSON, (*Server).showIndex},
		{"PUT", "/v1/indexes/{name}", ScopeAdmin, json, mediaJSON, (*Server).putIndex},
		{"PATCH", "/v1/indexes/{name}", ScopeAdmin, json, mediaJSON, (*Server).patchIndex},
		{"DELETE", "/v1/indexes/{name}", ScopeAdmin, nil, "", (*Server).deleteIndex},
		{"DELETE", "/v1/indexes/{name}/rebuild", ScopeAdmin, nil, "", (*Server).cancelRebuild},
		{"POST", "/v1/indexes/swap", ScopeAdmin, json, mediaJSON, (*Server).swapIndexes},

		{"POST", "/v1/batch", ScopeWrite, batch, mediaJSON, (*Server).batch},
		{"GET", "/v1/batch", ScopeRead, nil, mediaJSON, (*Server).listBatches},
		{"GET", "/v1/batch/{id}", ScopeRead | ScopeWrite, nil, mediaJSON, (*Server).showBatch},
		{"DELETE", "/v1/batch/{id}", ScopeWrite, nil, "", (*Server).cancelBatch},

		{"GET", "/v1/record/{id}", ScopeRead, nil, mediaJSON, (*Server).showRecord},
		{"PUT", "/v1/record/{id}", ScopeWrite, json, mediaJSON, (*Server).putRecord},
		{"PATCH", "/v1/record/{id}", ScopeWrite, json, mediaJSON, (*Server).patchRecord},
		{"DELETE", "/v1/record/{id}", ScopeWrite, nil, "", (*Server).deleteRecord},
		{"GET", "/v1/records", ScopeRead, nil, mediaNDJSON, (*Server).exportRecords},

		{"GET", "/v1/keys", ScopeKeys, nil, mediaJSON, (*Server).listKeys},
		{"POST", "/v1/keys", ScopeKeys, json, mediaJSON, (*Server).createKey},
		{"GET", "/v1/keys/{id}", ScopeKeys, nil, mediaJSON, (*Server).showKey},
		{"PATCH", "/v1/keys/{id}", ScopeKeys, json, mediaJSON, (*Server).patchKey},
		{"DELETE", "/v1/keys/{id}", ScopeKeys, nil, "", (*Server).revokeKey},
		{"POST", "/v1/keys/{id}/rotate", ScopeKeys, json, mediaJSON, (*Server).rotateKey},
		{"POST", "/v1/keys/{id}/token", ScopeKeys, json, mediaJSON, (*Server).mintToken},

		{"GET", "/v1/webhooks", ScopeWebhooks, nil, mediaJSON, (*Server).listWebhooks},
		{"POST", "/v1/webhooks", ScopeWebhooks, json, mediaJSON, (*Server).createWebhook},
		{"GET", "/v1/webhooks/{id}", ScopeWebhooks, nil, mediaJSON, ofWebhook((*Server).showWebhook)},
		{"PATCH", "/v1/webhooks/{id}", ScopeWebhooks, json, mediaJSON, ofWebhook((*Server).patchWebhook)},
		{"DELETE", "/v1/webhooks/{id}", ScopeWebhooks, nil, "", ofWebhook((*Server).deleteWebhook)},
		{"POST", "/v1/webhooks/{id}/rotate", ScopeWebhooks, json, mediaJSON, ofWebhook((*Server).rotateWebhook)},
		{"POST", "/v1/webhooks/{id}/test", ScopeWebhooks, nil, mediaJSON, ofWebhook((*Server).testWebhook)},
		{"GET", "/v1/webhooks/{id}/deliveries", ScopeWebhooks, nil, mediaJSON, ofWebhook((*Server).listDeliveries)},
		{"POST", "/v1/webhooks/{id}/deliveries/{delivery}/replay", ScopeWebhooks, nil, mediaJSON, ofWebhook((*Server).replayDelivery)},

		{"GET", "/v1/snapshots", ScopeAdmin, nil, mediaJSON, ofSnapshots((*Server).listSnapshots)},
		{"POST", "/v1/snapshots", ScopeAdmin, json, mediaJSON, ofSnapshots((*Server).createSnapshot)},
		{"GET", "/v1/snapshots/{id}", ScopeAdmin, nil, mediaJSON, ofSnapshots((*Server).showSnapshot)},
		{"DELETE", "/v1/snapshots/{id}", ScopeAdmin, nil, "", ofSnapshots((*Server).deleteSnapshot)},

		{"POST", "/v1/graphql", ScopeAll, json, "", (*Server).graphQL},
		{"GET", "/v1/graphql/schema.graphql", ScopeAll, nil, mediaText, (*Server).showGraphSchema},

		{"GET", "/v1/usage", ScopeUsage, nil, mediaJSON, (*Server).showUsage},

		{"GET", "/v1/limits", ScopeAll, nil, mediaJSON, (*Server).showLimits},
		{"GET", "/v1/openapi.json", ScopeAll, nil, mediaJSON, (*Server).showOpenAPI},

		{"GET", "/healthz", 0, nil, "", (*Server).healthz},
		{"GET", "/readyz", 0, nil, "", (*Server).readyz},
	}
}

// resource is the routes of one path.
type resource struct {
	routes  map[string]*route // by method; HEAD is GET
	allow   string
	adopted string // name of the wildcard whose value the last segment is; see adoptRoutes
}

// adoptRoutes gives paths such as /v1/indexes/swap the methods of
// /v1/indexes/{name} that they lack: an index may be called "swap", too.
func adoptRoutes(byPattern map[string]*resource) {
	for pattern, res := range byPattern {
		folder, name, wild := strings.Cut(pattern, "{")
		if !wild || !strings.HasSuffix(pattern, "}") {
			continue
		}
		for other, fixed := range byPattern {
			if rest, under := strings.CutPrefix(other, folder); !under || rest == "" || strings.ContainsAny(rest, "/{") {
				continue
			}
			fixed.adopted = strings.TrimSuffix(name, "}")
			for method, r := range res.routes {
				if fixed.routes[method] == nil {
					fixed.routes[method] = r
				}
			}
		}
	}
}

// newMux registers the routes. Anything else goes to a resource without
// routes. http.ServeMux takes the segment %2F for the end of a path with a
// slash, so the name "/" gets a pattern of its own.
func (s *Server) newMux(table []route) *http.ServeMux {
	nothing := &resource{}
	byPattern := map[string]*resource{"/": nothing}
	for i := range table {
		r := &table[i]
		res := byPattern[r.pattern]
		if res == nil {
			res = &resource{routes: map[string]*route{}}
			byPattern[r.pattern] = res
		}
		res.routes[r.method] = r
		if r.method == http.MethodGet {
			res.routes[http.MethodHead] = r
		}
	}
	adoptRoutes(byPattern)
	mux := http.NewServeMux()
	for pattern, res := range byPattern {
		methods := make([]string, 0, len(res.routes))
		for m := range res.routes {
			methods = append(methods, m)
		}
		slices.Sort(methods)
		res.allow = strings.Join(methods, ", ")
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
			if res.adopted != "" {
				r.SetPathValue(res.adopted, path.Base(pattern))
			}
			s.serve(w, r, res)
		})
		folder, name, ok := strings.Cut(pattern, "{")
		if !ok || name == "$}" || !strings.HasSuffix(pattern, "}") {
			continue
		}
		mux.HandleFunc(folder+"{$}", func(w http.ResponseWriter, r *http.Request) {
			if !strings.HasSuffix(strings.ToUpper(r.URL.EscapedPath()), "/%2F") {
				s.serve(w, r, nothing)
				return
			}
			r.SetPathValue(strings.TrimSuffix(name, "}"), "/")
			s.serve(w, r, res)
		})
		if bare := strings.TrimSuffix(folder, "/"); byPattern[bare] == nil { // the mux would redirect it
			mux.HandleFunc(bare, func(w http.ResponseWriter, r *http.Request) { s.serve(w, r, nothing) })
		}
	}
	return mux
}

// cleanPath tells whether http.ServeMux takes a path as it is. It redirects
// others, which is of no use to the clients of an interface and would turn the
// record id ".." into another path.
func cleanPath(escaped string) bool {
	if !strings.HasPrefix(escaped, "/") {
		return false
	}
	segments := strings.Split(escaped[1:], "/")
	for i, s := range segments {
		if s == "." || s == ".." || s == "" && i < len(segments)-1 {
			return false
		}
	}
	return true
}
