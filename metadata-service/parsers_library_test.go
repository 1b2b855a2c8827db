package main_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog/rule"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/metatest"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/model/columns"
	"github.com/cartulary/cartulary/metadata-service/internal/model/patch"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/metadata-service/internal/service/ingestion"
	"github.com/cartulary/cartulary/metadata-service/internal/service/openlineage"
	"github.com/cartulary/cartulary/metadata-service/internal/service/ops"
	"github.com/cartulary/cartulary/metadata-service/internal/service/timeline"
	"github.com/cartulary/cartulary/metadata-service/internal/service/token"
	"github.com/cartulary/cartulary/metadata-service/internal/timeseries"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/precondition"
	"github.com/cartulary/cartulary/metadata-service/internal/webhook"
	"github.com/cartulary/cartulary/metadata-service/internal/yamltree"
	"github.com/cartulary/cartulary/pkg/parsercost"
	"github.com/cartulary/cartulary/pkg/urn"
	"github.com/cartulary/cartulary/pkg/utf8json"
)

// Lengths of inputs in bytes.
const (
	short = 4 << 10
	long  = 128 << 10
)

// libraryParsers returns the parsers that are called without a request.
func libraryParsers(tb testing.TB) []parsercost.Parser {
	tb.Helper()
	registry, err := model.Load()
	if err != nil {
		tb.Fatal(err)
	}
	return append(append(textParsers(registry), jsonParsers(tb, registry)...), definitionParsers(tb, registry)...)
}

const someDataset = "urn:li:dataset:(urn:li:dataPlatform:hive,shop.orders,PROD)"

