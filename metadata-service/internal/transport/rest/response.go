package rest

import (
	"encoding/json"
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
)

const (
	protocolHeader  = "X-RestLi-Protocol-Version"
	protocolVersion = "2.0.0"
)

// noValue is the result of actions with an empty response body.
type noValue struct{}

// writeTree writes a JSON tree as the response body.
func writeTree(c echo.Context, tree any) error {
	c.Response().Header().Set(protocolHeader, protocolVersion)
	return c.Blob(http.StatusOK, echo.MIMEApplicationJSON, jsontree.Append(make([]byte, 0, 512), tree))
}

// writeValue writes the result of an action in its envelope.
func writeValue(c echo.Context, result any) error {
	if result == (noValue{}) {
		c.Response().Header().Set(protocolHeader, protocolVersion)
		return c.NoContent(http.StatusOK)
	}
	return writeTree(c, object{"value": result})
}

// writeBatch writes the results of a batch read by their keys.
func writeBatch(c echo.Context, results object) error {
	return writeTree(c, object{"results": results, "statuses": object{}, "errors": object{}})
}

// systemJSON encodes system metadata for clients.
func systemJSON(m model.SystemMetadata) json.RawMessage {
	// It consists of strings and numbers, so encoding cannot fail.
	text, _ := json.Marshal(m)
	return text
}

// list converts strings to a JSON tree.
func list[T ~string](texts []T) []any {
	tree := make([]any, len(texts))
	for i, text := range texts {
		tree[i] = string(text)
	}
	return tree
}
