package webhook

import (
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/quarry-search/quarry/engine"
)

// Keys of rows, see the package comment.
const (
	endpointRows = "http/webhook/endpoint/"
	eventRows    = "http/webhook/event/"
	deliveryRows = "http/webhook/delivery/"
	seqRow       = "http/webhook/seq"
)

func eventKey(seq uint64) string { return eventRows + seqText(seq) }

func deliveryKey(endpoint string, seq uint64) string {
	return deliveryRows + endpoint + "/" + seqText(seq)
}

func seqText(seq uint64) string { return fmt.Sprintf("%016x", seq) }

// parseSeq reads the end of a row's key.
func parseSeq(key string) (uint64, error) {
	return strconv.ParseUint(key[strings.LastIndexByte(key, '/')+1:], 16, 64)
}

// DeliveryState is how far a [Delivery] has come.
type DeliveryState string

// States of deliveries.
const (
	Pending   DeliveryState = "pending"
	Delivered DeliveryState = "delivered"
	Failed    DeliveryState = "failed" // the last attempt of the schedule failed
)

// Delivery is the message about one event to one endpoint.
type Delivery struct {
	ID          string        `json:"id"` // of the message, the same in all attempts and for all endpoints
	Seq         uint64        `json:"seq"`
	Type        string        `json:"type"` // of the event
	State       DeliveryState `json:"state"`
	Attempts    int           `json:"attempts"`        // in all
	Round       int           `json:"round"`           // attempts since the last replay: the place in the schedule
	Status      int           `json:"status,omitzero"` // of the last answer; 0 if there was none
	Fault       Fault         `json:"fault,omitzero"`  // of the last attempt; "" if it went well
	CreatedAt   time.Time     `json:"created_at"`
	AttemptedAt time.Time     `json:"attempted_at,omitzero"` // last
	NextAttempt time.Time     `json:"next_attempt,omitzero"` // while pending
}

// encode writes a value of a row. The types of this package have nothing that
// JSON could refuse.
func encode(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("webhook: %T: %v", v, err))
	}
	return b
}

func endpointRow(e *Endpoint) engine.Row {
	return engine.Row{Key: endpointRows + e.ID, Value: encode(e)}
}

func deliveryRow(endpoint string, d *Delivery) engine.Row {
	return engine.Row{Key: deliveryKey(endpoint, d.Seq), Value: encode(d)}
}

// decodeDelivery reads the row of a delivery.
func decodeDelivery(row engine.Row) (Delivery, error) {
	var d Delivery
	err := json.Unmarshal(row.Value, &d)
	if err != nil || !strings.HasSuffix(row.Key, "/"+seqText(d.Seq)) || d.Attempts < 0 || d.Round < 0 {
		return Delivery{}, fmt.Errorf("row %s: %w", row.Key, engine.ErrCorrupt)
	}
	return d, nil
}

func seqValue(seq uint64) engine.Row {
	return engine.Row{Key: seqRow, Value: binary.BigEndian.AppendUint64(nil, seq)}
}
