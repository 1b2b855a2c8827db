package metatest

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	language "github.com/cartulary/cartulary/metadata-service/internal/metatest"
	"github.com/cartulary/cartulary/metadata-service/internal/service/edit"
	"github.com/cartulary/cartulary/pkg/urn"
)

// actions returns the changes for the verdicts of an asset. Each change is idempotent. For a test
// with Undo it also reverts the actions of the opposite verdict if that was the previous verdict;
// the changes call before when they are applied.
func (s *Service) actions(ctx context.Context, d decision, before func(test urn.URN) language.Verdict) []edit.Change {
	var out []edit.Change
	for i, t := range d.tests {
		do := map[language.Verdict][]language.Action{language.Passing: t.test.Passing, language.Failing: t.test.Failing}
		verdict := d.verdicts[i]
		for _, was := range []language.Verdict{language.Passing, language.Failing} {
			if !t.test.Undo || was == verdict {
				continue
			}
			for _, a := range do[was] {
				if opposite, ok := a.Opposite(); ok && !contradicts(do[verdict], opposite) {
					out = append(out, when(func() bool { return before(t.urn) == was }, s.action(ctx, d.urn, t.urn, opposite, true))...)
				}
			}
		}
		for _, a := range do[verdict] {
			out = append(out, s.action(ctx, d.urn, t.urn, a, false)...)
		}
	}
	return out
}

// when makes changes conditional: each calls holds when it is applied, and does nothing if the
// result is false.
func when(holds func() bool, changes []edit.Change) []edit.Change {
	for i := range changes {
		apply := changes[i].Apply
		changes[i].Apply = func(value jsontree.Object) (jsontree.Object, error) {
			if !holds() {
				return nil, nil
			}
			return apply(value)
		}
	}
	return changes
}

// contradicts reports whether one of the actions is the inverse of opposite.
func contradicts(actions []language.Action, opposite language.Action) bool {
	return slices.ContainsFunc(actions, func(a language.Action) bool {
		back, ok := a.Opposite()
		return ok && back.Type == opposite.Type && slices.Equal(back.Entities, opposite.Entities)
	})
}

// action returns the changes of one action of a test on an asset. With onlyOwn, list actions remove
// only entries that the test added.
func (s *Service) action(ctx context.Context, asset, test urn.URN, a language.Action, onlyOwn bool) []edit.Change {
	one := func(apply func(jsontree.Object) (jsontree.Object, error)) []edit.Change {
		return []edit.Change{{URN: asset, Aspect: a.Aspect(), Existing: true, Apply: apply}}
	}
	list := func(l listAspect, add bool, extra jsontree.Object) []edit.Change {
		return one(func(value jsontree.Object) (jsontree.Object, error) {
			if add {
				return l.add(value, s.stamp(ctx), a.Entities, test, extra), nil
			}
			return l.remove(value, s.stamp(ctx), a.Entities, test, onlyOwn), nil
		})
	}
	switch a.Type {
	case language.AddTags:
		return list(tagList, true, nil)
	case language.RemoveTags:
		return list(tagList, false, nil)
	case language.AddTerms:
		return list(termList, true, nil)
	case language.RemoveTerms:
		return list(termList, false, nil)
	case language.AddOwners:
		extra := jsontree.Object{"type": "NONE"}
		if a.Role != "" {
			extra = jsontree.Object{"type": "CUSTOM", "typeUrn": string(a.Role)}
		}
		return list(ownerList, true, extra)
	case language.RemoveOwners:
		return list(ownerList, false, nil)
	case language.SetDomain, language.UnsetDomain:
		return one(func(value jsontree.Object) (jsontree.Object, error) { return domain(value, a), nil })
	case language.Deprecate, language.Undeprecate:
		return one(func(value jsontree.Object) (jsontree.Object, error) { return s.deprecation(ctx, value, a), nil })
	case language.SetProperty, language.UnsetProperty:
		return one(func(value jsontree.Object) (jsontree.Object, error) { return s.property(ctx, value, a, test) })
	case language.AssignForm, language.UnassignForm, language.SetPromptOpen:
		return one(func(value jsontree.Object) (jsontree.Object, error) { return s.form(ctx, value, a), nil })
	}
	return nil
}

func (s *Service) stamp(ctx context.Context) jsontree.Object {
	return jsontree.Object{"time": jsontree.Number(s.Edit.Now().UnixMilli()), "actor": string(actorOf(ctx))}
}

