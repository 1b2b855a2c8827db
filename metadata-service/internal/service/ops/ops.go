// Package ops holds what operators do to a running service. What takes long is a task.
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

// follower tells when the projections have applied the log.
type follower interface {
	Wait(ctx context.Context, sequence uint64, kinds ...store.EntryKind) error
}

// Config is what a Service works with. All fields but History are required.
type Config struct {
	Registry   *model.Registry
	Catalog    *catalog.Service
	Discover   *discover.Service
	Indexer    *indexing.Indexer
	Follower   follower
	Authorizer auth.Decider
	Tasks      *task.Manager
	// History keeps sizes and backups. Without one nothing of them is told, and KeepSizes is not called.
	History *history.File
	Now     func() time.Time
	Log     *slog.Logger
}

// Service carries out operations. It is safe for concurrent use.
type Service struct{ Config }

// New makes a Service, and registers the kinds of its tasks.
func New(cfg Config) *Service {
	s := &Service{cfg}
	cfg.Tasks.Register(
		task.Kind{Name: restoreKind, Allow: s.allowRestore, Run: s.runRestore},
		task.Kind{Name: FeaturesKind, Allow: s.allowFeatures, Run: s.runFeatures},
		task.Kind{Name: truncateKind, Allow: s.allowTruncate, Run: s.runTruncate},
	)
	return s
}

// MayManage is nil when the actor in the context may manage the system.
func (s *Service) MayManage(ctx context.Context) error { return s.require(ctx, auth.ManageSystem) }

// MayReadStatus is nil when the actor in the context may read how far the followers of the
// change log are.
func (s *Service) MayReadStatus(ctx context.Context) error {
	return s.require(ctx, auth.ToReadStatus...)
}

// require asks for one of some platform privileges; the service itself has all.
func (s *Service) require(ctx context.Context, oneOf ...auth.Privilege) error {
	actor, ok := auth.ActorFrom(ctx)
	if !ok {
		return fault.New(fault.Unauthenticated, "who asks is not known")
	}
	if actor.System {
		return nil
	}
	_, err := auth.Require(ctx, s.Authorizer, auth.ForPlatform(oneOf...))
	return err
}
