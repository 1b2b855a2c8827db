package system

import (
	"encoding/json"
	"net/http"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/service/access"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/openapi/endpoint"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/openapi/spec"
	"github.com/cartulary/cartulary/pkg/urn"
)

func (a *API) accessOperations() []endpoint.Endpoint {
	const path = "/v1/access/explain"
	list := []endpoint.Endpoint{
		{Handle: a.explainByQuery, Operation: spec.Operation{Method: http.MethodGet, Path: path, Summary: "Tell whether an actor may do something, which policy allows it or why none does",
			Query: []spec.Param{actorParam, privilegeParam, operationParam, resourceParam, typeParam, aspectParam}, Answer: explanationSchema}},
		{Handle: a.explainByBody, Operation: spec.Operation{Method: http.MethodPost, Path: path, Summary: "The same, also as if a policy were saved that is not, with how many people and assets that reaches",
			Body: questionSchema, Answer: explanationSchema}},
		{Handle: a.reach, Operation: spec.Operation{Method: http.MethodPost, Path: "/v1/access/reach", Summary: "Tell how many people and assets stored policies reach",
			Body: reachQuestionSchema, Answer: reachesSchema}},
		{Handle: a.ownPolicies, Operation: spec.Operation{Method: http.MethodGet, Path: "/v1/access/policies", Summary: "List the policies that grant the caller something, with those actors alone that the caller is or belongs to",
			Answer: ownPoliciesSchema}},
	}
	return endpoint.InGroup(list, spec.GroupOperations, "Access")
}

var (
	actorParam     = spec.NewParam("actor", spec.KindText, "", "URN of the user; oneself when absent.")
	privilegeParam = spec.NewParam("privilege", spec.KindList, "", "Privileges of which one suffices, repeated or separated by commas.")
	operationParam = spec.NewParam("operation", spec.KindText, "", "Operation on the resource or type in place of privileges: CREATE, READ, UPDATE, DELETE, EXECUTE, EXISTS or MANAGE.")
	resourceParam  = spec.NewParam("resource", spec.KindText, "", "URN of the entity that it is about.")
	typeParam      = spec.NewParam("type", spec.KindText, "", "Entity type that it is about, when there is no resource.")
	aspectParam    = spec.NewParam("aspect", spec.KindText, "", "Aspect that the operation is about.")
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

func (a *API) explainByQuery(c *endpoint.Call) error {
	names, err := c.List("privilege")
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

func (a *API) explainByBody(c *endpoint.Call) error {
	text, err := c.Body(endpoint.BodyLimit)
	if err != nil {
		return err
	}
	var in question
	if err := endpoint.DecodeAs(text, &in); err != nil {
		return err
	}
	q := access.Question{
		Actor: in.Actor, Privileges: in.Privileges, Operation: in.Operation, Resource: in.Resource, Type: in.Type, Aspect: in.Aspect, Replaces: in.PolicyURN,
	}
	if len(in.Policy) > 0 && string(in.Policy) != "null" {
		if q.Draft, err = jsontree.DecodeObject(in.Policy); err != nil {
			return endpoint.BodyError("policy must be an object")
		}
	}
	return a.explain(c, q)
}

func (a *API) explain(c *endpoint.Call, q access.Question) error {
	answer, err := a.Access.Explain(c.Ctx(), q)
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

func (a *API) reach(c *endpoint.Call) error {
	var in struct {
		Policies []urn.URN `json:"policies"`
	}
	if err := c.Decode(endpoint.BodyLimit, &in); err != nil {
		return err
	}
	found, err := a.Access.Reaches(c.Ctx(), in.Policies)
	if err != nil {
		return err
	}
	out := make(map[urn.URN]reach, len(found))
	for u, r := range found {
		out[u] = reach(*r)
	}
	return c.JSON(http.StatusOK, out)
}

func (a *API) ownPolicies(c *endpoint.Call) error {
	own, total, err := a.Access.Own(c.Ctx())
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

func ownPoliciesSchema(*spec.Documenter, *model.EntitySpec, *model.AspectSpec) jsontree.Object {
	info := jsontree.Object{"type": "object", "description": "A value of dataHubPolicyInfo."}
	return spec.Object(jsontree.Object{"policies": spec.Array(spec.Object(jsontree.Object{"urn": spec.Text(), "info": info})), "total": jsontree.Object{"type": "integer"}})
}

func questionSchema(*spec.Documenter, *model.EntitySpec, *model.AspectSpec) jsontree.Object {
	return spec.Object(jsontree.Object{
		"actor": spec.Text(), "privileges": spec.Array(spec.Text()), "operation": spec.Text(), "resource": spec.Text(), "type": spec.Text(), "aspect": spec.Text(),
		"policy": jsontree.Object{"type": "object", "description": "A policy that is not saved, as a value of dataHubPolicyInfo."}, "policyUrn": spec.Text(),
	})
}

func explanationSchema(*spec.Documenter, *model.EntitySpec, *model.AspectSpec) jsontree.Object {
	flag := jsontree.Object{"type": "boolean"}
	return spec.Object(jsontree.Object{
		"actor": spec.Text(), "groups": spec.Array(spec.Text()), "roles": spec.Array(spec.Text()), "allowed": flag, "reason": spec.Text(), "privileges": spec.Array(spec.Text()),
		"policies":   spec.Array(spec.Object(jsontree.Object{"urn": spec.Text(), "name": spec.Text(), "draft": flag, "applies": flag, "reason": spec.Text(), "privileges": spec.Array(spec.Text())})),
		"reach":      reachSchema(),
		"conditions": spec.Array(spec.Object(jsontree.Object{"on": spec.Text(), "met": flag, "operator": spec.Text(), "values": spec.Array(spec.Text()), "found": spec.Array(spec.Text())})),
	})
}

func reachSchema() jsontree.Object {
	flag, number := jsontree.Object{"type": "boolean"}, jsontree.Object{"type": "integer"}
	return spec.Object(jsontree.Object{"people": number, "owners": flag, "complete": flag, "assets": number})
}

func reachQuestionSchema(*spec.Documenter, *model.EntitySpec, *model.AspectSpec) jsontree.Object {
	return spec.Object(jsontree.Object{"policies": spec.Array(spec.Text())})
}

func reachesSchema(*spec.Documenter, *model.EntitySpec, *model.AspectSpec) jsontree.Object {
	return jsontree.Object{"type": "object", "additionalProperties": reachSchema()}
}