// textParsers returns parsers of short texts.
func textParsers(registry *model.Registry) []parsercost.Parser {
	urns := map[string]string{
		"parentheses": repeat("urn:li:dataset:", "(", "", short), "closed parentheses": "urn:li:dataset:" + strings.Repeat("(", short/2) + strings.Repeat(")", short/2),
		"commas": repeat("urn:li:dataset:(", ",", ")", short), "colons": repeat("urn:li:dataset:", ":", "", short), "no text": repeat("", "\xff", "", short),
		"parts": repeat("urn:li:dataset:(", "a,", "a)", short), "percent signs": repeat("urn:li:tag:", "%2F", "", short), "Han": repeat("urn:li:tag:", "漢", "", short),
		"as long as it may be": repeat("urn:li:dataset:(urn:li:dataPlatform:hive,", "(a)", ",PROD)", 500),
	}
	lists := func(part string) map[string]string {
		return map[string]string{"many": repeat("", part, "", 1000), "digits": repeat("", "9", "", 1000), "Han": repeat("", "漢", "", 1000), "signs": repeat("", "-+:/*,;", "", 1000)}
	}
	return []parsercost.Parser{
		{Name: "URNs", Fuzz: []string{"../pkg/urn.FuzzParse"}, Ordinary: someDataset, Worst: urns, Parse: func(text string) {
			if u, err := urn.Parse(text); err == nil {
				u.Parts()
			}
		}},
		{Name: "URNs of the model", Fuzz: []string{"internal/model.FuzzResolve"}, Ordinary: someDataset, Worst: urns, Parse: func(text string) {
			if u, spec, err := registry.Resolve(text); err == nil {
				spec.KeyValue(u)
			}
		}},
		{Name: "cron schedules", Fuzz: []string{"internal/service/ingestion.FuzzSchedule"}, Ordinary: "*/15 0-6,12 1,15 JAN-MAR/2 MON-FRI", Worst: map[string]string{
			"lists": repeat("", "*/1,", "* * * * *", 1000), "names": repeat("* * * ", "jan-dec/2,", "jan *", 1000), "numbers": repeat("", "00000000000000000000001,", "1 * * * *", 1000), "fields": repeat("", "* ", "*", 1000),
		}, Parse: func(text string) { _ = ingestion.Schedule{Interval: text, Timezone: "Europe/Berlin"}.Check() }},
		{Name: "time zones", Ordinary: "America/Argentina/Buenos_Aires", Worst: lists("Europe/../"), Parse: func(text string) {
			_ = ingestion.Schedule{Interval: "0 4 * * *", Timezone: text}.Check()
		}},
		{Name: "stamps of versions", Fuzz: []string{"internal/service/timeline.FuzzStamp"}, Ordinary: "datasetProperties:3;globalTags:2;ownership:1;schemaMetadata:7", Worst: map[string]string{
			"versions": counting("", "a%d:1;", "a:1", 15_000), "numbers": repeat("a:", "9", "", 15_000), "semicolons": repeat("", ";", "", 15_000),
		}, Parse: func(text string) { _, _ = timeline.ParseStamp(text) }},
		{Name: "lifetimes", Ordinary: "P7DT12H30M", Worst: lists("P1D"), Parse: func(text string) { _, _ = token.ParseLifetime(text) }},
		{Name: "retention", Ordinary: "90d", Worst: lists("1d"), Parse: func(text string) { _, _ = ops.ParseRetention(text) }},
		{Name: "numbers and dates", Ordinary: "2026-01-31T12:00:00Z", Worst: map[string]string{
			"digits": repeat("", "9", "", short), "a fraction": repeat("0.", "1", "e-300", short), "hexadecimal": repeat("0x1.", "f", "p-1000", short), "underscores": repeat("0x", "1_", "1", short), "a date": repeat("2026-01-31T12:00:00.", "1", "Z", short),
		}, Parse: func(text string) { search.ParseNumber(text) }},
		{Name: "addresses of webhooks", Ordinary: "https://hooks.example.com/services/T00/B00?x=1", Worst: map[string]string{
			"percent signs": repeat("https://example.com/", "%2F", "", 2000), "colons": repeat("https://", "[::", "]/", 2000), "Han": repeat("https://", "漢.", "/", 2000),
		}, Parse: func(text string) { _ = webhook.CheckAddress(text) }},
		{Name: "paths of columns", Ordinary: counting("", "[version=2.0].[type=struct].[type=array].orders.[type=string].field%d\n", "", long), Worst: map[string]string{
			"steps": repeat("[version=2.0]", ".a", "", long), "types": repeat("[version=2.0]", ".[type=a]", "", long), "columns": counting("", "a%d\n", "", long), "renamed": counting("", "[version=2.0].[type=x].a.%d\n", "", long),
		}, Parse: func(text string) {
			fields := []any{}
			for path := range strings.SplitSeq(text, "\n") {
				fields = append(fields, jsontree.Object{"fieldPath": path, "nativeDataType": "text"})
			}
			half := len(fields) / 2
			columns.Compare(jsontree.Object{"fields": fields[:half]}, jsontree.Object{"fields": fields[half:]})
		}},
		{Name: "conditions of writes", Ordinary: "Sat, 31 Jan 2026 12:00:00 GMT", Worst: lists("Sat, "), Parse: func(text string) {
			for _, name := range []string{"If-Version-Match", "If-Modified-Since", "If-Unmodified-Since", "If-None-Match"} {
				_, _ = precondition.Parse(map[string]string{name: text})
			}
		}},
	}
}

// someJSON returns typical JSON of clients: objects of short texts and numbers.
func someJSON(length int) string {
	return counting("[", `{"urn":"urn:li:tag:t%d","name":"Orders","count":12,"tags":["a","b"],"removed":false},`, "]", length)
}

// hostileJSON returns texts that are slow to decode.
func hostileJSON(length int) map[string]string {
	return map[string]string{
		"numbers": repeat("[", "1,", "1]", length), "nesting": strings.Repeat("[", 190) + repeat("[", "1,", "1]", length) + strings.Repeat("]", 190), "open brackets": repeat("", "[", "", length),
		"empty objects": repeat("[", "{},", "{}]", length), "members": counting("{", `"m%d":1,`, "}", length), "equal members": repeat("{", `"m":1,`, `"m":1}`, length),
		"escapes": repeat(`"`, `\u0041`, `"`, length), "surrogates": repeat(`"`, `\ud83d\ude00`, `"`, length), "half a surrogate": repeat(`"`, `\ud83d`, `"`, length), "Han": repeat(`"`, "漢", `"`, length),
		"digits": repeat("", "9", "", length), "exponents": repeat("[", "1e999,", "1]", length), "no UTF-8 at its end": repeat(`["`, "aaaa", "\xff\"]", length), "no end": repeat(`["`, "a", "", length), "white space": repeat("[", " ", "]", length),
		"names that are escaped": repeat("{", `"\u0061":{},`, `"a":1}`, length), "a name that is long": repeat(`{"`, "a", `":[1,2,3]}`, length),
	}
}

