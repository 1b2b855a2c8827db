package catalog

import (
	"context"
	"fmt"
	"sync/atomic"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/urn"
)

const (
	retentionEntity = "dataHubRetention"
	retentionConfig = "dataHubRetentionConfig"
	anyName         = "*"
)

// defaultRetention holds until the rules of the store are loaded, and where
// none fits.
var defaultRetention = store.Retention{MaxVersions: 20}

// retentionRules are the retention entities, by entity type and aspect. They
// are a projection: loaded at start and refreshed when one of them changes.
type retentionRules struct {
	store store.Store
	rules atomic.Pointer[map[[2]string]store.Retention]
}

func newRetentionRules(st store.Store) *retentionRules {
	r := &retentionRules{store: st}
	r.rules.Store(&map[[2]string]store.Retention{})
	return r
}

// of finds the rule for an aspect of an entity type, the most particular one first.
func (r *retentionRules) of(entityType, aspect string) store.Retention {
	rules := *r.rules.Load()
	for _, key := range [...][2]string{{entityType, aspect}, {entityType, anyName}, {anyName, aspect}, {anyName, anyName}} {
		if rule, ok := rules[key]; ok {
			return rule
		}
	}
	return defaultRetention
}

// load reads all rules.
func (r *retentionRules) load(ctx context.Context) error {
	rules := map[[2]string]store.Retention{}
	after := urn.URN("")
	for {
		page, err := r.store.Scan(ctx, store.Scan{Type: retentionEntity, After: after})
		if err != nil {
			return err
		}
		if len(page) == 0 {
			break
		}
		for _, u := range page {
			records, err := r.store.Get(ctx, store.Key{URN: u, Aspect: retentionConfig})
			if err != nil {
				return err
			}
			if parts := u.Parts(); records[0] != nil && len(parts) == 2 {
				if rules[[2]string{parts[0], parts[1]}], err = parseRetention(records[0]); err != nil {
					return err
				}
			}
		}
		after = page[len(page)-1]
	}
	r.rules.Store(&rules)
	return nil
}

func parseRetention(rec *model.Record) (store.Retention, error) {
	value, err := jsontree.DecodeObject(rec.Value)
	if err != nil {
		return store.Retention{}, fmt.Errorf("retention %s: %w", rec.URN, err)
	}
	rule := jsontree.Child(value, "retention")
	const second = 1000
	return store.Retention{
		MaxVersions: int(jsontree.Int(jsontree.Child(rule, "version"), "maxVersions")),
		MaxAge:      jsontree.Int(jsontree.Child(rule, "time"), "maxAgeInSeconds") * second,
	}, nil
}

// RetentionSink refreshes the service's retention rules from the change log.
type RetentionSink struct{ service *Service }

// NewRetentionSink loads the rules and makes the sink that keeps them.
func NewRetentionSink(ctx context.Context, s *Service) (RetentionSink, error) {
	return RetentionSink{service: s}, s.retention.load(ctx)
}

// Name implements projection.Sink.
func (RetentionSink) Name() string { return "retention" }

// Durable implements projection.Sink: rules live in memory.
func (RetentionSink) Durable() bool { return false }

// Apply implements projection.Sink.
func (r RetentionSink) Apply(ctx context.Context, entries []store.Entry) error {
	for _, e := range entries {
		if e.URN.Type() == retentionEntity && e.Kind != store.Touched {
			return r.service.retention.load(ctx)
		}
	}
	return nil
}

// ApplyRetention deletes history beyond what the rules keep and returns how many
// rows went. Empty arguments mean all entities, all aspects.
func (s *Service) ApplyRetention(ctx context.Context, u urn.URN, aspect string) (int, error) {
	if err := s.require(ctx, auth.ApplyRetention); err != nil {
		return 0, err
	}
	if err := s.writable(); err != nil {
		return 0, err
	}
	if u != "" {
		return s.retain(ctx, []urn.URN{u}, aspect)
	}
	total := 0
	after := urn.URN("")
	for ctx.Err() == nil {
		page, err := s.Store.Scan(ctx, store.Scan{After: after})
		if err != nil || len(page) == 0 {
			return total, err
		}
		n, err := s.retain(ctx, page, aspect)
		if err != nil {
			return total, err
		}
		total += n
		after = page[len(page)-1]
	}
	return total, ctx.Err()
}

func (s *Service) retain(ctx context.Context, urns []urn.URN, aspect string) (int, error) {
	now := s.Now().UnixMilli()
	gone := 0
	_, err := s.Store.Update(ctx, func(tx store.Tx) error {
		gone = 0
		for _, u := range urns {
			latest, err := store.AspectsOf(ctx, tx, u)
			if err != nil {
				return err
			}
			for _, rec := range latest {
				if aspect != "" && rec.Aspect != aspect {
					continue
				}
				n, err := store.Retain(ctx, tx, rec.Key(), s.retention.of(u.Type(), rec.Aspect), now)
				if err != nil {
					return err
				}
				gone += n
			}
		}
		return nil
	})
	return gone, err
}

// require asks for a platform privilege; the service itself has all.
func (s *Service) require(ctx context.Context, p auth.Privilege) error {
	return s.permit(ctx, auth.ForPlatform(p))
}

// SetWritable switches the maintenance latch: while it is off every write fails
// with fault.Unavailable. It is not kept over a restart.
func (s *Service) SetWritable(ctx context.Context, writable bool) error {
	if err := s.require(ctx, auth.SetWriteable); err != nil {
		return err
	}
	s.sealed.Store(!writable)
	return nil
}
