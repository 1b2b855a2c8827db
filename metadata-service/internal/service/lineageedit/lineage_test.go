package lineageedit_test

import (
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/service/lineageedit"
	"github.com/cartulary/cartulary/metadata-service/internal/service/servicetest"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

const (
	orders  urn.URN = "urn:li:dataset:(urn:li:dataPlatform:postgres,shop.orders,PROD)"
	revenue urn.URN = "urn:li:dataset:(urn:li:dataPlatform:hive,shop.revenue,PROD)"
	costs   urn.URN = "urn:li:dataset:(urn:li:dataPlatform:hive,shop.costs,PROD)"
	daily   urn.URN = "urn:li:chart:(looker,daily)"
	weekly  urn.URN = "urn:li:chart:(looker,weekly)"
	board   urn.URN = "urn:li:dashboard:(looker,board)"
	load    urn.URN = "urn:li:dataJob:(urn:li:dataFlow:(airflow,nightly,PROD),load)"
	clean   urn.URN = "urn:li:dataJob:(urn:li:dataFlow:(airflow,nightly,PROD),clean)"
)

const (
	stamp = `{"actor":"urn:li:corpuser:mia","time":1}`
	now   = `{"actor":"urn:li:corpuser:datahub","time":1772445600000}`
)

func world(t *testing.T) *servicetest.World {
	t.Helper()
	w := servicetest.New(t)
	for _, u := range []urn.URN{orders, revenue, costs, daily, weekly, board, load, clean} {
		w.Put(t, u, "status", `{"removed":false}`)
	}
	return w
}

func edge(up, down urn.URN) []lineageedit.Edge {
	return []lineageedit.Edge{{Upstream: string(up), Downstream: string(down)}}
}

func TestEdgesAreKeptWhereTheirTypesKeepThem(t *testing.T) {
	t.Parallel()
	drawn := func(holder, other urn.URN) string {
		return `[{"created":` + now + `,"destinationUrn":"` + string(other) + `","lastModified":` + now + `,"properties":{"source":"UI"},"sourceUrn":"` + string(holder) + `"}]`
	}
	titled := `"lastModified":{"created":` + now + `,"lastModified":` + now + `},"title":`
	for _, c := range []struct {
		name           string
		up, down       urn.URN
		holder         urn.URN
		aspect         string
		drawn, removed string
	}{
		{"a dataset from a dataset", orders, revenue, revenue, "upstreamLineage",
			`{"upstreams":[{"auditStamp":` + now + `,"created":` + now + `,"dataset":"` + string(orders) + `","properties":{"source":"UI"},"type":"TRANSFORMED"}]}`, `{"upstreams":[]}`},
		{"a dataset from a job", load, revenue, load, "dataJobInputOutput",
			`{"inputDatasets":[],"outputDatasetEdges":` + drawn(load, revenue) + `,"outputDatasets":[]}`, `{"inputDatasets":[],"outputDatasetEdges":[],"outputDatasets":[]}`},
		{"a job from a dataset", orders, load, load, "dataJobInputOutput",
			`{"inputDatasetEdges":` + drawn(load, orders) + `,"inputDatasets":[],"outputDatasets":[]}`, `{"inputDatasetEdges":[],"inputDatasets":[],"outputDatasets":[]}`},
		{"a job from a job", clean, load, load, "dataJobInputOutput",
			`{"inputDatajobEdges":` + drawn(load, clean) + `,"inputDatasets":[],"outputDatasets":[]}`, `{"inputDatajobEdges":[],"inputDatasets":[],"outputDatasets":[]}`},
		{"a chart from a dataset", orders, daily, daily, "chartInfo",
			`{"description":"","inputEdges":` + drawn(daily, orders) + `,` + titled + `"daily"}`, `{"description":"","inputEdges":[],` + titled + `"daily"}`},
		{"a chart from a chart", weekly, daily, daily, "chartInfo",
			`{"description":"","inputEdges":` + drawn(daily, weekly) + `,` + titled + `"daily"}`, `{"description":"","inputEdges":[],` + titled + `"daily"}`},
		{"a dashboard from a dataset", orders, board, board, "dashboardInfo",
			`{"datasetEdges":` + drawn(board, orders) + `,"description":"",` + titled + `"board"}`,
			`{"datasetEdges":[],"description":"",` + titled + `"board"}`},
		{"a dashboard from a chart", daily, board, board, "dashboardInfo",
			`{"chartEdges":` + drawn(board, daily) + `,"description":"",` + titled + `"board"}`,
			`{"chartEdges":[],"description":"",` + titled + `"board"}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := world(t)
			s, root := lineageedit.New(w.Edit), w.As(t, servicetest.Root)
			for range 2 {
				if err := s.Update(root, edge(c.up, c.down), nil); err != nil {
					t.Fatal(err)
				}
				if got := w.Get(t, c.holder, c.aspect); got != c.drawn {
					t.Errorf("drawn, it is %s, want %s", got, c.drawn)
				}
			}
			for range 2 {
				if err := s.Update(root, nil, edge(c.up, c.down)); err != nil {
					t.Fatal(err)
				}
				if got := w.Get(t, c.holder, c.aspect); got != c.removed {
					t.Errorf("removed, it is %s, want %s", got, c.removed)
				}
			}
		})
	}
}

func TestRemovalTakesOlderListsAndColumns(t *testing.T) {
	t.Parallel()
	w := world(t)
	s, root := lineageedit.New(w.Edit), w.As(t, servicetest.Root)
	field := func(u urn.URN, name string) string { return `"urn:li:schemaField:(` + string(u) + `,` + name + `)"` }
	w.Put(t, revenue, "upstreamLineage", `{"upstreams":[
		{"dataset":"`+string(orders)+`","type":"TRANSFORMED","auditStamp":`+stamp+`},{"dataset":"`+string(costs)+`","type":"COPY","auditStamp":`+stamp+`}],
		"fineGrainedLineages":[
		{"upstreamType":"FIELD_SET","upstreams":[`+field(orders, "a")+`,`+field(costs, "b")+`],"downstreamType":"FIELD","downstreams":[`+field(revenue, "c")+`]},
		{"upstreamType":"FIELD_SET","upstreams":[`+field(orders, "a")+`],"downstreamType":"FIELD","downstreams":[`+field(revenue, "d")+`]},
		{"upstreamType":"NONE","downstreamType":"FIELD","downstreams":[`+field(revenue, "e")+`]}]}`)
	if err := s.Update(root, nil, edge(orders, revenue)); err != nil {
		t.Fatal(err)
	}
	want := `{"fineGrainedLineages":[{"downstreamType":"FIELD","downstreams":[` + field(revenue, "c") + `],"upstreamType":"FIELD_SET","upstreams":[` + field(costs, "b") + `]},` +
		`{"downstreamType":"FIELD","downstreams":[` + field(revenue, "e") + `],"upstreamType":"NONE"}],` +
		`"upstreams":[{"auditStamp":` + stamp + `,"dataset":"` + string(costs) + `","type":"COPY"}]}`
	if got := w.Get(t, revenue, "upstreamLineage"); got != want {
		t.Errorf("got %s, want %s", got, want)
	}

	w.Put(t, daily, "chartInfo", `{"title":"Daily","description":"","lastModified":{"created":`+stamp+`,"lastModified":`+stamp+`},"inputs":[{"string":"`+string(orders)+`"}]}`)
	if err := s.Update(root, edge(orders, daily), nil); err != nil {
		t.Fatal(err)
	}
	if err := s.Update(root, nil, edge(orders, daily)); err != nil {
		t.Fatal(err)
	}
	if got, want := w.Get(t, daily, "chartInfo"), `{"description":"","inputs":[],"lastModified":{"created":`+stamp+`,"lastModified":`+stamp+`},"title":"Daily"}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestLineageThatIsRefused(t *testing.T) {
	t.Parallel()
	w := world(t)
	const ghost urn.URN = "urn:li:dataset:(urn:li:dataPlatform:hive,shop.ghost,PROD)"
	s := lineageedit.New(w.Granting(servicetest.Grants{Over: map[urn.URN][]auth.Privilege{
		orders: {auth.EditLineage}, revenue: {auth.EditEntity}, ghost: {auth.EditEntity}, costs: {auth.EditDocs}, load: {auth.EditLineage},
	}}))
	jo := w.As(t, servicetest.Jo)
	for _, c := range []struct {
		name        string
		add, remove []lineageedit.Edge
		kind        fault.Kind
	}{
		{"no right over the upstream end", edge(costs, revenue), nil, fault.Forbidden},
		{"no right over the downstream end", edge(orders, costs), nil, fault.Forbidden},
		{"no right over what is removed", edge(orders, revenue), edge(costs, revenue), fault.Forbidden},
		{"an upstream end that is not there", edge(ghost, revenue), nil, fault.Malformed},
		{"a downstream end that is not there", edge(orders, ghost), nil, fault.Malformed},
		{"one good, one bad", append(edge(orders, revenue), edge(orders, ghost)...), nil, fault.Malformed},
		{"made from itself", edge(orders, orders), nil, fault.Malformed},
		{"a dataset from a dashboard", edge(board, orders), nil, fault.Malformed},
		{"no URN", edge("orders", revenue), nil, fault.Malformed},
		{"too many", make([]lineageedit.Edge, 600), make([]lineageedit.Edge, 600), fault.TooLarge},
	} {
		t.Run(c.name, func(t *testing.T) {
			if err := s.Update(jo, c.add, c.remove); err == nil || fault.KindOf(err) != c.kind {
				t.Errorf("got %v, want a failure of the kind %s", err, c.kind)
			}
		})
	}
	if got := w.Get(t, revenue, "upstreamLineage"); got != "" {
		t.Errorf("a refused call wrote %s", got)
	}
	if err := s.Update(jo, nil, nil); err != nil {
		t.Errorf("nothing to do: %v", err)
	}
	if err := s.Update(jo, edge(orders, revenue), edge(load, revenue)); err != nil {
		t.Errorf("with the rights: %v", err)
	}
}
