package main

import (
	"bytes"
	"context"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/quarry-search/quarry/engine"
)

// client asks a service over its v1 interface.
type client struct {
	base string // such as https://127.0.0.1:7374
	key  string
	http *http.Client
	// close ends what the client holds; an error means that something was not
	// kept.
	close func() error
}

// apiError is an answer that is not a success, as in RFC 9457.
type apiError struct {
	Status    int    `json:"status"`
	Code      string `json:"code"`
	Detail    string `json:"detail"`
	RequestID string `json:"request_id"`
	Faults    []struct {
		Position  *int   `json:"position"`
		Pointer   string `json:"pointer"`
		Parameter string `json:"parameter"`
		Detail    string `json:"detail"`
		Column    int    `json:"column"`
	} `json:"errors"`

	retryAfter time.Duration
}

func (e *apiError) Error() string {
	switch e.Status {
	case http.StatusUnauthorized:
		return "the server does not accept the API key; give it with --key or in " + envName("key")
	case http.StatusForbidden:
		return "the API key may not do this: " + e.Detail
	}
	if e.Status == http.StatusInternalServerError && e.RequestID != "" {
		return e.Detail + ": " + e.RequestID
	}
	if len(e.Faults) == 0 {
		return e.Detail
	}
	var list []string
	for _, f := range e.Faults {
		text := f.Detail
		if at := f.Pointer + f.Parameter; at != "" {
			text = at + ": " + text
		}
		if f.Column > 0 {
			text += fmt.Sprintf(" (column %d)", f.Column)
		}
		list = append(list, text)
	}
	return strings.Join(list, "; ")
}

// isStatus tells whether err is an answer with the given status.
func isStatus(err error, status int) bool {
	var e *apiError
	return errors.As(err, &e) && e.Status == status
}

// Media types of bodies.
const (
	mediaJSON   = "application/json"
	mediaNDJSON = "application/x-ndjson"
)

// maxAnswer bounds what is read of an answer.
const maxAnswer = 1 << 30

// call sends a request and returns the body of the answer. body may be nil;
// header may be nil.
func (c *client) call(ctx context.Context, method, path, media string, body []byte, header http.Header) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, method, c.base+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	for name, values := range header {
		req.Header[name] = values
	}
	req.Header.Set("Authorization", "Bearer "+c.key)
	req.Header.Set("Accept", mediaJSON)
	if body != nil {
		req.Header.Set("Content-Type", media)
	}
	res, err := c.http.Do(req)
	if err != nil {
		return nil, c.explain(err)
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer))
	if err != nil {
		return nil, c.explain(err)
	}
	if res.StatusCode >= 200 && res.StatusCode < 300 {
		return answer, nil
	}
	e := &apiError{}
	if json.Unmarshal(answer, e) != nil || e.Code == "" {
		return nil, fmt.Errorf("%s answers %s: is this a Quarry server?", c.base, res.Status)
	}
	e.Status = res.StatusCode
	if seconds, err := strconv.Atoi(res.Header.Get("Retry-After")); err == nil {
		e.retryAfter = time.Duration(seconds) * time.Second
	}
	return nil, e
}

// explain says what a failed connection means for the person who made it.
func (c *client) explain(err error) error {
	var wrapped *url.Error
	if errors.As(err, &wrapped) {
		err = wrapped.Err // its own text only repeats method and URL
	}
	var authority x509.UnknownAuthorityError
	switch {
	case errors.As(err, &authority):
		return fmt.Errorf("%s has a certificate of an unknown authority; name its CA file with --ca", c.base)
	case errors.Is(err, syscall.ECONNREFUSED):
		return fmt.Errorf("no server answers at %s; start one with quarry serve, or use a directory with --data: %w", c.base, err)
	}
	return fmt.Errorf("%s: %w", c.base, err)
}

// fieldInfo is a field of an index, as the interface writes it.
type fieldInfo struct {
	Name     string   `json:"name"`
	Type     string   `json:"type"`
	Search   bool     `json:"search"`
	Filter   bool     `json:"filter,omitempty"`
	Facet    bool     `json:"facet,omitempty"`
	Sort     bool     `json:"sort,omitempty"`
	Weight   float64  `json:"weight,omitempty"`
	B        *float64 `json:"b,omitempty"`
	Language string   `json:"language,omitempty"`
	Analyzer string   `json:"analyzer,omitempty"`
}

// schemaInfo is a schema, as the interface reads it.
type schemaInfo struct {
	PrimaryKey string      `json:"primary_key,omitempty"`
	Language   string      `json:"language,omitempty"`
	Dynamic    bool        `json:"dynamic"`
	Fields     []fieldInfo `json:"fields"`
}

// indexInfo is an index, as the interface describes it.
type indexInfo struct {
	schemaInfo
	Name      string    `json:"name"`
	Visible   bool      `json:"visible"`
	Records   int64     `json:"records"`
	Bytes     int64     `json:"bytes"`
	State     string    `json:"state"`
	Rebuild   *rebuild  `json:"rebuild"`
	Version   uint64    `json:"version"`
	CreatedAt time.Time `json:"created_at"`
	UpdatedAt time.Time `json:"updated_at"`
}

// index describes an index; a 404 if there is none.
func (c *client) index(ctx context.Context, name string) (*indexInfo, error) {
	answer, err := c.call(ctx, http.MethodGet, "/v1/indexes/"+url.PathEscape(name), "", nil, nil)
	if err != nil {
		return nil, err
	}
	info := &indexInfo{}
	return info, json.Unmarshal(answer, info)
}

// indexes describes all indexes.
func (c *client) indexes(ctx context.Context) ([]indexInfo, error) {
	return listAll[indexInfo](ctx, c, "/v1/indexes?limit=1000", "indexes")
}

// listAll goes through the pages of a list, which is a member of the answers.
func listAll[T any](ctx context.Context, c *client, path, member string) ([]T, error) {
	var all []T
	for cursor := ""; ; {
		page := path
		if cursor != "" {
			page += "&cursor=" + url.QueryEscape(cursor)
		}
		text, err := c.call(ctx, http.MethodGet, page, "", nil, nil)
		if err != nil {
			return nil, err
		}
		var next struct {
			Cursor string `json:"next_cursor"`
		}
		var answer map[string]json.RawMessage
		var part []T
		if err := errors.Join(json.Unmarshal(text, &next), json.Unmarshal(text, &answer)); err != nil {
			return nil, err
		}
		if err := json.Unmarshal(answer[member], &part); err != nil {
			return nil, err
		}
		all = append(all, part...)
		if cursor = next.Cursor; cursor == "" {
			return all, nil
		}
	}
}

// putIndex makes an index with a schema.
func (c *client) putIndex(ctx context.Context, name string, s *engine.Schema) (*indexInfo, error) {
	info := schemaInfo{PrimaryKey: s.PrimaryKey, Language: s.Language, Dynamic: s.Dynamic, Fields: []fieldInfo{}}
	for _, f := range s.Fields {
		info.Fields = append(info.Fields, fieldInfo{
			Name: f.Name, Type: f.Type.String(), Search: f.Search, Filter: f.Filter, Facet: f.Facet, Sort: f.Sort,
			Weight: f.Weight, B: f.B, Language: f.Language, Analyzer: f.Analyzer,
		})
	}
	body, err := json.Marshal(info)
	if err != nil {
		return nil, err
	}
	answer, err := c.call(ctx, http.MethodPut, "/v1/indexes/"+url.PathEscape(name), mediaJSON, body, nil)
	if err != nil {
		return nil, err
	}
	made := &indexInfo{}
	return made, json.Unmarshal(answer, made)
}
