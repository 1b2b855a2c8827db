package catalog

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// VersionLink says how an asset becomes the latest version of a set.
type VersionLink struct {
	Set, Entity urn.URN
	Label       string // required
	Comment     string
	// SourceTime (epoch ms, 0 for unknown) and SourceActor tell of the version's making where
	// it comes from.
	SourceTime  int64
	SourceActor urn.URN
}

// firstSortID is the generated sort id of the first version of a set.
const firstSortID = "AAAAAAAA"

// LinkVersion makes an entity the latest version of a set, behind those it has.
func (s *Service) LinkVersion(ctx context.Context, link VersionLink, o WriteOptions) ([]Written, error) {
	if link.Label == "" {
		return nil, fault.New(fault.Malformed, "version: a label is required")
	}
	sortID, err := s.nextSortID(ctx, link.Set)
	if err != nil {
		return nil, err
	}
	actor, _ := auth.ActorFrom(ctx)
	now := s.Now().UnixMilli()
	value := model.Object{
		"versionSet": string(link.Set), "version": model.Object{"versionTag": link.Label}, "sortId": sortID, "versioningScheme": generatedIDs,
		"metadataCreatedTimestamp": stampOf(now, actor.URN),
	}
	if link.Comment != "" {
		value["comment"] = link.Comment
	}
	if link.SourceTime != 0 {
		by := link.SourceActor
		if by == "" {
			by = model.UnknownActor
		}
		value["sourceCreatedTimestamp"] = stampOf(link.SourceTime, by)
	}
	return s.Write(ctx, []Proposal{{URN: string(link.Entity), Change: model.Upsert, Aspect: versionProperties, Value: jsontree.Encode(value)}}, o)
}

func stampOf(at int64, by urn.URN) model.Object {
	return model.Object{"time": jsontree.Number(at), "actor": string(by)}
}

// nextSortID is the sort id behind that of the latest version.
func (s *Service) nextSortID(ctx context.Context, set urn.URN) (string, error) {
	properties, err := s.latestValue(ctx, set, versionSetProperties)
	if err != nil || properties == nil {
		return firstSortID, err
	}
	if schemeOf(properties) != generatedIDs {
		return "", fault.New(fault.Invalid, "%s sorts its versions by ids that are given with them (%s); write the aspect %s", set, schemeOf(properties), versionProperties)
	}
	latest, err := s.latestValue(ctx, urn.URN(jsontree.Text(properties, "latest")), versionProperties)
	if err != nil || latest == nil {
		return firstSortID, err
	}
	return increment(jsontree.Text(latest, "sortId"))
}

// increment counts in capital letters.
func increment(id string) (string, error) {
	letters := []byte(id)
	for i := len(letters) - 1; i >= 0; i-- {
		if letters[i] < 'Z' {
			letters[i]++
			return string(letters), nil
		}
		letters[i] = 'A'
	}
	return "", fault.New(fault.Invalid, "the version set has no sort id behind %q", id)
}

func (s *Service) latestValue(ctx context.Context, u urn.URN, aspect string) (model.Object, error) {
	if u == "" {
		return nil, nil
	}
	records, err := s.Store.Get(ctx, store.Key{URN: u, Aspect: aspect})
	if err != nil || records[0] == nil {
		return nil, err
	}
	return jsontree.DecodeObject(records[0].Value)
}

// UnlinkVersion takes an entity out of a version set. When it was the latest, the
// version before it becomes that; a set without versions goes.
func (s *Service) UnlinkVersion(ctx context.Context, set, entity urn.URN, decisions ...auth.Decision) error {
	value, err := s.latestValue(ctx, entity, versionProperties)
	if err != nil {
		return err
	}
	if value == nil || jsontree.Text(value, "versionSet") != string(set) {
		return fault.New(fault.Invalid, "%s is no version of %s", entity, set)
	}
	spec, ok := s.Registry.Aspect(versionProperties)
	if !ok {
		return fault.New(fault.Internal, "the model has no aspect %s", versionProperties)
	}
	if _, err := s.deleteAspects(ctx, entity, []*model.AspectSpec{spec}, decisions...); err != nil {
		return err
	}
	actor, _ := auth.ActorFrom(ctx)
	return s.change(ctx, func(tx store.Tx) error {
		t := &txn{
			Service: s, ctx: ctx, tx: tx, actor: actor.URN, system: true, now: s.Now().UnixMilli(),
			carried: map[store.Key]bool{}, fresh: map[urn.URN]bool{},
		}
		return t.leaveSet(set, entity, s.removal(actor))
	})
}

// leaveSet makes the highest remaining member the latest.
func (t *txn) leaveSet(set, gone urn.URN, by store.Removal) error {
	properties, err := t.read(set, versionSetProperties)
	if err != nil || properties == nil || jsontree.Text(properties, "latest") != string(gone) {
		return err
	}
	highest, sortID := urn.URN(""), ""
	err = t.members(set, gone, func(member urn.URN, value model.Object) error {
		if jsontree.Text(value, "sortId") > sortID {
			highest, sortID = member, jsontree.Text(value, "sortId")
		}
		return nil
	})
	if err != nil {
		return err
	}
	entity, ok := t.Registry.Entity(set.Type())
	if !ok {
		return nil
	}
	if highest == "" {
		_, err := removeEntity(t.ctx, t.tx, set, entity, by)
		return err
	}
	for _, w := range []struct {
		urn    urn.URN
		aspect string
		more   model.Object
	}{
		{set, versionSetProperties, model.Object{"latest": string(highest)}},
		{highest, versionProperties, model.Object{"isLatest": true}},
	} {
		if err := t.amend(w.urn, w.aspect, w.more, by); err != nil {
			return err
		}
	}
	return nil
}

// amend puts members into an aspect that is there.
func (t *txn) amend(u urn.URN, aspect string, more model.Object, by store.Removal) error {
	old, err := store.Latest(t.ctx, t.tx, store.Key{URN: u, Aspect: aspect})
	spec, ok := t.Registry.Aspect(aspect)
	if err != nil || old == nil || !ok {
		return err
	}
	value, err := jsontree.DecodeObject(old.Value)
	if err != nil {
		return err
	}
	next := jsontree.With(value, more)
	_, err = store.Put(t.ctx, t.tx, old, withEdges(store.Write{
		Key: store.Key{URN: u, Aspect: aspect}, Value: jsontree.Encode(next), SchemaVersion: spec.SchemaVersion, Actor: by.Actor, Now: by.Now,
		Retention: t.retention.of(u.Type(), aspect),
	}, spec, next))
	return err
}
