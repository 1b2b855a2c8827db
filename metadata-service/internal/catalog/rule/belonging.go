package rule

import (
	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/urn"
)

// globalScope is the value of views, templates and modules that are visible to all users.
const globalScope = "GLOBAL"

// belongingRules index by its user the entities that belong to a user, and those that give rights
// to a user by naming it: a new user who signs up under the name would get them. See Belonging.
func belongingRules() []Rule {
	return []Rule{
		{
			Name: "forms of users", Aspects: []string{"formInfo"},
			Terms: func(_ urn.URN, form model.Object) []Term {
				return termsOf(belongsTo, jsontree.Texts(jsontree.Child(form, "actors"), "users"))
			},
		},
		personalRule("views of users", "dataHubViewInfo", auth.ManageGlobalViews, func(view model.Object) string { return jsontree.Text(view, "type") }),
		personalRule("home page templates of users", "dataHubPageTemplateProperties", auth.ManageHomePage, visibility),
		personalRule("home page modules of users", "dataHubPageModuleProperties", auth.ManageHomePage, visibility),
	}
}

// personalRule is the rule of an aspect whose personal values belong to their creators. Writing one
// in the name of another user requires the privilege that manages those of all users.
func personalRule(name, aspect string, manage auth.Privilege, scope func(model.Object) string) Rule {
	owner := func(value model.Object) string {
		if value == nil || scope(value) == globalScope {
			return ""
		}
		return jsontree.Text(jsontree.Child(value, "created"), "actor")
	}
	return Rule{
		Name: name, Aspects: []string{aspect}, DemandsOfRollbacks: true,
		Terms: func(_ urn.URN, value model.Object) []Term {
			if creator := owner(value); creator != "" {
				return []Term{belongsTo(creator)}
			}
			return nil
		},
		Demands: func(tx Tx, c *Change) ([]Demand, error) {
			actor, _ := tx.Actor()
			if of := owner(c.After); of == "" || of == string(actor) || of == owner(c.Before) {
				return nil, nil
			}
			return []Demand{{
				OneOf:   []auth.Check{{AnyOf: []auth.Privilege{manage}}},
				Refusal: Refusal{"Unauthorized to write " + c.Aspect.Name + " of ", c.URN, " in the name of another user: needs " + string(manage)},
			}}, nil
		},
	}
}

func belongsTo(user string) Term { return term("belongs to user", user) }

func visibility(page model.Object) string {
	return jsontree.Text(jsontree.Child(page, "visibility"), "scope")
}

// Belonging lists the terms of the entities that belong to a user, or give it rights by naming it:
// forms assigned to it, personal views and parts of pages, access tokens for it and by it, and
// pipelines and runs that it created, about which it may report. Policies, ownership and step
// states are found in other ways.
func Belonging(user urn.URN) []Term {
	terms := []Term{belongsTo(string(user)), TokensOf(user), TokensBy(user)}
	for i := range ownLimits {
		switch l := &ownLimits[i]; l.entityType {
		case "dataHubIngestionSource", "dataHubExecutionRequest":
			terms = append(terms, l.createdBy(user))
		}
	}
	return terms
}
