package graphql_test

import (
	"net/http"
	"testing"

	"github.com/labstack/echo/v4"

	"github.com/cartulary/cartulary/metadata-service/internal/apptest/doctest"
	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/service/servicetest"
)

func TestThePageForCallersIsTrue(t *testing.T) {
	t.Parallel()
	engine, world := newEngine(t)
	loadDemo(t, world)
	e := echo.New()
	engine.Mount(e, "")
	doctest.Run(t, "../../../../docs/api/graphql.md", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		e.ServeHTTP(w, r.WithContext(auth.WithActor(r.Context(), auth.Actor{URN: servicetest.Root})))
	}))
}