// jsonParsers returns parsers of JSON, and of texts within JSON.
func jsonParsers(tb testing.TB, registry *model.Registry) []parsercost.Parser {
	tb.Helper()
	aspect := func(name string) *model.AspectSpec {
		spec, ok := registry.Aspect(name)
		if !ok {
			tb.Fatalf("there is no aspect %s", name)
		}
		return spec
	}
	return []parsercost.Parser{
		{Name: "text of JSON", Fuzz: []string{"../pkg/utf8json.FuzzCheck"}, Ordinary: someJSON(long), Worst: hostileJSON(long), Parse: func(text string) { _ = utf8json.Check([]byte(text)) }},
		{Name: "trees of JSON", Fuzz: []string{"internal/jsontree.FuzzDecode"}, Ordinary: someJSON(long), Worst: hostileJSON(long), Parse: func(text string) { _, _ = jsontree.Decode([]byte(text)) }},
		{Name: "JSON piece by piece", Fuzz: []string{"internal/jsontree.FuzzReader"}, Ordinary: someJSON(long), Worst: hostileJSON(long), Parse: func(text string) { readPieces(jsontree.NewReader([]byte(text))) }},
		{Name: "JSON by its elements", Fuzz: []string{"internal/jsontree.FuzzSplittingBodies"}, Ordinary: someJSON(long), Worst: hostileJSON(long), Parse: splitJSON},
		{Name: "values of aspects", Fuzz: []string{"internal/model.FuzzConform"}, Ordinary: someSchema(long), Worst: hostileAspects(), Parse: func(text string) {
			name, value := "schemaMetadata", text
			if before, after, ok := strings.Cut(text, "="); ok && !strings.Contains(before, "{") {
				name, value = before, after
			}
			_, _, _, _ = registry.ConformText(aspect(name), []byte(value))
		}},
		{Name: "patches", Fuzz: []string{"internal/model/patch.FuzzApply"}, Ordinary: counting("", `{"op":"add","path":"/tags/urn:li:tag:t%d","value":{"tag":"urn:li:tag:t"}},`, "", long), Worst: hostilePatches(), Parse: patches(tb, aspect("globalTags"))},
		{Name: "specifications of services", Ordinary: base64.StdEncoding.EncodeToString(zipped(tb, noise(4*long))), Worst: map[string]string{
			"zeros": base64.StdEncoding.EncodeToString(zipped(tb, strings.Repeat("\x00", 64<<20))), "no gzip": repeat("", "AAAA", "", long), "no base64": repeat("", "*", "", long),
		}, Parse: func(text string) {
			check(registry, "raw specifications", "serviceDefinition", jsontree.Object{"rawSpec": jsontree.Object{"compression": "GZIP", "blob": text}})
		}},
		{Name: "links to pictures", Ordinary: "https://example.com/pictures/people/jo.png", Worst: map[string]string{
			"labels": repeat("https://", "a.", "a/", short), "percent signs": repeat("https://a/", "%41", "", short), "addresses": repeat("https://[", ":", "]/", short),
		}, Parse: func(text string) {
			check(registry, "pictures", "corpUserEditableInfo", jsontree.Object{"pictureLink": text})
		}},
		{Name: "documents of time series", Fuzz: []string{"internal/timeseries.FuzzExplode", "internal/timeseries.FuzzMatch"},
			Ordinary: counting(`{"timestampMillis":1,"userCounts":[`, `{"user":"urn:li:corpuser:u%d","count":3},`, `]}`, long), Worst: map[string]string{
				"elements": repeat(`{"timestampMillis":1,"userCounts":[`, `{},`, `{}]}`, long), "equal keys": repeat(`{"timestampMillis":1,"userCounts":[`, `{"user":"a"},`, `{}]}`, long),
				"lists": repeat(`{"timestampMillis":1,"userCounts":[[`, `[],`, `[]]]}`, long), "numbers": repeat(`{"timestampMillis":1,"userCounts":[`, `1,`, `1]}`, long), "members": counting(`{"timestampMillis":1,"userCounts":{`, `"m%d":{},`, `}}`, long),
			}, Parse: explode(tb)},
		{Name: "events of OpenLineage", Fuzz: []string{"internal/service/openlineage.FuzzEventsNeverPanicAndNameWhatIsValid"}, Ordinary: lineageEvent(counting("", `{"name":"column_%d","type":"string","description":"a column"},`, "", long), "", ""), Worst: hostileEvents(), Parse: func(text string) {
			_, _ = openlineage.New(openlineage.Config{}).Proposals([]byte(text), "urn:li:corpuser:jo")
		}},
	}
}

