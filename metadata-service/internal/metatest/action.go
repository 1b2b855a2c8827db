package metatest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/webhook"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// ActionType is the type of an action on an asset. Every action is idempotent: applied again it
// changes nothing.
type ActionType string

// The types of actions.
const (
	AddTags           ActionType = "ADD_TAGS"
	RemoveTags        ActionType = "REMOVE_TAGS"
	AddTerms          ActionType = "ADD_TERMS"
	RemoveTerms       ActionType = "REMOVE_TERMS"
	AddOwners         ActionType = "ADD_OWNERS"
	RemoveOwners      ActionType = "REMOVE_OWNERS"
	SetDomain         ActionType = "SET_DOMAIN"
	UnsetDomain       ActionType = "UNSET_DOMAIN"
	Deprecate         ActionType = "SET_DEPRECATION"
	Undeprecate       ActionType = "UNSET_DEPRECATION"
	SetProperty       ActionType = "SET_STRUCTURED_PROPERTY"
	UnsetProperty     ActionType = "UNSET_STRUCTURED_PROPERTY"
	AssignForm        ActionType = "ASSIGN_FORM"
	UnassignForm      ActionType = "UNASSIGN_FORM"
	SetPromptOpen     ActionType = "SET_FORM_PROMPT_INCOMPLETE"
	Webhook           ActionType = "WEBHOOK"
	maxActionValues              = 100
	longestActionText            = 4_000
)

// Action is a change of assets that depends on their verdict.
type Action struct {
	Type ActionType
	// Entities are the tags, terms, owners, the domain, form or structured property.
	Entities []urn.URN
	// Role is the ownership type for AddOwners; empty for the default.
	Role urn.URN
	// Texts are the values of a structured property, the note of a deprecation, the prompt of a
	// form, or the address of a webhook.
	Texts []string
	// Replacement is the entity to use in place of a deprecated asset.
	Replacement urn.URN
}

// actionShape describes the parameters of an action.
type actionShape struct {
	aspect       string   // aspect of the asset that the action changes; empty for none
	entities     string   // name of the member with the entities or the entity
	types        []string // of the entities
	manyEntities bool
	text         string // name of the member with texts
	textRequired bool
	manyTexts    bool // several texts are allowed
	address      bool // the text is the address of a webhook
	more         []string
}

var actionShapes = map[ActionType]actionShape{
	AddTags:       {aspect: "globalTags", entities: "tags", types: []string{"tag"}, manyEntities: true},
	RemoveTags:    {aspect: "globalTags", entities: "tags", types: []string{"tag"}, manyEntities: true},
	AddTerms:      {aspect: "glossaryTerms", entities: "terms", types: []string{"glossaryTerm"}, manyEntities: true},
	RemoveTerms:   {aspect: "glossaryTerms", entities: "terms", types: []string{"glossaryTerm"}, manyEntities: true},
	AddOwners:     {aspect: "ownership", entities: "owners", types: []string{"corpuser", "corpGroup"}, manyEntities: true, more: []string{"ownershipType"}},
	RemoveOwners:  {aspect: "ownership", entities: "owners", types: []string{"corpuser", "corpGroup"}, manyEntities: true},
	SetDomain:     {aspect: "domains", entities: "domain", types: []string{"domain"}},
	UnsetDomain:   {aspect: "domains"},
	Deprecate:     {aspect: "deprecation", text: "note", more: []string{"replacement"}},
	Undeprecate:   {aspect: "deprecation"},
	SetProperty:   {aspect: "structuredProperties", entities: "property", types: []string{"structuredProperty"}, text: "values", textRequired: true, manyTexts: true},
	UnsetProperty: {aspect: "structuredProperties", entities: "property", types: []string{"structuredProperty"}},
	AssignForm:    {aspect: "forms", entities: "formUrn", types: []string{"form"}},
	UnassignForm:  {aspect: "forms", entities: "formUrn", types: []string{"form"}},
	SetPromptOpen: {aspect: "forms", entities: "formUrn", types: []string{"form"}, text: "formPromptId", textRequired: true},
	Webhook:       {text: "url", textRequired: true, address: true},
}

