package httpapi

// pageRoutes returns the search page, the admin view and what they are made of.
// They stand beside the table of routes: they are no part of the v1 interface and
// of its OpenAPI document, need no key, and hold no data. What they show they
// ask for below /v1 with the key that the reader enters.
func pageRoutes() []route {
	return []route{
		{"GET", "/{$}", 0, nil, "", (*Server).page},
		{"GET", "/admin", 0, nil, "", (*Server).page},
		{"GET", "/assets/{file}", 0, nil, "", (*Server).page},
	}
}

// page answers with the file at the request's path.
func (s *Server) page(x *exchange) error {
	if x.status = s.site.Serve(x.w, x.r); x.status == 0 {
		return &problem{code: codeRouteNotFound, detail: "there is nothing at this path"}
	}
	x.begun = true
	return nil
}
