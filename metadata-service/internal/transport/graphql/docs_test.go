package graphql_test

import (
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
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

// TestTheTableOfLimitsIsComplete compares the limits that package document names in its errors
// with the tables of the API documentation.
func TestTheTableOfLimitsIsComplete(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../../../docs/api/graphql.md")
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string]bool{}
	for _, row := range regexp.MustCompile("(?m)^\\| `([a-z ]+)` \\| [0-9]").FindAllSubmatch(page, -1) {
		listed[string(row[1])] = true
	}
	files, err := filepath.Glob("document/*.go")
	if err != nil {
		t.Fatal(err)
	}
	named := map[string]bool{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, call := range regexp.MustCompile(`overBudget\("([a-z ]+)"`).FindAllSubmatch(text, -1) {
			named[string(call[1])] = true
		}
	}
	if len(named) < 15 || !maps.Equal(listed, named) {
		t.Errorf("the page lists  %v\nrefusals name %v", slices.Sorted(maps.Keys(listed)), slices.Sorted(maps.Keys(named)))
	}
}