func readPieces(r *jsontree.Reader) bool {
	switch {
	case r.IsText():
		_, ok := r.Text()
		return ok
	case r.Null():
		return true
	}
	if _, ok := r.Bool(); ok {
		return true
	}
	if r.Array(func() bool { return readPieces(r) }) || r.Object(func(string) bool { return readPieces(r) }) {
		return true
	}
	_, ok := r.Int()
	return ok
}

func splitJSON(text string) {
	raw := []byte(text)
	jsontree.HasMoreThan(jsontree.MaxBodyValues, raw)
	if !json.Valid(raw) || len(raw) == 0 {
		return
	}
	jsontree.Count(raw)
	switch raw[0] {
	case '[':
		_ = jsontree.Elements(raw, func(json.RawMessage) error { return nil })
	case '{':
		_ = jsontree.Members(raw, func(string, json.RawMessage) error { return nil })
	}
}

// someSchema returns a schema with columns.
func someSchema(length int) string {
	return counting(`{"schemaName":"s","platform":"urn:li:dataPlatform:hive","version":0,"hash":"","platformSchema":{"com.linkedin.schema.OtherSchema":{"rawSchema":""}},"fields":[`,
		`{"fieldPath":"column_%d","nativeDataType":"text","nullable":true,"type":{"type":{"com.linkedin.schema.StringType":{}}}},`, `]}`, length)
}

// hostileAspects returns values, each with the name of its aspect.
func hostileAspects() map[string]string {
	out := map[string]string{}
	for name, text := range hostileJSON(long) {
		out["schemaMetadata, "+name] = `schemaMetadata={"fields":` + text + `}`
		out["datasetProperties, "+name] = `datasetProperties={"customProperties":` + text + `}`
	}
	out["columns that are empty"] = repeat(`schemaMetadata={"fields":[`, `{},`, `{}]}`, long)
	out["wrong unions"] = repeat(`schemaMetadata={"fields":[`, `{"type":{"type":{"x":{}}}},`, `{}]}`, long)
	out["members of unions"] = counting(`schemaMetadata={"platformSchema":{`, `"u%d":{},`, `}}`, long)
	out["members that are not known"] = counting(`status={`, `"m%d":0,`, `"removed":true}`, long)
	out["wrapped lists"] = repeat(`schemaMetadata={"fields":{"array":[`, `{"array":[]},`, `{}]}}`, long)
	out["numbers as texts"] = repeat(`datasetProfile={"timestampMillis":1,"fieldProfiles":[`, `{"fieldPath":"a","uniqueCount":"1"},`, `{}]}`, long)
	return out
}

// patches returns a parser that applies a list of operations to tags, on the stored list and on an
// unknown list.
func patches(tb testing.TB, spec *model.AspectSpec) func(string) {
	tb.Helper()
	stored, err := jsontree.DecodeObject([]byte(counting(`{"tags":[`, `{"tag":"urn:li:tag:stored%d"},`, `]}`, long)))
	if err != nil {
		tb.Fatal(err)
	}
	stamp := jsontree.Object{"time": jsontree.Number(1), "actor": "urn:li:corpuser:jo"}
	return func(text string) {
		operations, keys, generic := strings.Cut(strings.TrimSuffix(text, ","), "=")
		document := `[` + operations + `]`
		if generic {
			document = `{"patch":[` + strings.TrimSuffix(operations, ",") + `],"forceGenericPatch":true,"arrayPrimaryKeys":{` + keys + `}}`
		}
		doc, err := patch.Parse([]byte(document))
		if err == nil {
			_, _ = doc.Apply(spec, stored, stamp)
		}
	}
}