// listAspect describes an aspect that lists other entities.
type listAspect struct {
	list, member string
	stamp        string // member of the aspect with an audit stamp; empty for none
	attributed   bool   // entries carry an attribution: actor, time and source
}

var (
	tagList   = listAspect{"tags", "tag", "", true}
	termList  = listAspect{"terms", "urn", "auditStamp", true}
	ownerList = listAspect{"owners", "owner", "lastModified", true}
)

// add appends the entities that are missing from the list. It returns nil when all are present.
func (l listAspect) add(value, stamp jsontree.Object, urns []urn.URN, test urn.URN, extra jsontree.Object) jsontree.Object {
	entries := slices.Clone(jsontree.Array(value, l.list))
	before := len(entries)
	for _, u := range urns {
		if slices.ContainsFunc(entries, func(e any) bool { return jsontree.Text(jsontree.AsObject(e), l.member) == string(u) }) {
			continue
		}
		entry := jsontree.Object{l.member: string(u), "attribution": jsontree.Object{"time": stamp["time"], "actor": stamp["actor"], "source": string(test)}}
		for name, v := range extra {
			entry[name] = v
		}
		entries = append(entries, entry)
	}
	if len(entries) == before {
		return nil
	}
	return l.with(value, stamp, entries)
}

// remove deletes entities from the list. It returns nil when the list has none of them. With
// onlyOwn it deletes only entries whose attribution names the test.
func (l listAspect) remove(value, stamp jsontree.Object, urns []urn.URN, test urn.URN, onlyOwn bool) jsontree.Object {
	entries := jsontree.Array(value, l.list)
	kept := make([]any, 0, len(entries))
	for _, e := range entries {
		o := jsontree.AsObject(e)
		own := jsontree.Text(jsontree.Child(o, "attribution"), "source") == string(test)
		if !slices.Contains(urns, urn.URN(jsontree.Text(o, l.member))) || onlyOwn && !own {
			kept = append(kept, e)
		}
	}
	if len(kept) == len(entries) {
		return nil
	}
	return l.with(value, stamp, kept)
}

func (l listAspect) with(value, stamp jsontree.Object, entries []any) jsontree.Object {
	if value == nil {
		value = jsontree.Object{}
	}
	value[l.list] = entries
	if l.stamp != "" {
		value[l.stamp] = stamp
	}
	return value
}

// domain sets or removes the domain of an asset. It returns nil when nothing changes.
func domain(value jsontree.Object, a language.Action) jsontree.Object {
	wanted := []any{}
	for _, u := range a.Entities {
		wanted = append(wanted, string(u))
	}
	if a.Type == language.UnsetDomain {
		if len(a.Entities) > 0 && !jsontree.Equal(jsontree.Array(value, "domains"), wanted) {
			return nil // another domain was set meanwhile
		}
		wanted = []any{}
	}
	if jsontree.Equal(anyList(jsontree.Array(value, "domains")), wanted) {
		return nil
	}
	if value == nil {
		value = jsontree.Object{}
	}
	value["domains"] = wanted
	return value
}

func anyList(list []any) []any {
	if list == nil {
		return []any{}
	}
	return list
}

func (s *Service) deprecation(ctx context.Context, value jsontree.Object, a language.Action) jsontree.Object {
	if a.Type == language.Undeprecate {
		if !jsontree.Bool(value, "deprecated") {
			return nil
		}
		value["deprecated"] = false
		return value
	}
	note := ""
	if len(a.Texts) > 0 {
		note = a.Texts[0]
	}
	if jsontree.Bool(value, "deprecated") && jsontree.Text(value, "note") == note && jsontree.Text(value, "replacement") == string(a.Replacement) {
		return nil
	}
	next := jsontree.Object{"deprecated": true, "note": note, "actor": s.stamp(ctx)["actor"]}
	if a.Replacement != "" {
		next["replacement"] = string(a.Replacement)
	}
	return next
}

