package httpapi

import (
	"net/http"
	"runtime"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// metrics is what the service tells Prometheus about itself, in a registry of
// its own. The number of series is bounded by the table of routes: no label
// holds anything that a client sends or that an index is called.
type metrics struct {
	registry *prometheus.Registry
	byRoute  map[*route]*routeSeries // nil stands for requests without a route
	inFlight prometheus.Gauge
}

// routeSeries counts the requests of a route.
type routeSeries struct {
	byClass [6]prometheus.Counter // by the first digit of the status
	seconds prometheus.Observer
}

// newMetrics makes the series of a table of routes.
func newMetrics(table []route, version string) *metrics {
	m := &metrics{registry: prometheus.NewRegistry(), byRoute: map[*route]*routeSeries{}}
	requests := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "quarry_http_requests_total", Help: "Requests that were answered, by route and class of the status.",
	}, []string{"route", "status"})
	seconds := prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name: "quarry_http_request_seconds", Help: "Time from the headers of a request to the end of its answer.",
		Buckets: []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 10, 60},
	}, []string{"route"})
	m.inFlight = prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "quarry_http_requests_in_flight", Help: "Requests that are being answered.",
	})
	build := prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "quarry_build_info", Help: "Always 1; the labels are those of the running program.",
		ConstLabels: prometheus.Labels{"version": version, "go": runtime.Version()},
	})
	build.Set(1)
	m.registry.MustRegister(requests, seconds, m.inFlight, build,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	add := func(r *route) {
		name := (&exchange{route: r}).pattern()
		series := &routeSeries{seconds: seconds.WithLabelValues(name)}
		for class, label := range [...]string{2: "2xx", 3: "3xx", 4: "4xx", 5: "5xx"} {
			if label != "" {
				series.byClass[class] = requests.WithLabelValues(name, label)
			}
		}
		m.byRoute[r] = series
	}
	add(nil)
	for i := range table {
		add(&table[i])
	}
	return m
}

// begun notes that a request came in.
func (m *metrics) begun() { m.inFlight.Inc() }

// ended notes how a request went. Without a status the connection was broken
// off.
func (m *metrics) ended(x *exchange) {
	m.inFlight.Dec()
	series := m.byRoute[x.route]
	if series == nil { // a route for operators
		return
	}
	class := x.status / 100
	if class >= len(series.byClass) || series.byClass[class] == nil {
		class = 5
	}
	series.byClass[class].Inc()
	series.seconds.Observe(time.Since(x.begin).Seconds())
}

// gauge adds a figure that is asked for at every scrape. value may be called
// at any time.
func (m *metrics) gauge(name, help string, value func() float64) {
	m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, value))
}

// Metrics returns a handler that answers every request with the figures of the
// service in the text format of Prometheus. It asks for no key.
func (s *Server) Metrics() http.Handler {
	return promhttp.HandlerFor(s.metrics.registry, promhttp.HandlerOpts{})
}

// engineFigures reads the figures of the engine.
type engineFigures struct{ engine Engine }

// engineFigure is one of them.
type engineFigure struct {
	name, help string
	kind       prometheus.ValueType
	value      float64
}

func (e engineFigures) figures() []engineFigure {
	const gauge, counter = prometheus.GaugeValue, prometheus.CounterValue
	stats := e.engine.Stats()
	var records, deleted, bytes, segments float64
	for _, i := range stats.Indexes {
		records += float64(i.Records)
		deleted += float64(i.Deleted)
		segments += float64(len(i.Segments))
	}
	for _, i := range e.engine.Indexes() {
		bytes += float64(i.Bytes)
	}
	healthy := 1.0
	if e.engine.Healthy() != nil {
		healthy = 0
	}
	st := stats.Storage
	return []engineFigure{
		{"quarry_healthy", "1, or 0 after damage was met in stored data.", gauge, healthy},
		{"quarry_version", "Version of the newest batch.", gauge, float64(stats.Version)},
		{"quarry_indexes", "Indexes.", gauge, float64(len(stats.Indexes))},
		{"quarry_records", "Records of all indexes.", gauge, records},
		{"quarry_deleted_records", "Records that are deleted but still take place.", gauge, deleted},
		{"quarry_index_bytes", "Size of all indexes.", gauge, bytes},
		{"quarry_segments", "Segments of all indexes.", gauge, segments},
		{"quarry_list_cache_bytes", "Size of the posting lists in the cache.", gauge, float64(stats.Cache.Bytes)},
		{"quarry_list_cache_lists", "Posting lists in the cache.", gauge, float64(stats.Cache.Lists)},
		{"quarry_value_cache_bytes", "Size of the ids of records, lengths of texts and values of fields in the cache.", gauge, float64(stats.Cache.Values)},
		{"quarry_cache_bytes", "Size of all caches, without that of the store.", gauge, float64(stats.Cache.All)},
		{"quarry_storage_cache_bytes", "Blocks of the store in its cache.", gauge, float64(st.CacheBytes)},
		{"quarry_storage_cache_hits_total", "Blocks of the store that were found in its cache.", counter, float64(st.CacheHits)},
		{"quarry_storage_cache_misses_total", "Blocks of the store that were read from disk.", counter, float64(st.CacheMisses)},
		{"quarry_storage_memtable_bytes", "What the store holds in memory and has not flushed.", gauge, float64(st.MemTableBytes)},
		{"quarry_storage_log_bytes", "Log that a crash would leave to be replayed.", gauge, float64(st.LogBytes)},
		{"quarry_storage_disk_bytes", "All files of the store.", gauge, float64(st.DiskBytes)},
		{"quarry_storage_compactions_total", "Compactions of the store that have finished.", counter, float64(st.Compactions)},
		{"quarry_storage_compactions_running", "Compactions of the store that are running.", gauge, float64(st.Compacting)},
		{"quarry_storage_flushes_total", "Flushes of the store that have finished.", counter, float64(st.Flushes)},
		{"quarry_storage_l0_files", "Tables of the store that wait to be compacted.", gauge, float64(st.L0Files)},
	}
}

// Describe implements prometheus.Collector. It sends nothing, which is how a
// collector says that its figures are found when they are asked for.
func (e engineFigures) Describe(chan<- *prometheus.Desc) {}

// Collect implements prometheus.Collector.
func (e engineFigures) Collect(out chan<- prometheus.Metric) {
	for _, f := range e.figures() {
		out <- prometheus.MustNewConstMetric(prometheus.NewDesc(f.name, f.help, nil, nil), f.kind, f.value)
	}
}
