package endpoint

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"strings"
	"time"

	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/tracing"
)

const (
	traceHeader  = "traceparent"
	traceIDBytes = 16
)

// traceOf returns the trace id of a request, and the traceparent header of its response. Clients
// read a time in microseconds from the first half of the id. So the id of the recorded trace is
// used only if its time is close to now, which excludes ids that other programs generated in
// another format.
func traceOf(ctx context.Context, now time.Time) (id, parent string) {
	if id = tracing.ID(ctx); id != "" && now.Sub(tracing.TimeOf(id)).Abs() < clockSkew {
		return id, tracing.Header(ctx)
	}
	id = newTraceID(now)
	return id, traceParent(id)
}

// clockSkew bounds the difference between the time in an id and the current time.
const clockSkew = 24 * time.Hour

// newTraceID generates a trace id with the time in its first half.
func newTraceID(now time.Time) string {
	var random [8]byte
	_, _ = rand.Read(random[:]) // never fails, by its contract
	return fmt.Sprintf("%016x%x", now.UnixMicro(), random)
}

func traceParent(traceID string) string {
	var span [8]byte
	_, _ = rand.Read(span[:])
	return fmt.Sprintf("00-%s-%x-01", traceID, span)
}

// ParseTraceID parses a trace id or a whole traceparent.
func ParseTraceID(text string) (string, error) {
	id := text
	if parts := strings.Split(text, "-"); len(parts) == 4 {
		id = parts[1]
	}
	if raw, err := hex.DecodeString(id); err != nil || len(raw) != traceIDBytes {
		return "", fault.New(fault.Malformed, "trace id must be %d hex digits or a traceparent, is %q", 2*traceIDBytes, Truncate(text))
	}
	return strings.ToLower(id), nil
}
