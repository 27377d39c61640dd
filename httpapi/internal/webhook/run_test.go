package webhook

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/quarry-search/quarry/engine"
)

// rowMap is a Store in memory.
type rowMap struct {
	mu   sync.Mutex
	rows map[string][]byte
	fail error // of PutRows
}

func (s *rowMap) Row(key string) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if v, ok := s.rows[key]; ok {
		return v, nil
	}
	return nil, engine.ErrNotFound
}

func (s *rowMap) Rows(prefix string) iter.Seq2[engine.Row, error] {
	s.mu.Lock()
	defer s.mu.Unlock()
	rows := maps.Clone(s.rows)
	return func(yield func(engine.Row, error) bool) {
		for _, key := range slices.Sorted(maps.Keys(rows)) {
			if strings.HasPrefix(key, prefix) && !yield(engine.Row{Key: key, Value: rows[key]}, nil) {
				return
			}
		}
	}
}

func (s *rowMap) PutRows(_ context.Context, rows []engine.Row) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.fail != nil {
		return s.fail
	}
	for _, r := range rows {
		if s.rows[r.Key] = r.Value; r.Value == nil {
			delete(s.rows, r.Key)
		}
	}
	return nil
}

// count returns how many rows there are below a prefix.
func (s *rowMap) count(prefix string) (n int) {
	for range s.Rows(prefix) {
		n++
	}
	return n
}

// sent is an attempt as the network saw it.
type sent struct {
	url, id string
	seq     uint64
	kind    string
	after   time.Duration // since the beginning of the test
	keys    int           // that signed
}

// bench is an outbox over a map in a bubble of synctest, with a network that
// answers what the test says.
type bench struct {
	t     *testing.T
	store *rowMap
	*Outbox
	begin time.Time
	ids   int

	mu     sync.Mutex
	sent   []sent
	answer func(sent) result
	cancel context.CancelFunc
	done   chan struct{}
}

func newBench(t *testing.T, configure ...func(*Config)) *bench {
	b := &bench{t: t, store: &rowMap{rows: map[string][]byte{}}, begin: time.Now()}
	b.answer = func(sent) result { return result{status: 200} }
	b.open(configure...)
	return b
}

func (b *bench) open(configure ...func(*Config)) {
	b.t.Helper()
	c := Config{
		Store:  b.store,
		Jitter: func(time.Duration) time.Duration { return 0 },
		NewID: func(prefix string) string {
			b.mu.Lock()
			defer b.mu.Unlock()
			b.ids++
			return fmt.Sprintf("%s%026d", prefix, b.ids)
		},
	}
	for _, f := range configure {
		f(&c)
	}
	o, err := Open(c)
	if err != nil {
		b.t.Fatal(err)
	}
	o.post = func(ctx context.Context, m *message) result {
		var body struct {
			Type string
			Seq  uint64
		}
		if err := json.Unmarshal(m.body, &body, json.MatchCaseInsensitiveNames(true)); err != nil {
			b.t.Errorf("%v: %s", err, m.body)
		}
		s := sent{m.url, m.id, body.Seq, body.Type, time.Since(b.begin), len(m.secrets)}
		b.mu.Lock()
		b.sent = append(b.sent, s)
		answer := b.answer
		b.mu.Unlock()
		return answer(s)
	}
	b.Outbox = o
}

// run delivers until stop.
func (b *bench) run() {
	var ctx context.Context
	ctx, b.cancel = context.WithCancel(context.Background())
	b.done = make(chan struct{})
	go func() {
		defer close(b.done)
		b.Outbox.Run(ctx)
	}()
}

func (b *bench) stop() {
	b.cancel()
	<-b.done
}

func (b *bench) create(url string, events ...string) Endpoint {
	b.t.Helper()
	if events == nil {
		events = []string{"*"}
	}
	e, err := b.Create(b.t.Context(), Spec{URL: url, Events: events}, nil)
	if err != nil {
		b.t.Fatal(err)
	}
	return e
}

