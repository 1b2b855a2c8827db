package openapi

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"strings"
	"time"

	"github.com/cartulary/cartulary/pkg/fault"
)

const (
	traceHeader  = "traceparent"
	traceIDBytes = 16
)

// newTraceID makes a trace id whose first half is the time in microseconds:
// clients read it from there. An incoming id cannot promise that, so none is
// taken over.
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
