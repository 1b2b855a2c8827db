package policy

import (
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/account"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/policy/privilege"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/search/document"
	"github.com/cartulary/cartulary/pkg/set"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Entity types with special rules for reading.
const (
	columnEntity   = model.ColumnType
	queryEntity    = "query"
	documentEntity = "document"
	viewEntity     = "dataHubView"
)

// Views restrict searches. A personal view is visible to its owner only, since it reveals the
// owner's current work. Other actors need MANAGE_GLOBAL_VIEWS to read it.
const (
	viewInfo   = "dataHubViewInfo"
	globalView = "GLOBAL"
)

// reads reports whether an actor may read an entity, an aspect of it, or entities of a type, and by
// which privilege. Some entities follow other ones: a column its dataset, a query the datasets that
// it reads, an incident, assertion or contract the assets that it is about, and a document that
// stands for an asset of another system that asset.
func (q *question) reads(c *auth.Check, on urn.URN) (auth.Privilege, bool, error) {
	by, ok, err := q.readsEntity(c, on)
	p := privilege.Measured(on.Type(), c.Aspect)
	if !ok || err != nil || p == "" {
		return by, ok, err
	}
	_, ok, err = q.holdsOne(c, on, []auth.Privilege{p})
	return by, ok, err
}

// readsEntity is reads without the additional privileges of single aspects. With a scope the actor
// must be able to read the entity with the privileges of the scope, and the resources of the scope
// must include it.
func (q *question) readsEntity(c *auth.Check, on urn.URN) (auth.Privilege, bool, error) {
	whole := q.scope
	if whole == nil {
		return q.readsUnscoped(c, on)
	}
	if q.parts == nil {
		q.parts = splitScope(whole)
	}
	without := q.withoutPlatform
	defer func() { q.scope, q.withoutPlatform = whole, without }()
	q.scope, q.withoutPlatform = q.parts.privileges, without || len(whole.Resources) > 0
	by, ok, err := q.readsUnscoped(c, on)
	if !ok || err != nil {
		return by, ok, err
	}
	included, err := q.includes(c, on, by)
	return by, included, err
}

// includes reports whether the resources of a scope include an entity that is read by a privilege.
// Criteria on entity types apply to the entity itself. Criteria with NOT_EQUALS apply to the entity
// and to all entities that it follows: an entity without a tag is out of reach if its dataset has
// the excluded tag. All other criteria must be met by the entity or else by all entities that it
// follows.
func (q *question) includes(c *auth.Check, on urn.URN, by auth.Privilege) (bool, error) {
	meets := func(part *auth.Scope, u urn.URN) bool {
		r := resourceOf(c, u)
		q.scope = part
		return len(part.Resources) == 0 || q.permits(by, c, &r)
	}
	if !meets(q.parts.types, on) {
		return false, nil
	}
	itself := meets(q.parts.others, on)
	if on.Key() == "" || itself && len(q.parts.excluding.Resources) == 0 {
		return itself, nil
	}
	with, bounded, err := q.followsAll(on)
	if !bounded || err != nil {
		return false, err
	}
	every := func(part *auth.Scope, of []urn.URN) bool {
		return !slices.ContainsFunc(of, func(u urn.URN) bool { return !meets(part, u) })
	}
	if !every(q.parts.excluding, with) {
		return false, nil
	}
	if itself {
		return true, nil
	}
	direct, err := q.follows(on)
	return err == nil && len(direct) > 0 && meets(q.parts.excluding, on) && every(q.parts.others, direct), err
}

// maxFollowed limits the steps from an entity to the entities that it follows.
const maxFollowed = 8

// followsAll lists the entities that an entity follows, directly and indirectly, and those besides
// with the entities that these follow. bounded is false if there are more than maxFollowed steps.
func (q *question) followsAll(on urn.URN, besides ...urn.URN) (all []urn.URN, bounded bool, err error) {
	found := set.Of(besides)
	next := append([]urn.URN{on}, besides...)
	for range maxFollowed {
		from := next
		next = nil
		for _, u := range from {
			with, err := q.follows(u)
			if err != nil {
				return nil, false, err
			}
			for _, w := range with {
				if found.Add(w) {
					next = append(next, w)
				}
			}
		}
		if len(next) == 0 {
			return found.List(), true, nil
		}
	}
	return nil, false, nil
}

// follows lists the entities that an entity follows directly.
func (q *question) follows(on urn.URN) ([]urn.URN, error) {
	switch on.Type() {
	case columnEntity:
		if parent := parentOf(on); parent != "" {
			return []urn.URN{parent}, nil
		}
	case documentEntity:
		source, err := q.bridgeSource(on)
		if source == "" || err != nil {
			return nil, err
		}
		return []urn.URN{source}, nil
	}
	return q.subjectsOf(on)
}

// subjectsOf lists the assets that an entity is about.
func (q *question) subjectsOf(on urn.URN) ([]urn.URN, error) {
	if document.SubjectsAspect(on.Type()) == "" {
		return nil, nil
	}
	if known, ok := q.subjects[on]; ok {
		return known, nil
	}
	if err := q.readSubjects([]urn.URN{on}); err != nil {
		return nil, err
	}
	return q.subjects[on], nil
}

// readSubjects reads the assets that some entities are about, from the aspects that name them.
func (q *question) readSubjects(entities []urn.URN) error {
	if len(entities) == 0 {
		return nil
	}
	keys := make([]model.Key, 0, len(entities))
	for _, u := range entities {
		for _, aspect := range model.SubjectsOf(u.Type()).Aspects() {
			keys = append(keys, model.Key{URN: u, Aspect: aspect})
		}
	}
	records, err := q.engine.cfg.Rows.Get(q.ctx, keys...)
	if err != nil {
		return err
	}
	if q.subjects == nil {
		q.subjects = make(map[urn.URN][]urn.URN, len(entities))
	}
	for _, u := range entities {
		q.subjects[u] = nil
	}
	for i, key := range keys {
		if records[i] == nil {
			continue
		}
		named, err := document.SubjectsOf(key.URN.Type(), key.Aspect, records[i].Value)
		if err != nil {
			for _, u := range entities {
				delete(q.subjects, u)
			}
			return err
		}
		if before := q.subjects[key.URN]; len(before) > 0 {
			all := set.Of(before)
			for _, u := range named {
				all.Add(u)
			}
			named = all.List()
		}
		q.subjects[key.URN] = named
	}
	return nil
}

// readsUnscoped is readsEntity without the resources of a scope.
func (q *question) readsUnscoped(c *auth.Check, on urn.URN) (auth.Privilege, bool, error) {
	needed := privilege.Needed(auth.OpRead, on, c.Aspect)
	if q.engine.cfg.ViewAuthorization && q.engine.isUnrestricted(on.Type()) && !privilege.Confidential(c.Aspect) {
		r := resourceOf(c, on)
		if q.permits(auth.ViewPage, c, &r) {
			return auth.ViewPage, true, nil
		}
		return q.holdsOne(c, on, needed)
	}
	if on.Key() == "" {
		return q.holdsOne(c, on, needed)
	}
	switch on.Type() {
	case columnEntity:
		if parent := parentOf(on); parent != "" {
			p, ok, err := q.holdsOne(c, parent, privilege.Needed(auth.OpRead, parent, ""))
			if ok || err != nil {
				return p, ok, err
			}
		}
	case queryEntity:
		if q.engine.cfg.ViewAuthorization {
			return q.readsQuery(c, on, needed)
		}
	case documentEntity:
		p, ok, err := q.holdsOne(c, on, needed)
		if ok || err != nil {
			return p, ok, err
		}
		return q.readsBridge(c, on)
	case viewEntity:
		p, ok, err := q.holdsOne(c, on, needed)
		if !ok || err != nil {
			return "", false, err
		}
		hidden, err := q.isPersonalToOthers(c, on)
		return p, !hidden && err == nil, err
	}
	p, ok, err := q.holdsOne(c, on, needed)
	if about := model.SubjectsOf(on.Type()); !ok && err == nil && q.engine.cfg.ViewAuthorization && about.Aspect != "" && !about.ByGrant {
		return q.readsAbout(c, on)
	}
	return p, ok, err
}

// object reads one aspect.
func (q *question) object(u urn.URN, aspect string) (model.Object, error) {
	values, err := objects(q.ctx, q.engine.cfg.Rows, model.Key{URN: u, Aspect: aspect})
	if err != nil {
		return nil, err
	}
	return values[0], nil
}

// readsQuery permits reading a query to actors that may read everything or all assets that the
// query reads. The privilege to edit the queries of an asset counts as reading it.
func (q *question) readsQuery(c *auth.Check, on urn.URN, needed []auth.Privilege) (auth.Privilege, bool, error) {
	r := resourceOf(c, on)
	for _, p := range needed {
		if q.of(p).always && q.permits(p, c, &r) {
			return p, true, nil
		}
	}
	by, ok, _, err := q.readsSubjects(c, on)
	return by, ok, err
}

// readsAbout permits reading an entity to actors that may read all assets that it is about. An
// entity of an open type that names no asset is readable by all actors; one of another type is not,
// since its assets may have been removed. An entity that does not exist is treated as a hidden one.
func (q *question) readsAbout(c *auth.Check, on urn.URN) (auth.Privilege, bool, error) {
	by, ok, names, err := q.readsSubjects(c, on)
	if names || err != nil || !model.SubjectsOf(on.Type()).Open {
		return by, ok, err
	}
	there, err := q.exists(on)
	if !there || err != nil {
		return "", false, err
	}
	by, ok = q.permitsOne(c, on)
	return by, ok, nil
}

// permitsOne finds a privilege to read an entity that the scope of the token permits, for an entity
// that every actor may view.
func (q *question) permitsOne(c *auth.Check, on urn.URN) (auth.Privilege, bool) {
	r := resourceOf(c, on)
	for _, p := range privilege.ToRead(on.Type()) {
		if q.permits(p, c, &r) {
			return p, true
		}
	}
	return "", false
}

// readsSubjects reports whether an actor may read all assets that an entity is about, and whether
// the entity names any; without any, ok is false. The privilege to write entities about an asset
// counts as reading it.
func (q *question) readsSubjects(c *auth.Check, on urn.URN) (by auth.Privilege, ok, names bool, err error) {
	subjects, err := q.subjectsOf(on)
	for _, subject := range subjects {
		if by, ok, err = q.readsSubject(c, on.Type(), subject); !ok || err != nil {
			return "", false, true, err
		}
	}
	return by, ok, len(subjects) > 0, err
}

func (q *question) readsSubject(c *auth.Check, about string, subject urn.URN) (auth.Privilege, bool, error) {
	if !followableTypes[subject.Type()] || subject.Key() == "" {
		return "", false, nil
	}
	if q.engine.isUnrestricted(subject.Type()) {
		r := resourceOf(c, subject)
		return auth.ViewPage, q.permits(auth.ViewPage, c, &r), nil
	}
	q.asSubject = true
	defer func() { q.asSubject = false }()
	return q.holdsOne(c, subject, toReadSubject(about, subject.Type()))
}

// readsBridge permits reading a document that stands for an asset of another system to actors that
// may read that asset.
func (q *question) readsBridge(c *auth.Check, on urn.URN) (auth.Privilege, bool, error) {
	source, err := q.bridgeSource(on)
	if source == "" || err != nil || !followableTypes[source.Type()] {
		return "", false, err
	}
	return q.holdsOne(c, source, privilege.Needed(auth.OpRead, source, ""))
}

// bridgeSource returns the asset that a document stands for. It is empty if there is none, or if
// the asset does not exist.
func (q *question) bridgeSource(on urn.URN) (urn.URN, error) {
	source, err := q.sourceOf(on)
	if source == "" || err != nil {
		return "", err
	}
	there, err := q.exists(source)
	if !there || err != nil {
		return "", err
	}
	return source, nil
}

// sourceOf returns the asset that a document stands for according to its aspects, stored or not.
func (q *question) sourceOf(on urn.URN) (urn.URN, error) {
	if !document.MayStandForAsset(on) {
		return "", nil
	}
	types, err := q.object(on, "subTypes")
	if err != nil {
		return "", err
	}
	info, err := q.object(on, "documentInfo")
	if err != nil {
		return "", err
	}
	return document.SourceOf(on, types, info), nil
}

// exists reports whether an entity is stored.
func (q *question) exists(u urn.URN) (bool, error) {
	key := u.Type() + "Key"
	if u.Type() == account.EntityType {
		key = account.KeyAspect
	}
	value, err := q.object(u, key)
	return value != nil, err
}

// isPersonalToOthers reports whether a view is a personal one of another user that the actor may
// not read.
func (q *question) isPersonalToOthers(c *auth.Check, view urn.URN) (bool, error) {
	r := resourceOf(c, view)
	if !q.withoutPlatform && q.of(auth.ManageGlobalViews).always && q.permits(auth.ManageGlobalViews, c, &r) {
		return false, nil
	}
	return q.isOfAnother(view)
}
