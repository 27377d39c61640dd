package httpapi

import (
	"cmp"
	"fmt"
	"io"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"github.com/quarry-search/quarry/engine"
)

// What the service adds to a search of the engine.
func BenchmarkSearch(b *testing.B) {
	key := GenerateKey()
	hash, _ := HashKey(key)
	s, err := New(Config{Engine: newMemEngine(b), RootKey: hash})
	if err != nil {
		b.Fatal(err)
	}
	body := `{"q":"red running shoes","filter":"price < 50","limit":20,"highlight":true}`
	b.ReportAllocs()
	for b.Loop() {
		r := httptest.NewRequest("POST", "/v1/search", strings.NewReader(body))
		r.Header.Set("Authorization", "Bearer "+key)
		w := httptest.NewRecorder()
		if s.Handler().ServeHTTP(w, r); w.Code != 200 {
			b.Fatal(w.Body.String())
		}
	}
}

// A batch of one record, from the request to the answer: its time is that of
// the engine's commit, which waits for the disk.
func BenchmarkBatch(b *testing.B) {
	for _, key := range []string{"", "Idempotency-Key"} {
		b.Run(cmp.Or(key, "plain"), func(b *testing.B) {
			e, err := engine.Open(b.TempDir(), nil)
			if err != nil {
				b.Fatal(err)
			}
			defer e.Close()
			secret := GenerateKey()
			hash, _ := HashKey(secret)
			s, err := New(Config{Engine: e, RootKey: hash})
			if err != nil {
				b.Fatal(err)
			}
			for i := 0; b.Loop(); i++ {
				body := fmt.Sprintf(`{"index":"shop","records":[`+benchRecord+`]}`, i)
				r := httptest.NewRequest("POST", "/v1/batch", strings.NewReader(body))
				r.Header.Set("Authorization", "Bearer "+secret)
				if key != "" {
					r.Header.Set(key, strconv.Itoa(i))
				}
				w := httptest.NewRecorder()
				if s.Handler().ServeHTTP(w, r); w.Code != 201 {
					b.Fatal(w.Body.String())
				}
			}
		})
	}
}

const benchRecord = `{"id":"sku-%06d","title":"Red running shoes","text":"Light shoes for long runs on hard ground","price":39.9,"brand":"Nike"}`

func BenchmarkParseBatch(b *testing.B) {
	s := Server{engineMax: testLimits}
	var records []string
	for i := range 10_000 {
		records = append(records, fmt.Sprintf(benchRecord, i))
	}
	for _, c := range []struct{ name, body string }{
		{"records", `{"index":"shop","records":[` + strings.Join(records, ",") + "]}"},
		{"operations", `{"index":"shop","operations":[{"op":"put","record":` + strings.Join(records, `},{"op":"put","record":`) + "}]}"},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(c.body)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := s.parseBatch(nil, []byte(c.body)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	b.Run("ndjson", func(b *testing.B) {
		body := ndjson(records...)
		b.SetBytes(int64(len(body)))
		b.ReportAllocs()
		for b.Loop() {
			src := newNDJSONSource(strings.NewReader(body), "shop", engine.OpPut, "id", testLimits.RecordBytes)
			for {
				if _, _, err := src.next(); err == io.EOF {
					break
				} else if err != nil {
					b.Fatal(err)
				}
			}
		}
	})
}
