package main_test

import (
	"encoding/json"
	"maps"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// watched is an expression of Prometheus, and the labels that its texts use.
type watched struct {
	where, expr string
	named       []string
}

// exposed adds the labels of each metric in a response to a scraper.
func exposed(text string, into map[string]map[string]bool) {
	for _, line := range series.FindAllStringSubmatch(text, -1) {
		labels := into[line[1]]
		if labels == nil {
			// Prometheus itself adds these labels.
			labels = map[string]bool{"job": true, "instance": true}
			into[line[1]] = labels
		}
		for _, label := range label.FindAllStringSubmatch(line[2], -1) {
			labels[label[1]] = true
		}
	}
}

var (
	series     = regexp.MustCompile(`(?m)^([a-z_]+)(\{.*\})? \S+$`)
	label      = regexp.MustCompile(`([a-z_]+)(?:=~?|!=|!~)"`)
	grouping   = regexp.MustCompile(`\bby \(([a-z_, ]*)\)`)
	identifier = regexp.MustCompile(`[a-z_]+`)
	selector   = regexp.MustCompile(`([a-z_]+)(\{[^}]*\})?(\[[0-9]+[smhd]\])?`)
	legend     = regexp.MustCompile(`\{\{ *(?:\$labels\.)?([a-z_]+) *\}\}`)
	functions  = []string{"sum", "max", "rate", "increase", "topk", "histogram_quantile"}
	counters   = regexp.MustCompile(`_(total|count|bucket)$`)
)

// problems returns the parts of an expression that do not exist.
func (w watched) problems(metrics map[string]map[string]bool) (found []string) {
	if open, closed := strings.Count(w.expr, "("), strings.Count(w.expr, ")"); open != closed {
		found = append(found, "brackets do not match")
	}
	rest := grouping.ReplaceAllString(w.expr, "")
	known, used := map[string]bool{}, 0
	for _, part := range selector.FindAllStringSubmatchIndex(rest, -1) {
		name, filters := rest[part[2]:part[3]], ""
		if part[4] >= 0 {
			filters = rest[part[4]:part[5]]
		}
		after := strings.TrimSpace(rest[part[1]:])
		switch {
		case strings.HasPrefix(after, "("):
			if !slices.Contains(functions, name) {
				found = append(found, name+" is no function known here")
			}
			continue
		case name == "or" || name == "and":
			continue
		}
		used++
		labels, ok := metrics[name]
		if !ok {
			found = append(found, "there is no metric "+name)
			continue
		}
		maps.Copy(known, labels)
		for _, l := range label.FindAllStringSubmatch(filters, -1) {
			if !labels[l[1]] {
				found = append(found, name+" has no label "+l[1])
			}
		}
		if part[6] >= 0 != (counters.MatchString(name) || name == "process_cpu_seconds_total") {
			found = append(found, name+": a range belongs to counters, and counters want one")
		}
	}
	if used == 0 {
		found = append(found, "no metric is named")
	}
	for _, group := range grouping.FindAllStringSubmatch(w.expr, -1) {
		for _, l := range identifier.FindAllString(group[1], -1) {
			if !known[l] {
				found = append(found, "no metric has the label "+l)
			}
		}
	}
	for _, l := range w.named {
		if !known[l] || strings.Contains(w.expr, " by (") && !slices.Contains(groups(w.expr), l) {
			found = append(found, "the text names "+l+", which the result has not")
		}
	}
	return found
}

func groups(expr string) (labels []string) {
	for _, group := range grouping.FindAllStringSubmatch(expr, -1) {
		labels = append(labels, identifier.FindAllString(group[1], -1)...)
	}
	return labels
}

func names(texts ...string) (labels []string) {
	for _, t := range texts {
		for _, l := range legend.FindAllStringSubmatch(t, -1) {
			labels = append(labels, l[1])
		}
	}
	return labels
}

func dashboard(t *testing.T) (all []watched) {
	t.Helper()
	raw, err := os.ReadFile("../deploy/grafana/cartulary.json")
	if err != nil {
		t.Fatal(err)
	}
	var board struct {
		Panels []struct {
			Title   string
			Targets []struct{ Expr, LegendFormat string }
		}
	}
	if err := json.Unmarshal(raw, &board); err != nil {
		t.Fatal(err)
	}
	for _, p := range board.Panels {
		for _, target := range p.Targets {
			all = append(all, watched{p.Title, target.Expr, names(target.LegendFormat)})
		}
	}
	return all
}

func alerts(t *testing.T) (all []watched) {
	t.Helper()
	raw, err := os.ReadFile("../deploy/prometheus/alerts.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Groups []struct {
			Rules []struct {
				Alert, Expr string
				Annotations map[string]string
			}
		}
	}
	if err := yaml.Unmarshal(raw, &file); err != nil {
		t.Fatal(err)
	}
	for _, g := range file.Groups {
		for _, r := range g.Rules {
			all = append(all, watched{r.Alert, r.Expr, names(slices.Collect(maps.Values(r.Annotations))...)})
		}
	}
	return all
}

func TestDashboardAndAlertsNameMetricsThatExist(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: this test builds and starts both programs")
	}
	in := build(t)
	figures := freeAddress(t)
	in.start(t, "CARTULARY_METRICS_LISTEN="+figures)
	token := in.firstToken(t)
	if status, answer := in.graphql(t, "http://"+in.proxy+"/api/graphql", token, `mutation { createTag(input: {id: "seen", name: "seen"}) }`); status != http.StatusOK {
		t.Fatalf("%d %s", status, answer)
	}
	metrics := map[string]map[string]bool{"up": {"job": true, "instance": true}}
	for _, address := range []string{figures, in.service} {
		res, text := in.ask(t, "http://"+address+"/metrics", "")
		if res.StatusCode != http.StatusOK {
			t.Fatalf("%s: %d", address, res.StatusCode)
		}
		exposed(text, metrics)
	}
	board, rules := dashboard(t), alerts(t)
	if len(board) < 20 || len(rules) < 10 {
		t.Fatalf("%d expressions on the dashboard, %d alerts", len(board), len(rules))
	}
	for _, w := range slices.Concat(board, rules) {
		for _, problem := range w.problems(metrics) {
			t.Errorf("%s: %s: %s", w.where, problem, w.expr)
		}
	}
}

func TestExpressionsThatAreWrongAreFound(t *testing.T) {
	t.Parallel()
	metrics := map[string]map[string]bool{}
	exposed("a_total{x=\"1\"} 2\nb 3\n", metrics)
	for expr, says := range map[string]string{
		`sum by (x) (rate(a_total{x="1"}[5m]))`: "",
		`sum(rate(a_total[5m])) / max(b) > 2`:   "",
		`sum by (y) (rate(a_total[5m]))`:        "no metric has the label y",
		`rate(a_total{y="1"}[5m])`:              "a_total has no label y",
		`rate(c_total[5m])`:                     "there is no metric c_total",
		`summ(b)`:                               "summ is no function",
		`sum(b`:                                 "brackets",
		`a_total > 1`:                           "counters want one",
		`rate(b[5m])`:                           "a range belongs to counters",
		`1 > 0`:                                 "no metric is named",
	} {
		got := strings.Join(watched{expr: expr}.problems(metrics), "; ")
		if says == "" && got != "" || !strings.Contains(got, says) {
			t.Errorf("%s: got %q, want %q", expr, got, says)
		}
	}
	if got := (watched{expr: `sum by (x) (rate(a_total[5m]))`, named: []string{"job"}}).problems(metrics); len(got) != 1 {
		t.Errorf("a legend beyond the groups: %q", got)
	}
}
