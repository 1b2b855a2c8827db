package access

import (
	"context"
	"fmt"
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/account"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/policy/privilege"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/discover"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/service/token"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Report compares the operations that users and tokens may do with those that every signed-in user
// could do before policies decided.
type Report struct {
	// Off is set while policies do not decide, so that nothing has changed.
	Off bool
	// Users is the number of examined users; Complete is false when there are more.
	Users    int
	Complete bool
	Losses   []Loss
	Tokens   []TokenLoss
	// Memberships are those that users gave themselves before policies decided.
	Memberships []Membership
}

// Loss is an operation that some users may no longer do, with the privileges that permit it.
type Loss struct {
	What       string
	Privileges []auth.Privilege
	Types      []string // entity types that one of the users cannot write; none for the platform
	Users      int
	Examples   []urn.URN // at most 5
}

// TokenLoss is an actor of access tokens that can no longer write all types that describe data.
type TokenLoss struct {
	Actor  urn.URN
	Tokens []string // names
	Types  []string // entity types
}

// Membership is a role or group of a user or group, or an administrator of a group.
type Membership struct {
	Holder urn.URN
	What   string // the aspect
	Of     []urn.URN
	By     urn.URN // the actor that wrote it
}

// Empty reports whether there are no entries.
func (r *Report) Empty() bool {
	return len(r.Losses) == 0 && len(r.Tokens) == 0 && len(r.Memberships) == 0
}

// maxExamples is the maximum number of users named for each loss.
const maxExamples = 5

// formerOperation is an operation that every user could do before policies decided: writing types
// that describe data, and some operations of users.
type formerOperation struct {
	description string
	privileges  []auth.Privilege
	checks      []auth.Check
}

func (s *Service) formerOperations() []formerOperation {
	write := formerOperation{description: "ingest, create and change metadata of data assets", privileges: []auth.Privilege{auth.CreateEntity, auth.EditEntity}}
	for _, entity := range s.edit.Registry.Entities() {
		if privilege.Needed(auth.OpUpdate, urn.URN(urn.TypePrefix(entity.Name)), "")[0] == auth.EditEntity {
			write.checks = append(write.checks, auth.OfType(auth.OpUpdate, entity.Name))
		}
	}
	all := []formerOperation{write}
	for _, p := range []struct {
		privilege auth.Privilege
		what      string
	}{
		{auth.GenerateTokens, "make access tokens for themselves"},
		{auth.CreateTags, "create tags"},
		{auth.CreateDomains, "create domains"},
		{auth.ManageGlossaries, "create and change terms and nodes of the glossary"},
		{auth.CreateBusinessAttribute, "create business attributes"},
		{auth.ViewManageTags, "see the page that lists all tags"},
		{auth.ViewProperties, "see the page that lists structured properties"},
		{auth.ViewTests, "see metadata tests"},
		{auth.ViewAnalytics, "see how the catalog is used"},
	} {
		all = append(all, formerOperation{description: p.what, privileges: []auth.Privilege{p.privilege}, checks: []auth.Check{auth.ForPlatform(includedIn(p.privilege)...)}})
	}
	return all
}

// includedIn returns privileges each of which permits the operation of p: the privilege to manage
// tags, for example, includes their creation.
func includedIn(p auth.Privilege) []auth.Privilege {
	switch p {
	case auth.CreateTags, auth.ViewManageTags:
		return []auth.Privilege{p, auth.ManageTags}
	case auth.CreateDomains:
		return []auth.Privilege{p, auth.ManageDomains}
	case auth.CreateBusinessAttribute:
		return []auth.Privilege{p, auth.ManageBusinessAttribute}
	case auth.ViewProperties:
		return []auth.Privilege{p, auth.ManageProperties}
	case auth.ViewTests:
		return []auth.Privilege{p, auth.ManageTests}
	case auth.GenerateTokens:
		return []auth.Privilege{p, auth.ManageTokens}
	}
	return []auth.Privilege{p}
}

// Report returns the operations that users and tokens may no longer do. It requires the privilege
// to manage policies. It decides for each user, which takes some milliseconds per user.
func (s *Service) Report(ctx context.Context) (Report, error) { return s.report(ctx, maxPeople) }

// report is Report for about most users.
func (s *Service) report(ctx context.Context, most int) (Report, error) {
	if _, err := s.edit.Decide(ctx, auth.ManageType(policyEntity)); err != nil {
		return Report{}, err
	}
	if !s.engine.Enabled() {
		return Report{Off: true, Complete: true}, nil
	}
	before, err := s.decidingSince(ctx)
	if err != nil {
		return Report{}, err
	}
	r := &reporter{Service: s, operations: s.formerOperations(), decidingSince: before, Report: Report{Complete: true}}
	r.losses = make([]Loss, len(r.operations))
	if err := s.eachUser(ctx, func(users []urn.URN) error { return r.users(ctx, users) }, most, &r.Complete); err != nil {
		return Report{}, err
	}
	for i, f := range r.operations {
		if loss := r.losses[i]; loss.Users > 0 {
			loss.What, loss.Privileges = f.description, f.privileges
			slices.Sort(loss.Types)
			r.Losses = append(r.Losses, loss)
		}
	}
	if err := r.groups(ctx); err != nil {
		return Report{}, err
	}
	return r.Report, r.tokens(ctx)
}

// reporter builds a Report.
type reporter struct {
	*Service
	Report
	operations []formerOperation
	losses     []Loss // one for each of operations
	// decidingSince is the time at which policies began to decide, in epoch milliseconds; 0 if not
	// recorded.
	decidingSince int64
}

// actingAs returns a context in which user is the actor, for decisions about it.
func actingAs(ctx context.Context, user urn.URN) context.Context {
	return auth.WithDecisionCache(auth.WithActor(ctx, auth.Actor{URN: user}))
}

func (r *reporter) users(ctx context.Context, users []urn.URN) error {
	entities, err := r.edit.Catalog.Entities(ctx, users, catalog.EntityQuery{
		Aspects: []string{account.StateAspect, "roleMembership", "groupMembership", "nativeGroupMembership"}, Visible: true,
	})
	if err != nil {
		return err
	}
	for _, e := range entities {
		if state, err := decodeAspect(e, account.StateAspect); err != nil || jsontree.Text(state, "status") == account.Suspended {
			continue
		}
		r.Users++
		if err := r.user(ctx, e.URN); err != nil {
			return err
		}
		for aspect, member := range map[string]string{"roleMembership": "roles", "groupMembership": "groups", "nativeGroupMembership": "nativeGroups"} {
			if err := r.membership(e, aspect, member); err != nil {
				return err
			}
		}
	}
	return nil
}

// user adds the operations that a user may no longer do.
func (r *reporter) user(ctx context.Context, user urn.URN) error {
	for i, f := range r.operations {
		refused, err := r.refused(ctx, user, f)
		if err != nil {
			return err
		}
		if len(refused) == 0 {
			continue
		}
		loss := &r.losses[i]
		if loss.Users++; len(loss.Examples) < maxExamples {
			loss.Examples = append(loss.Examples, user)
		}
		for _, c := range refused {
			if c.Type != "" && !slices.Contains(loss.Types, c.Type) {
				loss.Types = append(loss.Types, c.Type)
			}
		}
	}
	return nil
}

// refused returns the checks of a former operation that a user does not pass.
func (r *reporter) refused(ctx context.Context, user urn.URN, f formerOperation) ([]auth.Check, error) {
	decisions, err := r.engine.Decide(actingAs(ctx, user), f.checks)
	if err != nil {
		return nil, err
	}
	var refused []auth.Check
	for _, d := range decisions {
		if !d.Allowed() {
			refused = append(refused, d.Check())
		}
	}
	return refused, nil
}

// membership adds a membership that an entity wrote for itself before policies decided. It ignores
// later ones, which an invitation may have granted.
func (r *reporter) membership(e catalog.Entity, aspect, member string) error {
	found, ok := e.Find(aspect)
	if !ok || r.decidingSince > 0 && found.CreatedOn > r.decidingSince {
		return nil
	}
	value, err := decodeAspect(e, aspect)
	if err != nil {
		return err
	}
	of := jsontree.Texts(value, member)
	if len(of) == 0 || found.CreatedBy != e.URN && !(member == "admins" && slices.Contains(of, string(found.CreatedBy))) {
		return nil
	}
	m := Membership{Holder: e.URN, What: aspect, By: found.CreatedBy}
	for _, text := range of {
		m.Of = append(m.Of, urn.URN(text))
	}
	r.Memberships = append(r.Memberships, m)
	return nil
}

// groups adds administrators of groups that added themselves.
func (r *reporter) groups(ctx context.Context) error {
	for after := urn.URN(""); ; {
		page, err := r.edit.Discover.List(ctx, discover.ListQuery{Types: []string{"corpGroup"}, After: after, Limit: peoplePage})
		if err != nil || len(page.URNs) == 0 {
			return err
		}
		entities, err := r.edit.Catalog.Entities(ctx, page.URNs, catalog.EntityQuery{Aspects: []string{"corpGroupInfo"}, Visible: true})
		if err != nil {
			return err
		}
		for _, e := range entities {
			if err := r.membership(e, "corpGroupInfo", "admins"); err != nil {
				return err
			}
		}
		after = page.URNs[len(page.URNs)-1]
	}
}

// tokens adds the actors of access tokens that can no longer write all types.
func (r *reporter) tokens(ctx context.Context) error {
	infos, err := r.Service.tokens.All(ctx, token.Query{})
	if err != nil {
		return err
	}
	names := map[urn.URN][]string{}
	var actors []urn.URN
	for _, info := range infos {
		if names[info.Actor] == nil {
			actors = append(actors, info.Actor)
		}
		names[info.Actor] = append(names[info.Actor], info.Name)
	}
	slices.Sort(actors)
	for _, actor := range actors {
		refused, err := r.refused(ctx, actor, r.operations[0])
		if err != nil {
			return err
		}
		if len(refused) == 0 {
			continue
		}
		loss := TokenLoss{Actor: actor, Tokens: names[actor]}
		for _, c := range refused {
			loss.Types = append(loss.Types, c.Type)
		}
		slices.Sort(loss.Types)
		r.Report.Tokens = append(r.Report.Tokens, loss)
	}
	return nil
}

func decodeAspect(e catalog.Entity, aspect string) (jsontree.Object, error) {
	found, ok := e.Find(aspect)
	if !ok {
		return nil, nil
	}
	value, err := jsontree.DecodeObject(found.Value)
	if err != nil {
		return nil, fmt.Errorf("decode %s of %s: %w", aspect, e.URN, err)
	}
	return value, nil
}