// hostilePatches returns operations; texts after = are keys of arrays in a patch of the generic
// form.
func hostilePatches() map[string]string {
	return map[string]string{
		"tests of everything":       repeat("", `{"op":"test","path":"","value":{}},`, "", long),
		"tests that hold":           repeat("", `{"op":"test","path":"/tags/x","value":{}},`, "", long),
		"tests of a whole array":    repeat("", `{"op":"test","path":"/tags","value":[]},`, "=", long),
		"tests that copy and hold":  repeat(`{"op":"add","path":"","value":{"a":[`+repeat("", "1,", "1", long/4)+`]}},`, `{"op":"test","path":"/a/-","value":[]},`, "=", long),
		"copies of everything":      repeat("", `{"op":"copy","from":"","path":"/a"},`, "=", long),
		"moves of everything":       repeat(`{"op":"move","from":"/tags","path":"/a"},`, `{"op":"move","from":"/a","path":"/b"},{"op":"move","from":"/b","path":"/a"},`, "=", long),
		"additions at the front":    repeat("", `{"op":"add","path":"/tags/0","value":0},`, "=", long),
		"removals at the front":     repeat("", `{"op":"remove","path":"/tags/0"},`, "=", long),
		"additions in turn":         repeat("", `{"op":"add","path":"/tags/a","value":{}},{"op":"remove","path":"/tags/a"},`, "", long),
		"long paths":                repeat("", `{"op":"add","path":"`+strings.Repeat("/a", 190)+`","value":0},`, "", long),
		"a path that is too long":   repeat(`{"op":"add","path":"`, "/", `","value":0}`, long),
		"escapes in a path":         repeat(`{"op":"add","path":"/`, "~1", `","value":0}`, long),
		"keys of many alternatives": `{"op":"add","path":"/a","value":0}=` + repeat(`"tags":["`, "a|", `"]`, long),
		"keys of many fields":       `{"op":"add","path":"/a","value":0}=` + repeat(`"tags":["`, "a␟", `"]`, long),
		"keys of many levels":       `{"op":"add","path":"/a","value":0}=` + repeat(`"tags.`, "*.", `x":["a"]`, long),
		"keys of many arrays":       `{"op":"add","path":"/a","value":0}=` + counting("", `"a%d":["a"],`, `"tags":["tag"]`, long),
	}
}

func explode(tb testing.TB) func(string) {
	tb.Helper()
	spec := timeseries.Spec{Collections: []timeseries.Collection{{Path: "/userCounts/*", Name: "userCounts", Key: "user", Stats: []timeseries.Stat{{Path: "/count", Name: "count", Type: "INT", Agg: "LATEST"}}}}}
	q := timeseries.Query{Filter: timeseries.Filter{{{Field: "userCounts.count", Operator: "GREATER_THAN", Values: []string{"5"}}}}}
	m, err := q.Matcher()
	if err != nil {
		tb.Fatal(err)
	}
	return func(text string) {
		_, _ = timeseries.Explode(spec, someDataset, json.RawMessage(text), model.SystemMetadata{})
		m.Match(&timeseries.Document{ID: "a", Event: json.RawMessage(text)})
	}
}

// lineageEvent returns an event with columns of its output, their source columns, and more inputs.
func lineageEvent(fields, made, inputs string) string {
	return `{"eventType":"COMPLETE","eventTime":"2026-03-01T10:00:00Z","producer":"p","run":{"runId":"r"},"job":{"namespace":"jobs","name":"j"},"inputs":[` +
		strings.TrimSuffix(inputs, ",") + `],"outputs":[{"namespace":"s3://lake","name":"orders","facets":{"schema":{"fields":[` + strings.TrimSuffix(fields, ",") +
		`]},"columnLineage":{"fields":{` + strings.TrimSuffix(made, ",") + `}}}}]}`
}

