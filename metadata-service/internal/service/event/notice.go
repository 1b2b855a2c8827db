package event

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/account"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// otherCategory is the category of changes without events in a topic, such as those of links or
// lineage. Clients with cached data still have to read it again.
const otherCategory = "OTHER"

// Notice reports that an entity changed, without values: clients that may see them read them. It is
// immutable and shared by all subscribers.
type Notice struct {
	entity urn.URN
	owners []urn.URN
	fields noticeText
	text   []byte // about as a JSON object
	// modifiers are the entities that were added, changed or removed, such as tags, if all changes
	// of the notice have one, or the check, incident or run that the notice is about. Actors that may
	// see none of them do not get the notice.
	modifiers []urn.URN
	// series is the time-series aspect with the change, empty for other aspects. Reading profiles or
	// usage can take more privileges than viewing the entity.
	series string
}

// noticeText holds the members of a notice.
type noticeText struct {
	EntityURN  urn.URN `json:"entityUrn"`
	EntityType string  `json:"entityType"`
	Category   string  `json:"category"`
	Operation  string  `json:"operation"`
	Actor      urn.URN `json:"actor"`
	Time       int64   `json:"time"` // epoch ms
}

func newNotice(about noticeText) (*Notice, error) {
	text, err := json.Marshal(about)
	return &Notice{entity: about.EntityURN, fields: about, text: text}, err
}

// withActor returns the notice with another actor.
func (n *Notice) withActor(actor urn.URN) (*Notice, error) {
	if actor == n.fields.Actor {
		return n, nil
	}
	about := n.fields
	about.Actor = actor
	out, err := newNotice(about)
	out.owners, out.modifiers, out.series = n.owners, n.modifiers, n.series
	return out, err
}

// notices returns the notices of a list of entries, in their order. Several changes of one kind in
// one entry, such as a hundred added columns, give one notice.
func (s *Service) notices(ctx context.Context, entries []store.Entry) ([]*Notice, error) {
	var out []*Notice
	for i := range entries {
		e := &entries[i]
		if !s.givesNotices(e) {
			about, err := s.subjects(ctx, e)
			if err != nil {
				return nil, err
			}
			for _, u := range about {
				n, err := newNotice(noticeText{u, u.Type(), otherCategory, modified, e.Actor, e.Time})
				if err != nil {
					return nil, err
				}
				n.modifiers = []urn.URN{e.URN}
				out = append(out, n)
			}
			continue
		}
		kinds, err := s.kindsOf(ctx, e)
		if err != nil {
			return nil, err
		}
		for _, k := range kinds {
			n, err := newNotice(noticeText{e.URN, e.URN.Type(), k.category, k.operation, e.Actor, e.Time})
			if err != nil {
				return nil, err
			}
			n.modifiers = k.modifiers
			if e.Kind == store.Document || e.Kind == store.DocumentsErased {
				n.series = e.Aspect
			}
			out = append(out, n)
		}
	}
	return out, s.addOwners(ctx, out)
}

// summaryAspect is derived from the incidents of an asset. The notices of the incidents also cover
// its changes, with the decision whether an actor may see them.
const summaryAspect = "incidentsSummary"

// givesNotices reports whether an entry gives notices of its entity: the entity is of one of the
// configured types, and the aspect is neither confidential nor derived from incidents.
func (s *Service) givesNotices(e *store.Entry) bool {
	switch e.Kind {
	case store.Written, store.Deleted, store.EntityDeleted, store.Document, store.DocumentsErased:
	default:
		return false
	}
	if !slices.Contains(s.cfg.Types, e.URN.Type()) || e.Aspect == summaryAspect {
		return false
	}
	spec := s.aspect(e.Aspect)
	return spec == nil || !spec.Confidential()
}

// subjectEdges are the relationships from assertions and incidents to their subjects.
var subjectEdges = []string{"Asserts", "IncidentOn"}

// subjects returns the entities whose health or runs change with an entry that gives no notices
// itself: the subjects of an assertion, an incident or a run.
func (s *Service) subjects(ctx context.Context, e *store.Entry) (out []urn.URN, err error) {
	add := func(u urn.URN) {
		if slices.Contains(s.cfg.Types, u.Type()) && !slices.Contains(out, u) {
			out = append(out, u)
		}
	}
	switch e.Kind {
	case store.Document:
		changes, err := s.runChanges(ctx, e)
		if err != nil {
			return nil, err
		}
		for i := range changes {
			for _, name := range subjectParameters {
				add(urn.URN(jsontree.Text(changes[i].parameters, name)))
			}
		}
	case store.Written, store.Deleted:
		if spec := s.aspect(e.Aspect); !hasSubjects(spec) {
			return nil, nil
		}
		v, err := (&reading{Service: s}).values(ctx, e)
		if err != nil {
			return nil, err
		}
		for _, value := range []jsontree.Object{v.before, v.after} {
			addEdges(e.URN, v.spec, value, add)
		}
	case store.EntityDeleted:
		gone, err := e.AspectsGone()
		if err != nil {
			return nil, err
		}
		for _, aspect := range gone {
			spec := s.aspect(aspect.Name)
			if !hasSubjects(spec) {
				continue
			}
			value, err := jsontree.DecodeObject(aspect.Value)
			if err != nil {
				return nil, err
			}
			addEdges(e.URN, spec, value, add)
		}
	}
	return out, nil
}

