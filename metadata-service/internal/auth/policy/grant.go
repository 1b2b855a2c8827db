package policy

import (
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/account"
	"github.com/cartulary/cartulary/pkg/urn"
)

// permits reports whether the scope of the token permits a privilege that the actor holds.
func (q *question) permits(p auth.Privilege, c *auth.Check, r *resource) bool {
	if q.scope == nil || q.scope.Permits(p, c.Operation, q.factsOf(r)) {
		return true
	}
	if q.outOfScope == "" {
		q.outOfScope = p
	}
	return false
}

// factsOf returns the facts of a resource in the form that scopes use. Facts that cannot be read
// are unknown.
func (q *question) factsOf(r *resource) auth.ResourceFacts {
	if r.absent() {
		return nil
	}
	return func(name auth.ResourceField) ([]string, bool) {
		on := fields[string(name)]
		if !r.knowsField(on) {
			return nil, false
		}
		values, err := q.facts.get(q.ctx, r, on)
		if err != nil || !r.storedOnly || r.urn == "" || on < domainOf && !(on == urnOf && mayNameStored(r.urn) && q.scope.ExcludesURNs()) {
			return values, err == nil
		}
		there, err := q.stored(r)
		return values, there && err == nil
	}
}

// selfPrivileges lists the privileges that every user has over the entity of its own account.
var selfPrivileges = []auth.Privilege{auth.ViewPage, auth.GetEntity, auth.EditEntity, auth.DeleteEntity}

// isSelfPrivilege reports whether every user holds a privilege over its own account in a check for
// which one of the needed privileges suffices. An account is no asset: EDIT_ENTITY over it does not
// count in place of a privilege for a part of an asset, such as its tags, incidents or data product.
func isSelfPrivilege(p auth.Privilege, needed []auth.Privilege) bool {
	if !slices.Contains(selfPrivileges, p) {
		return false
	}
	return p != auth.EditEntity || !slices.ContainsFunc(needed, func(other auth.Privilege) bool { return assetParts[other] })
}

// assetParts are the privileges for a part of an asset.
var assetParts = func() map[auth.Privilege]bool {
	of := map[auth.Privilege]bool{}
	for _, r := range auth.Rights() {
		isWhole := r.Privilege == auth.CreateEntity || r.Privilege == auth.ExistsEntity || slices.Contains(selfPrivileges, r.Privilege)
		of[r.Privilege] = r.Level == auth.AnyAsset && !isWhole || r.Level == auth.OneAsset && !slices.Contains(r.Types, account.EntityType)
	}
	return of
}()

// grantedOnce is granted with a cache for the call: pages ask for many privileges over an entity,
// and each of these checks includes EDIT_ENTITY.
func (q *question) grantedOnce(p auth.Privilege, c *auth.Check, r *resource) (bool, error) {
	if q.of(p) == noGrants {
		return false, nil
	}
	named := q.mustName(p, c, r.entityType, r.urn)
	if q.once || len(c.Tags)+len(r.domains)+len(r.names) > 0 || r.after || r.deletedFirst || r.wholeDeletedFirst || r.within != "" {
		return q.granted(p, c, r, named)
	}
	key := grantKey{p, r.entityType, r.urn, r.isPart, r.storedOnly, r.isRead, named, q.asSubject}
	if ok, known := q.answers[key]; known {
		return ok, nil
	}
	ok, err := q.granted(p, c, r, named)
	if err != nil {
		return false, err
	}
	if q.answers == nil {
		q.answers = map[grantKey]bool{}
	}
	q.answers[key] = ok
	return ok, nil
}

// grantKey identifies a privilege over an entity, over a type or without a resource.
type grantKey struct {
	privilege  auth.Privilege
	entityType string
	urn        urn.URN
	isPart     bool
	storedOnly bool
	isRead     bool
	named      bool
	asSubject  bool
}

// granted reports whether one of the policies with a privilege grants it. With named only policies
// count that name the resource or its type.
func (q *question) granted(privilege auth.Privilege, c *auth.Check, r *resource, named bool) (bool, error) {
	g := q.of(privilege)
	for _, part := range g.scopedBy.over(r.urn) {
		for _, p := range part {
			if named && !p.namesResource(r.entityType) {
				continue
			}
			if why, err := q.applies(p, c, r); why == "" || err != nil {
				return err == nil, err
			}
		}
	}
	for _, part := range g.ownedBy.over(r.urn) {
		for _, p := range part {
			// Owners may add further owners to their entities.
			if named && privilege != auth.EditOwners && !p.namesResource(r.entityType) {
				continue
			}
			owned, err := q.ownedBy(p, r)
			if err != nil {
				return false, err
			}
			if !owned {
				continue
			}
			if why, err := q.applies(p, c, r); why == "" || err != nil {
				return err == nil, err
			}
		}
	}
	return false, nil
}

// ownedBy reports whether the actor owns a resource with a type of ownership that the policy
// accepts.
func (q *question) ownedBy(p *Policy, r *resource) (bool, error) {
	if r.urn == "" || r.deletedFirst {
		return false, nil
	}
	if _, err := q.facts.get(q.ctx, r, ownerOf); err != nil {
		return false, err
	}
	return p.actors.owns(q.subject, q.facts.of(r.urn).owners), nil
}

// applies returns the reason why a policy for the actor does not grant its privileges in a check.
// It is empty if the policy grants them.
func (q *question) applies(p *Policy, c *auth.Check, r *resource) (Reason, error) {
	if !p.platform && p.resources != nil {
		if r.absent() {
			return ResourceDiffers, nil
		}
		ok, err := q.meets(p.resources, r)
		if !ok || err != nil {
			return ResourceDiffers, err
		}
	}
	if p.constraints == nil {
		return "", nil
	}
	for _, tag := range c.Tags {
		ok, err := q.meets(p.constraints, &resource{urn: tag, entityType: tag.Type()})
		if !ok || err != nil {
			return AttachmentRefused, err
		}
	}
	return "", nil
}

// meets reports whether a resource meets all criteria of a filter.
func (q *question) meets(f *filter, r *resource) (bool, error) {
	for i := range f.criteria {
		c := &f.criteria[i]
		if r.within != "" && !r.knowsField(c.field) {
			return false, nil
		}
		if _, ok, err := q.holds(c, r); !ok || err != nil {
			return false, err
		}
	}
	return true, nil
}

// holds reports whether a resource meets a criterion, and returns the values of the resource in the
// field.
func (q *question) holds(c *criterion, r *resource) (found []string, met bool, err error) {
	if found, err = q.facts.get(q.ctx, r, c.field); err != nil || !c.holds(found) {
		return found, false, err
	}
	if c.condition != notEquals || r.urn == "" {
		return found, true, nil
	}
	if c.excludes() {
		if r.isRead && r.entityType == columnEntity {
			return found, false, nil
		}
		if met, err = q.holdsForNamed(c, r); !met || err != nil {
			return found, false, err
		}
	}
	if !r.storedOnly || c.field < domainOf && !(c.excludes() && mayNameStored(r.urn)) {
		return found, true, nil
	}
	met, err = q.stored(r)
	return found, met, err
}