// Aspect returns the aspect of an asset that the action changes, empty for an action that changes
// none.
func (a Action) Aspect() string { return actionShapes[a.Type].aspect }

func actionNames() string {
	names := make([]string, 0, len(actionShapes))
	for t := range actionShapes {
		names = append(names, string(t))
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}

// Opposite returns the action that reverts an action. ok is false for an action that leaves nothing
// to revert, or whose previous state is not known.
func (a Action) Opposite() (opposite Action, ok bool) {
	t, ok := opposites[a.Type]
	return Action{Type: t, Entities: a.Entities}, ok
}

// Undoes returns the type of action that this one reverts. ok is false for an action that adds or
// sets something.
func (a Action) Undoes() (adding ActionType, ok bool) {
	for adding, removing := range opposites {
		if removing == a.Type {
			return adding, true
		}
	}
	return "", false
}

// opposites maps actions to the actions that revert them.
var opposites = map[ActionType]ActionType{
	AddTags: RemoveTags, AddTerms: RemoveTerms, AddOwners: RemoveOwners, SetDomain: UnsetDomain, Deprecate: Undeprecate,
	SetProperty: UnsetProperty, AssignForm: UnassignForm,
}

// actions parses the actions of a test.
func (p *parser) actions(t *Test, v any) {
	if v == nil {
		return
	}
	o, ok := v.(jsontree.Object)
	if !ok {
		p.problem("actions", "must be an object with the lists \"passing\" and \"failing\"")
		return
	}
	p.members("actions", o, "passing", "failing", "undo")
	t.Passing = p.actionList("actions.passing", o["passing"])
	t.Failing = p.actionList("actions.failing", o["failing"])
	switch undo := o["undo"].(type) {
	case nil:
	case bool:
		t.Undo = undo
	default:
		p.problem("actions.undo", "must be true or false")
	}
}

func (p *parser) actionList(path string, v any) []Action {
	if v == nil {
		return nil
	}
	list, ok := v.([]any)
	if !ok {
		p.problem(path, "must be a list of actions")
		return nil
	}
	if len(list) > MaxActions {
		p.problem(path, "has %d actions, at most %d are allowed", len(list), MaxActions)
		return nil
	}
	out := make([]Action, 0, len(list))
	for i, e := range list {
		if a, ok := p.action(fmt.Sprintf("%s[%d]", path, i), e); ok {
			out = append(out, a)
		}
	}
	return out
}

func (p *parser) action(path string, v any) (Action, bool) {
	o, ok := v.(jsontree.Object)
	if !ok {
		p.problem(path, "must be an object with \"type\" and \"params\"")
		return Action{}, false
	}
	p.members(path, o, "type", "params")
	a := Action{Type: ActionType(strings.ToUpper(jsontree.Text(o, "type")))}
	shape, ok := actionShapes[a.Type]
	if !ok {
		p.problem(join(path, "type"), "%s is no action; known are %s", formatValue(o["type"]), actionNames())
		return Action{}, false
	}
	p.applicable(join(path, "type"), a)
	params, ok := o["params"].(jsontree.Object)
	if !ok && o["params"] != nil {
		p.problem(join(path, "params"), "must be an object")
		return Action{}, false
	}
	at := join(path, "params")
	p.members(at, params, append(slices.DeleteFunc([]string{shape.entities, shape.text}, func(s string) bool { return s == "" }), shape.more...)...)
	if shape.entities != "" {
		a.Entities = p.entities(join(at, shape.entities), params[shape.entities], shape.types, shape.manyEntities)
	}
	if shape.text != "" {
		a.Texts = p.texts(join(at, shape.text), params[shape.text], shape)
	}
	for _, name := range shape.more {
		p.further(&a, at, name, params[name])
	}
	return a, true
}

// applicable reports a problem for asset types that lack the aspect which the action changes.
func (p *parser) applicable(path string, a Action) {
	aspect := a.Aspect()
	if aspect == "" {
		return
	}
	for _, spec := range p.types {
		if _, ok := spec.AspectFold(aspect); !ok {
			p.problem(path, "%s changes %s, which entities of type %s do not have: leave that type out of on.types, or the action out", a.Type, aspect, spec.Name)
		} else if aspect == "ownership" && spec.Name == "corpGroup" {
			p.problem(path, "%s changes the owners of groups, who have rights over them: leave that type out of on.types, or the action out", a.Type)
		}
	}
}

// further parses members that only some actions have.
func (p *parser) further(a *Action, path, name string, v any) {
	if v == nil {
		return
	}
	list := p.entities(join(path, name), v, furtherTypes(name), false)
	if len(list) == 0 {
		return
	}
	if name == "ownershipType" {
		a.Role = list[0]
	} else {
		a.Replacement = list[0]
	}
}

func (p *parser) entities(path string, v any, types []string, several bool) []urn.URN {
	list, ok := v.([]any)
	if !ok && v != nil {
		list = []any{v}
	}
	switch {
	case len(list) == 0:
		p.problem(path, "is missing")
		return nil
	case len(list) > 1 && !several:
		p.problem(path, "must be one entity, not %d", len(list))
		return nil
	case len(list) > maxActionValues:
		p.problem(path, "has %d entities, at most %d are allowed", len(list), maxActionValues)
		return nil
	}
	var out []urn.URN
	for i, e := range list {
		at := path
		if ok {
			at = fmt.Sprintf("%s[%d]", path, i)
		}
		text, _ := e.(string)
		u, spec, err := p.registry.Resolve(text)
		switch {
		case err != nil:
			p.problem(at, "%s is no URN of an entity", formatValue(e))
		case types != nil && !slices.Contains(types, spec.Name):
			p.problem(at, "%s is of type %s, and must be of type %s", u, spec.Name, strings.Join(types, " or "))
		default:
			out = append(out, u)
		}
	}
	return out
}

func (p *parser) texts(path string, v any, shape actionShape) []string {
	list, ok := v.([]any)
	if !ok && v != nil {
		list = []any{v}
	}
	switch {
	case len(list) == 0 && shape.textRequired:
		p.problem(path, "is missing")
	case len(list) > 1 && !shape.manyTexts:
		p.problem(path, "must be one text")
	case len(list) > maxActionValues:
		p.problem(path, "has %d values, at most %d are allowed", len(list), maxActionValues)
		return nil
	}
	var out []string
	for i, e := range list {
		text, isText := e.(string)
		if number, ok := e.(fmt.Stringer); ok {
			text, isText = number.String(), true
		}
		if !isText || text == "" || len(text) > longestActionText {
			p.problem(fmt.Sprintf("%s[%d]", path, i), "must be a text of 1 to %d bytes, or a number", longestActionText)
			continue
		}
		if shape.address {
			if err := webhook.CheckAddress(text); err != nil {
				p.problem(path, "%s", fault.Message(err))
				continue
			}
		}
		out = append(out, text)
	}
	return out
}

// Addresses returns the addresses of webhooks, by their place in the definition.
func (t *Test) Addresses() map[string]string {
	out := map[string]string{}
	for name, list := range map[string][]Action{"passing": t.Passing, "failing": t.Failing} {
		for i, a := range list {
			if a.Type == Webhook {
				out[fmt.Sprintf("actions.%s[%d].params.url", name, i)] = a.Texts[0]
			}
		}
	}
	return out
}

// Entities returns the entities that the actions of a test name, by their place in the definition,
// so that missing ones can be reported.
func (t *Test) Entities() map[string]urn.URN {
	out := map[string]urn.URN{}
	for name, list := range map[string][]Action{"passing": t.Passing, "failing": t.Failing} {
		for i, a := range list {
			at := fmt.Sprintf("actions.%s[%d].params", name, i)
			shape := actionShapes[a.Type]
			for j, u := range a.Entities {
				if shape.manyEntities {
					out[fmt.Sprintf("%s.%s[%d]", at, shape.entities, j)] = u
				} else {
					out[join(at, shape.entities)] = u
				}
			}
			if a.Role != "" {
				out[join(at, "ownershipType")] = a.Role
			}
			if a.Replacement != "" {
				out[join(at, "replacement")] = a.Replacement
			}
		}
	}
	return out
}
