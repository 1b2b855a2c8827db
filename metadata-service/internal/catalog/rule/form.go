package rule

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/set"
	"github.com/cartulary/cartulary/pkg/urn"
)

// formRules say that prompts differ by id within their form, and who assigns and
// verifies forms. Answering and completing an assigned form takes no right over the asset but to
// view it, and neither does assigning one: an actor that view authorization hides the asset from
// does nothing with its forms.
func formRules() []Rule {
	return []Rule{
		{Name: "prompts of forms", Aspects: []string{"formInfo"}, Check: checkPromptIDs},
		{Name: "assignment of forms", Aspects: []string{"forms"}, Demands: demandAssignment, DemandedOf: ByRollback},
		{Name: "view of assets with forms", Aspects: []string{"forms"}, Demands: demandView, DemandedOf: ByRollback},
		{Name: "verification of forms", Aspects: []string{"forms"}, Demands: demandVerifier, DemandedOf: ByRollback},
		{Name: "rules that assign forms", Aspects: []string{"dynamicFormAssignment"}, Demands: demandAssignmentRule, DemandedOf: ByRollback},
	}
}

// demandAssignment asks for the right to manage forms when the forms of an asset become
// other ones.
func demandAssignment(_ Tx, c *Change) ([]Demand, error) {
	if len(differing(formsIn(c.Before), formsIn(c.After))) == 0 {
		return nil, nil
	}
	return []Demand{assignment(c)}, nil
}

func demandAssignmentRule(_ Tx, c *Change) ([]Demand, error) {
	if c.Before != nil && c.After != nil && jsontree.Equal(c.Before, c.After) {
		return nil, nil
	}
	return []Demand{assignment(c)}, nil
}

func assignment(c *Change) Demand {
	return Demand{
		Rights:   []Right{{Privileges: []string{"MANAGE_DOCUMENTATION_FORMS"}}},
		WaivedBy: []string{"MANAGE_TESTS"}, // actions of metadata tests assign forms to any asset
		Refusal:  Refusal{"Unauthorized to change form assignments on entity: ", c.URN},
	}
}

// demandView asks that the actor may view the asset whose forms change. A form lets those whom it
// names write structured properties, so an actor who assigns forms would otherwise write those of hidden
// assets. A form that no longer exists leaves all assets, and new questions of a form reach all assets that
// have it, whether or not the actor views them: neither lets anybody write more.
func demandView(tx Tx, c *Change) ([]Demand, error) {
	if c.WithEntity || tx.Created(c.URN) || c.Before != nil && c.After != nil && jsontree.Equal(c.Before, c.After) {
		return nil, nil
	}
	before, after := formsIn(c.Before), formsIn(c.After)
	changed := differing(before, after)
	view := Demand{
		Shown:    []urn.URN{c.URN},
		WaivedBy: []string{"MANAGE_TESTS"},
		Refusal:  Refusal{"Unauthorized to change forms on entity: ", c.URN},
	}
	if len(changed) == 0 {
		view.WaivedBy = append(view.WaivedBy, "MANAGE_DOCUMENTATION_FORMS")
		return []Demand{view}, nil
	}
	has := set.Of(after)
	for _, form := range changed {
		there, err := tx.Exists(form)
		if err != nil {
			return nil, err
		}
		if there || has.Has(form) {
			return []Demand{view}, nil
		}
	}
	return nil, nil
}

// formsIn are the forms that an asset has, complete or not.
func formsIn(value model.Object) []urn.URN {
	var forms []urn.URN
	for _, list := range []string{"incompleteForms", "completedForms"} {
		for _, f := range jsontree.Children(value, list) {
			forms = append(forms, urn.URN(jsontree.Text(f, "urn")))
		}
	}
	return forms
}

// demandVerifier refuses verifications in the name of somebody else. Operators import
// those of another catalog.
func demandVerifier(tx Tx, c *Change) ([]Demand, error) {
	who, _ := tx.Actor()
	var before set.Set[string]
	for _, v := range jsontree.Children(c.Before, "verifications") {
		before.Add(string(jsontree.Encode(v)))
	}
	for _, v := range jsontree.Children(c.After, "verifications") {
		isKept := before.Has(string(jsontree.Encode(v)))
		by := jsontree.Text(jsontree.Child(v, "lastModified"), "actor")
		if isKept || by == string(who) {
			continue
		}
		return []Demand{{
			Rights:  []Right{{Privileges: []string{"MANAGE_SYSTEM_OPERATIONS"}}},
			Refusal: Refusal{"Unauthorized to verify ", urn.URN(jsontree.Text(v, "form")), " on entity ", c.URN, " as ", urn.URN(by), ": /verifications/*/lastModified/actor must be ", who},
		}}, nil
	}
	return nil, nil
}

func checkPromptIDs(_ context.Context, p Proposed) error {
	seen := map[string]bool{}
	for _, prompt := range jsontree.Children(p.Value, "prompts") {
		id := jsontree.Text(prompt, "id")
		if seen[id] {
			return broken("formInfo", "/prompts/*/id", "must not be repeated, found %q twice", id)
		}
		seen[id] = true
	}
	return nil
}
