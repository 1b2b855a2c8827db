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
	// A page has about so many bytes: of large aspects there are fewer entities in it.
	pageBytes = 4 << 20
)

// pageSize is how many entities, or documents, are read at a time.
type pageSize struct{ limit int }

// learn looks at what a page has held.
func (p *pageSize) learn(items, bytes int) {
	switch {
	case bytes > pageBytes:
		p.limit = max(1, min(p.limit, items*pageBytes/bytes))
	case items >= p.limit && bytes < pageBytes/4:
		p.limit = min(2*p.limit, maxPage)
	}
}

// entity is an entity that is written, with its aspects that may be, the key first.
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

// split gives what of an aspect is written with its entity, nil for nothing, and tells
// whether the whole of it is written at the end.
func (en entity) split(a aspect) (early json.RawMessage, late bool, err error) {
	switch {
	case a.spec.Name == status && en.removed && en.spec.Name == propertyType:
		return nil, true, nil // nothing gets a value of a property that is soft-deleted
	case a.spec.Name != stageInfo:
		return a.record.Value, false, nil
	}
	info, err := a.decoded()
	if err != nil || info[stagePolicy] == nil {
		return a.record.Value, false, err
	}
	return jsontree.Encode(jsontree.With(info, model.Object{stagePolicy: nil})), true, nil
}

// judged are the aspects that tell whether an entity is written.
var judged = []string{status, userInfo, policyInfo}

// each reads the entities of a type that are written, in the order of their URNs: all
// aspects, or those that are named. looked hears how many there were in each page.
func (x *exporter) each(ctx context.Context, e *model.EntitySpec, names []string, looked func(int), do func(entity) error) error {
	if names != nil {
		names = slices.Concat(judged, names)
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
			if err := x.one(e, stored[i], do); err != nil {
				return err
			}
		}
		x.page.learn(len(urns), bytes)
		looked(len(urns))
	}
}

// one hands on an entity with what is stored of it, unless it stays.
func (x *exporter) one(e *model.EntitySpec, stored []model.Record, do func(entity) error) error {
	values := map[string]model.Object{}
	found := entity{spec: e}
	for i := range stored {
		spec, known := e.Aspect(stored[i].Aspect) // the mark of what was revoked is no aspect
		if !known || spec.Confidential() {
			continue
		}
		a := aspect{spec, stored[i]}
		if slices.Contains(judged, spec.Name) {
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
	if ofProgram(values) || found.removed && x.WithoutRemoved {
		return nil
	}
	slices.SortStableFunc(found.aspects, func(a, b aspect) int { return place(e, a.spec) - place(e, b.spec) })
	return do(found)
}

// place puts the key before all other aspects, which stay in the order of their names.
// The sub-types of a user come even before the key: they create the user, since only
// a new user becomes a service account.
func place(e *model.EntitySpec, spec *model.AspectSpec) int {
	switch {
	case e.Name == userType && spec.Name == userSubTypes:
		return 0
	case spec.IsKey:
		return 1
	}
	return 2
}
