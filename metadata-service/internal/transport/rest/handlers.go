package rest

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
)

// object is a JSON object as a tree.
type object = jsontree.Object

// handlers holds the dependencies of all handlers.
type handlers struct {
	Deps
	registry *model.Registry
}

// writeOptions gives each write a trace id of its own: the time in microseconds, by which other
// programs sort ids, followed by random bytes.
func (s *handlers) writeOptions(async bool) catalog.WriteOptions {
	var random [8]byte
	// It cannot fail: the runtime would end the program.
	_, _ = rand.Read(random[:])
	id := fmt.Sprintf("%016x", s.Now().UnixMicro()) + hex.EncodeToString(random[:])
	return catalog.WriteOptions{TraceID: id, Async: async}
}