// emit commits an event.
func (b *bench) emit(kind string) {
	b.t.Helper()
	if err := b.Send(b.t.Context(), Event{Type: kind, At: time.Now(), Data: []byte(`{"n":1}`)}); err != nil {
		b.t.Fatal(err)
	}
}

// log returns the attempts since the last call.
func (b *bench) log() []sent {
	b.mu.Lock()
	defer b.mu.Unlock()
	log := b.sent
	b.sent = nil
	return log
}

func (b *bench) times() (list []time.Duration) {
	for _, s := range b.log() {
		list = append(list, s.after)
	}
	return list
}

func (b *bench) deliveriesOf(e Endpoint) []Delivery {
	b.t.Helper()
	list, _, err := b.Deliveries(e.ID, 0, 1_000_000)
	if err != nil {
		b.t.Fatal(err)
	}
	return list
}

func (b *bench) show(e Endpoint) Endpoint {
	b.t.Helper()
	e, _, err := b.Endpoint(e.ID)
	if err != nil {
		b.t.Fatal(err)
	}
	return e
}

func refuse(status int) func(sent) result {
	return func(sent) result { return result{status: status, fault: FaultStatus} }
}

func TestSchedule(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		b.answer = refuse(500)
		e := b.create("https://a.example/")
		b.run()
		b.emit("batch.applied")
		time.Sleep(100 * time.Hour)
		synctest.Wait()
		var want []time.Duration
		at := time.Duration(0)
		for _, wait := range []string{"0s", "5s", "5m", "30m", "2h", "5h", "10h", "14h", "20h", "24h"} {
			d, _ := time.ParseDuration(wait)
			at += d
			want = append(want, at)
		}
		if got := b.times(); !slices.Equal(got, want) {
			t.Errorf("attempts after %v, want %v", got, want)
		}
		d := b.deliveriesOf(e)[0]
		if d.State != Failed || d.Attempts != 10 || d.Status != 500 || d.Fault != FaultStatus || !d.NextAttempt.IsZero() {
			t.Errorf("%+v", d)
		}
		if e := b.show(e); e.State != Active || !e.FailingSince.Equal(b.begin) {
			t.Errorf("%+v", e)
		}
		if s := b.Stats(); s != (Stats{Endpoints: 1, Failed: 1, Attempts: 10}) {
			t.Errorf("%+v", s)
		}

		// A replay begins from the beginning, and success ends the failing.
		b.answer = func(s sent) result {
			if s.after < 100*time.Hour+time.Second {
				return result{fault: FaultTimeout}
			}
			return result{status: 204}
		}
		if _, err := b.Replay(t.Context(), e.ID, d.ID); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Hour)
		synctest.Wait()
		if got := b.times(); !slices.Equal(got, []time.Duration{100 * time.Hour, 100*time.Hour + 5*time.Second}) {
			t.Errorf("attempts after %v", got)
		}
		if again := b.deliveriesOf(e)[0]; again.State != Delivered || again.Attempts != 12 || again.ID != d.ID || again.Fault != "" || again.Status != 204 {
			t.Errorf("%+v", again)
		}
		if e := b.show(e); !e.FailingSince.IsZero() {
			t.Errorf("%+v", e)
		}
		b.stop()
	})
}

func TestJitterIsAtMostATenth(t *testing.T) {
	for _, wait := range Schedule() {
		for range 100 {
			if j := jitter(wait); j < 0 || j > wait/10 {
				t.Fatalf("%v more than %v", j, wait)
			}
		}
	}
}

