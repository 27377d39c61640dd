package httpapi

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"iter"
	"log/slog"
	"net/netip"
	"runtime"
	"time"

	"github.com/quarry-search/quarry/engine"
)

// Engine is what the service needs of a search engine. [*engine.Engine] is
// one; its documentation says what the methods promise.
type Engine interface {
	Apply(ctx context.Context, b *engine.Batch) (*engine.BatchResult, error)
	Search(ctx context.Context, r *engine.Request) (*engine.Result, error)
	Mistakes(ctx context.Context, r *engine.Request) error
	Suggest(ctx context.Context, r *engine.SuggestRequest) (*engine.SuggestResult, error)
	Snapshot() (*engine.Snapshot, error)
	WaitVersion(ctx context.Context, version uint64) error

	Indexes() []engine.IndexInfo
	Index(name string) (engine.IndexInfo, error)
	CreateIndex(ctx context.Context, name string, s engine.Schema, rows ...engine.Row) (engine.IndexInfo, error)
	StartUpdate(ctx context.Context, name string, s engine.Schema, rows ...engine.Row) (engine.IndexInfo, error)
	CancelUpdate(ctx context.Context, name string, rows ...engine.Row) (cancelled bool, err error)
	Rebuild(ctx context.Context, name string, finish func(index string, err error) []engine.Row) (engine.IndexInfo, error)
	SwapIndexes(ctx context.Context, a, b string, rows ...engine.Row) (version uint64, err error)
	DeleteIndex(ctx context.Context, name string, rows ...engine.Row) error

	Record(ctx context.Context, index, id string, restrict ...string) (engine.Record, error)
	Records(ctx context.Context, index string, o engine.RecordsOptions) iter.Seq2[engine.Record, error]
	Holders(ctx context.Context, id string, indexes []string, restrict ...string) ([]string, error)

	Row(key string) ([]byte, error)
	Rows(prefix string) iter.Seq2[engine.Row, error]
	PutRows(ctx context.Context, rows []engine.Row) error

	Backup(ctx context.Context, dir string) (engine.BackupInfo, error)

	Limits() engine.Limits
	Healthy() error
	Stats() engine.Stats
}

var _ Engine = (*engine.Engine)(nil)

// Config sets up a [Server]. Only Engine is required.
type Config struct {
	// Engine answers the requests. It stays the caller's, who closes it after
	// Serve has returned.
	Engine Engine
	// RootKey is the key that may do everything. Without it no request is
	// let in but those for health.
	RootKey KeyHash
	// TLS holds the certificate; see [Certificates]. Its versions and protocols
	// are set by Serve. Nil means plain HTTP, which the caller must restrict to
	// loopback addresses.
	TLS *tls.Config
	// Limits bound what clients may take up.
	Limits Limits
	// Logger gets errors of the service's own; nil means none. No query, no
	// record and no address is ever given to it.
	Logger *slog.Logger
	// Now is the clock; default time.Now.
	Now func() time.Time
	// NoPage leaves out the search page and the admin view at / and /admin.
	NoPage bool
	// CORSOrigins are the origins whose pages may call the interface from
	// browsers, as https://shop.example, or "*" for all; default none. A page
	// needs a key as everybody does.
	CORSOrigins []string
	// WebhookAllow lists networks beside the public internet that webhooks may
	// be sent to: private ones, loopback. Into these plain HTTP and any port are
	// allowed, too.
	WebhookAllow []netip.Prefix
	// WebhookRootCAs verify the certificates of webhooks' receivers; nil are
	// the authorities of the system.
	WebhookRootCAs *x509.CertPool
	// SnapshotDir is the directory below which snapshots may be made; "" lets
	// keys with the scope admin make them wherever the process may write.
	SnapshotDir string
	// Unmetered makes a server that counts no use, for a tool that works on an
	// engine of its own.
	Unmetered bool
	// Version of the program, for the OpenAPI document; default "dev".
	Version string
}

// Limits bound bodies, connections and times. Zero means the default. What a
// request may ask of the engine is bounded by [engine.Limits].
type Limits struct {
	SearchBytes   int64         // body of a search; default 1 MiB
	BodyBytes     int64         // body of a batch that is applied as a whole; default 32 MiB
	StreamBytes   int64         // body of a batch that is applied in chunks; default 2 GiB
	ChunkBytes    int64         // of such a chunk; default 8 MiB
	SchemaBytes   int64         // any other body but a record; default 1 MiB
	InFlightBytes int64         // of all bodies, and answers of searches, that are held in memory; default 256 MiB
	Connections   int           // default 1,024
	Searches      int           // that are carried out at a time; default 8 for each processor, 32 at least
	BodyTimeout   time.Duration // that a client may make the service wait for a body; default 30 s
	BodyRate      int64         // bytes a second at which a body must come once BodyTimeout is used up; default 256 KiB
	SearchTimeout time.Duration // default 2 s; for half of it a search may wait for others to end
	WriteTimeout  time.Duration // of one commit; default 60 s
	StopTimeout   time.Duration // for requests under way when Serve is to end; default 10 s
	Keys          int           // that are not revoked; default 10,000
	BatchesKept   int           // batches that GET /v1/batch/{id} remembers; default 10,000
	QueuedBatches int           // batches that wait to be applied (Prefer: respond-async); default 1,000
	QueuedBytes   int64         // of their bodies together; default 1 GiB

	Webhooks       int // default 100
	WebhookBacklog int // messages that may wait for a webhook before it is disabled; default 100,000
	WebhookHistory int // deliveries that are remembered of a webhook when they are over; default 1,000
}

func (c Config) withDefaults() Config {
	l := &c.Limits
	setDefault(&l.SearchBytes, 1<<20)
	setDefault(&l.BodyBytes, 32<<20)
	setDefault(&l.StreamBytes, 2<<30)
	setDefault(&l.ChunkBytes, 8<<20)
	setDefault(&l.SchemaBytes, 1<<20)
	setDefault(&l.InFlightBytes, 256<<20)
	setDefault(&l.Connections, 1024)
	setDefault(&l.Searches, max(32, 8*runtime.GOMAXPROCS(0)))
	setDefault(&l.BodyTimeout, readTime)
	setDefault(&l.BodyRate, 256<<10)
	setDefault(&l.SearchTimeout, 2*time.Second)
	setDefault(&l.WriteTimeout, 60*time.Second)
	setDefault(&l.StopTimeout, 10*time.Second)
	setDefault(&l.Keys, 10_000)
	setDefault(&l.BatchesKept, 10_000)
	setDefault(&l.QueuedBatches, 1000)
	setDefault(&l.QueuedBytes, 1<<30)
	setDefault(&l.Webhooks, 100)
	setDefault(&l.WebhookBacklog, 100_000)
	setDefault(&l.WebhookHistory, 1000)
	setDefault(&c.Version, "dev")
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	return c
}

func setDefault[T comparable](v *T, d T) {
	var zero T
	if *v == zero {
		*v = d
	}
}
