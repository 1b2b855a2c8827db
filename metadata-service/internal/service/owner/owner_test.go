package owner_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/service/owner"
	"github.com/cartulary/cartulary/metadata-service/internal/service/servicetest"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

const (
	table   urn.URN = "urn:li:dataset:(urn:li:dataPlatform:hive,shop.orders,PROD)"
	nowhere urn.URN = "urn:li:dataset:(urn:li:dataPlatform:hive,shop.none,PROD)"
	group           = "urn:li:corpGroup:analysts"
	jo              = string(servicetest.Jo)
	mia             = string(servicetest.Mia)

	technical = "urn:li:ownershipType:__system__technical_owner"
	steward   = "urn:li:ownershipType:__system__data_steward"
)

// world returns a world with a dataset without owners, and a group.
func world(t *testing.T) *servicetest.World {
	t.Helper()
	w := servicetest.New(t)
	w.Put(t, table, "datasetProperties", `{"name":"orders"}`)
	w.Put(t, group, "corpGroupInfo", `{"displayName":"Analysts","admins":[],"members":[],"groups":[]}`)
	w.Put(t, "urn:li:ownershipType:buyer", "ownershipTypeInfo", `{"name":"Buyer","created":{"time":1,"actor":"urn:li:corpuser:jo"},"lastModified":{"time":1,"actor":"urn:li:corpuser:jo"}}`)
	return w
}

func of(u urn.URN) []owner.Target { return []owner.Target{{URN: string(u)}} }

