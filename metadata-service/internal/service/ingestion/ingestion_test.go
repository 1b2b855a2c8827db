package ingestion_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/service/ingestion"
	"github.com/cartulary/cartulary/metadata-service/internal/service/servicetest"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

const (
	source  urn.URN = "urn:li:dataHubIngestionSource:orders"
	nowhere urn.URN = "urn:li:dataHubIngestionSource:nowhere"
)

func orders() ingestion.Source {
	return ingestion.Source{Name: "Orders", Kind: "mysql", Recipe: `{"source":{"type":"mysql"}}`, Executor: "default"}
}

func ptr[T any](v T) *T { return &v }

func TestWhatASourceMustSay(t *testing.T) {
	t.Parallel()
	w := servicetest.New(t)
	s := ingestion.New(w.Edit)
	for name, c := range map[string]struct {
		change func(*ingestion.Source)
		names  string // member named in the message, empty for a valid source
	}{
		"enough":               {func(*ingestion.Source) {}, ""},
		"no name":              {func(s *ingestion.Source) { s.Name = " " }, "name"},
		"no type":              {func(s *ingestion.Source) { s.Kind = "" }, "type"},
		"no recipe":            {func(s *ingestion.Source) { s.Recipe = "" }, "config.recipe"},
		"a huge recipe":        {func(s *ingestion.Source) { s.Recipe = strings.Repeat("x", 2<<20) }, "config.recipe"},
		"no executor":          {func(s *ingestion.Source) { s.Executor = "" }, "config.executorId"},
		"an argument unnamed":  {func(s *ingestion.Source) { s.Extra = []ingestion.Argument{{}} }, "config.extraArgs"},
		"many arguments":       {func(s *ingestion.Source) { s.Extra = make([]ingestion.Argument, 201) }, "config.extraArgs"},
		"a huge version":       {func(s *ingestion.Source) { s.Version = ptr(strings.Repeat("x", 2000)) }, "config.version"},
		"a schedule":           {func(s *ingestion.Source) { s.Schedule = &ingestion.Schedule{Interval: "0 4 * * *", Timezone: "UTC"} }, ""},
		"a schedule never due": {func(s *ingestion.Source) { s.Schedule = &ingestion.Schedule{Interval: "0 25 * * *", Timezone: "UTC"} }, "schedule.interval"},
	} {
		t.Run(name, func(t *testing.T) {
			src := orders()
			c.change(&src)
			err := s.Update(w.As(t, servicetest.Root), source, src)
			if c.names == "" && err != nil || c.names != "" && (err == nil || !strings.HasPrefix(fault.Message(err), c.names)) {
				t.Errorf("got %v, want an error about %q", err, c.names)
			}
		})
	}
}

