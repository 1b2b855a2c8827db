package rule

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/set"
	"github.com/cartulary/cartulary/pkg/urn"
)

// formRules require unique prompt ids within a form, and rights for assigning and verifying forms.
// Answering, completing and assigning forms requires no right over the asset except to view it: an
// actor from which view authorization hides the asset cannot change its forms.
func formRules() []Rule {
	return []Rule{
		{Name: "prompts of forms", Aspects: []string{"formInfo"}, Check: checkPromptIDs},
		{Name: "assignment of forms", Aspects: []string{"forms"}, Demands: demandAssignment, DemandedOf: ByRollback},
		{Name: "view of assets with forms", Aspects: []string{"forms"}, Demands: demandView, DemandedOf: ByRollback},
		{Name: "verification of forms", Aspects: []string{"forms"}, Demands: demandVerifier, DemandedOf: ByRollback},
		{Name: "rules that assign forms", Aspects: []string{"dynamicFormAssignment"}, Demands: demandAssignmentRule, DemandedOf: ByRollback},
	}
}

// demandAssignment requires the right to manage forms if a change adds or removes forms of an
// asset.
func demandAssignment(_ Tx, c *Change) ([]Demand, error) {
	if len(symmetricDifference(formsIn(c.Before), formsIn(c.After))) == 0 {
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
		OneOf:    []auth.Check{{AnyOf: []auth.Privilege{auth.ManageForms}}},
		WaivedBy: []auth.Privilege{auth.ManageTests}, // actions of metadata tests assign forms to any asset
		Refusal:  Refusal{"Unauthorized to change form assignments on entity: ", c.URN},
	}
}

// demandView requires that the actor may view the asset whose forms change. A form permits the
// users it names to write structured properties, so an actor that assigns forms could otherwise
// write those of hidden assets. Two changes are exempt because they permit no further writes: the
// removal of a deleted form from all assets, and new questions of a form on all assets that have
// it.
func demandView(tx Tx, c *Change) ([]Demand, error) {
	if c.WithEntity || tx.Created(c.URN) || c.Before != nil && c.After != nil && jsontree.Equal(c.Before, c.After) {
		return nil, nil
	}
	before, after := formsIn(c.Before), formsIn(c.After)
	changed := symmetricDifference(before, after)
	view := Demand{
		Shown:    []urn.URN{c.URN},
		WaivedBy: []auth.Privilege{auth.ManageTests},
		Refusal:  Refusal{"Unauthorized to change forms on entity: ", c.URN},
	}
	if len(changed) == 0 {
		view.WaivedBy = append(view.WaivedBy, auth.ManageForms)
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

// formsIn returns the forms of an asset, complete or not.
func formsIn(value model.Object) []urn.URN {
	var forms []urn.URN
	for _, list := range []string{"incompleteForms", "completedForms"} {
		for _, f := range jsontree.Children(value, list) {
			forms = append(forms, urn.URN(jsontree.Text(f, "urn")))
		}
	}
	return forms
}

// demandVerifier requires a privilege for verifications in the name of another user. Operators have
// it to import those of another catalog.
func demandVerifier(tx Tx, c *Change) ([]Demand, error) {
	actor, _ := tx.Actor()
	var before set.Set[string]
	for _, v := range jsontree.Children(c.Before, "verifications") {
		before.Add(string(jsontree.Encode(v)))
	}
	for _, v := range jsontree.Children(c.After, "verifications") {
		isKept := before.Has(string(jsontree.Encode(v)))
		by := jsontree.Text(jsontree.Child(v, "lastModified"), "actor")
		if isKept || by == string(actor) {
			continue
		}
		return []Demand{{
			OneOf:   []auth.Check{{AnyOf: []auth.Privilege{auth.ManageSystem}}},
			Refusal: Refusal{"Unauthorized to verify ", urn.URN(jsontree.Text(v, "form")), " on entity ", c.URN, " as ", urn.URN(by), ": /verifications/*/lastModified/actor must be ", actor},
		}}, nil
	}
	return nil, nil
}

func checkPromptIDs(_ context.Context, p Proposed) error {
	seen := map[string]bool{}
	for _, prompt := range jsontree.Children(p.Value, "prompts") {
		id := jsontree.Text(prompt, "id")
		if seen[id] {
			return violation("formInfo", "/prompts/*/id", "must not be repeated, found %q twice", id)
		}
		seen[id] = true
	}
	return nil
}
