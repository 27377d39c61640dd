package protocol

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// store is a Live index whose documents outlast it; forget makes it lose
// deletes.
type store struct {
	memory
	closed  *int
	forget  bool
	batches []int
	failPut error
}

func (s *store) Put(_ context.Context, docs []Doc) error {
	s.batches = append(s.batches, len(docs))
	for _, d := range docs {
		s.docs[d.ID] = d.Text
	}
	return s.failPut
}

func (s *store) Delete(_ context.Context, ids []string) error {
	for _, id := range ids {
		if !s.forget {
			delete(s.docs, id)
		}
	}
	return nil
}

func (s *store) Count(ctx context.Context, term string) (int, error) {
	n, _, err := s.Search(ctx, Command{Count: true}, []Clause{{Must, []string{term}}})
	return n, err
}

func (s *store) Close() error { *s.closed++; return nil }

func corpus(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "d%d\tsome words %d\n", i, i)
	}
	return b.String()
}

func TestRunLive(t *testing.T) {
	docs := map[string]string{}
	opened, closed := 0, 0
	var first *store
	var out bytes.Buffer
	err := RunLive(t.Context(), strings.NewReader(corpus(99)), 45, 10, &out, func(context.Context) (Live, error) {
		opened++
		s := &store{memory: memory{docs: docs}, closed: &closed}
		if first == nil {
			first = s
		}
		return s, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	// 45 inserted, 100 probes, of 9 updated (0, 5, ..., 40) 5 deleted (0, 10, ..., 40).
	want := `insert_docs_per_s N
insert_batch_ms p50 N p99 N max N
write_to_visible_ms p50 N p99 N max N
update_docs_per_s N
update_batch_ms p50 N p99 N max N
delete_docs_per_s N
check_updated_left N want N
close_ms N
reopen_first_query_ms N
`
	if got := regexp.MustCompile(` \d+(\.\d+)?`).ReplaceAllString(out.String(), " N"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if !strings.Contains(out.String(), "check_updated_left 4 want 4\n") {
		t.Errorf("no check line for 4 documents in\n%s", &out)
	}
	if len(docs) != 45+100-5 || opened != 2 || closed != 2 {
		t.Errorf("%d documents, opened %d times, closed %d times; want 140, 2, 2", len(docs), opened, closed)
	}
	if b := first.batches; fmt.Sprint(b[:5]) != "[10 10 10 10 5]" || len(b) != 5+100+1 {
		t.Errorf("batches %v", b)
	}
}

func TestRunLiveErrors(t *testing.T) {
	run := func(text string, n, batch int, s *store) (closed int, err error) {
		s.docs, s.closed = map[string]string{}, &closed
		err = RunLive(t.Context(), strings.NewReader(text), n, batch, &bytes.Buffer{}, func(context.Context) (Live, error) { return s, nil })
		return closed, err
	}
	if closed, err := run(corpus(20), 20, 5, &store{forget: true}); !errors.Is(err, ErrWrongCount) || closed != 1 {
		t.Errorf("lost deletes: %v, closed %d times; want ErrWrongCount, once", err, closed)
	}
	if closed, err := run(corpus(20), 20, 5, &store{failPut: errBroken}); !errors.Is(err, errBroken) || closed != 1 {
		t.Errorf("failing writes: %v, closed %d times", err, closed)
	}
	for _, test := range []struct {
		text     string
		n, batch int
	}{{corpus(3), 0, 5}, {corpus(3), 3, 0}, {"", 3, 3}} {
		if _, err := run(test.text, test.n, test.batch, &store{}); err == nil {
			t.Errorf("%q with n %d and batch %d: no error", test.text, test.n, test.batch)
		}
	}
	if err := RunLive(t.Context(), strings.NewReader(corpus(1)), 1, 1, &bytes.Buffer{}, func(context.Context) (Live, error) { return nil, errBroken }); !errors.Is(err, errBroken) {
		t.Errorf("open that fails: %v", err)
	}
}
