package main_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/authtest"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/seriessink"
	"github.com/cartulary/cartulary/metadata-service/internal/driver/bolt"
	"github.com/cartulary/cartulary/metadata-service/internal/driver/bolt/series"
	"github.com/cartulary/cartulary/metadata-service/internal/driver/roaring"
	"github.com/cartulary/cartulary/metadata-service/internal/indexing"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/projection"
	"github.com/cartulary/cartulary/metadata-service/internal/search/document"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/rest"
	"github.com/cartulary/cartulary/pkg/httpserver"
	"github.com/cartulary/cartulary/pkg/logging"
)

// BenchmarkProjections compares the core with the search index with the same core without it, both
// over HTTP in this process: single writes on 8 connections, and batches of 100 aspects of 25 new
// datasets on 15. The goal is 0.6.
func BenchmarkProjections(b *testing.B) {
	without, with := core(b, false), core(b, true)
	b.Run("single", func(b *testing.B) {
		const callers, writes = 8, 4000
		var turn atomic.Int64
		run := func(p *program) func() time.Duration {
			var wires [callers]*wire
			for i := range wires {
				wires[i] = dial(b, p)
			}
			var requests [1000][]byte
			for i := range requests {
				requests[i] = p.render("/aspects?action=ingestProposalBatch", batch(change(benchURN(i), "datasetProperties", benchProperties(string(mark)))))
			}
			return func() time.Duration {
				return spread(callers, writes, func(caller, i int) error {
					return wires[caller].send(numbered(requests[i%len(requests)], turn.Add(1), 1))
				})
			}
		}
		compare(b, "writes/s", 1, run(without), run(with), writes)
	})
	b.Run("batches", func(b *testing.B) {
		const callers, batches, size = 15, 150, 100
		var next atomic.Int64
		next.Store(100_000)
		run := func(p *program) func() time.Duration {
			var wires [callers]*wire
			for i := range wires {
				wires[i] = dial(b, p)
			}
			request := newDatasets(p, size)
			return func() time.Duration {
				return spread(callers, batches, func(caller, _ int) error {
					return wires[caller].send(numbered(request, next.Add(size), benchAspects))
				})
			}
		}
		compare(b, "aspects/s", size, run(without), run(with), batches)
	})
}

// core is the write path on a store in a file, without authentication.
func core(b *testing.B, indexed bool) *program {
	b.Helper()
	registry, err := model.Load()
	if err != nil {
		b.Fatal(err)
	}
	dir, log := b.TempDir(), logging.Discard()
	rows, err := bolt.Open(b.Context(), filepath.Join(dir, "catalog.db"), bolt.Config{})
	if err != nil {
		b.Fatal(err)
	}
	documents, err := series.Open(filepath.Join(dir, "timeseries"), series.Config{})
	if err != nil {
		b.Fatal(err)
	}
	index, err := roaring.Open(roaring.Config{Path: filepath.Join(dir, "search"), Schemas: document.Schemas(registry)})
	if err != nil {
		b.Fatal(err)
	}
	sinks := []projection.Sink{seriessink.New(registry, documents)}
	if indexed {
		indexer, err := indexing.New(b.Context(), indexing.Config{Registry: registry, Store: rows, Graph: rows, Index: index, Now: time.Now, Log: log})
		if err != nil {
			b.Fatal(err)
		}
		sinks = append(sinks, indexer)
	}
	follower, err := projection.Start(context.Background(), projection.Config{Log: rows, Now: time.Now, Logger: log, Awaited: sinks})
	if err != nil {
		b.Fatal(err)
	}
	service := catalog.New(catalog.Config{
		Registry: registry, Store: rows, Graph: rows, Documents: documents, Authorizer: authtest.Plain{}, Follower: follower, Now: time.Now, Log: log,
	})
	server := httpserver.New(httpserver.Config{Log: log})
	server.Echo.Use(func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			c.SetRequest(c.Request().WithContext(auth.WithActor(c.Request().Context(), auth.Actor{URN: model.RootUser})))
			return next(c)
		}
	})
	rest.Mount(server.Echo.Group(""), rest.Deps{Catalog: service, Health: func() rest.Health { return rest.Health{} }, Now: time.Now})
	listener := httptest.NewServer(server.Echo)
	b.Cleanup(func() {
		listener.Close()
		if err := errors.Join(follower.Close(), index.Close(context.Background()), documents.Close(), rows.Close()); err != nil {
			b.Error(err)
		}
	})
	p := &program{address: listener.Listener.Addr().String(), token: "none"}
	if err := p.post(http.DefaultClient, benchBatch(0, 1000)); err != nil {
		b.Fatal(fmt.Errorf("first datasets: %w", err))
	}
	return p
}