// owners formats the owners of an entity: name, older name of the type, and type.
func owners(t *testing.T, w *servicetest.World, u urn.URN) string {
	t.Helper()
	text := w.Get(t, u, "ownership")
	if text == "" {
		return "absent"
	}
	value, err := jsontree.DecodeObject([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, e := range value["owners"].([]any) {
		o := e.(jsontree.Object)
		kind, _ := o["typeUrn"].(string)
		all = append(all, fmt.Sprintf("%s %s %s", urn.URN(o["owner"].(string)).Key(), o["type"], strings.TrimPrefix(urn.URN(kind).Key(), "__system__")))
	}
	return strings.Join(all, ", ")
}

func TestAddAndRemove(t *testing.T) {
	t.Parallel()
	w := world(t)
	s, ctx := owner.New(w.Edit), w.As(t, servicetest.Jo)
	add := func(all ...owner.Owner) func() error { return func() error { return s.Add(ctx, all, of(table)) } }
	remove := func(typeURN string, all ...string) func() error {
		return func() error { return s.Remove(ctx, all, typeURN, of(table)) }
	}
	for _, step := range []struct {
		name string
		do   func() error
		want string
	}{
		{"one off what has none", remove("", mia), "absent"},
		{"nobody added", add(), "absent"},
		{"by the older word", add(owner.Owner{URN: mia, Kind: "CORP_USER", Type: "TECHNICAL_OWNER"}), "mia TECHNICAL_OWNER technical_owner"},
		{"the same in another way", add(owner.Owner{URN: mia, TypeURN: steward}), "mia TECHNICAL_OWNER technical_owner, mia DATA_STEWARD data_steward"},
		{"a pair that is there takes its own place", add(owner.Owner{URN: mia, TypeURN: technical}), "mia DATA_STEWARD data_steward, mia TECHNICAL_OWNER technical_owner"},
		{"a group by a type of one's own", add(owner.Owner{URN: group, Kind: "CORP_GROUP", TypeURN: "urn:li:ownershipType:buyer"}), "mia DATA_STEWARD data_steward, mia TECHNICAL_OWNER technical_owner, analysts CUSTOM buyer"},
		{"one pair off", remove(steward, mia), "mia TECHNICAL_OWNER technical_owner, analysts CUSTOM buyer"},
		{"somebody else off", remove("", jo), "mia TECHNICAL_OWNER technical_owner, analysts CUSTOM buyer"},
		{"the same twice in one call", add(owner.Owner{URN: jo, Type: "NONE"}, owner.Owner{URN: jo, Type: "NONE"}), "mia TECHNICAL_OWNER technical_owner, analysts CUSTOM buyer, jo NONE none"},
		{"all of two off", remove("", mia, group), "jo NONE none"},
		{"the last one off", remove("", jo), ""},
	} {
		if err := step.do(); err != nil {
			t.Errorf("%s: %v", step.name, err)
		}
		if got := owners(t, w, table); got != step.want {
			t.Errorf("%s: got %q, want %q", step.name, got, step.want)
		}
	}
}

func TestEntriesThatNameTheirTypeByAWordAreFound(t *testing.T) {
	t.Parallel()
	w := world(t)
	s, ctx := owner.New(w.Edit), w.As(t, servicetest.Jo)
	w.Put(t, table, "ownership", `{"owners":[{"owner":"urn:li:corpuser:mia","type":"TECHNICAL_OWNER"},{"owner":"urn:li:corpuser:mia","type":"DATAOWNER"}]}`)
	if err := s.Add(ctx, []owner.Owner{{URN: mia, TypeURN: technical}}, of(table)); err != nil {
		t.Fatal(err)
	}
	if got, want := owners(t, w, table), "mia DATAOWNER , mia TECHNICAL_OWNER technical_owner"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if err := s.Remove(ctx, []string{mia}, technical, of(table)); err != nil {
		t.Fatal(err)
	}
	if got, want := owners(t, w, table), "mia DATAOWNER "; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestAddRefuses(t *testing.T) {
	t.Parallel()
	w := world(t)
	s, ctx := owner.New(w.Edit), w.As(t, servicetest.Jo)
	good := owner.Owner{URN: mia, Type: "NONE"}
	for _, c := range []struct {
		name    string
		owners  []owner.Owner
		targets []owner.Target
		want    fault.Kind
	}{
		{"an owner that does not exist", []owner.Owner{good, {URN: "urn:li:corpuser:nobody", Type: "NONE"}}, of(table), fault.Malformed},
		{"an owner of another type", []owner.Owner{good, {URN: "urn:li:tag:pii", Type: "NONE"}}, of(table), fault.Malformed},
		{"a user called a group", []owner.Owner{{URN: mia, Kind: "CORP_GROUP", Type: "NONE"}}, of(table), fault.Malformed},
		{"a group called a user", []owner.Owner{{URN: group, Kind: "CORP_USER", Type: "NONE"}}, of(table), fault.Malformed},
		{"no type", []owner.Owner{{URN: mia}}, of(table), fault.Malformed},
		{"a type that does not exist", []owner.Owner{{URN: mia, TypeURN: "urn:li:ownershipType:none"}}, of(table), fault.Malformed},
		{"a type that is none", []owner.Owner{{URN: mia, TypeURN: mia}}, of(table), fault.Malformed},
		{"an entity that does not exist", []owner.Owner{good}, append(of(table), of(nowhere)...), fault.Malformed},
		{"a column", []owner.Owner{good}, []owner.Target{{URN: string(table), Column: "id"}}, fault.Malformed},
		{"what is no URN", []owner.Owner{good}, []owner.Target{{URN: "orders"}}, fault.Malformed},
		{"what has no owners", []owner.Owner{good}, append(of(table), of("urn:li:dataPlatform:hive")...), fault.Invalid},
		{"too many owners", make([]owner.Owner, 101), of(table), fault.TooLarge},
		{"too many entities", []owner.Owner{good}, make([]owner.Target, 1001), fault.TooLarge},
	} {
		if err := s.Add(ctx, c.owners, c.targets); fault.KindOf(err) != c.want {
			t.Errorf("%s: got %v, want %s", c.name, err, c.want)
		}
		if got := owners(t, w, table); got != "absent" {
			t.Errorf("%s: wrote %s", c.name, got)
		}
	}
	for name, err := range map[string]error{
		"removing what is no owner":       s.Remove(ctx, []string{"urn:li:tag:pii"}, "", of(table)),
		"removing by a type that is none": s.Remove(ctx, []string{mia}, "urn:li:tag:pii", of(table)),
		"checking nobody":                 s.Check(ctx, owner.Owner{URN: "urn:li:corpuser:nobody", Type: "NONE"}),
	} {
		if fault.KindOf(err) != fault.Malformed {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func TestRights(t *testing.T) {
	t.Parallel()
	w := world(t)
	ctx := w.As(t, servicetest.Jo)
	all := map[string]func(context.Context, *owner.Service) error{
		"add": func(ctx context.Context, s *owner.Service) error {
			return s.Add(ctx, []owner.Owner{{URN: mia, Type: "NONE"}}, of(table))
		},
		"remove":  func(ctx context.Context, s *owner.Service) error { return s.Remove(ctx, []string{mia}, "", of(table)) },
		"replace": func(ctx context.Context, s *owner.Service) error { return s.Replace(ctx, table, nil) },
	}
	for name, do := range all {
		for have, ok := range map[auth.Privilege]bool{auth.EditOwners: true, auth.EditEntity: true, auth.EditTags: false} {
			s := owner.New(w.Granting(servicetest.Grants{Over: map[urn.URN][]auth.Privilege{table: {have}}}))
			if err := do(ctx, s); (err == nil) != ok || err != nil && fault.KindOf(err) != fault.Forbidden {
				t.Errorf("%s with %s: got %v", name, have, err)
			}
		}
	}
	// Without the privilege, the answer does not disclose whether users exist.
	err := owner.New(w.Granting(servicetest.Grants{})).Add(ctx, []owner.Owner{{URN: "urn:li:corpuser:nobody", Type: "NONE"}}, of(table))
	if fault.KindOf(err) != fault.Forbidden {
		t.Errorf("got %v", err)
	}
}

func TestReplaceAndAspect(t *testing.T) {
	t.Parallel()
	w := world(t)
	s, ctx := owner.New(w.Edit), w.As(t, servicetest.Jo)
	if err := s.Replace(ctx, table, []owner.Owner{{URN: jo, Type: "NONE"}, {URN: "urn:li:corpuser:nobody", Type: "CONSUMER"}, {URN: jo, Type: "NONE"}}); err != nil {
		t.Fatal(err)
	}
	if got, want := owners(t, w, table), "nobody CONSUMER consumer, jo NONE none"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if err := s.Replace(ctx, table, nil); err != nil {
		t.Fatal(err)
	}
	if got := owners(t, w, table); got != "" {
		t.Errorf("got %q, want nobody", got)
	}
	if _, err := s.Aspect(ctx, []owner.Owner{{URN: "urn:li:corpuser:nobody", Type: "NONE"}}); fault.KindOf(err) != fault.Malformed {
		t.Errorf("an owner that does not exist: got %v", err)
	}
	value, err := s.Aspect(ctx, []owner.Owner{{URN: mia, TypeURN: steward}})
	want := fmt.Sprintf(`{"lastModified":{"actor":%q,"time":%d},"owners":[{"owner":%q,"source":{"type":"MANUAL"},"type":"DATA_STEWARD","typeUrn":%q}]}`, jo, w.Now().UnixMilli(), mia, steward)
	if got := string(jsontree.Encode(value)); err != nil || got != want {
		t.Errorf("got %s, %v, want %s", got, err, want)
	}
}
