// Package retention determines how much history the catalog keeps of an aspect. Operators store the
// rules as entities; the package compiles them and follows their changes.
package retention

import (
	"context"
	"fmt"
	"sync/atomic"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/urn"
)

const (
	entityType   = "dataHubRetention"
	configAspect = "dataHubRetentionConfig"
	anyName      = "*"
)

// defaultRetention applies until the stored rules are loaded, and to aspects without a rule.
var defaultRetention = store.Retention{MaxVersions: catalog.DefaultVersions}

// Rules are the stored rules, by entity type and aspect. They are a projection: loaded at the start
// and again when one of them changes. They are safe for concurrent use.
type Rules struct {
	store Store
	rules atomic.Pointer[map[[2]string]store.Retention]
}

// Store is the source that Rules read from.
type Store interface {
	store.Reader
	store.Scanner
}

// New returns Rules, which apply the default until Load has read the stored ones.
func New(st Store) *Rules {
	r := &Rules{store: st}
	r.rules.Store(&map[[2]string]store.Retention{})
	return r
}

// Of returns the rule for an aspect of an entity type, the most specific one first.
func (r *Rules) Of(typeName, aspect string) store.Retention {
	rules := *r.rules.Load()
	for _, key := range [...][2]string{{typeName, aspect}, {typeName, anyName}, {anyName, aspect}, {anyName, anyName}} {
		if rule, ok := rules[key]; ok {
			return rule
		}
	}
	return defaultRetention
}

// Load replaces all rules with the stored ones. On an error the former rules remain.
func (r *Rules) Load(ctx context.Context) error {
	rules := map[[2]string]store.Retention{}
	after := urn.URN("")
	for {
		page, err := r.store.Scan(ctx, store.Scan{Type: entityType, After: after})
		if err != nil {
			return err
		}
		if len(page) == 0 {
			break
		}
		for _, u := range page {
			records, err := r.store.Get(ctx, store.Key{URN: u, Aspect: configAspect})
			if err != nil {
				return err
			}
			if parts := u.Parts(); records[0] != nil && len(parts) == 2 {
				if rules[[2]string{parts[0], parts[1]}], err = parse(records[0]); err != nil {
					return err
				}
			}
		}
		after = page[len(page)-1]
	}
	r.rules.Store(&rules)
	return nil
}

func parse(rec *model.Record) (store.Retention, error) {
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

// Name implements projection.Sink.
func (*Rules) Name() string { return "retention" }

// Durable implements projection.Sink: rules are kept in memory.
func (*Rules) Durable() bool { return false }

// Apply implements projection.Sink. It reloads all rules if an entry concerns one of them.
func (r *Rules) Apply(ctx context.Context, entries []store.Entry) error {
	for _, e := range entries {
		if e.URN.Type() == entityType && e.Kind != store.Touched {
			return r.Load(ctx)
		}
	}
	return nil
}
