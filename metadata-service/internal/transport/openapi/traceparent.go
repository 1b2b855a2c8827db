package openapi

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

// traceOf is the trace id of a request, and the traceparent of its answer. Clients read
// the time in microseconds from the first half of the id. So the trace that is recorded
// gives its id, unless it was taken over from a program that makes them in another way.
func traceOf(ctx context.Context, now time.Time) (id, parent string) {
	if id = tracing.ID(ctx); id != "" && now.Sub(tracing.TimeOf(id)).Abs() < clockSkew {
		return id, tracing.Header(ctx)
	}
	id = newTraceID(now)
	return id, traceParent(id)
}

// clockSkew is how far the time in an id may be from now.
const clockSkew = 24 * time.Hour

// newTraceID makes a trace id whose first half is the time.
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

// parseTraceID takes a trace id alone or a whole traceparent.
func parseTraceID(text string) (string, error) {
	id := text
	if parts := strings.Split(text, "-"); len(parts) == 4 {
		id = parts[1]
	}
	if raw, err := hex.DecodeString(id); err != nil || len(raw) != traceIDBytes {
		return "", fault.New(fault.Malformed, "trace id must be %d hex digits or a traceparent, is %q", 2*traceIDBytes, truncate(text))
	}
	return strings.ToLower(id), nil
}
