package main_test

import (
	"net"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/cartulary/cartulary/pkg/tracing/tracingtest"
)

const tracingPage = "../docs/operations.md"

// documentedTracing returns the variables with which the operations documentation turns tracing on,
// and the port of its collector configuration.
func documentedTracing(t *testing.T) (variables []string, port string) {
	t.Helper()
	page, err := os.ReadFile(tracingPage)
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(page), "\n## Traces\n")
	section, _, _ = strings.Cut(section, "\n## ")
	variables = regexp.MustCompile(`(?m)^CARTULARY_TRACING_[A-Z]+=.+$`).FindAllString(section, -1)
	block := regexp.MustCompile("(?s)```yaml\n(.*?)```").FindStringSubmatch(section)
	if len(variables) != 2 || block == nil {
		t.Fatalf("the section has the variables %q and a configuration %v", variables, block != nil)
	}
	var config struct {
		Receivers struct {
			OTLP struct {
				Protocols struct{ HTTP struct{ Endpoint string } }
			}
		}
		Exporters map[string]any
		Service   struct {
			Pipelines struct {
				Traces struct{ Receivers, Exporters []string }
			}
		}
	}
	if err := yaml.Unmarshal([]byte(block[1]), &config); err != nil {
		t.Fatal(err)
	}
	pipeline := config.Service.Pipelines.Traces
	if !slices.Equal(pipeline.Receivers, []string{"otlp"}) || len(pipeline.Exporters) != 1 || config.Exporters[pipeline.Exporters[0]] == nil {
		t.Errorf("the pipeline of the collector is %+v", pipeline)
	}
	_, port, err = net.SplitHostPort(config.Receivers.OTLP.Protocols.HTTP.Endpoint)
	if err != nil {
		t.Fatal(err)
	}
	return variables, port
}

// A request is one trace from the proxy to the driver, with each span below its cause, if both
// programs are started as documented.
func TestARequestIsTracedFromTheProxyToTheDriver(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: this test builds and starts both programs")
	}
	collector := tracingtest.New(t)
	variables, port := documentedTracing(t)
	variables[0] = strings.Replace(variables[0], "http://otel-collector:"+port, collector.URL, 1)
	if variables[0] != "CARTULARY_TRACING_ENDPOINT="+collector.Endpoint() {
		t.Fatalf("the programs export to %q, the collector takes traces at port %s", variables[0], port)
	}
	in := build(t)
	stop := in.start(t, variables...)
	token := in.firstToken(t)
	ask := func(body string) (*http.Response, string) {
		const stranger = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00"
		res := in.exchange(t, http.MethodPost, "http://"+in.proxy+"/api/graphql", body, "Authorization", "Bearer "+token, "traceparent", stranger)
		defer res.Body.Close()
		return res, strings.Split(res.Header.Get("traceparent")+"--", "-")[1]
	}
	_, write := ask(`{"operationName":"Secretive","query":"mutation Secretive { createTag(input: {id: \"classified\", name: \"classified\"}) }"}`)
	_, read := ask(`{"query":"{ searchAcrossEntities(input: {query: \"classified\"}) { total searchResults { entity { urn ... on Tag { properties { name } } } } } }"}`)
	stop() // exports the remaining spans

	const proxy, service = "cartulary-frontend-proxy: ", "cartulary-metadata-service: "
	top := []string{proxy + "POST /api/graphql", proxy + "call the metadata service", service + "POST /api/graphql", service + "graphql"}
	for _, c := range []struct {
		trace, span string
		below       []string
	}{
		{write, "store transaction", []string{"catalog write", "catalog change", "store transaction"}},
		{write, "wait for projections", []string{"catalog write", "catalog change", "wait for projections"}},
		{read, "index search", []string{"discover search", "index search"}},
		{read, "store aspects", []string{"catalog read entities", "store aspects"}},
	} {
		want := slices.Clone(top)
		for _, name := range c.below {
			want = append(want, service+name)
		}
		if i := slices.IndexFunc(collector.Spans(), func(s tracingtest.Span) bool {
			return s.Trace == c.trace && s.Name == c.span && slices.Equal(collector.Way(t, s), want)
		}); i < 0 {
			var ways []string
			for _, s := range collector.Spans() {
				if s.Trace == c.trace {
					ways = append(ways, strings.Join(collector.Way(t, s), " > "))
				}
			}
			t.Errorf("no %s on the way %q; there are\n%s", c.span, want, strings.Join(ways, "\n"))
		}
	}
	for _, s := range collector.Spans() {
		for key, value := range s.Attributes {
			if strings.Contains(value, "classified") || strings.Contains(value, "Secretive") || strings.Contains(value, "urn:li:") || strings.Contains(value, token) {
				t.Errorf("%s of %s is %q", key, s.Name, value)
			}
		}
	}
}
