package metatest_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/cartulary/cartulary/metadata-service/internal/metatest"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/pkg/urn"
)

const explained urn.URN = "urn:li:dataset:(urn:li:dataPlatform:hive,shop.orders,PROD)"

// factsOf returns the facts of a dataset with some search fields and aspects.
func factsOf(fields map[string][]search.Value, aspects map[string]string) *metatest.Facts {
	f := &metatest.Facts{
		URN: explained, Type: "dataset", At: now, Document: &search.Document{URN: explained, Type: "dataset", Fields: fields},
		Kinds: map[string]search.Kind{"hasOwners": search.Boolean, "lastModifiedAt": search.DateTime}, Records: map[string]*model.Record{},
	}
	for name, value := range aspects {
		f.Records[name] = &model.Record{URN: explained, Aspect: name, Value: []byte(value)}
	}
	return f
}

// told formats findings: a star for decisive ones, a plus for met ones.
func told(findings []metatest.Finding) string {
	var lines []string
	for _, f := range findings {
		sign := " -"
		if f.Met {
			sign = " +"
		}
		if f.Decisive {
			sign = "*" + sign[1:]
		}
		line := strings.Join(strings.Fields(fmt.Sprintf("%s %s %s %s %s %s", sign, f.Path, f.Property, f.Operator, strings.Join(f.Values, ","), f.Match)), " ")
		if f.Negated {
			line += " negated"
		}
		if f.OneOf != "" {
			line += " of " + f.OneOf
		}
		line += fmt.Sprintf(": %d %q", f.Total, f.Found)
		if f.Of > 0 {
			line += fmt.Sprintf(", %d of %d meet %s", f.Meeting, f.Of, f.Elements)
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

func TestWhatAnAssetHasOfEachConditionIsTold(t *testing.T) {
	columns := map[string]string{
		"schemaMetadata":    `{"fields":[{"fieldPath":"id","description":"key"},{"fieldPath":"name"},{"fieldPath":"email","globalTags":{"tags":[{"tag":"urn:li:tag:pii"}]}}]}`,
		"datasetProperties": `{"customProperties":{"tier":"bronze"},"lastModified":{"time":5,"actor":"urn:li:corpuser:jo"},"tags":[]}`,
	}
	fields := map[string][]search.Value{"name": {{Text: "orders"}}, "hasOwners": {{Text: "false"}}, "tags": {{Text: "urn:li:tag:a"}, {Text: "urn:li:tag:b"}}, "lastModifiedAt": {{Number: 1_760_000_000_000}}}
	cases := []struct{ name, rules, want string }{
		{"nothing to meet", `{}`, ""},
		{"one check", `{"property":"hasOwners","operator":"is_true"}`, `*- rules hasOwners is_true: 1 ["false"]`},
		{"a check that is met", `{"property":"name","operator":"contains","value":"ord"}`, `+ rules name contains ord: 1 ["orders"]`},
		{
			"a list means all, and only what is broken decides", `[{"property":"tags","operator":"in","values":["urn:li:tag:b"]},{"property":"datasetProperties.customProperties.tier","operator":"equals","values":["gold","silver"]},{"property":"description","operator":"exists"}]`,
			"+ rules[0] tags equals urn:li:tag:b: 2 [\"urn:li:tag:a\" \"urn:li:tag:b\"]\n*- rules[1] datasetProperties.customProperties.tier equals gold,silver: 1 [\"bronze\"]\n*- rules[2] description exists: 0 []",
		},
		{
			"of alternatives all decide while none is met", `{"or":[{"property":"hasOwners","operator":"is_true"},{"and":[{"property":"name","operator":"exists"},{"property":"domains","operator":"exists"}]}]}`,
			"*- rules.or[0] hasOwners is_true of rules.or: 1 [\"false\"]\n+ rules.or[1].and[0] name exists of rules.or: 1 [\"orders\"]\n*- rules.or[1].and[1] domains exists of rules.or: 0 []",
		},
		{
			"and none does while one is", `{"or":[{"property":"hasOwners","operator":"is_true"},{"property":"name","operator":"exists"}]}`,
			"- rules.or[0] hasOwners is_true of rules.or: 1 [\"false\"]\n+ rules.or[1] name exists of rules.or: 1 [\"orders\"]",
		},
		{
			"in a not it is what holds that decides", `{"not":{"or":[{"property":"name","operator":"exists"},{"property":"domains","operator":"exists"}]}}`,
			"*- rules.not.or[0] name exists negated: 1 [\"orders\"]\n+ rules.not.or[1] domains exists negated: 0 []",
		},
		{
			"of what must not hold together one is enough", `{"not":[{"property":"name","operator":"exists"},{"property":"tags","operator":"exists"}]}`,
			"*- rules.not[0] name exists negated of rules.not: 1 [\"orders\"]\n*- rules.not[1] tags exists negated of rules.not: 2 [\"urn:li:tag:a\" \"urn:li:tag:b\"]",
		},
		{"twice negated is not negated", `{"not":{"not":{"property":"domains","operator":"exists"}}}`, `*- rules.not.not domains exists: 0 []`},
		{"a time is told as one", `{"property":"lastModifiedAt","operator":"after","value":"-30d"}`, `*- rules lastModifiedAt after -30d: 1 ["2025-10-09T08:53:20Z"]`},
		{"a number", `{"property":"relationships.DownstreamOf.incoming","operator":"greater_than","value":3}`, `*- rules relationships.DownstreamOf.incoming greater_than 3: 1 ["0"]`},
		{"a pattern and how many have to match", `{"property":"tags","operator":"regex","values":["a$"],"match":"all"}`, `*- rules tags regex a$ all: 2 ["urn:li:tag:a" "urn:li:tag:b"]`},
		{"what has no text is counted", `{"property":"datasetProperties.lastModified","operator":"not_exists"}`, `*- rules datasetProperties.lastModified not_exists: 1 []`},
		{
			"elements that break the rules are named", `{"of":"columns","match":"80%","rules":{"property":"description","operator":"exists"}}`,
			`*- rules columns 80%: 2 ["name" "email"], 1 of 3 meet description exists`,
		},
		{
			"and those that meet them when none may", `{"of":"columns","match":"none","rules":[{"property":"tags","operator":"exists"},{"not":{"property":"path","operator":"equals","value":"id"}}]}`,
			`*- rules columns none: 1 ["email"], 1 of 3 meet (tags exists and not path equals id)`,
		},
		{
			"also in a not", `{"not":{"of":"columns","match":"any","rules":{"property":"tags","operator":"exists"}}}`,
			`*- rules.not columns any negated: 1 ["email"], 1 of 3 meet tags exists`,
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			test, err := metatest.Parse(t.Context(), registry(t), nil, []byte(`{"on":{"types":["dataset"]},"rules":`+c.rules+`}`))
			if err != nil {
				t.Fatal(err)
			}
			f := factsOf(fields, columns)
			findings := test.Explain(f, 100, false)
			if got := told(findings); got != c.want {
				t.Errorf("told\n%s\nwant\n%s", got, c.want)
			}
			decisive := slices.DeleteFunc(findings, func(one metatest.Finding) bool { return !one.Decisive })
			if got := told(test.Explain(f, 100, true)); got != told(decisive) {
				t.Errorf("decisive ones alone:\n%s", got)
			}
			if (len(decisive) > 0) != (test.Decide(f) == metatest.Failing) {
				t.Errorf("the verdict is %v", test.Decide(f))
			}
		})
	}
}

func TestWhatIsToldOfAConditionHasLimits(t *testing.T) {
	many := make([]search.Value, 50)
	for i := range many {
		many[i].Text = fmt.Sprint(i, strings.Repeat("ä", 300))
	}
	rules := strings.Repeat(`{"property":"name","operator":"equals","values":["`+strings.Repeat("x", 500)+`"`+strings.Repeat(`,"y"`, 40)+`]},`, 29) + `{"property":"domains","operator":"exists"}`
	test, err := metatest.Parse(t.Context(), registry(t), nil, []byte(`{"on":{"types":["dataset"]},"rules":[`+rules+`]}`))
	if err != nil {
		t.Fatal(err)
	}
	findings := test.Explain(factsOf(map[string][]search.Value{"name": many}, nil), 7, true)
	if len(findings) != 7 {
		t.Fatalf("%d findings", len(findings))
	}
	f := findings[0]
	if f.Total != 50 || len(f.Found) != 5 || len(f.Values) != 10 {
		t.Errorf("%d of %d values found, compared with %d", len(f.Found), f.Total, len(f.Values))
	}
	for _, text := range append(f.Found, f.Values...) {
		if len(text) > metatest.MaxTold || !utf8.ValidString(text) {
			t.Errorf("%d bytes: %q", len(text), text)
		}
	}
}