func TestRetryAfterIsHonoured(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		b.answer = func(s sent) result {
			if s.after == 0 {
				return result{status: 429, fault: FaultStatus, retryAfter: time.Hour}
			}
			return result{status: 200}
		}
		b.create("https://a.example/")
		b.run()
		b.emit("batch.applied")
		synctest.Wait()
		b.emit("batch.applied") // the pause is the endpoint's, not the message's
		time.Sleep(2 * time.Hour)
		synctest.Wait()
		if got := b.times(); !slices.Equal(got, []time.Duration{0, time.Hour, time.Hour}) {
			t.Errorf("attempts after %v", got)
		}
		b.stop()
	})
}

func TestGoneDisablesAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		gone, other := b.create("https://gone.example/"), b.create("https://other.example/", "webhook.*")
		b.answer = func(s sent) result {
			if s.url == "https://gone.example/" {
				return result{status: 410, fault: FaultStatus}
			}
			return result{status: 200}
		}
		b.run()
		b.emit("batch.applied")
		time.Sleep(time.Hour)
		synctest.Wait()
		log := b.log()
		if len(log) != 2 || log[0].url != gone.URL || log[1].url != other.URL || log[1].kind != TypeDisabled {
			t.Errorf("%+v", log)
		}
		if e := b.show(gone); e.State != Disabled || e.Reason != ReasonGone {
			t.Errorf("%+v", e)
		}
		b.emit("batch.applied") // is not noted for it
		if _, err := b.Test(t.Context(), gone.ID); !errors.Is(err, ErrDisabled) {
			t.Errorf("test of a disabled endpoint: %v", err)
		}
		if _, err := b.Replay(t.Context(), gone.ID, log[0].id); !errors.Is(err, ErrDisabled) {
			t.Errorf("replay to a disabled endpoint: %v", err)
		}
		if n := len(b.deliveriesOf(gone)); n != 1 {
			t.Errorf("%d deliveries", n)
		}
		b.stop()
		b.open() // it is still so after a restart
		if e := b.show(gone); e.State != Disabled {
			t.Errorf("%+v", e)
		}
		b.answer = func(sent) result { return result{status: 200} }
		b.run()
		if _, err := b.Update(t.Context(), gone.ID, func(_ *Spec, s *State) { *s = Active }); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if log := b.log(); len(log) != 1 || log[0].url != gone.URL {
			t.Errorf("what waited is not sent when the endpoint is active again: %+v", log)
		}
		b.stop()
	})
}

func TestFiveDaysOfFailuresDisable(t *testing.T) {
	for _, oneSuccess := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			b := newBench(t)
			b.answer = func(s sent) result {
				if oneSuccess && s.after > 70*time.Hour && s.after < 72*time.Hour {
					return result{status: 200}
				}
				return result{fault: FaultConnection}
			}
			e := b.create("https://a.example/")
			b.run()
			for range 6 * 24 {
				if b.show(e).State == Active {
					b.emit("batch.applied")
				}
				time.Sleep(time.Hour)
			}
			synctest.Wait()
			if got := b.show(e); (got.State == Active) != oneSuccess {
				t.Errorf("with a success in between %v: %+v", oneSuccess, got)
			} else if !oneSuccess && got.Reason != ReasonFailing {
				t.Errorf("%+v", got)
			}
			b.stop()
		})
	}
}

func TestMessagesComeInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		flying, most := 0, 0
		b.answer = func(s sent) result {
			b.mu.Lock()
			flying++
			most = max(most, flying)
			b.mu.Unlock()
			time.Sleep(time.Second)
			b.mu.Lock()
			flying--
			b.mu.Unlock()
			if s.seq == 3 && s.after < 5*time.Second {
				return result{status: 500, fault: FaultStatus}
			}
			return result{status: 200}
		}
		b.create("https://a.example/")
		for range 10 {
			b.emit("batch.applied")
		}
		b.run()
		time.Sleep(time.Hour)
		synctest.Wait()
		var seqs []uint64
		for _, s := range b.log() {
			seqs = append(seqs, s.seq)
		}
		// 3 fails at 3 s, is due again at 8 s, and holds nobody up.
		if want := []uint64{1, 2, 3, 4, 5, 6, 7, 8, 3, 9, 10}; !slices.Equal(seqs, want) || most != 1 {
			t.Errorf("attempts at %v, up to %d at a time; want %v, one at a time", seqs, most, want)
		}
		for range 500 {
			b.emit("batch.applied")
		}
		time.Sleep(time.Hour)
		synctest.Wait()
		if most != 8 {
			t.Errorf("up to %d attempts at a time at a backlog, want 8", most)
		}
		b.stop()
	})
}

