package policy

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/account"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// snapshot is one state of the policies. It is immutable.
type snapshot struct {
	all    map[urn.URN]*Policy
	active []*Policy // ordered by URN
	// naming lists all policies with a privilege, active or not, ordered by URN.
	naming map[auth.Privilege][]*Policy
	// deciding are the aspects of a resource that some active policy refers to.
	deciding []string
	// excluding are the entities in the criteria by which active policies exclude resources.
	excluding map[string]bool
}

func newSnapshot(all map[urn.URN]*Policy) *snapshot {
	s := &snapshot{all: all, naming: map[auth.Privilege][]*Policy{}, excluding: map[string]bool{}}
	var looked, excluded need
	for _, u := range slices.Sorted(maps.Keys(all)) {
		p := all[u]
		for _, privilege := range p.Privileges {
			s.naming[privilege] = append(s.naming[privilege], p)
		}
		if p.active() {
			s.active = append(s.active, p)
			looked |= p.needs()
			excluded |= p.excluding()
			p.addExcluding(s.excluding)
		}
	}
	for on := domainOf; on < fieldCount; on++ {
		if looked.has(on) {
			s.deciding = append(s.deciding, aspectsOf[on]...)
		}
	}
	if excluded != 0 {
		s.deciding = append(s.deciding, namingAspects...)
	}
	return s
}

// addExcluding adds the entities in the criteria by which the policy excludes resources.
func (p *Policy) addExcluding(entities map[string]bool) {
	if p.resources == nil {
		return
	}
	for _, c := range p.resources.criteria {
		if c.condition == notEquals && c.field >= domainOf {
			maps.Copy(entities, c.values)
		}
	}
}

// ExcludesBy implements catalog.Authorizer.
func (e *Engine) ExcludesBy(ctx context.Context, u urn.URN) (bool, error) {
	actor, ok := auth.ActorFrom(ctx)
	if !ok {
		return false, fault.New(fault.Unauthenticated, "the request has no actor: sign in or send an access token")
	}
	if actor.System {
		return false, nil
	}
	return actor.Scope != nil && len(actor.Scope.Resources) > 0 || e.snapshot.Load().excluding[string(u)], nil
}

// needs returns the fields of a resource that the policy refers to.
func (p *Policy) needs() need {
	var n need
	if p.resources != nil {
		for i := range p.resources.criteria {
			n |= needOf(p.resources.criteria[i].field)
		}
	}
	if p.actors.owners {
		n |= needOf(ownerOf)
	}
	return n
}

// with returns a snapshot in which some policies are replaced; nil removes a policy.
func (s *snapshot) with(changed map[urn.URN]*Policy) *snapshot {
	all := maps.Clone(s.all)
	for u, p := range changed {
		if p == nil {
			delete(all, u)
			continue
		}
		all[u] = p
	}
	return newSnapshot(all)
}

// sorted lists all policies by URN.
func (s *snapshot) sorted() []*Policy {
	return slices.SortedFunc(maps.Values(s.all), func(a, b *Policy) int { return cmp.Compare(a.URN, b.URN) })
}

// Load reads all policies. Call it before following the change log, since the Engine stores nothing
// itself.
func (e *Engine) Load(ctx context.Context) error {
	all := map[urn.URN]*Policy{}
	for after := urn.URN(""); ; {
		page, err := e.cfg.Rows.Scan(ctx, store.Scan{Type: policyEntity, After: after})
		if err != nil {
			return fmt.Errorf("load policies: %w", err)
		}
		if len(page) == 0 {
			break
		}
		after = page[len(page)-1]
		read, err := e.readPolicies(ctx, page)
		if err != nil {
			return fmt.Errorf("load policies: %w", err)
		}
		for u, p := range read {
			if p != nil {
				all[u] = p
			}
		}
	}
	e.snapshot.Store(newSnapshot(all))
	e.standings.Clear()
	e.parents.Clear()
	return nil
}

// readPolicies compiles stored policies, nil for absent ones.
func (e *Engine) readPolicies(ctx context.Context, urns []urn.URN) (map[urn.URN]*Policy, error) {
	keys := make([]model.Key, len(urns))
	for i, u := range urns {
		keys[i] = model.Key{URN: u, Aspect: policyInfo}
	}
	values, err := objects(ctx, e.cfg.Rows, keys...)
	if err != nil {
		return nil, err
	}
	read := make(map[urn.URN]*Policy, len(urns))
	for i, u := range urns {
		read[u] = nil
		if values[i] != nil {
			read[u] = Compile(u, values[i])
		}
	}
	return read, nil
}

// Name implements projection.Sink.
func (e *Engine) Name() string { return "policies" }

// Durable implements projection.Sink. It is false, since the state of the Engine ends with the
// process.
func (e *Engine) Durable() bool { return false }

// Apply implements projection.Sink. When it returns, decisions use the stored policies and
// memberships as of the entries.
func (e *Engine) Apply(ctx context.Context, entries []store.Entry) error {
	changed := map[urn.URN]bool{}
	for i := range entries {
		switch entries[i].Kind {
		case store.Touched, store.Document, store.DocumentsErased, store.Message:
			continue
		}
		e.forget(&entries[i], changed)
	}
	if len(changed) == 0 {
		return nil
	}
	read, err := e.readPolicies(ctx, slices.Sorted(maps.Keys(changed)))
	if err != nil {
		return fmt.Errorf("read changed policies: %w", err)
	}
	e.snapshot.Store(e.snapshot.Load().with(read))
	return nil
}

// forget drops cached values that an entry makes invalid, and collects the changed policies.
func (e *Engine) forget(entry *store.Entry, changed map[urn.URN]bool) {
	deleted := entry.Kind == store.EntityDeleted
	switch entityType := entry.URN.Type(); entityType {
	case policyEntity:
		changed[entry.URN] = true
	case account.EntityType:
		switch entry.Aspect {
		case account.IngestedGroups, account.NativeGroups, account.RolesAspect, account.StatusAspect, account.StateAspect, account.KeyAspect:
			e.standings.Forget(entry.URN)
		}
	case account.GroupType:
		// The creation or deletion of a group, or a change of its role, affects all its members.
		// This is rare, so the whole cache is dropped.
		if deleted || entry.Aspect == account.GroupKey || entry.Aspect == account.StatusAspect || entry.Aspect == account.RolesAspect {
			e.standings.Clear()
		}
	case account.RoleType:
		if deleted || entry.Aspect == account.RoleKey {
			e.standings.Clear()
		}
	default:
		if place, ok := model.ParentOf(entityType); ok && (deleted || entry.Aspect == place.Aspect) {
			e.parents.Forget(entry.URN)
		}
	}
}
