package policy_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/authtest"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/policy"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/urn"
)

const (
	dataset urn.URN = "urn:li:dataset:(urn:li:dataPlatform:hive,shop.orders,PROD)"
	chart   urn.URN = "urn:li:chart:(looker,sales)"
)

// fixture is an Engine that follows a real catalog.
type fixture struct {
	*authtest.Catalog
	*policy.Engine
}

func newFixture(t testing.TB, cfg policy.Config) *fixture {
	t.Helper()
	c := authtest.New(t, authtest.Jo, authtest.Mia)
	cfg.Rows = c.Store()
	f := &fixture{c, policy.New(cfg)}
	if err := f.Load(t.Context()); err != nil {
		t.Fatal(err)
	}
	c.Follow(f.Engine)
	for _, role := range []urn.URN{editor, reader} {
		f.Set(t, role, "dataHubRoleInfo", `{"name":"`+role.Key()+`","description":""}`)
	}
	return f
}

// info is the stored aspect of a policy.
type info struct {
	Name        string           `json:"displayName"`
	Description string           `json:"description"`
	Type        string           `json:"type"`
	State       string           `json:"state"`
	Privileges  []auth.Privilege `json:"privileges"`
	Actors      actors           `json:"actors"`
	Resources   *resources       `json:"resources,omitempty"`
}

type actors struct {
	Users       []urn.URN `json:"users,omitempty"`
	Groups      []urn.URN `json:"groups,omitempty"`
	Roles       []urn.URN `json:"roles,omitempty"`
	AllUsers    bool      `json:"allUsers"`
	AllGroups   bool      `json:"allGroups"`
	Owners      bool      `json:"resourceOwners"`
	OwnersTypes *[]string `json:"resourceOwnersTypes,omitempty"`
}

type resources struct {
	Type        string     `json:"type,omitempty"`
	Resources   *[]urn.URN `json:"resources,omitempty"`
	All         bool       `json:"allResources"`
	Filter      *filter    `json:"filter,omitempty"`
	Constraints *filter    `json:"privilegeConstraints,omitempty"`
}

type filter struct {
	Criteria []criterion `json:"criteria"`
}

type criterion struct {
	Field     string   `json:"field"`
	Values    []string `json:"values"`
	Condition string   `json:"condition"`
}

func where(criteria ...criterion) *resources {
	return &resources{Filter: &filter{append([]criterion{}, criteria...)}}
}

// metadata returns an active policy on metadata for Jo.
func metadata(over *resources, privileges ...auth.Privilege) info {
	return info{Type: "METADATA", State: policy.Active, Privileges: privileges, Actors: actors{Users: []urn.URN{authtest.Jo}}, Resources: over}
}

func platform(privileges ...auth.Privilege) info {
	p := metadata(nil, privileges...)
	p.Type = "PLATFORM"
	return p
}

// put stores a policy.
func (f *fixture) put(t testing.TB, id string, p info) {
	t.Helper()
	text, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	f.Set(t, urn.Make("dataHubPolicy", id), "dataHubPolicyInfo", string(text))
}

// object returns the aspect as an object of the model.
func (p info) object(t testing.TB) model.Object {
	t.Helper()
	text, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	var o model.Object
	if err := json.Unmarshal(text, &o); err != nil {
		t.Fatal(err)
	}
	return o
}

// allows decides a check for a user in a new request.
func (f *fixture) allows(t testing.TB, user urn.URN, c auth.Check) bool {
	t.Helper()
	return f.decide(t, user, c)[0].Allowed()
}

func (f *fixture) decide(t testing.TB, user urn.URN, checks ...auth.Check) []auth.Decision {
	t.Helper()
	decisions, err := f.Decide(request(t, user), checks)
	if err != nil {
		t.Fatal(err)
	}
	return decisions
}

// request returns the context of a request of a user, with a decision cache.
func request(t testing.TB, user urn.URN) context.Context {
	return auth.WithDecisionCache(authtest.As(t, user))
}

// plainly returns an Engine with policies that let all users edit assets and the administrator do
// everything.
func plainly(t testing.TB) *fixture {
	t.Helper()
	f := newFixture(t, policy.Config{})
	everybody := metadata(where(criterion{"TYPE", []string{"dataset", "chart", "tag"}, "EQUALS"}), auth.ViewPage, auth.EditEntity)
	everybody.Actors = actors{AllUsers: true}
	f.put(t, "everybody", everybody)
	own := platform(auth.GenerateTokens)
	own.Actors = actors{AllUsers: true}
	f.put(t, "own", own)
	var all []auth.Privilege
	for _, r := range auth.Rights() {
		all = append(all, r.Privilege)
	}
	root := platform(all...)
	root.Actors = actors{Users: []urn.URN{authtest.Root}}
	f.put(t, "root", root)
	return f
}
