package policy

import (
	"context"
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Views restrict searches. A personal one is its owner's business: it tells what
// somebody works on. Everybody else needs MANAGE_GLOBAL_VIEWS to read it.
const (
	viewEntity   = "dataHubView"
	viewInfo     = "dataHubViewInfo"
	personalView = "PERSONAL"
	globalView   = "GLOBAL"
	typeField    = "_entityType" // of the search index
)

// Visible tells what the actor may see of a reading: entity types that it may
// read, and of views the global and the own ones. When it may read none of the
// types asked for, the error is the refusal of the first.
func (r Root) Visible(ctx context.Context, reading auth.Reading) (auth.Visibility, error) {
	actor, err := known(ctx)
	if err != nil || mayAll(actor) && actor.Scope == nil {
		return auth.Visibility{Types: reading.Types}, err
	}
	visible := auth.Visibility{
		Types: make([]string, 0, len(reading.Types)),
		Each:  func(ctx context.Context, urns []urn.URN) ([]bool, error) { return r.sees(ctx, actor, urns) },
	}
	var refused error
	for _, name := range reading.Types {
		d := decide(actor, auth.OfType(auth.OpRead, name))
		switch {
		case d.Allowed():
			visible.Types = append(visible.Types, name)
		case refused == nil:
			refused = d.Err()
		}
	}
	if len(visible.Types) == 0 && refused != nil {
		return auth.Visibility{}, refused
	}
	if !mayAll(actor) {
		visible.Filter = viewsOf(actor.URN, visible.Types)
	}
	return visible, nil
}

// viewsOf leaves personal views of others out of a search for some types; nil
// when there is nothing to leave out.
func viewsOf(actor urn.URN, types []string) search.Filter {
	if !slices.Contains(types, viewEntity) {
		return nil
	}
	isView := search.Criterion{Field: typeField, Values: []string{viewEntity}}
	filter := search.Filter{
		{isView, {Field: "type", Values: []string{globalView}}},
		{isView, {Field: "createdBy", Values: []string{string(actor)}}},
	}
	if len(types) > 1 {
		isView.Negated = true
		filter = append(filter, []search.Criterion{isView})
	}
	return filter
}

// sees tells which entities an actor may read. Views are read together.
func (r Root) sees(ctx context.Context, actor auth.Actor, urns []urn.URN) ([]bool, error) {
	out := make([]bool, len(urns))
	var views []urn.URN
	last, allowed := "", false
	for i, u := range urns {
		// Within a type all are alike, unless a scope tells entities apart.
		if t := u.Type(); t != last || actor.Scope != nil {
			last, allowed = t, decide(actor, auth.On(auth.OpRead, u, "")).Allowed()
		}
		if out[i] = allowed; allowed && last == viewEntity {
			views = append(views, u)
		}
	}
	if len(views) == 0 || mayAll(actor) {
		return out, nil
	}
	hidden, err := r.personalToOthers(ctx, actor.URN, views)
	for i, u := range urns {
		out[i] = out[i] && !hidden[u]
	}
	return out, err
}

// refusePersonalViews refuses reading what the personal views of others hold.
func (r Root) refusePersonalViews(ctx context.Context, actor urn.URN, checks []auth.Check, decisions []auth.Decision) error {
	var views []urn.URN
	for i, c := range checks {
		if c.Operation == auth.OpRead && decisions[i].Allowed() {
			views = append(views, viewsIn(c.Entities)...)
		}
	}
	if len(views) == 0 {
		return nil
	}
	hidden, err := r.personalToOthers(ctx, actor, views)
	if err != nil {
		return err
	}
	for i, c := range checks {
		if c.Operation != auth.OpRead {
			continue
		}
		for _, u := range viewsIn(c.Entities) {
			if hidden[u] {
				decisions[i] = auth.Refuse(actor, c, auth.Lacking(actor, auth.OpRead, []auth.Privilege{auth.ManageGlobalViews}, u,
					"%s is unauthorized to %s %s: it is the personal view of somebody else, which needs the privilege %s", actor, auth.OpRead, u, auth.ManageGlobalViews))
			}
		}
	}
	return nil
}

func viewsIn(urns []urn.URN) []urn.URN {
	var views []urn.URN
	for _, u := range urns {
		if u.Type() == viewEntity && u.Key() != "" {
			views = append(views, u)
		}
	}
	return views
}

// personalToOthers tells which views are personal ones of other actors.
func (r Root) personalToOthers(ctx context.Context, actor urn.URN, views []urn.URN) (map[urn.URN]bool, error) {
	hidden := make(map[urn.URN]bool, len(views))
	if r.Rows == nil {
		for _, u := range views {
			hidden[u] = true
		}
		return hidden, nil
	}
	keys := make([]model.Key, len(views))
	for i, u := range views {
		keys[i] = model.Key{URN: u, Aspect: viewInfo}
	}
	records, err := r.Rows.Get(ctx, keys...)
	if err != nil {
		return nil, err
	}
	for i, rec := range records {
		if rec == nil {
			continue
		}
		info, err := jsontree.DecodeObject(rec.Value)
		if err != nil {
			return nil, err
		}
		hidden[views[i]] = jsontree.Text(info, "type") == personalView && jsontree.Text(jsontree.Child(info, "created"), "actor") != string(actor)
	}
	return hidden, nil
}
