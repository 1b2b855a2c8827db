package mcp_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/labstack/echo/v4"

	"github.com/cartulary/cartulary/metadata-service/internal/service/servicetest"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/mcp"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// A tool reserves memory for the data it has read before it decodes it, and reports an error when
// there is none.
func TestToolsReserveMemoryForWhatTheyRead(t *testing.T) {
	t.Parallel()
	const orders urn.URN = "urn:li:dataset:(urn:li:dataPlatform:hive,shop.orders,PROD)"
	w := servicetest.New(t)
	description := strings.Repeat("long ", 20_000)
	w.Put(t, orders, "datasetProperties", `{"name":"orders","description":"`+description+`"}`)
	for name, room := range map[string]error{"with room": nil, "without": fault.New(fault.Unavailable, "there is no room in memory now")} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var bytes int64
			e := echo.New()
			mcp.New(mcp.Config{
				Catalog: w.Catalog, Discover: w.Discover, Registry: w.Registry, Version: "test", ReadOnly: true, Log: w.Log,
				Reserve: func(_ context.Context, n int64) error { bytes += n; return room },
			}).Mount(e.Group(""))
			request := httptest.NewRequest(http.MethodPost, mcp.Path, strings.NewReader(
				`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_entities","arguments":{"urns":["`+string(orders)+`"]}}}`))
			request.Header.Set("Content-Type", "application/json")
			request.Header.Set("Accept", "application/json, text/event-stream")
			answer := httptest.NewRecorder()
			e.ServeHTTP(answer, request.WithContext(w.As(t, servicetest.Root)))
			if bytes < int64(len(description)) {
				t.Errorf("%d bytes were reserved for a description of %d: %d %.300s", bytes, len(description), answer.Code, answer.Body)
			}
			text := answer.Body.String()
			if told, refused := strings.Contains(text, "datasetKey"), strings.Contains(text, "no room in memory"); told != (room == nil) || refused == (room == nil) {
				t.Errorf("answer %d %.300s", answer.Code, text)
			}
		})
	}
}
