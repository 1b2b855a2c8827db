package version

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Link describes the asset that becomes the latest version of a set.
type Link struct {
	Set, Entity urn.URN
	Label       string // required
	Comment     string
	// SourceTime (epoch ms, 0 for unknown) and SourceActor describe the creation of the version in
	// its source system.
	SourceTime  int64
	SourceActor urn.URN
}

const (
	setProperties = "versionSetProperties"
	// generatedIDs is the scheme of sort ids that this package generates, in the order of linking.
	generatedIDs = "ALPHANUMERIC_GENERATED_BY_DATAHUB"
	firstSortID  = "AAAAAAAA"
	// linkAttempts is the maximum number of attempts while other calls link versions of the same
	// set.
	linkAttempts = 20
)

// WriteLink is Link for APIs to arbitrary aspects: the catalog decides about the write, unless a
// decision in o covers it, and WriteLink returns the written aspects. If a concurrent call takes
// the sort id, rules refuse it, and WriteLink tries the next one.
func (s *Service) WriteLink(ctx context.Context, link Link, o catalog.WriteOptions) ([]catalog.Written, error) {
	if link.Label == "" {
		return nil, fault.New(fault.Malformed, "version: a label is required")
	}
	for attempt := 1; ; attempt++ {
		sortID, err := s.nextSortID(ctx, link.Set)
		if err != nil {
			return nil, err
		}
		value := jsontree.Encode(s.version(ctx, link, sortID))
		written, err := s.edit.Catalog.Write(ctx, []catalog.Proposal{{URN: string(link.Entity), Change: model.Upsert, Aspect: properties, Value: value}}, o)
		if fault.KindOf(err) != fault.Invalid || attempt == linkAttempts {
			return written, err
		}
		if next, nextErr := s.nextSortID(ctx, link.Set); nextErr != nil || next == sortID {
			return nil, err // refused for another reason than the sort id
		}
	}
}

// WriteUnlink removes an asset from a version set, for APIs to arbitrary aspects. It requires
// auth.EditEntity on both: since the asset stays, it needs no privilege to delete. If the asset was
// the latest version, rules set the previous version as the latest; they delete a set without
// versions.
func (s *Service) WriteUnlink(ctx context.Context, set, entity urn.URN, o catalog.WriteOptions) error {
	decided, err := s.edit.Decide(ctx, auth.OverEach([]urn.URN{set, entity}, auth.EditEntity).ToWrite(properties))
	if err != nil {
		return err
	}
	o.Decisions = append(o.Decisions, decided...)
	rec, err := s.storedValue(ctx, entity, properties)
	if err != nil {
		return err
	}
	if rec == nil || jsontree.Text(rec, "versionSet") != string(set) {
		return fault.New(fault.Invalid, "%s is no version of %s", entity, set)
	}
	_, err = s.edit.Catalog.Write(ctx, []catalog.Proposal{{URN: string(entity), Aspect: properties, Change: model.Delete}}, o)
	return err
}

func (s *Service) version(ctx context.Context, link Link, sortID string) jsontree.Object {
	actor, _ := auth.ActorFrom(ctx)
	now := s.edit.Now().UnixMilli()
	value := jsontree.Object{
		"versionSet": string(link.Set), "version": jsontree.Object{"versionTag": link.Label}, "sortId": sortID, "versioningScheme": generatedIDs,
		"metadataCreatedTimestamp": stamp(now, actor.URN),
	}
	if link.Comment != "" {
		value["comment"] = link.Comment
	}
	if link.SourceTime != 0 {
		by := link.SourceActor
		if by == "" {
			by = model.UnknownActor
		}
		value["sourceCreatedTimestamp"] = stamp(link.SourceTime, by)
	}
	return value
}

func stamp(at int64, by urn.URN) jsontree.Object {
	return jsontree.Object{"time": jsontree.Number(at), "actor": string(by)}
}

// nextSortID returns the sort id after that of the latest version.
func (s *Service) nextSortID(ctx context.Context, set urn.URN) (string, error) {
	value, err := s.storedValue(ctx, set, setProperties)
	if err != nil || value == nil {
		return firstSortID, err
	}
	if scheme := jsontree.Text(value, "versioningScheme"); scheme != generatedIDs {
		if scheme == "" {
			scheme = "LEXICOGRAPHIC_STRING"
		}
		return "", fault.New(fault.Invalid, "%s sorts its versions by ids that are given with them (%s); write the aspect %s", set, scheme, properties)
	}
	latest := urn.URN(jsontree.Text(value, "latest"))
	if latest == "" {
		return firstSortID, nil
	}
	version, err := s.storedValue(ctx, latest, properties)
	if err != nil || version == nil {
		return firstSortID, err
	}
	return increment(jsontree.Text(version, "sortId"))
}

// storedValue returns the stored value of an aspect, or nil. It checks no privileges, since sort
// ids depend on all versions.
func (s *Service) storedValue(ctx context.Context, u urn.URN, aspect string) (jsontree.Object, error) {
	records, err := s.edit.Catalog.Latest(ctx, model.Key{URN: u, Aspect: aspect})
	if err != nil || records[0] == nil {
		return nil, err
	}
	return jsontree.DecodeObject(records[0].Value)
}

// increment returns the next id, a number with the digits A to Z.
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
