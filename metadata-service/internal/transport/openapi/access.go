package openapi

import (
	"encoding/json"
	"net/http"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/service/access"
	"github.com/cartulary/cartulary/pkg/urn"
)

func (a *API) accessOperations() []operation {
	const path = "/v1/access/explain"
	list := []operation{
		{method: http.MethodGet, path: path, handle: a.explainByQuery, summary: "Tell whether an actor may do something, which policy allows it or why none does",
			query: []param{actorParam, privilegeParam, operationParam, resourceParam, typeParam, aspectParam}, answer: explanationSchema},
		{method: http.MethodPost, path: path, handle: a.explainByBody, summary: "The same, also as if a policy were saved that is not, with how many people and assets that reaches",
			body: questionSchema, answer: explanationSchema},
		{method: http.MethodPost, path: "/v1/access/reach", handle: a.reach, summary: "Tell how many people and assets stored policies reach",
			body: reachQuestionSchema, answer: reachesSchema},
		{method: http.MethodGet, path: "/v1/access/policies", handle: a.ownPolicies, summary: "List the policies that grant the caller something, with those actors alone that the caller is or belongs to",
			answer: ownPoliciesSchema},
	}
	return withGroup(list, groupOperations, "Access")
}

var (
	actorParam     = param{"actor", kindText, "", "URN of the user; oneself when absent."}
	privilegeParam = param{"privilege", kindList, "", "Privileges of which one suffices, repeated or separated by commas."}
	operationParam = param{"operation", kindText, "", "Operation on the resource or type in place of privileges: CREATE, READ, UPDATE, DELETE, EXECUTE, EXISTS or MANAGE."}
	resourceParam  = param{"resource", kindText, "", "URN of the entity that it is about."}
	typeParam      = param{"type", kindText, "", "Entity type that it is about, when there is no resource."}
	aspectParam    = param{"aspect", kindText, "", "Aspect that the operation is about."}
)

// question is the body of a request to explain an authorization decision.
type question struct {
	Actor      urn.URN          `json:"actor"`
	Privileges []auth.Privilege `json:"privileges"`
	Operation  auth.Operation   `json:"operation"`
	Resource   urn.URN          `json:"resource"`
	Type       string           `json:"type"`
	Aspect     string           `json:"aspect"`
	Policy     json.RawMessage  `json:"policy"`
	PolicyURN  urn.URN          `json:"policyUrn"`
}

type explanation struct {
	Actor    urn.URN          `json:"actor"`
	Groups   []urn.URN        `json:"groups"`
	Roles    []urn.URN        `json:"roles"`
	Allowed  bool             `json:"allowed"`
	Reason   string           `json:"reason"`
	Needed   []auth.Privilege `json:"privileges"`
	Policies []verdict        `json:"policies"`
	Reach    *reach           `json:"reach,omitempty"`
	// Conditions are the conditions of the draft policy, with their results.
	Conditions []condition `json:"conditions,omitempty"`
}

type condition struct {
	On       string   `json:"on"`
	Met      bool     `json:"met"`
	Operator string   `json:"operator,omitempty"`
	Values   []string `json:"values,omitempty"`
	Found    []string `json:"found,omitempty"`
}

type verdict struct {
	URN        urn.URN          `json:"urn,omitempty"`
	Name       string           `json:"name"`
	Draft      bool             `json:"draft,omitempty"`
	Applies    bool             `json:"applies"`
	Reason     string           `json:"reason,omitempty"`
	Privileges []auth.Privilege `json:"privileges"`
}

type reach struct {
	People   int  `json:"people"`
	Owners   bool `json:"owners"`
	Complete bool `json:"complete"`
	Assets   *int `json:"assets,omitempty"`
}

func (a *API) explainByQuery(c *call) error {
	names, err := c.list("privilege")
	if err != nil {
		return err
	}
	q := access.Question{
		Actor: urn.URN(c.QueryParam("actor")), Operation: auth.Operation(c.QueryParam("operation")),
		Resource: urn.URN(c.QueryParam("resource")), Type: c.QueryParam("type"), Aspect: c.QueryParam("aspect"),
	}
	for _, name := range names {
		q.Privileges = append(q.Privileges, auth.Privilege(name))
	}
	return a.explain(c, q)
}

