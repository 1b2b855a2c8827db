package policy

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/account"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Memberships of users and groups.
const (
	groupEntity           = account.GroupType
	groupMembership       = "groupMembership"
	nativeGroupMembership = "nativeGroupMembership"
	roleMembership        = "roleMembership"
)

// subject is what policies look at of an actor. Groups do not nest; roles are
// held directly and through groups. Groups and roles that do not exist, and groups that are
// soft-deleted, are not among them. It never changes.
type subject struct {
	urn           urn.URN
	groups, roles map[urn.URN]bool
	// inactive is set for users that are suspended or soft-deleted. They hold nothing, however
	// they have been authenticated.
	inactive bool
}

// standing is what an actor holds by one state of the policies.
type standing struct {
	*subject
	by     *snapshot
	grants map[auth.Privilege]*grants
	// scope is what the token of a reading says of privileges and types, nil for one without; isBounded is set where it
	// says more of entities, with which no privilege of the platform is permitted.
	scope     *auth.Scope
	isBounded bool
	// views are the filters of searches, by the entity types that are searched.
	views viewCache
}

// grants are the policies that may grant an actor one privilege.
type grants struct {
	always bool      // whatever the resource
	scoped []*Policy // that are for the actor, for some resources or attachments
	owned  []*Policy // that are for the actor where it owns the resource
	// scopedBy and ownedBy find those of scoped and owned that may be about an entity.
	scopedBy, ownedBy byEntity
}

// byEntity are policies by the entities that they name: an actor may have thousands, of which few are about one
// entity.
type byEntity struct {
	any   []*Policy // that name no entities
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

// over are the policies that may be about an entity, or about entities of a type where it is empty.
func (b *byEntity) over(u urn.URN) [2][]*Policy { return [2][]*Policy{b.any, b.named[u]} }

// noGrants stands for privileges that the actor has by no policy.
var noGrants = &grants{}

func (s *standing) of(p auth.Privilege) *grants {
	if g, ok := s.grants[p]; ok {
		return g
	}
	return noGrants
}

// newStanding picks the policies that concern an actor.
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

// standing gives what an actor holds now. Memberships are remembered until the
// change log says that they changed.
func (e *Engine) standing(ctx context.Context, actor urn.URN) (*standing, error) {
	by := e.snapshot.Load()
	// The mark comes first: memberships that are forgotten from here on must not be put back.
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

// readSubject reads what the memberships of an actor are.
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

// objects reads the values of some rows, nil where there is none.
func objects(ctx context.Context, rows Rows, keys ...model.Key) ([]model.Object, error) {
	return account.ReadObjects(ctx, rows, keys)
}
