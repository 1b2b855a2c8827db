package policy

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/account"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/urn"
)

// subject holds the facts about an actor that policies refer to. Groups do not nest; roles are held
// directly and through groups. Groups and roles that do not exist, and soft-deleted groups, are not
// included. It is immutable.
type subject struct {
	urn           urn.URN
	groups, roles map[urn.URN]bool
	// inactive is true for suspended and soft-deleted users. They hold no privileges, however they
	// were authenticated.
	inactive bool
}

// standing holds the grants of an actor under one state of the policies.
type standing struct {
	*subject
	by     *snapshot
	grants map[auth.Privilege]*grants
	// scope holds the privileges and type criteria of the scope of the token, nil without a scope.
	// isBounded is true if the scope has any criterion on resources; platform privileges are then
	// not permitted.
	scope     *auth.Scope
	isBounded bool
	// views caches the filters of searches, by the searched entity types.
	views viewCache
}

// grants holds the policies that may grant an actor one privilege.
type grants struct {
	always bool      // the privilege is granted for all resources
	scoped []*Policy // for the actor, and limited to some resources or attachments
	owned  []*Policy // for the actor as an owner of the resource
	// scopedBy and ownedBy index scoped and owned by the entities that the policies name.
	scopedBy, ownedBy byEntity
}

// byEntity indexes policies by the entities that they name: an actor may have thousands of
// policies, of which few apply to one entity.
type byEntity struct {
	any   []*Policy // policies that name no entities
	named map[urn.URN][]*Policy
}

func (b *byEntity) add(p *Policy) {
	urns := p.names()
	if urns == nil {
		b.any = append(b.any, p)
		return
	}
	if b.named == nil {
		b.named = map[urn.URN][]*Policy{}
	}
	for u := range urns {
		b.named[urn.URN(u)] = append(b.named[urn.URN(u)], p)
	}
}

// over returns the policies that may apply to an entity, or to the entities of a type if the URN is
// empty.
func (b *byEntity) over(u urn.URN) [2][]*Policy { return [2][]*Policy{b.any, b.named[u]} }

// noGrants represents a privilege that no policy gives the actor.
var noGrants = &grants{}

func (s *standing) of(p auth.Privilege) *grants {
	if g, ok := s.grants[p]; ok {
		return g
	}
	return noGrants
}

// newStanding selects the policies that apply to an actor.
func newStanding(s *subject, by *snapshot) *standing {
	st := &standing{subject: s, by: by, grants: map[auth.Privilege]*grants{}}
	if s.inactive {
		return st
	}
	for _, p := range by.active {
		matches := p.actors.matches(s)
		if !matches && !p.actors.owners {
			continue
		}
		for _, privilege := range p.Privileges {
			g := st.grants[privilege]
			if g == nil {
				g = &grants{}
				st.grants[privilege] = g
			}
			switch {
			case !matches:
				g.owned = append(g.owned, p)
				g.ownedBy.add(p)
			case p.unlimited():
				g.always = true
			default:
				g.scoped = append(g.scoped, p)
				g.scopedBy.add(p)
			}
		}
	}
	return st
}

// standing returns the present grants of an actor. Memberships are cached until the change log
// reports their change.
func (e *Engine) standing(ctx context.Context, actor urn.URN) (*standing, error) {
	by := e.snapshot.Load()
	// The mark comes first, so that memberships invalidated from now on are not cached again.
	mark := e.standings.Mark()
	known, ok := e.standings.Get(actor)
	if ok && known.by == by {
		return known, nil
	}
	var s *subject
	if ok {
		s = known.subject
	} else {
		var err error
		if s, err = readSubject(ctx, e.cfg.Rows, actor); err != nil {
			return nil, err
		}
	}
	st := newStanding(s, by)
	e.standings.Put(mark, actor, st)
	return st, nil
}

// readSubject reads the memberships of an actor.
func readSubject(ctx context.Context, rows Rows, actor urn.URN) (*subject, error) {
	m, err := account.ReadMembership(ctx, rows, actor)
	if err != nil {
		return nil, err
	}
	s := &subject{urn: actor, groups: map[urn.URN]bool{}, roles: map[urn.URN]bool{}, inactive: m.Inactive}
	for _, group := range m.Groups {
		s.groups[group] = true
		for _, role := range m.GroupRoles[group] {
			s.roles[role] = true
		}
	}
	for _, role := range m.Roles {
		s.roles[role] = true
	}
	return s, nil
}

// objects reads the values of records, nil for absent ones.
func objects(ctx context.Context, rows Rows, keys ...model.Key) ([]model.Object, error) {
	return account.ReadObjects(ctx, rows, keys)
}