// Endpoints that hang leave workers to those that answer.
func TestFailingEndpointsDoNotStarveOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, func(c *Config) { c.Workers = 4 })
		b.answer = func(s sent) result {
			if s.url != "https://good.example/" {
				time.Sleep(attemptTime)
				return result{fault: FaultTimeout}
			}
			return result{status: 200}
		}
		for i := range 10 {
			b.create(fmt.Sprintf("https://bad%d.example/", i))
		}
		good := b.create("https://good.example/")
		b.run()
		for range 100 {
			b.emit("batch.applied")
			time.Sleep(10 * time.Second)
		}
		synctest.Wait()
		for i, d := range b.deliveriesOf(good) {
			if d.State != Delivered {
				t.Fatalf("the newest but %d: %+v", i, d)
			}
			if late := d.AttemptedAt.Sub(d.CreatedAt); i < 90 && late > attemptTime {
				t.Errorf("the newest but %d was attempted %v late", i, late)
			}
		}
		b.stop()
	})
}

func TestHistoryIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, func(c *Config) { c.History = 5 })
		one, two := b.create("https://one.example/"), b.create("https://two.example/", "index.*")
		b.run()
		for i := range 20 {
			b.emit([]string{"batch.applied", "index.created"}[i%2])
			synctest.Wait()
		}
		b.stop()
		for _, e := range []Endpoint{one, two} {
			if list := b.deliveriesOf(e); len(list) != 5 || list[0].Seq < list[4].Seq {
				t.Errorf("%+v", list)
			}
		}
		if n := b.store.count(deliveryRows); n != 10 {
			t.Errorf("%d rows of deliveries", n)
		}
		if n := b.store.count(eventRows); n != 7 { // 12 and 14, which two holds, and 16 to 20
			t.Errorf("%d rows of events", n)
		}
		before := b.deliveriesOf(one)
		b.open(func(c *Config) { c.History = 5 })
		if got := b.deliveriesOf(one); !slices.EqualFunc(got, before, func(a, b Delivery) bool { return a.ID == b.ID && a.State == b.State }) {
			t.Errorf("%+v\nafter a restart\n%+v", before, got)
		}
		for _, e := range []Endpoint{one, two} {
			if err := b.Delete(t.Context(), e.ID); err != nil {
				t.Fatal(err)
			}
		}
		if n := b.store.count("http/webhook/"); n != 1 {
			t.Errorf("%d rows left, want that of the last seq only", n)
		}
		b.open()
		b.create("https://one.example/")
		if _, err := b.Test(t.Context(), b.Endpoints()[0].ID); err != nil || b.Outbox.seq <= 20 {
			t.Errorf("seq %d is not new (error %v)", b.Outbox.seq, err)
		}
	})
}

func TestBacklogIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, func(c *Config) { c.Backlog = 10 })
		e, other := b.create("https://a.example/", "batch.*"), b.create("https://other.example/", "webhook.*")
		b.answer = func(s sent) result {
			if s.url == e.URL {
				return result{fault: FaultConnection}
			}
			return result{status: 200}
		}
		b.run()
		for range 12 {
			b.emit("batch.applied")
		}
		synctest.Wait()
		if got := b.show(e); got.State != Disabled || got.Reason != ReasonBacklog || len(b.deliveriesOf(e)) != 10 {
			t.Errorf("%+v with %d deliveries", got, len(b.deliveriesOf(e)))
		}
		if list := b.deliveriesOf(other); len(list) != 1 || list[0].Type != TypeDisabled || list[0].State != Delivered {
			t.Errorf("%+v", list)
		}
		b.stop()
		b.open()
		if got := b.show(e); got.State != Disabled {
			t.Errorf("after a restart: %+v", got)
		}
	})
}