// hasSubjects reports whether an aspect names the subject of an assertion or an incident.
func hasSubjects(spec *model.AspectSpec) bool {
	return spec != nil && slices.ContainsFunc(spec.Relationships, func(r model.Relationship) bool { return slices.Contains(subjectEdges, r.Name) })
}

func addEdges(from urn.URN, spec *model.AspectSpec, value jsontree.Object, add func(urn.URN)) {
	if value == nil {
		return
	}
	for _, edge := range store.EdgesOf(spec, from, value, model.AuditStamp{}) {
		if slices.Contains(subjectEdges, edge.Type) {
			add(edge.Destination)
		}
	}
}

// maxModifiers is the maximum number of modifiers of a notice. A change with more of them is shown
// regardless of their visibility.
const maxModifiers = 50

// kind is a category and operation of the changes of an entity.
type kind struct {
	category, operation string
	// modifiers are those of all changes of the kind; empty if one change has no entity as its
	// modifier.
	modifiers []urn.URN
}

// kindsOf returns the kinds of the changes of an entry, at least one.
func (s *Service) kindsOf(ctx context.Context, e *store.Entry) ([]kind, error) {
	changes, err := s.entityChanges(ctx, e)
	if err != nil {
		return nil, err
	}
	var out []kind
	for i := range changes {
		c := &changes[i]
		by := urn.URN(c.modifier)
		// A text is visible regardless of its source, and a column with its dataset.
		if by.Key() == "" || c.category == documentationCategory || model.ParentOfColumn(by) == c.entity {
			by = ""
		}
		at := slices.IndexFunc(out, func(k kind) bool { return k.category == c.category && k.operation == c.operation })
		switch {
		case at < 0 && by == "":
			out = append(out, kind{category: c.category, operation: c.operation})
		case at < 0:
			out = append(out, kind{c.category, c.operation, []urn.URN{by}})
		case by == "":
			out[at].modifiers = nil
		case len(out[at].modifiers) == maxModifiers:
			out[at].modifiers = nil
		case out[at].modifiers != nil:
			out[at].modifiers = append(out[at].modifiers, by)
		}
	}
	if len(out) == 0 {
		out = append(out, kind{category: otherCategory, operation: operationOf(e)})
	}
	return out, nil
}

func operationOf(e *store.Entry) string {
	switch {
	case e.Kind == store.Deleted, e.Kind == store.EntityDeleted, e.Kind == store.DocumentsErased:
		return removed
	case e.Kind == store.Document, e.OldVersion == 0:
		return added
	}
	return modified
}

const ownershipAspect = "ownership"

// addOwners sets the current owners of the entities of notices.
func (s *Service) addOwners(ctx context.Context, notices []*Notice) error {
	urns := make([]urn.URN, len(notices))
	for i, n := range notices {
		urns[i] = n.entity
	}
	owners, err := s.owners(ctx, urns)
	for _, n := range notices {
		n.owners = owners[n.entity]
	}
	return err
}

// owners returns the current owners of entities. The map has no entry for entities without owners.
func (s *Service) owners(ctx context.Context, urns []urn.URN) (map[urn.URN][]urn.URN, error) {
	if len(urns) == 0 {
		return nil, nil
	}
	urns = slices.Compact(slices.Sorted(slices.Values(urns)))
	rows, err := s.cfg.Rows.Aspects(ctx, urns, ownershipAspect)
	if err != nil {
		return nil, err
	}
	out := map[urn.URN][]urn.URN{}
	for i, found := range rows {
		for j := range found {
			value, err := jsontree.DecodeObject(found[j].Value)
			if err != nil {
				return nil, err
			}
			for _, o := range jsontree.Children(value, "owners") {
				out[urns[i]] = append(out[urns[i]], urn.URN(jsontree.Text(o, "owner")))
			}
		}
	}
	return out, nil
}

// ownerURNs returns the URNs by which an actor is an owner: the actor and its groups.
func (s *Service) ownerURNs(ctx context.Context, actor urn.URN) ([]urn.URN, error) {
	groups, err := account.Groups(ctx, s.cfg.Rows, actor)
	return append([]urn.URN{actor}, groups...), err
}

func ownsAny(owners, by []urn.URN) bool {
	return slices.ContainsFunc(owners, func(o urn.URN) bool { return slices.Contains(by, o) })
}