func hostileEvents() map[string]string {
	from := `{"namespace":"n","name":"t","field":"a"}`
	return map[string]string{
		"columns in columns":        lineageEvent(strings.Repeat(`{"name":"a","fields":[`, 90)+`{"name":"a"}`+strings.Repeat(`]}`, 90), "", ""),
		"wide columns in columns":   lineageEvent(repeat("", `{"name":"a","fields":[{"name":"b","fields":[{},{},{},{}]}]},`, "", long), "", ""),
		"columns without names":     lineageEvent(repeat("", `{},`, "", long), "", ""),
		"names that are long":       lineageEvent(repeat("", `{"name":"`+strings.Repeat("a", 2000)+`","fields":[{"name":"b"},{"name":"c"},{"name":"d"}]},`, "", long), "", ""),
		"long names around columns": lineageEvent(`{"name":"`+strings.Repeat("a", long/4)+`","fields":[`+repeat("", `{"name":"b"},`, `{"name":"b"}`, long/2)+`]}`, "", ""),
		"sources of a column":       lineageEvent("", `"a":{"inputFields":[`+repeat("", from+",", from, long)+`]}`, ""),
		"columns with sources":      lineageEvent("", counting("", `"c%d":{"inputFields":[`+from+`]},`, "", long), ""),
		"datasets of columns":       lineageEvent("", `"a":{"inputFields":[`+counting("", `{"namespace":"n%d","name":"t","field":"a"},`, from, long)+`]}`, ""),
		"inputs":                    lineageEvent("", "", counting("", `{"namespace":"n","name":"t%d"},`, "", long)),
		"equal inputs":              lineageEvent("", "", repeat("", `{"namespace":"n","name":"t"},`, "", long)),
		"names to be encoded":       lineageEvent("", "", repeat("", `{"namespace":"n","name":"`+strings.Repeat("(,)", 100)+`"},`, "", long)),
		"names of other services":   lineageEvent("", "", repeat("", `{"namespace":"`+strings.Repeat(":/", 100)+`","name":"`+strings.Repeat("/.", 100)+`"},`, "", long)),
		"links":                     lineageEvent("", "", `{"namespace":"n","name":"t","facets":{"symlinks":{"identifiers":[`+repeat("", `{"namespace":"n","name":"t","type":"TABLE"},`, `{}`, long)+`]}}}`),
	}
}

// check applies a rule of the rule book to a value.
func check(registry *model.Registry, name, aspect string, value jsontree.Object) {
	spec, _ := registry.Aspect(aspect)
	for _, r := range rule.All() {
		if r.Name == name {
			_ = r.Check(context.Background(), rule.Proposed{Registry: registry, Aspect: spec, Value: value})
		}
	}
}

func zipped(tb testing.TB, text string) []byte {
	tb.Helper()
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	if _, err := w.Write([]byte(text)); err != nil {
		tb.Fatal(err)
	}
	if err := w.Close(); err != nil {
		tb.Fatal(err)
	}
	return out.Bytes()
}

// noise returns text with repetitions like those of documents.
func noise(length int) string {
	words := strings.Fields("paths get put parameters schema type string number object properties description example responses")
	random := rand.New(rand.NewPCG(1, 2))
	var text strings.Builder
	for text.Len() < length {
		fmt.Fprintf(&text, "%s: %s%d\n", words[random.IntN(len(words))], words[random.IntN(len(words))], random.IntN(1000))
	}
	return text.String()
}

