package export

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/urn"
)

const (
	firstPage = 64
	maxPage   = 1000
	// pageBytes is the approximate size of a page: pages with large aspects have fewer entities.
	pageBytes = 4 << 20
)

// pageSize is the number of entities, or time-series documents, that are read at a time.
type pageSize struct{ limit int }

// adapt adapts the page size to the content of a page.
func (p *pageSize) adapt(items, bytes int) {
	switch {
	case bytes > pageBytes:
		p.limit = max(1, min(p.limit, items*pageBytes/bytes))
	case items >= p.limit && bytes < pageBytes/4:
		p.limit = min(2*p.limit, maxPage)
	}
}

// entity is an exported entity with its exportable aspects, the key first.
type entity struct {
	spec    *model.EntitySpec
	removed bool
	aspects []aspect
}

type aspect struct {
	spec   *model.AspectSpec
	record model.Record
}

func (a *aspect) decoded() (model.Object, error) {
	value, err := jsontree.DecodeObject(a.record.Value)
	if err != nil {
		return nil, fmt.Errorf("read %s of %s: %w", a.spec.Name, a.record.URN, err)
	}
	return value, nil
}

// splitAspect returns the part of an aspect that is written with its entity, nil for none. late is
// set if the whole aspect is written at the end.
func (en entity) splitAspect(a aspect) (early json.RawMessage, late bool, err error) {
	switch {
	case a.spec.Name == status && en.removed && en.spec.Name == propertyType:
		return nil, true, nil // a soft-deleted property accepts no values
	case a.spec.Name != stageInfo:
		return a.record.Value, false, nil
	}
	info, err := a.decoded()
	if err != nil || info[stagePolicy] == nil {
		return a.record.Value, false, err
	}
	return jsontree.Encode(jsontree.With(info, model.Object{stagePolicy: nil})), true, nil
}

// decidingAspects are the aspects that determine whether an entity is exported.
var decidingAspects = []string{status, userInfo, policyInfo}

// eachEntity reads the exported entities of a type, in the order of their URNs: all aspects, or the
// named ones. It calls looked with the number of entities in each page.
func (x *exporter) eachEntity(ctx context.Context, e *model.EntitySpec, names []string, looked func(int), do func(entity) error) error {
	if names != nil {
		names = slices.Concat(decidingAspects, names)
	}
	for after := urn.URN(""); ; {
		urns, err := x.Rows.Scan(ctx, store.Scan{Type: e.Name, Prefix: store.LikePrefix(x.Like), After: after, Limit: x.page.limit})
		if err != nil || len(urns) == 0 {
			return err
		}
		after = urns[len(urns)-1]
		stored, err := x.Rows.Aspects(ctx, urns, names...)
		if err != nil {
			return err
		}
		bytes := 0
		for i, u := range urns {
			for j := range stored[i] {
				bytes += len(stored[i][j].Value)
			}
			if !x.matches(u) {
				continue
			}
			if err := x.passEntity(e, stored[i], do); err != nil {
				return err
			}
		}
		x.page.adapt(len(urns), bytes)
		looked(len(urns))
	}
}

// passEntity passes an entity with its stored aspects to do, unless it is excluded.
func (x *exporter) passEntity(e *model.EntitySpec, stored []model.Record, do func(entity) error) error {
	values := map[string]model.Object{}
	found := entity{spec: e}
	for i := range stored {
		spec, known := e.Aspect(stored[i].Aspect) // the tombstone of a revoked entity is no aspect
		if !known || spec.Confidential() {
			continue
		}
		a := aspect{spec, stored[i]}
		if slices.Contains(decidingAspects, spec.Name) {
			value, err := a.decoded()
			if err != nil {
				return err
			}
			values[spec.Name] = value
		}
		if x.wants(spec) {
			found.aspects = append(found.aspects, a)
		}
	}
	mark := x.Registry.SoftDelete()
	found.removed = jsontree.Bool(values[mark.Name], mark.SoftDelete)
	if isBuiltIn(values) || found.removed && x.WithoutRemoved {
		return nil
	}
	slices.SortStableFunc(found.aspects, func(a, b aspect) int { return place(e, a.spec) - place(e, b.spec) })
	return do(found)
}

// place puts the key before all other aspects, which keep the order of their names. The sub-types
// of a user come even before the key: they must create the user, because only a new user can become
// a service account.
func place(e *model.EntitySpec, spec *model.AspectSpec) int {
	switch {
	case e.Name == userType && spec.Name == userSubTypes:
		return 0
	case spec.IsKey:
		return 1
	}
	return 2
}
