package rule

import (
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/urn"
)

// globalScope is the value of views, templates and modules that are for everybody.
const globalScope = "GLOBAL"

// belongingRules make findable by its user what gives rights to a user that it names, and what
// belongs to one: a newcomer who signs up under the name would have it. See Belonging.
func belongingRules() []Rule {
	return []Rule{
		{
			Name: "forms of users", Aspects: []string{"formInfo"},
			Terms: func(_ urn.URN, form model.Object) []Term {
				return termsOf(belongsTo, jsontree.Texts(jsontree.Child(form, "actors"), "users"))
			},
		},
		{Name: "views of users", Aspects: []string{"dataHubViewInfo"}, Terms: creatorOf(func(view model.Object) string { return jsontree.Text(view, "type") })},
		{Name: "home page templates of users", Aspects: []string{"dataHubPageTemplateProperties"}, Terms: creatorOf(visibility)},
		{Name: "home page modules of users", Aspects: []string{"dataHubPageModuleProperties"}, Terms: creatorOf(visibility)},
	}
}

func belongsTo(user string) Term { return term("belongs to user", user) }

func visibility(page model.Object) string {
	return jsontree.Text(jsontree.Child(page, "visibility"), "scope")
}

// creatorOf makes the term of a personal value, which belongs to its creator.
func creatorOf(scope func(model.Object) string) func(urn.URN, model.Object) []Term {
	return func(_ urn.URN, value model.Object) []Term {
		creator := jsontree.Text(jsontree.Child(value, "created"), "actor")
		if creator == "" || scope(value) == globalScope {
			return nil
		}
		return []Term{belongsTo(creator)}
	}
}

// Belonging lists the terms of what belongs to a user, or gives it rights by naming it: forms that ask it,
// personal views and parts of pages, access tokens for it and by it, and pipelines and
// runs that it created, whose reports are its own. Policies, ownership and step states are found in other ways.
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
