// Package failure stores the asynchronous writes that failed after they were accepted, with their
// reasons, under the trace ID of the request.
package failure

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/cartulary/cartulary/metadata-service/internal/records"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// KeptBytes bounds the total size of the stored failures. The oldest requests are dropped first.
const KeptBytes = 16 << 20

// Buckets of the records: failures by trace ID, trace IDs by an increasing number, and the total
// size under stateKey.
const (
	failureBucket = "failed-writes"
	orderBucket   = "failed-writes-order"
	stateBucket   = "failed-writes-state"
	stateKey      = "state"
)

// Failure is a write of an aspect that was accepted and not carried out.
type Failure struct {
	URN    urn.URN `json:"urn"`
	Aspect string  `json:"aspect"`
	Reason string  `json:"reason"`
}

type state struct {
	Next  uint64 `json:"next"` // number of the next trace ID
	Bytes int    `json:"bytes"`
}

// Log stores failures durably. It is safe for concurrent use.
type Log struct {
	records  records.Store
	maxBytes int
}

// New returns a Log that keeps its failures in a record store.
func New(kept records.Store) *Log { return &Log{records: kept, maxBytes: KeptBytes} }

// Note adds failures to those of a request. If one request exceeds the size limit, Note fails with
// fault.Precondition and stores nothing. Otherwise it drops the oldest other requests as needed.
func (l *Log) Note(ctx context.Context, traceID string, failures []Failure) error {
	return l.records.Update(ctx, func(tx records.Tx) error {
		var s state
		if err := read(tx, stateBucket, stateKey, &s); err != nil {
			return err
		}
		before := tx.Get(failureBucket, traceID)
		var noted []Failure
		if err := read(tx, failureBucket, traceID, &noted); err != nil {
			return err
		}
		text, err := json.Marshal(append(noted, failures...))
		if err != nil {
			return err
		}
		if len(text) > l.maxBytes {
			return fault.New(fault.Precondition, "the conditions of so many proposals do not hold that the trace cannot keep them; send fewer at once")
		}
		if before == nil {
			if err := tx.Put(orderBucket, fmt.Sprintf("%016x", s.Next), []byte(traceID)); err != nil {
				return err
			}
			s.Next++
		}
		s.Bytes += len(text) - len(before)
		if err := tx.Put(failureBucket, traceID, text); err != nil {
			return err
		}
		if err := l.dropOldest(tx, &s, traceID); err != nil {
			return err
		}
		if text, err = json.Marshal(s); err != nil {
			return err
		}
		return tx.Put(stateBucket, stateKey, text)
	})
}

// dropOldest drops the oldest requests until the others fit, except the given one.
func (l *Log) dropOldest(tx records.Tx, s *state, except string) error {
	var numbers, traces []string
	tx.Scan(orderBucket, "", func(number string, trace []byte) bool {
		if s.Bytes <= l.maxBytes {
			return false
		}
		if string(trace) != except {
			numbers, traces = append(numbers, number), append(traces, string(trace))
			s.Bytes -= len(tx.Get(failureBucket, string(trace)))
		}
		return true
	})
	for i, trace := range traces {
		if err := tx.Delete(failureBucket, trace); err != nil {
			return err
		}
		if err := tx.Delete(orderBucket, numbers[i]); err != nil {
			return err
		}
	}
	return nil
}

// Of lists the failures of a request in the order in which they were noted.
func (l *Log) Of(ctx context.Context, traceID string) (failures []Failure, err error) {
	err = l.records.View(ctx, func(tx records.Tx) error { return read(tx, failureBucket, traceID, &failures) })
	return failures, err
}

// read decodes a value. It leaves the target unchanged if there is none.
func read(tx records.Tx, bucket, key string, into any) error {
	text := tx.Get(bucket, key)
	if text == nil {
		return nil
	}
	if err := json.Unmarshal(text, into); err != nil {
		return fmt.Errorf("read %s in %s: %w", key, bucket, err)
	}
	return nil
}