func TestUpdatingReplacesOrMakesASource(t *testing.T) {
	t.Parallel()
	w := servicetest.New(t)
	s := ingestion.New(w.Edit)
	ctx := w.As(t, servicetest.Root)
	first := orders()
	first.Debug, first.Extra, first.Origin = ptr(true), []ingestion.Argument{{Key: "a", Value: "b"}}, "SYSTEM"
	first.Version = ptr("1.0")
	for _, c := range []struct {
		src  ingestion.Source
		want string
	}{
		{first, `{"config":{"debugMode":true,"executorId":"default","extraArgs":{"a":"b"},"recipe":"{\"source\":{\"type\":\"mysql\"}}","version":"1.0"},"name":"Orders","source":{"type":"SYSTEM"},"type":"mysql"}`},
		{orders(), `{"config":{"executorId":"default","recipe":"{\"source\":{\"type\":\"mysql\"}}"},"name":"Orders","type":"mysql"}`},
	} {
		if err := s.Update(ctx, source, c.src); err != nil {
			t.Fatal(err)
		}
		if got := w.Get(t, source, "dataHubIngestionSourceInfo"); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
	if err := s.Delete(ctx, source); err != nil {
		t.Fatal(err)
	}
	if got := w.Get(t, source, "dataHubIngestionSourceInfo"); got != "" {
		t.Errorf("after deletion there is %s", got)
	}
}

func TestOthersMayNothing(t *testing.T) {
	t.Parallel()
	w := servicetest.New(t)
	s := ingestion.New(w.Edit)
	ctx := w.As(t, servicetest.Jo)
	_, create := s.Create(ctx, orders())
	_, execute := s.Execute(ctx, nowhere)
	_, try := s.TestConnection(ctx, "{}", nil)
	for name, err := range map[string]error{
		"create": create, "execute": execute, "test": try,
		"update": s.Update(ctx, source, orders()), "delete": s.Delete(ctx, source),
		"cancel": s.Cancel(ctx, source, "urn:li:dataHubExecutionRequest:x"), "rollback": s.Rollback(ctx, "run"),
	} {
		if !errors.Is(err, fault.Forbidden) {
			t.Errorf("%s: got %v, want forbidden", name, err)
		}
	}
}

func TestRequestsHoldWhatExecutorsNeed(t *testing.T) {
	t.Parallel()
	w := servicetest.New(t)
	s := ingestion.New(w.Edit)
	ctx := w.As(t, servicetest.Root)
	src := orders()
	src.Executor, src.Version, src.Debug = "remote", ptr("1.2"), ptr(false)
	src.Extra = []ingestion.Argument{{Key: "a", Value: "b"}, {Key: "recipe", Value: "not this one"}}
	if err := s.Update(ctx, source, src); err != nil {
		t.Fatal(err)
	}
	run := request(t, func() (urn.URN, error) { return s.Execute(ctx, source) })
	want := `{"actorUrn":"urn:li:corpuser:datahub","args":{"a":"b","debug_mode":"false","recipe":"{\"pipeline_name\":\"urn:li:dataHubIngestionSource:orders\",\"source\":{\"type\":\"mysql\"}}","version":"1.2"},` +
		`"executorId":"remote","requestedAt":1772445600000,"source":{"ingestionSource":"urn:li:dataHubIngestionSource:orders","type":"MANUAL_INGESTION_SOURCE"},"task":"RUN_INGEST"}`
	if got := w.Get(t, run, "dataHubExecutionRequestInput"); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	try := request(t, func() (urn.URN, error) { return s.TestConnection(ctx, "source: x", nil) })
	want = `{"actorUrn":"urn:li:corpuser:datahub","args":{"recipe":"source: x"},"executorId":"default","requestedAt":1772445600000,"source":{"type":"MANUAL_TEST_CONNECTION"},"task":"TEST_CONNECTION"}`
	if got := w.Get(t, try, "dataHubExecutionRequestInput"); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if err := s.Cancel(ctx, source, run); err != nil {
		t.Fatal(err)
	}
	want = `{"createdAt":{"actor":"urn:li:corpuser:datahub","time":1772445600000},"executorId":"remote","signal":"KILL"}`
	if got := w.Get(t, run, "dataHubExecutionRequestSignal"); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestRequestsStateTheDebugMode(t *testing.T) {
	t.Parallel()
	w := servicetest.New(t)
	s := ingestion.New(w.Edit)
	ctx := w.As(t, servicetest.Root)
	argument := func(value string) []ingestion.Argument {
		return []ingestion.Argument{{Key: "debug_mode", Value: value}}
	}
	for name, tt := range map[string]struct {
		debug *bool
		extra []ingestion.Argument
		want  string
	}{
		"off when the source does not state it":   {nil, nil, "false"},
		"on when the source says so":              {ptr(true), nil, "true"},
		"off when the source says so":             {ptr(false), nil, "false"},
		"on when an extra argument says so":       {nil, argument("true"), "true"},
		"of the source when both state it":        {ptr(false), argument("true"), "false"},
		"as it stands in extra arguments, if odd": {nil, argument("perhaps"), "perhaps"},
	} {
		src := orders()
		src.Debug, src.Extra = tt.debug, tt.extra
		if err := s.Update(ctx, source, src); err != nil {
			t.Fatal(err)
		}
		run := request(t, func() (urn.URN, error) { return s.Execute(ctx, source) })
		if got := w.Get(t, run, "dataHubExecutionRequestInput"); !strings.Contains(got, `"debug_mode":"`+tt.want+`"`) {
			t.Errorf("%s: got %s, want debug_mode %s", name, got, tt.want)
		}
	}
}

func request(t *testing.T, make func() (urn.URN, error)) urn.URN {
	t.Helper()
	u, err := make()
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func TestRequestsThatMakeNoSense(t *testing.T) {
	t.Parallel()
	w := servicetest.New(t)
	s := ingestion.New(w.Edit)
	ctx := w.As(t, servicetest.Root)
	w.Put(t, "urn:li:dataHubIngestionSource:empty", "dataHubIngestionSourceInfo", `{"name":"x","type":"y","config":{"recipe":" ","executorId":"default"}}`)
	if err := s.Update(ctx, source, orders()); err != nil {
		t.Fatal(err)
	}
	run := request(t, func() (urn.URN, error) { return s.Execute(ctx, source) })
	for name, try := range map[string]func(context.Context) error{
		"a source that is not there": func(ctx context.Context) error { _, err := s.Execute(ctx, nowhere); return err },
		"a source without recipe": func(ctx context.Context) error {
			_, err := s.Execute(ctx, "urn:li:dataHubIngestionSource:empty")
			return err
		},
		"a test of nothing": func(ctx context.Context) error { _, err := s.TestConnection(ctx, "", nil); return err },
		"a request that is not there": func(ctx context.Context) error {
			return s.Cancel(ctx, source, "urn:li:dataHubExecutionRequest:nowhere")
		},
		"a request of another source": func(ctx context.Context) error { return s.Cancel(ctx, nowhere, run) },
		"no run":                      func(ctx context.Context) error { return s.Rollback(ctx, "") },
	} {
		if err := try(ctx); !errors.Is(err, fault.Malformed) {
			t.Errorf("%s: got %v, want malformed", name, err)
		}
	}
}

func TestRecipesInYAMLStayAsTheyAre(t *testing.T) {
	t.Parallel()
	w := servicetest.New(t)
	s := ingestion.New(w.Edit)
	ctx := w.As(t, servicetest.Root)
	for recipe, want := range map[string]string{
		"source:\n  type: mysql": `"recipe":"source:\n  type: mysql"`,
		`{"pipeline_name":"p"}`:  `"recipe":"{\"pipeline_name\":\"p\"}"`,
	} {
		src := orders()
		src.Recipe = recipe
		if err := s.Update(ctx, source, src); err != nil {
			t.Fatal(err)
		}
		run := request(t, func() (urn.URN, error) { return s.Execute(ctx, source) })
		if got := w.Get(t, run, "dataHubExecutionRequestInput"); !strings.Contains(got, want) {
			t.Errorf("of %q the request has %s", recipe, got)
		}
	}
}

// TestWhatARightOverOneSourceIsEnoughFor: the catalog requires no further privilege.
func TestWhatARightOverOneSourceIsEnoughFor(t *testing.T) {
	t.Parallel()
	w := servicetest.New(t)
	ctx := w.As(t, servicetest.Mia)
	over := func(privileges ...auth.Privilege) *ingestion.Service {
		return ingestion.New(w.Granting(servicetest.Grants{Over: map[urn.URN][]auth.Privilege{source: privileges}}))
	}
	s := over(auth.EditEntity, auth.DeleteEntity)
	if err := s.Update(ctx, source, orders()); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Execute(ctx, source); !errors.Is(err, fault.Forbidden) {
		t.Errorf("by the right to edit it a source is run: %v", err)
	}
	s = over(auth.ExecuteEntity, auth.DeleteEntity)
	request, err := s.Execute(ctx, source)
	if err != nil {
		t.Fatal(err)
	}
	if got := w.Get(t, request, "dataHubExecutionRequestInput"); !strings.Contains(got, `"actorUrn":"`+string(servicetest.Mia)+`"`) {
		t.Errorf("got %s, want who asked", got)
	}
	if err := s.Cancel(ctx, source, request); err != nil {
		t.Error(err)
	}
	if err := s.Delete(ctx, source); err != nil {
		t.Error(err)
	}
}

func TestARollbackIsToldByTheResultOfItsRun(t *testing.T) {
	t.Parallel()
	const (
		run   = "urn:li:dataHubExecutionRequest:night"
		table = "urn:li:dataset:(urn:li:dataPlatform:mysql,orders,PROD)"
		other = "urn:li:tag:other"
	)
	w := servicetest.New(t)
	s := ingestion.New(w.Edit)
	w.Put(t, run, "dataHubExecutionRequestResult", `{"durationMs":5,"report":"log","status":"SUCCESS"}`)
	w.PutInRun(t, "night", table, "datasetProperties", `{"name":"orders"}`)

	if err := s.Rollback(w.As(t, servicetest.Jo), "night"); !errors.Is(err, fault.Forbidden) {
		t.Fatalf("got %v, want forbidden", err)
	}
	if got := w.Get(t, run, "dataHubExecutionRequestResult"); !strings.Contains(got, `"status":"SUCCESS"`) {
		t.Errorf("a refused rollback left %s", got)
	}
	if err := s.Rollback(w.As(t, servicetest.Root), "night"); err != nil {
		t.Fatal(err)
	}
	if got, want := w.Get(t, run, "dataHubExecutionRequestResult"), `{"durationMs":5,"report":"log","status":"ROLLED_BACK"}`; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got := w.Get(t, table, "datasetProperties"); got != "" {
		t.Errorf("after the rollback there is %s", got)
	}
	w.PutInRun(t, "no-request", other, "tagProperties", `{"name":"other"}`)
	if err := s.Rollback(w.As(t, servicetest.Root), "no-request"); err != nil {
		t.Errorf("a run without a request: %v", err)
	}
}