func TestSecretsDuringRotation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		e := b.create("https://a.example/")
		b.run()
		for _, c := range []struct {
			wait time.Duration
			keys int
		}{{0, 1}, {0, 2}, {59 * time.Minute, 2}, {time.Minute, 1}} {
			time.Sleep(c.wait)
			b.emit("batch.applied")
			synctest.Wait()
			if log := b.log(); len(log) != 1 || log[0].keys != c.keys {
				t.Errorf("%+v, want %d keys", log, c.keys)
			}
			if c.wait == 0 && c.keys == 1 {
				if _, err := b.Rotate(t.Context(), e.ID, time.Hour); err != nil {
					t.Fatal(err)
				}
			}
		}
		b.stop()
	})
}

func TestStoppingBreaksAttemptsOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		e := b.create("https://a.example/")
		began := make(chan struct{})
		inner := b.Outbox.post
		b.Outbox.post = func(ctx context.Context, m *message) result {
			inner(ctx, m)
			close(began)
			<-ctx.Done()
			return result{fault: FaultTimeout}
		}
		b.run()
		b.emit("batch.applied")
		<-began
		b.stop()
		if d := b.deliveriesOf(e)[0]; d.Attempts != 0 || d.State != Pending {
			t.Errorf("%+v", d)
		}
		b.Outbox.post = inner
		b.run() // goes on where it was
		synctest.Wait()
		if d := b.deliveriesOf(e)[0]; d.Attempts != 1 || d.State != Delivered {
			t.Errorf("%+v", d)
		}
		b.stop()
	})
}

func TestAStoreThatFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var failures int
		b := newBench(t, func(c *Config) { c.Failed = func(error) { failures++ } })
		e := b.create("https://a.example/")
		b.emit("batch.applied")
		full := errors.New("full")
		b.store.fail = full
		for name, err := range map[string]error{
			"send":   b.Send(t.Context(), Event{Type: "batch.applied", Data: []byte("{}")}),
			"delete": b.Delete(t.Context(), e.ID),
		} {
			if !errors.Is(err, full) {
				t.Errorf("%s: %v", name, err)
			}
		}
		if _, err := b.Rotate(t.Context(), e.ID, 0); !errors.Is(err, full) || b.show(e).Secret.Text() != e.Secret.Text() {
			t.Errorf("rotate: %v", err)
		}
		if _, err := b.Create(t.Context(), Spec{URL: "https://b.example/"}, nil); !errors.Is(err, full) || len(b.Endpoints()) != 1 {
			t.Errorf("create: %v", err)
		}
		b.run()
		synctest.Wait()
		if failures != 1 || len(b.log()) != 1 {
			t.Errorf("%d failures noted", failures)
		}
		time.Sleep(time.Hour)
		synctest.Wait()
		if log := b.log(); len(log) != 0 {
			t.Errorf("sent again as its success could not be written: %+v", log)
		}
		b.store.fail = nil
		b.emit("batch.applied")
		synctest.Wait()
		b.stop()
		b.open()
		for _, d := range b.deliveriesOf(e) {
			if d.State != Delivered {
				t.Errorf("%+v after the store has recovered", d)
			}
		}
	})
}

func TestRowsThatAreDamaged(t *testing.T) {
	for _, key := range []string{endpointRows + "whk_1", seqRow, eventRows + "x"} {
		for _, value := range []string{"", "{", "{}", `{"id":"whk_2"}`, "123456789"} {
			store := &rowMap{rows: map[string][]byte{key: []byte(value)}}
			_, err := Open(Config{Store: store, NewID: func(p string) string { return p }})
			if !errors.Is(err, engine.ErrCorrupt) {
				t.Errorf("%s = %q: %v", key, value, err)
			}
		}
	}
}