func (a *API) explainByBody(c *call) error {
	text, err := c.body(bodyLimit)
	if err != nil {
		return err
	}
	var in question
	if err := decodeAs(text, &in); err != nil {
		return err
	}
	q := access.Question{
		Actor: in.Actor, Privileges: in.Privileges, Operation: in.Operation, Resource: in.Resource, Type: in.Type, Aspect: in.Aspect, Replaces: in.PolicyURN,
	}
	if len(in.Policy) > 0 && string(in.Policy) != "null" {
		if q.Draft, err = jsontree.DecodeObject(in.Policy); err != nil {
			return bodyReasonError("policy must be an object")
		}
	}
	return a.explain(c, q)
}

func (a *API) explain(c *call, q access.Question) error {
	answer, err := a.Access.Explain(c.ctx(), q)
	if err != nil {
		return err
	}
	out := explanation{
		Actor: answer.Actor, Groups: emptyIfNil(answer.Groups), Roles: emptyIfNil(answer.Roles), Allowed: answer.Allowed, Reason: answer.Reason,
		Needed: emptyIfNil(answer.Needed), Policies: make([]verdict, len(answer.Policies)),
	}
	for i, v := range answer.Policies {
		out.Policies[i] = verdict{URN: v.URN, Name: v.Name, Draft: v.Draft, Applies: v.Applies, Reason: v.Reason, Privileges: emptyIfNil(v.Privileges)}
	}
	for _, met := range answer.Conditions {
		out.Conditions = append(out.Conditions, condition(met))
	}
	if answer.Reach != nil {
		r := reach(*answer.Reach)
		out.Reach = &r
	}
	return c.JSON(http.StatusOK, out)
}

func (a *API) reach(c *call) error {
	var in struct {
		Policies []urn.URN `json:"policies"`
	}
	if err := c.decode(bodyLimit, &in); err != nil {
		return err
	}
	found, err := a.Access.Reaches(c.ctx(), in.Policies)
	if err != nil {
		return err
	}
	out := make(map[urn.URN]reach, len(found))
	for u, r := range found {
		out[u] = reach(*r)
	}
	return c.JSON(http.StatusOK, out)
}

func (a *API) ownPolicies(c *call) error {
	own, total, err := a.Access.Own(c.ctx())
	if err != nil {
		return err
	}
	type policy struct {
		URN  urn.URN         `json:"urn"`
		Info jsontree.Object `json:"info"`
	}
	out := struct {
		Policies []policy `json:"policies"`
		Total    int      `json:"total"`
	}{make([]policy, len(own)), total}
	for i, p := range own {
		out.Policies[i] = policy(p)
	}
	return c.JSON(http.StatusOK, out)
}

// emptyIfNil replaces nil by an empty list, which JSON encodes as [].
func emptyIfNil[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

func ownPoliciesSchema(*documenter, *model.EntitySpec, *model.AspectSpec) jsontree.Object {
	info := jsontree.Object{"type": "object", "description": "A value of dataHubPolicyInfo."}
	return object(jsontree.Object{"policies": array(object(jsontree.Object{"urn": text(), "info": info})), "total": jsontree.Object{"type": "integer"}})
}

func questionSchema(*documenter, *model.EntitySpec, *model.AspectSpec) jsontree.Object {
	return object(jsontree.Object{
		"actor": text(), "privileges": array(text()), "operation": text(), "resource": text(), "type": text(), "aspect": text(),
		"policy": jsontree.Object{"type": "object", "description": "A policy that is not saved, as a value of dataHubPolicyInfo."}, "policyUrn": text(),
	})
}

func explanationSchema(*documenter, *model.EntitySpec, *model.AspectSpec) jsontree.Object {
	flag := jsontree.Object{"type": "boolean"}
	return object(jsontree.Object{
		"actor": text(), "groups": array(text()), "roles": array(text()), "allowed": flag, "reason": text(), "privileges": array(text()),
		"policies":   array(object(jsontree.Object{"urn": text(), "name": text(), "draft": flag, "applies": flag, "reason": text(), "privileges": array(text())})),
		"reach":      reachSchema(),
		"conditions": array(object(jsontree.Object{"on": text(), "met": flag, "operator": text(), "values": array(text()), "found": array(text())})),
	})
}

func reachSchema() jsontree.Object {
	flag, number := jsontree.Object{"type": "boolean"}, jsontree.Object{"type": "integer"}
	return object(jsontree.Object{"people": number, "owners": flag, "complete": flag, "assets": number})
}

func reachQuestionSchema(*documenter, *model.EntitySpec, *model.AspectSpec) jsontree.Object {
	return object(jsontree.Object{"policies": array(text())})
}

func reachesSchema(*documenter, *model.EntitySpec, *model.AspectSpec) jsontree.Object {
	return jsontree.Object{"type": "object", "additionalProperties": reachSchema()}
}