// visible reports for each entity whether the actor in ctx may see it. For an actor without any
// visible entity it returns all false, which is not an error. A deleted entity no longer has the
// aspects that a policy reads: it is visible if no policy hides entities of its type.
func (s *Service) visible(ctx context.Context, urns []urn.URN) ([]bool, error) {
	v, err := s.cfg.Authorizer.Visible(ctx, auth.Reading{Kind: auth.ReadSearch, Types: s.cfg.Types})
	if fault.KindOf(err) == fault.Forbidden {
		return make([]bool, len(urns)), nil
	}
	if err != nil {
		return nil, err
	}
	seen, err := v.Sees(ctx, urns)
	if err != nil {
		return nil, err
	}
	out := slices.Clone(seen)
	for i, u := range urns {
		out[i] = out[i] && slices.Contains(v.Types, u.Type())
	}
	if v.Filter == nil {
		return out, nil
	}
	return out, s.hideDeleted(ctx, urns, out)
}

// hideDeleted marks deleted entities as not visible, except those of types of which no policy hides
// any.
func (s *Service) hideDeleted(ctx context.Context, urns []urn.URN, seen []bool) error {
	keys := make([]model.Key, len(urns))
	for i, u := range urns {
		if entity, ok := s.cfg.Registry.Entity(u.Type()); ok {
			keys[i] = model.Key{URN: u, Aspect: entity.Key.Name}
		}
	}
	rows, err := s.cfg.Rows.Get(ctx, keys...)
	if err != nil {
		return err
	}
	whole := map[string]bool{}
	for i, u := range urns {
		if rows[i] != nil || !seen[i] {
			continue
		}
		all, known := whole[u.Type()]
		if !known {
			v, err := s.cfg.Authorizer.Visible(ctx, auth.Reading{Kind: auth.ReadSearch, Types: []string{u.Type()}})
			if err != nil {
				return err
			}
			all = v.Filter == nil
			whole[u.Type()] = all
		}
		seen[i] = all
	}
	return nil
}

// hideSeries marks as not seen the notices of time-series aspects that the actor in ctx may not read.
func (s *Service) hideSeries(ctx context.Context, notices []*Notice, seen []bool) error {
	byAspect := map[string][]int{}
	for i, n := range notices {
		if seen[i] && n.series != "" {
			byAspect[n.series] = append(byAspect[n.series], i)
		}
	}
	for aspect, at := range byAspect {
		urns := make([]urn.URN, len(at))
		for j, i := range at {
			urns[j] = notices[i].entity
		}
		readable, err := s.cfg.Readable(ctx, urns, aspect)
		if err != nil {
			return err
		}
		for j, i := range at {
			seen[i] = readable[j]
		}
	}
	return nil
}

// Told is a notice that an actor may see.
type Told struct {
	*Notice
	// Owned reports whether the actor owns the entity, directly or by a group.
	Owned bool
}

// AppendJSON appends the notice as a JSON object, with the member owned if Owned is set.
func (t Told) AppendJSON(to []byte) []byte {
	if !t.Owned {
		return append(to, t.text...)
	}
	return append(append(to, t.text[:len(t.text)-1]...), `,"owned":true}`...)
}

// Tell returns the notices that the actor in ctx may see, in their order. It omits notices of
// time-series aspects that the actor may not read, and those whose
// modifiers are all hidden, such as the addition of a hidden tag or the run of a hidden check, and replaces hidden actors by
// model.UnknownActor. A request without an actor is fault.Unauthenticated.
func (s *Service) Tell(ctx context.Context, notices []*Notice) ([]Told, error) {
	if len(notices) == 0 {
		return nil, nil
	}
	actor, ok := auth.ActorFrom(ctx)
	if !ok {
		return nil, fault.New(fault.Unauthenticated, "sign in to follow changes")
	}
	urns := make([]urn.URN, len(notices))
	for i, n := range notices {
		urns[i] = n.entity
	}
	seen, err := s.visible(ctx, urns)
	if err != nil {
		return nil, err
	}
	if err := s.hideSeries(ctx, notices, seen); err != nil {
		return nil, err
	}
	by, err := s.ownerURNs(ctx, actor.URN)
	if err != nil {
		return nil, err
	}
	shown, err := s.cfg.Shown(ctx)
	if err != nil {
		return nil, err
	}
	out := make([]Told, 0, len(notices))
	for i, n := range notices {
		if !seen[i] {
			continue
		}
		if nothing, err := shown.Nothing(ctx, n.modifiers); nothing || err != nil {
			if err != nil {
				return nil, err
			}
			continue
		}
		actor, err := shown.Actor(ctx, n.fields.Actor)
		if err != nil {
			return nil, err
		}
		if n, err = n.withActor(actor); err != nil {
			return nil, err
		}
		out = append(out, Told{n, ownsAny(n.owners, by)})
	}
	return out, nil
}
