// Package ops provides operations on a running service for operators. Long operations are tasks.
//
// The use of a dataset is an aspect. Reading a month of usage for each search hit costs more than
// the search, and no index sorts by a sum over documents. So a task computes the sums once per
// period, a day by default, and writes them like any change: search index, history, metadata tests
// and events follow. Percentiles compare datasets of one data platform, because platforms count
// queries differently. They are exact: the task holds two counts for each dataset in memory, not
// the documents. In relevance, use multiplies the score by at most 1.5 in steps of 0.1, so it
// decides only among similar hits, and the aspect rarely changes.
package ops

import (
	"context"
	"log/slog"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/discover"
	"github.com/cartulary/cartulary/metadata-service/internal/history"
	"github.com/cartulary/cartulary/metadata-service/internal/indexing"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/metadata-service/internal/task"
	"github.com/cartulary/cartulary/pkg/fault"
)

// follower waits until the projections have applied the log.
type follower interface {
	Wait(ctx context.Context, sequence uint64, kinds ...store.EntryKind) error
}

// Config holds the dependencies of a Service. All fields except History are required.
type Config struct {
	Registry   *model.Registry
	Catalog    *catalog.Service
	Discover   *discover.Service
	Indexer    *indexing.Indexer
	Follower   follower
	Authorizer auth.Decider
	Tasks      *task.Manager
	// History stores sizes and backups. Without one, their lists are empty, and KeepSizes must not
	// be called.
	History *history.File
	Now     func() time.Time
	Log     *slog.Logger
}

// Service executes operations. It is safe for concurrent use.
type Service struct{ Config }

// New returns a Service and registers its task kinds.
func New(cfg Config) *Service {
	s := &Service{cfg}
	cfg.Tasks.Register(
		task.Kind{Name: restoreKind, Allow: s.allowRestore, Run: s.runRestore},
		task.Kind{Name: FeaturesKind, Allow: s.allowFeatures, Run: s.runFeatures},
		task.Kind{Name: truncateKind, Allow: s.allowTruncate, Run: s.runTruncate},
	)
	return s
}

// MayManage returns an error unless the actor in ctx may manage the system.
func (s *Service) MayManage(ctx context.Context) error { return s.require(ctx, auth.ManageSystem) }

// MayReadStatus returns an error unless the actor in ctx may read the progress of the projections.
func (s *Service) MayReadStatus(ctx context.Context) error {
	return s.require(ctx, auth.ToReadStatus...)
}

// require checks that the actor has one of some platform privileges. The service itself has all of
// them.
func (s *Service) require(ctx context.Context, oneOf ...auth.Privilege) error {
	actor, ok := auth.ActorFrom(ctx)
	if !ok {
		return fault.New(fault.Unauthenticated, "the request has no actor: sign in or send an access token")
	}
	if actor.System {
		return nil
	}
	_, err := auth.Require(ctx, s.Authorizer, auth.ForPlatform(oneOf...))
	return err
}
