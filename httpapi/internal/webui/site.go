package webui

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"io/fs"
	"net/http"
	"path"
	"strconv"
	"strings"
	"sync"
)

//go:embed assets
var assets embed.FS

// policy lets a page load what this package holds, talk to the server it came
// from, and nothing else. Text cannot become markup or script.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; " +
	"frame-ancestors 'none'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

// mediaTypes by the ends of file names. The table of the system may differ from
// machine to machine.
var mediaTypes = map[string]string{
	".html": "text/html; charset=utf-8",
	".css":  "text/css; charset=utf-8",
	".js":   "text/javascript; charset=utf-8",
	".svg":  "image/svg+xml",
}

// Site is the files of the pages by the paths at which they are served. It does
// not change and may be used concurrently.
type Site struct{ files map[string]*file }

// file is one file in the two forms in which it is sent.
type file struct {
	media string
	plain []byte
	gzip  func() []byte // packs when first asked: a start does not wait for it
	tag   string        // of the content, without quotes
}

// New prepares the files. An error means that the program is at fault.
func New() (*Site, error) {
	s := &Site{files: map[string]*file{}}
	entries, err := fs.ReadDir(assets, "assets")
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		f, err := load(e.Name())
		if err != nil {
			return nil, fmt.Errorf("%s: %w", e.Name(), err)
		}
		s.files[address(e.Name())] = f
	}
	return s, nil
}

// address is the path at which a file is served.
func address(name string) string {
	switch name {
	case "index.html":
		return "/"
	case "admin.html":
		return "/admin"
	}
	return "/assets/" + name
}

func load(name string) (*file, error) {
	plain, err := assets.ReadFile("assets/" + name)
	if err != nil {
		return nil, err
	}
	media, ok := mediaTypes[path.Ext(name)]
	if !ok {
		return nil, fmt.Errorf("a file of unknown type")
	}
	packed := sync.OnceValue(func() []byte { return pack(plain) })
	sum := sha256.Sum256(plain)
	return &file{media, plain, packed, base64.RawURLEncoding.EncodeToString(sum[:12])}, nil
}

// pack compresses. Errors come from the level or from the writer below; of
// these neither fails.
func pack(plain []byte) []byte {
	var packed bytes.Buffer
	w, _ := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	w.Write(plain)
	w.Close()
	return packed.Bytes()
}

// Serve answers a GET or HEAD request for a file and returns the status of the
// answer. If there is no file at the request's path it returns 0 and has not
// answered.
func (s *Site) Serve(w http.ResponseWriter, r *http.Request) int {
	f := s.files[r.URL.Path]
	if f == nil {
		return 0
	}
	h := w.Header()
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=()")
	h.Set("Cache-Control", "no-cache") // kept, but asked about each time
	h.Set("Vary", "Accept-Encoding")
	body, tag := f.plain, f.tag
	if acceptsGzip(r.Header.Values("Accept-Encoding")) {
		body, tag = f.gzip(), f.tag+"-gz"
		h.Set("Content-Encoding", "gzip")
	}
	h.Set("ETag", `"`+tag+`"`)
	if hasTag(r.Header.Values("If-None-Match"), tag) {
		h.Del("Content-Encoding")
		w.WriteHeader(http.StatusNotModified)
		return http.StatusNotModified
	}
	h.Set("Content-Type", f.media)
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(http.StatusOK)
	if r.Method != http.MethodHead {
		w.Write(body) // fails only if the client has gone
	}
	return http.StatusOK
}

// acceptsGzip tells whether an Accept-Encoding header names gzip without
// refusing it.
func acceptsGzip(header []string) bool {
	for part := range strings.SplitSeq(strings.Join(header, ","), ",") {
		name, params, _ := strings.Cut(part, ";")
		if !strings.EqualFold(strings.TrimSpace(name), "gzip") {
			continue
		}
		_, q, given := strings.Cut(strings.ReplaceAll(params, " ", ""), "q=")
		if !given {
			return true
		}
		weight, err := strconv.ParseFloat(q, 64)
		return err == nil && weight > 0
	}
	return false
}

// hasTag tells whether an If-None-Match header lists a tag. Weak comparison is
// the rule for this header.
func hasTag(header []string, tag string) bool {
	for part := range strings.SplitSeq(strings.Join(header, ","), ",") {
		part = strings.TrimSpace(part)
		if part == "*" || strings.TrimPrefix(part, "W/") == `"`+tag+`"` {
			return true
		}
	}
	return false
}