// FuzzOpen: whatever the rows hold, opening and delivering end well or in
// ErrCorrupt.
func FuzzOpen(f *testing.F) {
	e := Endpoint{ID: "whk_1", State: Active, Spec: Spec{URL: "https://a.example/", Events: []string{"*"}}, Secret: newSecret()}
	d := Delivery{ID: "msg_1", Seq: 1, Type: "batch.applied", State: Pending}
	f.Add(encode(e), encode(d), []byte("12345678"))
	f.Add([]byte(`{"id":"whk_1","secret":{"key":"AA==","seed":"AA=="}}`), []byte(`{"seq":1,"round":-5}`), []byte(""))
	d.State, d.Round = Failed, 11
	f.Add(encode(e), encode(d), []byte("1"))
	f.Fuzz(func(t *testing.T, endpoint, delivery, seq []byte) {
		store := &rowMap{rows: map[string][]byte{
			endpointRows + "whk_1": endpoint, deliveryKey("whk_1", 1): delivery, seqRow: seq, eventKey(1): []byte("{}"),
		}}
		o, err := Open(Config{Store: store, NewID: func(p string) string { return p }})
		if err != nil {
			if !errors.Is(err, engine.ErrCorrupt) {
				t.Fatal(err)
			}
			return
		}
		o.post = func(_ context.Context, m *message) result {
			signature(m.secrets, m.id, m.at, m.body)
			return result{status: 500, fault: FaultStatus}
		}
		workers := make(chan struct{}, 1)
		o.dispatch(workers, func(j job) {
			go func() {
				o.attempt(context.Background(), &j)
				<-workers
			}()
		})
		workers <- struct{}{}
		for _, e := range o.Endpoints() {
			e.Secret.PublicKey()
		}
		if _, _, err := o.Deliveries("whk_1", 0, 10); err != nil {
			t.Fatal(err)
		}
	})
}

func TestMatching(t *testing.T) {
	for _, c := range []struct {
		events, indexes string
		event           string
		about           string
		want            bool
	}{
		{"*", "", "batch.applied", "a", true},
		{"batch.*", "", "batch.applied", "a", true},
		{"batch.*", "", "index.created", "a", false},
		{"index.created batch.applied", "", "batch.applied", "a", true},
		{"batch.applied", "", "batch.applied.more", "a", false},
		{"*", "a", "batch.applied", "a", true},
		{"*", "a", "batch.applied", "ab", false},
		{"*", "a*", "batch.applied", "b ab", true},
		{"*", "a", "key.created", "", true},
		{"", "", "batch.applied", "a", false},
		{"*", "=a*", "batch.applied", "ab", true},
		{"*", "=a*", "batch.applied", "b ab", false},
		{"*", "=a", "key.created", "", false},
	} {
		indexes, confined := strings.CutPrefix(c.indexes, "=")
		e := Endpoint{State: Active, Spec: Spec{Events: strings.Fields(c.events), Indexes: strings.Fields(indexes), Confined: confined}}
		event := Event{Type: c.event, Indexes: strings.Fields(c.about)}
		if got := e.wants(&event); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
		e.State = Disabled
		if e.wants(&event) {
			t.Errorf("%+v: a disabled endpoint wants it", c)
		}
	}
}