// definitionParsers returns parsers of YAML and of definitions of metadata tests.
func definitionParsers(tb testing.TB, registry *model.Registry) []parsercost.Parser {
	tb.Helper()
	rules := func(text string) string {
		return `{"on":{"types":["dataset"]},"rules":[` + strings.TrimSuffix(text, ",") + `]}`
	}
	parse := func(text string) { _, _ = metatest.Parse(context.Background(), registry, nil, []byte(text)) }
	expression := func(pattern string) string {
		value, err := json.Marshal(pattern)
		if err != nil {
			tb.Fatal(err)
		}
		return `{"property":"urn","operator":"regex","values":[` + string(value) + `]},`
	}
	pattern := func(begin, part, end string) string {
		return rules(strings.Repeat(expression(repeat(begin, part, end, metatest.MaxPattern)), 50))
	}
	return []parsercost.Parser{
		{Name: "YAML", Fuzz: []string{"internal/yamltree.FuzzDecode"}, Ordinary: counting("", "name%d:\n  - property: name\n    operator: exists\n    values: [a, b]\n", "", long), Worst: map[string]string{
			"keys": counting("", "k%d: 1\n", "", long), "equal keys": repeat("", "a: 1\n", "", long), "keys without values": repeat("{", "?,", "}", long), "values": repeat("[", "1,", "]", long), "nesting": repeat("", "[", "", long), "nested lists": repeat("", "- ", "", long),
			"anchors": counting("", "- &a%d x\n", "", long), "aliases": repeat("- &a x\n", "- *a\n", "", long), "aliases of aliases": doubled(40), "merges": "a: &a {" + counting("", "k%d: 1,", "", long/2) + "}\n" + counting("", "m%d: {<<: *a}\n", "", long/2),
			"directives": counting("", "%%TAG !a%d! x\n", "---\na", long), "comments": repeat("", "- #\n", "", long), "tags": repeat("", "- !!int 1\n", "", long), "a long key": `? "` + strings.Repeat("a", long/2) + "\"\n: [" + repeat("", "1,", "1", long/2) + "]", "escapes": repeat(`"`, `\u263a`, `"`, long),
			"folded text": repeat("a: >\n", " x\n", "", long), "dates": repeat("[", "2001-01-01,", "]", long), "binary": repeat("[", "!!binary aGk=,", "]", long),
		}, Parse: func(text string) { _, _ = yamltree.Decode(context.Background(), []byte(text)) }},
		{Name: "definitions of metadata tests", Fuzz: []string{"internal/metatest.FuzzParse"}, Ordinary: rules(strings.Repeat(`{"property":"description","operator":"contains","values":["orders","daily"]},`+expression(`^[a-z][a-z0-9_]{2,62}$`), 100)), Worst: map[string]string{
			"no checks": rules(repeat("", "{},", "{}", long)), "nested checks": rules(repeat("", strings.Repeat(`{"not":`, 30)+"{}"+strings.Repeat("}", 30)+",", "{}", long)), "words that are not known": rules(counting("", `{"m%d":1},`, "{}", long)),
			"values": rules(`{"property":"urn","operator":"equals","values":[` + repeat("", `"a",`, `"a"`, long) + `]}`), "fields that are not known": rules(counting("", `{"property":"x%d","operator":"exists"},`, "{}", long)), "long paths": rules(repeat("", `{"property":"ownership`+strings.Repeat(".owners", 200)+`","operator":"exists"},`, "{}", long)),
			"relationships": rules(counting("", `{"property":"relationships.x%d.incoming","operator":"exists"},`, "{}", long)), "series": rules(counting("", `{"property":"timeseries.datasetProfile.x%d.sum.30d","operator":"exists"},`, "{}", long)),
			"types": `{"on":{"types":[` + counting("", `"t%d",`, `"dataset"`, long) + `]}}`, "actions": `{"on":{"types":["dataset"]},"actions":{"failing":[` + repeat("", `{"type":"ADD_TAGS","params":{"tags":["urn:li:tag:a"]}},`, "{}", long) + `]}}`,
			"counted repetitions": pattern("", "(.{1,1000})", ""), "repetitions of letters": pattern("", "a{1000}", ""), "classes": pattern("", `\pL`, ""), "classes in a class": pattern("[", `\pL`, "]"), "classes that ignore case": pattern("(?i)[", `\PL`, "]"), "alternatives of classes": pattern("", `\pL|`, "a"),
			"ranges that ignore case": pattern("(?i)[", "B-𞥂", "]"), "ranges as numbers": pattern("(?i)[", `B-\x{1e942}`, "]"), "narrow ranges that ignore case": pattern("(?i)[", "б-я", "]"), "groups": pattern("", "(a|b)", ""), "empty groups": pattern("", "(?:|a)", ""), "flags": pattern("", "(?i)(?-i)", ""),
		}, Parse: parse},
	}
}

// doubled returns aliases of lists of aliases, each with two references to the previous one.
func doubled(levels int) string {
	var text strings.Builder
	text.WriteString("a0: &a0 x\n")
	for i := range levels {
		fmt.Fprintf(&text, "a%d: &a%d [*a%d, *a%d]\n", i+1, i+1, i, i)
	}
	return text.String() + repeat("", "# a comment\n", "", long)
}
