// Package ops holds what operators do to a running service.
package ops

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/indexing"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// follower tells when the projections have applied the log.
type follower interface {
	Wait(ctx context.Context, sequence uint64) error
}

// Config is what a Service works with. All fields are required.
type Config struct {
	Registry   *model.Registry
	Catalog    *catalog.Service
	Indexer    *indexing.Indexer
	Follower   follower
	Authorizer auth.Decider
}

// Service carries out operations. It is safe for concurrent use.
type Service struct{ Config }

// New makes a Service.
func New(cfg Config) *Service { return &Service{cfg} }

// MaxURNs is how many entities one call may name.
const MaxURNs = 20_000

// Selection says what to restore; see indexing.Selection. URNs are texts as callers sent them.
type Selection struct {
	URNs []string
	indexing.Selection
	// Complete adds the aspects that come with every entity where they are not there.
	Complete bool
}

// Restored tells what RestoreIndices did.
type Restored struct {
	indexing.Restored
	Completed int // aspects that were added
}

// RestoreIndices derives search index and graph again from what is stored, as far
// as selected, and returns when that is seen. It asks for auth.RestoreIndices or
// auth.ManageSystem.
func (s *Service) RestoreIndices(ctx context.Context, q Selection) (Restored, error) {
	if err := s.require(ctx, auth.RestoreIndices, auth.ManageSystem); err != nil {
		return Restored{}, err
	}
	if err := s.check(&q); err != nil {
		return Restored{}, err
	}
	var out Restored
	var before func(context.Context, []urn.URN) error
	if q.Complete {
		before = func(ctx context.Context, urns []urn.URN) error {
			n, err := s.Catalog.Complete(ctx, urns)
			out.Completed += n
			return err
		}
	}
	var err error
	if out.Restored, err = s.Indexer.Restore(ctx, q.Selection, before); err != nil {
		return out, err
	}
	return out, s.Follower.Wait(ctx, out.Sequence)
}

func (s *Service) check(q *Selection) error {
	if len(q.URNs) > MaxURNs {
		return fault.New(fault.Malformed, "%d URNs are named, at most %d are possible; send several requests", len(q.URNs), MaxURNs)
	}
	q.Selection.URNs = make([]urn.URN, len(q.URNs))
	for i, text := range q.URNs {
		u, _, err := s.Registry.Resolve(text)
		if err != nil {
			return err
		}
		q.Selection.URNs[i] = u
	}
	for i, name := range q.Aspects {
		spec, ok := s.Registry.Aspect(name)
		if !ok {
			return fault.New(fault.Malformed, "there is no aspect %q", name)
		}
		q.Aspects[i] = spec.Name
	}
	if q.Start < 0 || q.Limit < 0 || q.BatchSize < 0 {
		return fault.New(fault.Malformed, "start, limit and batchSize must not be negative, are %d, %d and %d", q.Start, q.Limit, q.BatchSize)
	}
	return nil
}

// MayManage is nil when the actor in the context may manage the system.
func (s *Service) MayManage(ctx context.Context) error { return s.require(ctx, auth.ManageSystem) }

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