// TestCrashes lets random events, changes, failures and crashes happen and checks
// what at-least-once means: each event whose commit went through reaches each
// endpoint that wanted it then and was not deleted, and no other event reaches
// anybody; a message has one id and one seq.
func TestCrashes(t *testing.T) {
	for seed := range uint64(60) {
		synctest.Test(t, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(seed, 7))
			b := newBench(t, func(c *Config) { c.Workers = 1 + int(seed%5) })
			b.answer = func(s sent) result {
				b.mu.Lock()
				defer b.mu.Unlock()
				if rng.IntN(3) == 0 && s.after < 9*time.Hour {
					return result{status: 503, fault: FaultStatus}
				}
				return result{status: 200}
			}
			draw := func(n int) int {
				b.mu.Lock()
				defer b.mu.Unlock()
				return rng.IntN(n)
			}
			owed := map[string]bool{}      // url and type
			forbidden := map[string]bool{} // type
			var endpoints []Endpoint
			b.run()
			for step := range 150 {
				switch draw(10) {
				case 0:
					if len(endpoints) < 5 {
						endpoints = append(endpoints, b.create(fmt.Sprintf("https://e%d.example/", step)))
					}
				case 1:
					if i := draw(4); i < len(endpoints) {
						if err := b.Delete(t.Context(), endpoints[i].ID); err != nil {
							t.Fatal(err)
						}
						maps.DeleteFunc(owed, func(key string, _ bool) bool { return strings.HasPrefix(key, endpoints[i].URL) })
						endpoints = slices.Delete(endpoints, i, i+1)
					}
				case 2: // a crash, at whatever moment
					b.store.mu.Lock()
					left := &rowMap{rows: maps.Clone(b.store.rows)}
					b.store.mu.Unlock()
					b.stop()
					b.store = left
					b.open(func(c *Config) { c.Workers = 1 + int(seed%5) })
					b.run()
				case 3: // a commit that fails
					kind := fmt.Sprintf("never.%d", step)
					if rows, done := b.Note(Event{Type: kind, Data: []byte("{}")}); rows != nil {
						done(errors.New("no"))
					}
					forbidden[kind] = true
				case 4:
					time.Sleep(time.Duration(draw(400)) * time.Second)
				case 5:
					if i := draw(6); i < len(endpoints) {
						b.Rotate(t.Context(), endpoints[i].ID, time.Hour)
					}
				default:
					kind := fmt.Sprintf("event.%d", step)
					rows, done := b.Note(Event{Type: kind, Data: []byte("{}")})
					if rows == nil {
						break
					}
					for _, e := range endpoints {
						owed[e.URL+" "+kind] = true
					}
					if err := b.store.PutRows(t.Context(), rows); err != nil {
						t.Fatal(err)
					}
					if draw(4) > 0 { // else a crash comes before done is called
						done(nil)
						break
					}
					b.stop()
					b.open(func(c *Config) { c.Workers = 1 + int(seed%5) })
					b.run()
				}
			}
			time.Sleep(100 * time.Hour)
			synctest.Wait()
			b.stop()
			ids := map[string]uint64{}
			for _, s := range b.log() {
				delete(owed, s.url+" "+s.kind)
				if forbidden[s.kind] {
					t.Errorf("seed %d: %s was sent, though its commit failed", seed, s.kind)
				}
				if seq, known := ids[s.id]; known && seq != s.seq {
					t.Errorf("seed %d: message %s has seq %d and %d", seed, s.id, seq, s.seq)
				}
				ids[s.id] = s.seq
			}
			for key := range owed {
				t.Errorf("seed %d: never sent: %s", seed, key)
			}
			if got := b.Stats().Backlog; got != 0 {
				t.Errorf("seed %d: backlog %d at the end", seed, got)
			}
			for _, seq := range b.order() {
				if b.store.rows[eventKey(seq)] == nil {
					t.Errorf("seed %d: no row of event %d", seed, seq)
				}
			}
			b.create("https://last.example/") // writes what was left
			if rows, known := b.store.count(eventRows), len(b.Outbox.refs); rows != known {
				t.Errorf("seed %d: %d rows of events, %d are needed", seed, rows, known)
			}
		})
	}
}

// order returns the events of which there are deliveries.
func (b *bench) order() []uint64 { return slices.Sorted(maps.Keys(b.Outbox.refs)) }
