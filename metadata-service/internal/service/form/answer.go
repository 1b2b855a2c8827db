package form

import (
	"context"
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/account"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/service/edit"
	"github.com/cartulary/cartulary/metadata-service/internal/service/property"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Answer is an answer to a question of a form. Column is the path of the column for questions of
// kind AskColumn, and otherwise empty.
type Answer struct {
	Form       string
	Prompt     string // id
	Kind       string
	Column     string
	Assignment property.Assignment
}

// Submit answers a question about an asset that has the form. The actor must be assigned to the
// form and may view the asset. If no required question is open afterwards, the form is complete.
func (s *Service) Submit(ctx context.Context, asset urn.URN, a Answer) error {
	form, value, err := s.assignedForm(ctx, a.Form, asset)
	if err != nil {
		return err
	}
	if err := checkAnswer(value, a); err != nil {
		return err
	}
	subject, columns := asset, []string(nil)
	if a.Kind == AskColumn {
		if err := edit.CheckColumn(ctx, s.edit, asset, a.Column); err != nil {
			return err
		}
		if subject, err = s.edit.Parse("fieldPath", string(model.ColumnURN(asset, a.Column)), model.ColumnType); err != nil {
			return err
		}
		if columns, err = s.columns(ctx, asset); err != nil {
			return err
		}
	}
	answer, err := s.properties.Assigning(ctx, subject, []property.Assignment{a.Assignment})
	if err != nil {
		return err
	}
	decided, err := s.edit.RequireOwn(ctx, asset, subject)
	if err != nil {
		return err
	}
	_, err = s.edit.Apply(ctx, decided, answer, edit.Change{URN: asset, Aspect: aspect, Apply: func(state jsontree.Object) (jsontree.Object, error) {
		return s.withAnswer(ctx, state, form, value, a, columns)
	}})
	return err
}

// checkAnswer returns an error if an answer does not match a question of the form.
func checkAnswer(form jsontree.Object, a Answer) error {
	i := slices.IndexFunc(jsontree.Array(form, "prompts"), func(p any) bool { return jsontree.Text(jsontree.AsObject(p), "id") == a.Prompt })
	if i < 0 {
		return fault.New(fault.Malformed, "promptId: the form has no question %.100q", a.Prompt)
	}
	prompt, _ := jsontree.Array(form, "prompts")[i].(jsontree.Object)
	switch {
	case jsontree.Text(prompt, "type") != a.Kind:
		return fault.New(fault.Malformed, "type: question %s is of type %s", a.Prompt, jsontree.Text(prompt, "type"))
	case jsontree.Text(jsontree.Child(prompt, "structuredPropertyParams"), "urn") != a.Assignment.Property:
		return fault.New(fault.Malformed, "structuredPropertyParams: question %s is about %s", a.Prompt, jsontree.Text(jsontree.Child(prompt, "structuredPropertyParams"), "urn"))
	case (a.Kind == AskColumn) != (a.Column != ""):
		return fault.New(fault.Malformed, "fieldPath: goes with questions of type %s, which need it", AskColumn)
	}
	return nil
}

func (s *Service) columns(ctx context.Context, asset urn.URN) ([]string, error) {
	schema, err := s.edit.Stored(ctx, asset, "schemaMetadata")
	if err != nil {
		return nil, err
	}
	var out []string
	for _, f := range jsontree.Array(schema, "fields") {
		out = append(out, jsontree.Text(jsontree.AsObject(f), "fieldPath"))
	}
	return out, nil
}

// withAnswer returns the state of the forms of an asset after an answer.
func (s *Service) withAnswer(ctx context.Context, state jsontree.Object, form urn.URN, info jsontree.Object, a Answer, columns []string) (jsontree.Object, error) {
	own := find(state, form)
	if own == nil {
		return nil, fault.New(fault.Malformed, "formUrn: the asset does not have %s", form)
	}
	stamp := s.edit.Stamp(ctx)
	entry := removePromptState(own, a.Prompt)
	entry["lastModified"] = stamp
	done := true
	if a.Kind == AskColumn {
		done = answerColumn(entry, a.Column, columns, stamp)
	}
	member := "completedPrompts"
	if !done {
		member = "incompletePrompts"
	}
	own[member] = append(jsontree.Array(own, member), entry)
	if hasOpenPrompt(own, info) {
		return state, nil
	}
	state["incompleteForms"] = slices.DeleteFunc(slices.Clone(jsontree.Array(state, "incompleteForms")), func(e any) bool { return jsontree.Text(jsontree.AsObject(e), "urn") == string(form) })
	if !slices.ContainsFunc(jsontree.Array(state, "completedForms"), func(e any) bool { return jsontree.Text(jsontree.AsObject(e), "urn") == string(form) }) {
		state["completedForms"] = append(jsontree.Array(state, "completedForms"), own)
	}
	return state, nil
}

// removePromptState removes the state of a question from the state of its form, and returns it.
func removePromptState(own jsontree.Object, prompt string) jsontree.Object {
	entry := jsontree.Object{"id": prompt}
	for _, member := range []string{"incompletePrompts", "completedPrompts"} {
		kept := []any{}
		for _, e := range jsontree.Array(own, member) {
			o, ok := e.(jsontree.Object)
			if ok && jsontree.Text(o, "id") == prompt {
				entry = o
				continue
			}
			kept = append(kept, e)
		}
		own[member] = kept
	}
	return entry
}

// answerColumn records the answer for one column and reports whether all columns have one.
func answerColumn(entry jsontree.Object, column string, columns []string, stamp jsontree.Object) bool {
	fields, _ := entry["fieldAssociations"].(jsontree.Object)
	if fields == nil {
		fields = jsontree.Object{}
	}
	is := func(e any) bool { return jsontree.Text(jsontree.AsObject(e), "fieldPath") == column }
	answered := append(slices.DeleteFunc(slices.Clone(jsontree.Array(fields, "completedFieldPrompts")), is), jsontree.Object{"fieldPath": column, "lastModified": stamp})
	fields["completedFieldPrompts"] = answered
	fields["incompleteFieldPrompts"] = slices.DeleteFunc(append([]any{}, jsontree.Array(fields, "incompleteFieldPrompts")...), is)
	entry["fieldAssociations"] = fields
	return !slices.ContainsFunc(columns, func(c string) bool {
		return !slices.ContainsFunc(answered, func(e any) bool { return jsontree.Text(jsontree.AsObject(e), "fieldPath") == c })
	})
}

// hasOpenPrompt reports whether a required question of a form has no answer. This includes
// questions that a direct write of formInfo added, which the asset does not list.
func hasOpenPrompt(own, info jsontree.Object) bool {
	return slices.ContainsFunc(jsontree.Children(info, "prompts"), func(p jsontree.Object) bool {
		return jsontree.Bool(p, "required") && !hasEntry(own, "completedPrompts", "id", jsontree.Text(p, "id"))
	})
}

// Verify confirms the answers to a form of kind Verification. The actor must be assigned to the
// form and may view the asset, and no required question may be open.
func (s *Service) Verify(ctx context.Context, formText string, asset urn.URN) error {
	form, value, err := s.assignedForm(ctx, formText, asset)
	if err != nil {
		return err
	}
	if jsontree.Text(value, "type") != Verification {
		return fault.New(fault.Malformed, "formUrn: %s is not a form to verify", form)
	}
	decided, err := s.edit.RequireOwn(ctx, asset)
	if err != nil {
		return err
	}
	_, err = s.edit.Apply(ctx, decided, edit.Change{URN: asset, Aspect: aspect, Apply: func(state jsontree.Object) (jsontree.Object, error) {
		own := find(state, form)
		switch {
		case own == nil:
			return nil, fault.New(fault.Malformed, "formUrn: the asset does not have %s", form)
		case hasOpenPrompt(own, value):
			return nil, fault.New(fault.Malformed, "formUrn: %s has required questions without an answer", form)
		}
		kept := slices.DeleteFunc(append([]any{}, jsontree.Array(state, "verifications")...), func(e any) bool { return jsontree.Text(jsontree.AsObject(e), "form") == string(form) })
		state["verifications"] = append(kept, jsontree.Object{"form": string(form), "lastModified": s.edit.Stamp(ctx)})
		state["incompleteForms"] = slices.DeleteFunc(append([]any{}, jsontree.Array(state, "incompleteForms")...), func(e any) bool { return jsontree.Text(jsontree.AsObject(e), "urn") == string(form) })
		if !slices.ContainsFunc(jsontree.Array(state, "completedForms"), func(e any) bool { return jsontree.Text(jsontree.AsObject(e), "urn") == string(form) }) {
			state["completedForms"] = append(jsontree.Array(state, "completedForms"), own)
		}
		return state, nil
	}})
	return err
}

// assignedForm returns a form that the actor is assigned to for an asset; for other actors the
// error is fault.Forbidden. An asset that view authorization hides counts as absent; this check
// precedes decisions by its owners.
func (s *Service) assignedForm(ctx context.Context, formText string, asset urn.URN) (urn.URN, jsontree.Object, error) {
	form, err := s.edit.Parse("formUrn", formText, EntityType)
	if err != nil {
		return "", nil, err
	}
	if err := s.edit.MustBeShown(ctx, "asset", asset); err != nil {
		return "", nil, err
	}
	value, err := s.edit.Stored(ctx, form, info)
	if err != nil {
		return "", nil, err
	}
	if value == nil {
		return "", nil, fault.New(fault.Malformed, "%s does not exist: %s", noun, form)
	}
	mine, err := s.isAssigned(ctx, value, asset)
	switch {
	case err != nil:
		return "", nil, err
	case mine:
		return form, value, nil
	}
	if err := s.edit.MustBeShown(ctx, noun, form); err != nil {
		return "", nil, err
	}
	return "", nil, fault.New(fault.Forbidden, "%s is for others to fill in", form)
}

func (s *Service) isAssigned(ctx context.Context, form jsontree.Object, asset urn.URN) (bool, error) {
	who, _ := auth.ActorFrom(ctx)
	me, err := s.identities(ctx, who.URN)
	if err != nil {
		return false, err
	}
	actors, _ := form["actors"].(jsontree.Object)
	for _, u := range append(slices.Clone(jsontree.Array(actors, "users")), jsontree.Array(actors, "groups")...) {
		if slices.Contains(me, u) {
			return true, nil
		}
	}
	owners, _ := actors["owners"].(bool)
	types := jsontree.Array(actors, "ownershipTypes")
	if !owners && len(types) == 0 {
		return false, nil
	}
	ownership, err := s.edit.Stored(ctx, asset, "ownership")
	if err != nil {
		return false, err
	}
	return slices.ContainsFunc(jsontree.Children(ownership, "owners"), func(o jsontree.Object) bool {
		return slices.Contains(me, any(jsontree.Text(o, "owner"))) && (len(types) == 0 || slices.Contains(types, any(string(model.OwnershipType(o)))))
	}), nil
}

// identities returns the URNs of a user and of its groups.
func (s *Service) identities(ctx context.Context, u urn.URN) ([]any, error) {
	out := []any{string(u)}
	groups, err := account.Groups(ctx, s.edit.Catalog.Store, u)
	for _, group := range groups {
		out = append(out, string(group))
	}
	return out, err
}
