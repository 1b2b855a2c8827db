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

// noValue is the result of actions that answer with an empty body.
type noValue struct{}

// answer writes a tree as it is.
func answer(c echo.Context, tree any) error {
	c.Response().Header().Set(protocolHeader, protocolVersion)
	return c.Blob(http.StatusOK, echo.MIMEApplicationJSON, jsontree.Append(make([]byte, 0, 512), tree))
}

// answerValue writes the result of an action in its envelope.
func answerValue(c echo.Context, result any) error {
	if result == (noValue{}) {
		c.Response().Header().Set(protocolHeader, protocolVersion)
		return c.NoContent(http.StatusOK)
	}
	return answer(c, object{"value": result})
}

// answerBatch writes the records of a batch read under their keys.
func answerBatch(c echo.Context, results object) error {
	return answer(c, object{"results": results, "statuses": object{}, "errors": object{}})
}

// systemJSON is system metadata as clients see it.
func systemJSON(m model.SystemMetadata) json.RawMessage {
	// It is made of strings and numbers only; marshalling cannot fail.
	text, _ := json.Marshal(m)
	return text
}

// list turns texts into a tree.
func list[T ~string](texts []T) []any {
	tree := make([]any, len(texts))
	for i, text := range texts {
		tree[i] = string(text)
	}
	return tree
}