// property sets or removes a structured property of an asset. It returns nil when nothing changes.
func (s *Service) property(ctx context.Context, value jsontree.Object, a language.Action, test urn.URN) (jsontree.Object, error) {
	properties := slices.Clone(jsontree.Array(value, "properties"))
	at := slices.IndexFunc(properties, func(e any) bool {
		return jsontree.Text(jsontree.AsObject(e), "propertyUrn") == string(a.Entities[0])
	})
	if a.Type == language.UnsetProperty {
		if at < 0 {
			return nil, nil
		}
		return jsontree.With(value, jsontree.Object{"properties": slices.Delete(properties, at, at+1)}), nil
	}
	values, err := s.propertyValues(ctx, a)
	if err != nil {
		return nil, err
	}
	if at >= 0 && jsontree.Equal(anyList(jsontree.Array(jsontree.AsObject(properties[at]), "values")), values) {
		return nil, nil
	}
	stamp := s.stamp(ctx)
	entry := jsontree.Object{
		"propertyUrn": string(a.Entities[0]), "values": values, "created": stamp, "lastModified": stamp,
		"attribution": jsontree.Object{"time": stamp["time"], "actor": stamp["actor"], "source": string(test)},
	}
	if at >= 0 {
		properties[at] = entry
	} else {
		properties = append(properties, entry)
	}
	return jsontree.With(value, jsontree.Object{"properties": properties}), nil
}

// propertyValues converts the values of an action to the value type of the property: number or
// string.
func (s *Service) propertyValues(ctx context.Context, a language.Action) ([]any, error) {
	definition, err := s.Edit.Stored(ctx, a.Entities[0], "propertyDefinition")
	if err != nil {
		return nil, err
	}
	values := make([]any, len(a.Texts))
	for i, text := range a.Texts {
		values[i] = jsontree.Object{"string": text}
		if n, err := strconv.ParseFloat(text, 64); err == nil && strings.HasSuffix(jsontree.Text(definition, "valueType"), "number") {
			values[i] = jsontree.Object{"double": jsontree.Float(n)}
		}
	}
	return values, nil
}

// form assigns a form, removes it, or reopens one of its prompts. It returns nil when nothing
// changes.
func (s *Service) form(ctx context.Context, value jsontree.Object, a language.Action) jsontree.Object {
	if value == nil {
		if a.Type != language.AssignForm {
			return nil
		}
		value = jsontree.Object{"incompleteForms": []any{}, "completedForms": []any{}, "verifications": []any{}}
	}
	form := string(a.Entities[0])
	is := func(e any) bool { return jsontree.Text(jsontree.AsObject(e), "urn") == form }
	open, done := slices.Clone(jsontree.Array(value, "incompleteForms")), slices.Clone(jsontree.Array(value, "completedForms"))
	switch a.Type {
	case language.AssignForm:
		if slices.ContainsFunc(open, is) || slices.ContainsFunc(done, is) {
			return nil
		}
		open = append(open, jsontree.Object{"urn": form, "incompletePrompts": []any{}, "completedPrompts": []any{}})
	case language.UnassignForm:
		if !slices.ContainsFunc(open, is) && !slices.ContainsFunc(done, is) {
			return nil
		}
		open, done = slices.DeleteFunc(open, is), slices.DeleteFunc(done, is)
	case language.SetPromptOpen:
		return s.openPrompt(ctx, value, form, a.Texts[0])
	}
	value["incompleteForms"], value["completedForms"] = anyList(open), anyList(done)
	return value
}

// openPrompt marks a prompt of a form, and with it the form, as incomplete.
func (s *Service) openPrompt(ctx context.Context, value jsontree.Object, form, prompt string) jsontree.Object {
	isPrompt := func(e any) bool { return jsontree.Text(jsontree.AsObject(e), "id") == prompt }
	for _, member := range []string{"completedForms", "incompleteForms"} {
		list := slices.Clone(jsontree.Array(value, member))
		for i, e := range list {
			o := jsontree.AsObject(e)
			answered := jsontree.Array(o, "completedPrompts")
			if jsontree.Text(o, "urn") != form || !slices.ContainsFunc(answered, isPrompt) {
				continue
			}
			next := jsontree.With(o, jsontree.Object{
				"completedPrompts":  anyList(slices.DeleteFunc(slices.Clone(answered), isPrompt)),
				"incompletePrompts": append(slices.Clone(jsontree.Array(o, "incompletePrompts")), jsontree.Object{"id": prompt, "lastModified": s.stamp(ctx)}),
			})
			value[member] = slices.Delete(list, i, i+1)
			value["incompleteForms"] = append(slices.Clone(jsontree.Array(value, "incompleteForms")), next)
			return value
		}
	}
	return nil
}
