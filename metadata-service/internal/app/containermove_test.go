//go:build unix

package app_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/urn"
)

// TestContainersMoveByTheRightOverTheirContentsByEveryInterface moves a container with a dataset
// into the container of a policy, by every API that writes aspects. Otherwise an actor with
// privileges only over containers could move the dataset into the scope of the policy.
func TestContainersMoveByTheRightOverTheirContentsByEveryInterface(t *testing.T) {
	t.Parallel()
	m := newMatrix(t)
	registry, err := model.Load()
	if err != nil {
		t.Fatal(err)
	}
	const (
		old, own, moved = "urn:li:container:old", "urn:li:container:own", "urn:li:container:moved"
		inside          = "urn:li:dataset:(urn:li:dataPlatform:hive,moved.pay,PROD)"
	)
	for _, c := range []string{old, own, moved} {
		put(t, m.app, c, "containerProperties", `{"name":"`+c+`"}`)
	}
	back := func() { put(t, m.app, moved, "container", `{"container":"`+old+`"}`) }
	back()
	put(t, m.app, inside, "container", `{"container":"`+moved+`"}`)
	policy := func(id, criteria string) {
		put(t, m.app, "urn:li:dataHubPolicy:"+id, "dataHubPolicyInfo", `{"displayName":"P","description":"","state":"ACTIVE","type":"METADATA","privileges":["EDIT_ENTITY","DELETE_ENTITY","CREATE_ENTITY"],
			"actors":{"users":["`+holderURN+`"]},"resources":{"filter":{"criteria":[`+criteria+`]}}}`)
	}
	policy("containers", `{"field":"TYPE","values":["container"]}`)
	policy("own", `{"field":"CONTAINER","values":["`+own+`"]}`)

	entity, _ := registry.Entity("container")
	spec, _ := entity.Aspect("container")
	f := &fact{entity: entity, spec: spec, urn: moved, value: `{"container":"` + own + `"}`}
	change := func(w writer) (answer, int) {
		before := m.changes()
		path, body := w.request(f)
		got := ask(t, m.app, m.holder, w.method, path, body)
		return got, len(m.writtenBy(t, holderURN, before))
	}
	var moving []writer
	for _, w := range writers {
		if !w.removes && (w.unless == nil || !w.unless(f)) && !strings.Contains(w.operation, "CREATE") {
			moving = append(moving, w)
		}
	}
	for _, w := range moving {
		if got, written := change(w); written > 0 || !isRefusal(got) {
			t.Errorf("by %s: wrote %d, answered %d %.300s", w.operation, written, got.status, got.body)
			back()
		}
	}
	t.Logf("%d interfaces", len(moving))
	if got := ask(t, m.app, m.holder, "DELETE", "/openapi/v3/entity/container/"+moved+"/container", ""); !isRefusal(got) {
		t.Errorf("out of its container: %v", got)
	}
	if got := ask(t, m.app, m.holder, "PATCH", "/openapi/v3/entity/dataset/"+inside+"/datasetProperties", `{"patch":[{"op":"add","path":"/description","value":"x"}]}`); !isRefusal(got) {
		t.Errorf("the dataset inside: %v", got)
	}

	// A new container may be placed by the right to create it. A write that does not change the
	// place is allowed. An actor who may edit all possible contents may move the container.
	create := writers[0]
	if got := ask(t, m.app, m.holder, "POST", "/openapi/v3/entity/container?async=false", `[{"urn":"urn:li:container:later","containerProperties":{"value":{"name":"later"}}}]`); got.status != 200 {
		t.Errorf("a container without a place: %v", got)
	}
	for name, c := range map[string]struct{ on, in string }{"a container that is created": {"urn:li:container:fresh", own}, "one that the actor created before": {"urn:li:container:later", own}, "a place that stays": {moved, old}} {
		f.urn, f.value = urn.URN(c.on), `{"container":"`+c.in+`"}`
		if got, _ := change(create); got.status != 200 {
			t.Errorf("%s: %v", name, got)
		}
	}
	f.urn, f.value = moved, `{"container":"`+own+`"}`
	var types []string
	for _, e := range registry.Entities() {
		if _, has := e.Aspect("container"); has {
			types = append(types, fmt.Sprintf("%q", e.Name))
		}
	}
	policy("contents", `{"field":"TYPE","values":[`+strings.Join(types, ",")+`]}`)
	for _, w := range moving {
		if got, written := change(w); written == 0 || isRefusal(got) {
			t.Errorf("with the right over the contents, by %s: wrote %d, answered %d %.300s", w.operation, written, got.status, got.body)
		}
		back()
	}
}
