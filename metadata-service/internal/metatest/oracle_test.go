package metatest_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/driver/roaring"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/metatest"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/metadata-service/internal/search/document"
	"github.com/cartulary/cartulary/pkg/trials"
	"github.com/cartulary/cartulary/pkg/urn"
)

var now = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// company holds generated assets, in memory and in an index.
type company struct {
	registry *model.Registry
	assets   []urn.URN
	values   map[urn.URN]map[string]any // trees by aspect
	records  map[model.Key]*model.Record
	docs     map[urn.URN]*search.Document
	kinds    map[string]map[string]search.Kind
	index    *roaring.Index

	series      map[urn.URN][]measured // of each dataset, newest first
	edgeCounts  map[urn.URN]map[metatest.Relation]int
	downstreams map[string]map[string]bool // by upstream, as the naive evaluator counts them
}

// measured is a time-series document of datasetProfile.
type measured struct {
	at    time.Time
	value object
}

func newCompany(t testing.TB, n int) *company {
	t.Helper()
	return companyOf(t, func(c *company) {
		made := rand.New(rand.NewPCG(7, uint64(n))) //nolint:gosec // assets of a test
		c.people(t)
		for i := range n {
			c.asset(t, made, i)
		}
	})
}

// demo returns the company of the demo, without its time series and patches.
func demo(t testing.TB) *company {
	t.Helper()
	files, err := filepath.Glob("../../../deploy/demo/*.json")
	if err != nil || len(files) == 0 {
		t.Fatal("the demo has no files", err)
	}
	return companyOf(t, func(c *company) {
		for _, name := range files {
			c.load(t, name)
		}
	})
}

func (c *company) load(t testing.TB, file string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var proposals []struct {
		EntityURN, AspectName, ChangeType string
		Aspect                            struct{ JSON json.RawMessage }
	}
	if err := json.Unmarshal(text, &proposals); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	for _, p := range proposals {
		u, entity, err := c.registry.Resolve(p.EntityURN)
		if err != nil {
			t.Fatal(err)
		}
		spec, ok := entity.Aspect(p.AspectName)
		if !ok || spec.Timeseries || p.ChangeType != "UPSERT" {
			continue
		}
		if c.values[u] == nil {
			c.put(t, u, entity.Key.Name, entity.KeyValue(u))
			if t := u.Type(); t == "dataset" || t == "dataJob" {
				c.assets = append(c.assets, u)
			}
		}
		c.put(t, u, spec.Name, p.Aspect.JSON)
	}
}

func companyOf(t testing.TB, fill func(*company)) *company {
	t.Helper()
	registry, err := model.Load()
	if err != nil {
		t.Fatal(err)
	}
	c := &company{
		registry: registry, values: map[urn.URN]map[string]any{}, records: map[model.Key]*model.Record{},
		docs: map[urn.URN]*search.Document{}, series: map[urn.URN][]measured{}, kinds: map[string]map[string]search.Kind{},
	}
	schemas := document.Schemas(registry)
	for _, s := range schemas {
		c.kinds[s.EntityType] = map[string]search.Kind{}
		for _, f := range s.Fields {
			c.kinds[s.EntityType][f.Name] = f.Kind
		}
	}
	fill(c)
	c.index, err = roaring.Open(roaring.Config{Schemas: schemas})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.index.Close(context.Background()) })
	c.fill(t)
	return c
}

func (c *company) fill(t testing.TB) {
	t.Helper()
	builder := document.NewBuilder(c.registry, c)
	var sources []document.Source
	for u := range c.values {
		sources = append(sources, document.Source{URN: u, Records: c.latest(u)})
	}
	docs, err := builder.Build(t.Context(), sources)
	if err != nil {
		t.Fatal(err)
	}
	var changes []search.Change
	for _, d := range docs {
		c.docs[d.URN] = d
		changes = append(changes, search.Change{URN: d.URN, Document: d})
	}
	if err := c.index.Apply(t.Context(), 1, changes); err != nil {
		t.Fatal(err)
	}
}

func (c *company) latest(u urn.URN) []model.Record {
	var out []model.Record
	for name := range c.values[u] {
		out = append(out, *c.records[model.Key{URN: u, Aspect: name}])
	}
	return out
}

// Aspects implements document.Reader.
func (c *company) Aspects(_ context.Context, urns []urn.URN, names ...string) ([][]model.Record, error) {
	out := make([][]model.Record, len(urns))
	for i, u := range urns {
		for _, rec := range c.latest(u) {
			if len(names) == 0 || slices.Contains(names, rec.Aspect) {
				out[i] = append(out[i], rec)
			}
		}
	}
	return out, nil
}

// put stores an aspect, which must conform to the model.
func (c *company) put(t testing.TB, u urn.URN, aspect string, value any) {
	t.Helper()
	spec, ok := c.registry.Aspect(aspect)
	if !ok {
		t.Fatalf("no aspect %s", aspect)
	}
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	stored, tree, _, err := c.registry.ConformText(spec, text)
	if err != nil {
		t.Fatalf("%s of %s: %v", aspect, u, err)
	}
	if c.values[u] == nil {
		c.values[u] = map[string]any{}
	}
	c.values[u][aspect] = tree
	c.records[model.Key{URN: u, Aspect: aspect}] = &model.Record{URN: u, Aspect: aspect, Value: stored, Sequence: uint64(len(c.records) + 1)}
}

type object = map[string]any

func stamp(day int) object {
	return object{"time": now.AddDate(0, 0, -day).UnixMilli(), "actor": "urn:li:corpuser:ann"}
}

var words = []string{"Orders", "orders", "customers", "Ä", "x", "Daily orders of the shop", ""}

func (c *company) people(t testing.TB) {
	for i, name := range []string{"ann", "bob", "cem"} {
		u := urn.URN("urn:li:corpuser:" + name)
		c.put(t, u, "corpUserKey", object{"username": name})
		if i != 1 {
			c.put(t, u, "corpUserInfo", object{"active": true, "title": []string{"Engineer", "", "Head of Engineering"}[i]})
		}
		if i < 2 {
			c.put(t, u, "groupMembership", object{"groups": []string{fmt.Sprintf("urn:li:corpGroup:g%d", i)}})
		}
	}
	// p0 to p4 have the listed value types; p5 is not defined, and p6 has the same field as p4.
	for i, valueType := range []string{"string", "number", "date", "urn", "rich_text", "", "string"} {
		u := urn.URN(fmt.Sprintf("urn:li:structuredProperty:p%d", i))
		c.put(t, u, "structuredPropertyKey", object{"id": u.Key()})
		name := u.Key()
		if i == 6 {
			name = "p4"
		}
		if valueType != "" {
			c.put(t, u, "propertyDefinition", object{"qualifiedName": name, "valueType": "urn:li:dataType:datahub." + valueType, "entityTypes": []string{"urn:li:entityType:datahub.dataset"}})
		}
	}
	for i := range 3 {
		u := urn.URN(fmt.Sprintf("urn:li:domain:d%d", i))
		properties := object{"name": fmt.Sprintf("Domain %d", i)}
		if i > 0 {
			properties["parentDomain"] = "urn:li:domain:d0"
		}
		c.put(t, u, "domainProperties", properties)
	}
}

func (c *company) asset(t testing.TB, made *rand.Rand, i int) {
	word := func() string { return words[made.IntN(len(words))] }
	some := func(prefix string, of int) []string {
		out := []string{}
		for n := made.IntN(3); n > 0; n-- {
			out = append(out, fmt.Sprintf("%s%d", prefix, made.IntN(of)))
		}
		return out
	}
	maybe := func(fill func()) {
		if made.IntN(3) > 0 {
			fill()
		}
	}
	u := urn.URN(fmt.Sprintf("urn:li:dataset:(urn:li:dataPlatform:hive,shop.t%d,PROD)", i))
	properties := "datasetProperties"
	if i%4 == 3 {
		u, properties = urn.URN(fmt.Sprintf("urn:li:dataJob:(urn:li:dataFlow:(airflow,f,PROD),j%d)", i)), "dataJobInfo"
		c.put(t, u, "dataJobKey", object{"flow": "urn:li:dataFlow:(airflow,f,PROD)", "jobId": fmt.Sprintf("j%d", i)})
	} else {
		c.put(t, u, "datasetKey", object{"platform": "urn:li:dataPlatform:hive", "name": fmt.Sprintf("shop.t%d", i), "origin": "PROD"})
	}
	c.assets = append(c.assets, u)
	maybe(func() {
		v := object{"description": word(), "customProperties": object{"team": word(), "a.b": word()}}
		if properties == "dataJobInfo" {
			v["name"], v["type"] = word(), object{"string": "SQL"}
		} else {
			v["created"], v["tags"] = stamp(made.IntN(60)), []string{}
			if made.IntN(2) == 0 {
				v["name"] = word()
			}
		}
		c.put(t, u, properties, v)
	})
	maybe(func() {
		owners := []object{}
		for n := made.IntN(3); n > 0; n-- {
			owners = append(owners, object{"owner": "urn:li:corpuser:" + []string{"ann", "bob", "cem"}[made.IntN(3)], "type": []string{"TECHNICAL_OWNER", "BUSINESS_OWNER"}[made.IntN(2)]})
		}
		c.put(t, u, "ownership", object{"owners": owners, "lastModified": stamp(1)})
	})
	maybe(func() {
		tags := []object{}
		for _, tag := range some("urn:li:tag:t", 4) {
			tags = append(tags, object{"tag": tag})
		}
		c.put(t, u, "globalTags", object{"tags": tags})
	})
	maybe(func() { c.put(t, u, "domains", object{"domains": some("urn:li:domain:d", 3)}) })
	maybe(func() { c.put(t, u, "subTypes", object{"typeNames": []string{word(), "Table"}[made.IntN(2):]}) })
	maybe(func() { c.put(t, u, "status", object{"removed": made.IntN(4) == 0}) })
	maybe(func() {
		v := object{"deprecated": made.IntN(2) == 0, "note": word(), "actor": "urn:li:corpuser:ann"}
		if made.IntN(2) == 0 {
			v["decommissionTime"] = now.AddDate(0, 0, made.IntN(60)-30).UnixMilli()
		}
		c.put(t, u, "deprecation", v)
	})
	if properties == "datasetProperties" {
		maybe(func() { c.schema(t, made, u) })
		maybe(func() { c.assign(t, made, u) })
		maybe(func() { c.measure(made, u) })
		maybe(func() {
			upstreams := []object{}
			for range made.IntN(4) {
				upstreams = append(upstreams, object{"dataset": fmt.Sprintf("urn:li:dataset:(urn:li:dataPlatform:hive,shop.t%d,PROD)", made.IntN(20)), "type": "COPY"})
			}
			c.put(t, u, "upstreamLineage", object{"upstreams": upstreams})
		})
	}
}

// assign gives a dataset values of structured properties.
func (c *company) assign(t testing.TB, made *rand.Rand, u urn.URN) {
	assigned := []object{}
	for i := range 7 {
		values := []object{}
		for range made.IntN(3) {
			switch i {
			case 1:
				values = append(values, object{"double": made.IntN(4)})
			case 2:
				values = append(values, object{"string": now.AddDate(0, 0, made.IntN(60)-30).Format(time.DateOnly)})
			case 3:
				values = append(values, object{"string": fmt.Sprintf("urn:li:corpuser:%s", []string{"ann", "bob"}[made.IntN(2)])})
			default:
				values = append(values, object{"string": words[made.IntN(len(words))]})
			}
		}
		if made.IntN(2) == 0 {
			assigned = append(assigned, object{"propertyUrn": fmt.Sprintf("urn:li:structuredProperty:p%d", i), "values": values})
		}
	}
	c.put(t, u, "structuredProperties", object{"properties": assigned})
}

// measure gives a dataset profiles of the last 60 days, some with fewer members than others.
func (c *company) measure(made *rand.Rand, u urn.URN) {
	day := 0
	for range made.IntN(6) {
		day += 1 + made.IntN(12)
		value := object{}
		if made.IntN(4) > 0 {
			value["rowCount"] = json.Number(strconv.Itoa(made.IntN(5)))
		}
		if made.IntN(2) > 0 {
			value["columnCount"] = json.Number(strconv.Itoa(made.IntN(3)))
		}
		c.series[u] = append(c.series[u], measured{now.AddDate(0, 0, -day), value})
	}
}

func (c *company) schema(t testing.TB, made *rand.Rand, u urn.URN) {
	fields, edited := []object{}, []object{}
	for i := range made.IntN(5) {
		path := fmt.Sprintf("c%d", i)
		f := object{"fieldPath": path, "type": object{"type": object{"com.linkedin.schema.NumberType": object{}}}, "nativeDataType": []string{"int", "VARCHAR"}[made.IntN(2)], "nullable": made.IntN(2) == 0}
		if made.IntN(2) == 0 {
			f["description"] = words[made.IntN(len(words))]
		}
		fields = append(fields, f)
		if made.IntN(3) == 0 {
			edited = append(edited, object{"fieldPath": path, "description": words[made.IntN(len(words))]})
		}
	}
	c.put(t, u, "schemaMetadata", object{
		"schemaName": "s", "platform": "urn:li:dataPlatform:hive", "version": 0, "hash": "", "fields": fields,
		"platformSchema": object{"com.linkedin.schema.OtherSchema": object{"rawSchema": "x"}},
	})
	if len(edited) > 0 {
		c.put(t, u, "editableSchemaMetadata", object{"editableSchemaFieldInfo": edited})
	}
}

// Meeting implements metatest.Related.
func (c *company) Meeting(r metatest.Reference, meets func(value any) bool) (urns []string, ok bool) {
	for _, u := range slices.Sorted(maps.Keys(c.values)) {
		if value, has := c.values[u][r.Aspect]; has && slices.Contains(r.Types, u.Type()) && meets(value) {
			urns = append(urns, string(u))
		}
	}
	return urns, true
}

// Property implements metatest.Related.
func (c *company) Property(u urn.URN) (document.Property, bool) {
	if !strings.Contains("p0 p1 p2 p3", u.Key()) {
		return document.Property{}, false
	}
	definition, _ := c.values[u]["propertyDefinition"].(object)
	return document.PropertyOf(definition), true
}

// facts returns the facts of an asset as an evaluation reads them.
func (c *company) facts(u urn.URN, tests ...*metatest.Test) *metatest.Facts {
	f := &metatest.Facts{URN: u, Type: u.Type(), At: now, Document: c.docs[u], Kinds: c.kinds[u.Type()], Records: map[string]*model.Record{}, Others: map[model.Key]*model.Record{}}
	for name := range c.values[u] {
		f.Records[name] = c.records[model.Key{URN: u, Aspect: name}]
	}
	for _, t := range tests {
		for _, p := range t.Needs().Properties {
			if definition, ok := c.values[p]["propertyDefinition"].(object); ok {
				if f.Properties == nil {
					f.Properties = map[urn.URN]document.Property{}
				}
				f.Properties[p] = document.PropertyOf(definition)
			}
		}
		for _, s := range t.Needs().Series {
			if f.Series == nil {
				f.Series = map[metatest.Series]float64{}
			}
			var numbers []float64
			for _, m := range c.series[u] {
				if n, ok := s.Of(m.value); (ok || s.Aggregation == metatest.Count) && !m.at.Before(now.Add(-s.Period)) {
					numbers = append(numbers, n)
				}
			}
			if n, ok := s.Aggregate(numbers); ok {
				f.Series[s] = n
			}
		}
		for _, r := range t.Needs().Relations {
			if f.Relations == nil {
				f.Relations = map[metatest.Relation]int{}
			}
			f.Relations[r] = c.edges(u, r)
		}
		for _, other := range t.References(f) {
			for _, name := range t.Needs().Related {
				key := model.Key{URN: other, Aspect: name}
				f.Others[key] = c.records[key]
			}
		}
	}
	return f
}

// edges counts the edges of an entity that the store derives from aspects.
func (c *company) edges(u urn.URN, r metatest.Relation) int {
	if c.edgeCounts == nil {
		c.edgeCounts = map[urn.URN]map[metatest.Relation]int{}
		for key, rec := range c.records {
			spec, _ := c.registry.Aspect(key.Aspect)
			tree, _ := c.values[key.URN][key.Aspect].(object)
			for _, e := range spec.Edges(rec.URN, tree, model.AuditStamp{}) {
				for i, end := range []urn.URN{e.Source, e.Destination} {
					if c.edgeCounts[end] == nil {
						c.edgeCounts[end] = map[metatest.Relation]int{}
					}
					c.edgeCounts[end][metatest.Relation{Name: e.Type, Incoming: i == 1}]++
				}
			}
		}
	}
	return c.edgeCounts[u][r]
}

// naive decides a predicate on plain trees, directly from the definition: without registry, index
// or compiled form.
type naive struct {
	c  *company
	u  urn.URN
	at any // current element of a list, nil outside of one
}

func (n naive) holds(p any) bool {
	switch p := p.(type) {
	case nil:
		return true
	case []any:
		for _, one := range p {
			if !n.holds(one) {
				return false
			}
		}
		return true
	}
	o := p.(object)
	if list, ok := o["and"]; ok {
		return n.holds(list)
	}
	if list, ok := o["or"]; ok {
		for _, one := range list.([]any) {
			if n.holds(one) {
				return true
			}
		}
		return false
	}
	if one, ok := o["not"]; ok {
		return !n.holds(one)
	}
	if of, ok := o["of"]; ok {
		return n.each(of.(string), o)
	}
	if len(o) == 0 {
		return true
	}
	return n.check(o)
}

func (n naive) each(of string, o object) bool {
	elements := n.columns()
	if of != "columns" {
		elements = nil
		aspect, rest, _ := strings.Cut(of, ".")
		flatten(n.c.values[n.u][aspect], strings.Split(rest, "."), func(v any) { elements = append(elements, v) })
	}
	met := 0
	for _, e := range elements {
		if (naive{n.c, n.u, e}).holds(o["rules"]) {
			met++
		}
	}
	switch match, _ := o["match"].(string); {
	case match == "all":
		return met == len(elements)
	case match == "none":
		return met == 0
	case strings.HasSuffix(match, "%"):
		share, _ := strconv.ParseFloat(strings.TrimSuffix(match, "%"), 64)
		return float64(met)*100 >= share*float64(len(elements))
	}
	return met > 0
}

func (n naive) columns() (out []any) {
	for _, f := range list(n.c.values[n.u]["schemaMetadata"], "fields") {
		column := object{"path": f["fieldPath"], "description": f["description"], "nativeType": f["nativeDataType"], "nullable": f["nullable"]}
		for _, e := range list(n.c.values[n.u]["editableSchemaMetadata"], "editableSchemaFieldInfo") {
			if e["fieldPath"] == f["fieldPath"] && e["description"] != nil && e["description"] != "" {
				column["description"] = e["description"]
			}
		}
		out = append(out, column)
	}
	return out
}

func list(v any, member string) (out []object) {
	o, _ := v.(object)
	elements, _ := o[member].([]any)
	for _, e := range elements {
		out = append(out, e.(object))
	}
	return out
}

// flatten visits the values at a path. A missing member may be inside the only member of a union.
func flatten(v any, path []string, use func(any)) {
	switch v := v.(type) {
	case nil:
	case []any:
		if len(path) > 0 && path[0] == "*" {
			path = path[1:]
		}
		for _, e := range v {
			flatten(e, path, use)
		}
	case object:
		if len(path) == 0 {
			use(v)
			return
		}
		if key := strings.Join(path, "."); v[key] != nil && len(path) > 1 {
			use(v[key]) // a map key with dots
			return
		}
		flatten(v[path[0]], path[1:], use)
	default:
		if len(path) == 0 {
			use(v)
		}
	}
}

// fields are the search fields in definitions of the test, with the paths of their values.
var fields = map[string]string{
	"owners": "ownership.owners.owner", "tags": "globalTags.tags.tag", "domains": "domains.domains", "typeNames": "subTypes.typeNames",
	"deprecated": "deprecation.deprecated", "removed": "status.removed", "createdAt": "datasetProperties.created.time",
}

func (n naive) values(property string) (out []any) {
	use := func(v any) {
		if v != "" {
			out = append(out, v)
		}
	}
	switch property {
	case "urn":
		return []any{string(n.u)}
	case "entityType":
		return []any{n.u.Type()}
	case "hasOwners", "hasTags":
		path := map[string]string{"hasOwners": "owners", "hasTags": "tags"}[property]
		return []any{len(n.values(path)) > 0}
	}
	if n.at != nil {
		reference, rest, hops := strings.Cut(property, ".corpUserInfo.")
		if hops {
			flatten(n.at, strings.Split(reference, "."), func(other any) {
				flatten(n.c.values[urn.URN(other.(string))]["corpUserInfo"], strings.Split(rest, "."), use)
			})
			return out
		}
		flatten(n.at, strings.Split(property, "."), use)
		return out
	}
	if path := fields[property]; path != "" {
		return n.values(path)
	}
	if kind, ok := strings.CutPrefix(property, "relationships."); ok {
		return []any{n.related(kind)}
	}
	if named, ok := strings.CutPrefix(property, "timeseries.datasetProfile."); ok {
		return n.measured(named)
	}
	if named, ok := strings.CutPrefix(property, "structuredProperties."); ok {
		for _, assigned := range list(n.c.values[n.u]["structuredProperties"], "properties") {
			if assigned["propertyUrn"] == named {
				for _, v := range list(assigned, "values") {
					for _, one := range v {
						use(one)
					}
				}
			}
		}
		return out
	}
	steps := strings.Split(property, ".")
	for i := 1; i < len(steps); i++ { // a reference on the path
		if _, ok := n.c.registry.Aspect(steps[i]); ok && i > 1 && steps[i] != "domains" {
			flatten(n.c.values[n.u][steps[0]], steps[1:i], func(other any) {
				flatten(n.c.values[urn.URN(other.(string))][steps[i]], steps[i+1:], use)
			})
			return out
		}
	}
	flatten(n.c.values[n.u][steps[0]], steps[1:], use)
	return out
}

// measured returns the aggregate of the profiles within a number of days, such as rowCount.sum.30d.
func (n naive) measured(named string) []any {
	parts := strings.Split(named, ".")
	days, _ := strconv.Atoi(strings.TrimSuffix(parts[2], "d"))
	found, count, sum, low, high, newest := 0, 0, 0, 0, 0, 0
	for _, m := range n.c.series[n.u] {
		if now.Sub(m.at) > time.Duration(days)*24*time.Hour {
			continue
		}
		count++
		told, ok := m.value[parts[0]].(json.Number)
		if !ok {
			continue
		}
		v, _ := strconv.Atoi(string(told))
		if found++; found == 1 {
			low, high, newest = v, v, v
		}
		sum, low, high = sum+v, min(low, v), max(high, v)
	}
	value := map[string]float64{
		"count": float64(count), "sum": float64(sum), "min": float64(low), "max": float64(high), "latest": float64(newest), "avg": float64(sum) / float64(max(found, 1)),
	}[parts[1]]
	if found == 0 && parts[1] != "count" && parts[1] != "sum" {
		return nil
	}
	return []any{json.Number(strconv.FormatFloat(value, 'f', -1, 64))}
}

// related counts the distinct entities at the other ends of relationships.
func (n naive) related(kind string) json.Number {
	found := map[string]bool{}
	switch kind {
	case "OwnedBy.outgoing":
		for _, o := range list(n.c.values[n.u]["ownership"], "owners") {
			found[o["owner"].(string)] = true
		}
	case "DownstreamOf.outgoing":
		upstreams(n.c.values[n.u], func(u any) { found[u.(string)] = true })
	case "DownstreamOf.incoming":
		if n.c.downstreams == nil {
			n.c.downstreams = map[string]map[string]bool{}
			for u, aspects := range n.c.values {
				upstreams(aspects, func(upstream any) {
					of := upstream.(string)
					if n.c.downstreams[of] == nil {
						n.c.downstreams[of] = map[string]bool{}
					}
					n.c.downstreams[of][string(u)] = true
				})
			}
		}
		found = n.c.downstreams[string(n.u)]
	}
	return json.Number(strconv.Itoa(len(found)))
}

// upstreams visits the upstream entities of datasets and jobs, including columns.
func upstreams(aspects map[string]any, use func(any)) {
	for aspect, paths := range map[string][]string{
		"upstreamLineage":    {"upstreams.dataset", "fineGrainedLineages.upstreams"},
		"dataJobInputOutput": {"inputDatajobs", "inputDatajobEdges.destinationUrn"},
	} {
		for _, path := range paths {
			flatten(aspects[aspect], strings.Split(path, "."), use)
		}
	}
}

func (n naive) check(o object) bool {
	values := n.values(o["property"].(string))
	operands, _ := o["values"].([]any)
	op := o["operator"].(string)
	some := func(holds func(v, operand any) bool) bool {
		met, all := 0, 0
		for _, v := range values {
			all++
			if slices.ContainsFunc(operands, func(operand any) bool { return holds(v, operand) }) {
				met++
			}
		}
		switch o["match"] {
		case "all":
			return met == all
		case "none":
			return met == 0
		}
		return met > 0
	}
	folded := func(holds func(text, part string) bool) func(v, operand any) bool {
		return func(v, operand any) bool {
			text, ok := v.(string)
			return ok && holds(fold(text), fold(operand.(string)))
		}
	}
	number := func(v any) float64 {
		switch v := v.(type) {
		case json.Number:
			f, _ := v.Float64()
			return f
		case string:
			if days, ok := strings.CutSuffix(strings.TrimPrefix(v, "-"), "d"); ok {
				d, _ := strconv.Atoi(days)
				return float64(now.AddDate(0, 0, -d).UnixMilli())
			}
			at, err := time.Parse(time.DateOnly, v)
			if err != nil {
				at, _ = time.Parse(time.RFC3339, v)
			}
			return float64(at.UnixMilli())
		}
		panic(v)
	}
	equal := func(v, operand any) bool {
		if n, ok := v.(json.Number); ok { // stored as 1.0, compared with 1
			v = jsontree.WithoutFraction(n)
		}
		return fmt.Sprint(v) == fmt.Sprint(operand)
	}
	switch op {
	case "exists":
		return len(values) > 0
	case "not_exists":
		return len(values) == 0
	case "equals":
		return some(equal)
	case "not_equals":
		return !some(equal)
	case "contains":
		return some(folded(strings.Contains))
	case "not_contains":
		return !some(folded(strings.Contains))
	case "starts_with":
		return some(folded(strings.HasPrefix))
	case "ends_with":
		return some(folded(strings.HasSuffix))
	case "regex":
		return some(func(v, operand any) bool {
			text, ok := v.(string)
			return ok && regexp.MustCompile(operand.(string)).MatchString(text)
		})
	case "is_true", "is_false":
		operands = []any{op == "is_true"}
		return some(equal)
	case "greater_than", "after":
		return some(func(v, operand any) bool { return number(v) > number(operand) })
	case "less_than", "before":
		return some(func(v, operand any) bool { return number(v) < number(operand) })
	}
	panic(op)
}

// fold removes case and accents from the texts of the test.
func fold(text string) string { return strings.ReplaceAll(strings.ToLower(text), "ä", "a") }

// definitions generates definitions.
type definitions struct{ *rand.Rand }

type choice struct {
	property  string
	operators []string
	values    []any
}

var (
	textual   = []string{"exists", "not_exists", "equals", "not_equals", "contains", "not_contains", "starts_with", "ends_with", "regex"}
	flags     = []string{"exists", "not_exists", "is_true", "is_false", "equals"}
	ordered   = []string{"exists", "not_exists", "before", "after"}
	counted   = []string{"exists", "equals", "not_equals", "greater_than", "less_than"}
	dated     = []string{"exists", "not_exists", "before", "after"}
	written   = []string{"contains", "not_contains", "starts_with", "ends_with", "regex"}
	people    = []any{"urn:li:corpuser:ann", "urn:li:corpuser:bob", "ann", "B"}
	tags      = []any{"urn:li:tag:t0", "urn:li:tag:t1", "t2", "TAG"}
	prose     = []any{"Orders", "orders", "ORD", "ä", "shop", "x"}
	rowCounts = []any{json.Number("0"), json.Number("1"), json.Number("2"), json.Number("4")}
	moments   = []any{"-30d", "2026-02-20T00:00:00Z"}
	choices   = []choice{
		{"owners", textual, people}, {"ownership.owners.owner", textual, people}, {"ownership.owners.*.type", textual, []any{"TECHNICAL_OWNER", "BUSINESS"}},
		{"tags", textual, tags}, {"globalTags.tags.tag", textual, tags}, {"domains", textual, []any{"urn:li:domain:d0", "d1"}}, {"domains.domains", textual, []any{"urn:li:domain:d0", "d1"}},
		{"subTypes.typeNames", textual, []any{"Table", "table", "x"}}, {"typeNames", textual, prose}, {"hasOwners", flags, []any{true, "false"}}, {"hasTags", flags, []any{"true"}},
		{"deprecated", flags, []any{true}}, {"deprecation.deprecated", flags, []any{false}}, {"removed", flags, []any{"true"}}, {"status.removed", flags, []any{true}},
		{"createdAt", ordered, moments}, {"datasetProperties.created.time", ordered, moments}, {"deprecation.decommissionTime", ordered, moments}, {"deprecation.note", textual, prose},
		{"datasetProperties.name", textual, prose}, {"datasetProperties.description", textual, prose}, {"datasetProperties.customProperties.team", textual, prose},
		{"datasetProperties.customProperties.a.b", textual, prose}, {"datasetProperties", []string{"exists", "not_exists"}, nil}, {"ownership", []string{"exists", "not_exists"}, nil},
		{"urn", textual, []any{"shop.t1", "urn:li:dataset:(urn:li:dataPlatform:hive,shop.t1,PROD)", "2,prod"}}, {"entityType", []string{"equals", "not_equals"}, []any{"dataset", "dataJob"}},
		{"ownership.owners.owner.groupMembership.groups", textual, []any{"urn:li:corpGroup:g0", "g1"}}, {"domains.domains.domainProperties.parentDomain", textual, []any{"urn:li:domain:d0"}},
		{"domains.domains.domainProperties.name", textual, []any{"Domain 1", "domain"}},
		{"structuredProperties.urn:li:structuredProperty:p0", textual, prose}, {"structuredProperties.urn:li:structuredProperty:p1", counted, []any{json.Number("1"), json.Number("2")}},
		{"structuredProperties.urn:li:structuredProperty:p2", dated, []any{"-10d", "2026-02-20T00:00:00Z"}}, {"structuredProperties.urn:li:structuredProperty:p2", written, []any{"2026-02", "-0", "1"}},
		{"structuredProperties.urn:li:structuredProperty:p3", textual, people}, {"structuredProperties.urn:li:structuredProperty:p4", textual, prose},
		{"structuredProperties.urn:li:structuredProperty:p5", textual, prose}, {"structuredProperties.urn:li:structuredProperty:p6", textual, prose},
		{"timeseries.datasetProfile.rowCount.sum.30d", counted, rowCounts}, {"timeseries.datasetProfile.rowCount.latest.7d", counted, rowCounts},
		{"timeseries.datasetProfile.rowCount.max.60d", counted, rowCounts}, {"timeseries.datasetProfile.columnCount.min.20d", counted, rowCounts},
		{"timeseries.datasetProfile.rowCount.avg.60d", counted, rowCounts}, {"timeseries.datasetProfile.rowCount.count.30d", counted, rowCounts},
		{"relationships.OwnedBy.outgoing", counted, []any{json.Number("1")}}, {"relationships.DownstreamOf.outgoing", counted, []any{json.Number("1"), json.Number("2")}},
		{"relationships.DownstreamOf.incoming", counted, []any{json.Number("0"), json.Number("1"), json.Number("5")}},
	}
	ofColumns = []choice{{"description", textual, prose}, {"nativeType", textual, []any{"int", "VARCHAR", "char"}}, {"path", textual, []any{"c1", "C"}}, {"nullable", flags, []any{true}}}
	ofOwners  = []choice{{"owner", textual, people}, {"type", textual, []any{"TECHNICAL_OWNER"}}, {"owner.corpUserInfo.title", textual, []any{"Engineer", "eng", "x"}}}
)

func (d definitions) predicate(levels int, from []choice) any {
	several := func() []any {
		out := []any{}
		for range d.IntN(4) {
			out = append(out, d.predicate(levels-1, from))
		}
		return out
	}
	outside := &from[0] == &choices[0]
	if levels > 0 {
		switch kind := d.IntN(7); {
		case kind == 0:
			return object{"and": several()}
		case kind == 1:
			return object{"or": several()}
		case kind == 2:
			return object{"not": d.predicate(levels-1, from)}
		case kind == 3:
			return several()
		case kind == 4 && outside:
			of, parts := "columns", ofColumns
			if d.IntN(3) == 0 {
				of, parts = "ownership.owners", ofOwners
			}
			o := object{"of": of, "rules": d.predicate(1, parts)}
			if match := []string{"", "any", "all", "none", "50%", "80%"}[d.IntN(6)]; match != "" {
				o["match"] = match
			}
			return o
		}
	}
	c := from[d.IntN(len(from))]
	o := object{"property": c.property, "operator": c.operators[d.IntN(len(c.operators))]}
	switch op := o["operator"].(string); op {
	case "exists", "not_exists", "is_true", "is_false":
	case "before", "after", "greater_than", "less_than":
		o["values"] = []any{c.values[d.IntN(len(c.values))]}
	default:
		values := []any{}
		for range 1 + d.IntN(2) {
			values = append(values, c.values[d.IntN(len(c.values))])
		}
		o["values"] = values
	}
	if op := o["operator"].(string); d.IntN(5) == 0 && !strings.HasPrefix(op, "not_") && op != "exists" {
		o["match"] = []string{"all", "none", "any"}[d.IntN(3)]
	}
	return o
}

func (d definitions) definition() object {
	types := [][]any{{"dataset"}, {"dataJob", "dataset"}}[d.IntN(2)]
	return object{"on": object{"types": types, "conditions": d.predicate(2, choices)}, "rules": d.predicate(3, choices)}
}

// TestIndexAspectsAndANaiveEvaluatorAgree generates definitions and decides them for every asset in
// three ways.
func TestIndexAspectsAndANaiveEvaluatorAgree(t *testing.T) {
	t.Parallel()
	assets, wanted := 400, trials.Count(300)
	if text := os.Getenv("CARTULARY_ORACLE_ASSETS"); text != "" {
		assets, _ = strconv.Atoi(text)
	}
	c := newCompany(t, assets)
	c.agreeOnDefinitions(t, wanted)
}

func TestIndexAspectsAndANaiveEvaluatorAgreeAboutTheDemo(t *testing.T) {
	t.Parallel()
	demo(t).agreeOnDefinitions(t, 200)
}

// agreeOnDefinitions generates and compares the wanted number of definitions.
func (c *company) agreeOnDefinitions(t *testing.T, wanted int) {
	t.Helper()
	d := definitions{rand.New(rand.NewPCG(3, 5))} //nolint:gosec // definitions of a test
	indexed, verdicts := 0, map[metatest.Verdict]int{}
	for range wanted {
		definition := jsontree.Clone(d.definition()).(object)
		text, err := json.Marshal(definition)
		if err != nil {
			t.Fatal(err)
		}
		test, err := metatest.Parse(t.Context(), c.registry, nil, text)
		if err != nil {
			if strings.Contains(err.Error(), "no entity of type dataset has the aspect") {
				continue
			}
			t.Fatalf("%s: %v", text, err)
		}
		if c.agree(t, test, definition, string(text), verdicts) {
			indexed++
		}
	}
	t.Logf("%d assets, %d definitions, %d decided by the index alone; verdicts %v", len(c.assets), wanted, indexed, verdicts)
	if indexed < wanted/20 || verdicts[metatest.Passing] == 0 || verdicts[metatest.Failing] == 0 {
		t.Errorf("the definitions try too little: %d indexed, verdicts %v", indexed, verdicts)
	}
}

// agree compares the verdicts of a test, and reports whether the index could decide it.
func (c *company) agree(t *testing.T, test *metatest.Test, definition object, text string, verdicts map[metatest.Verdict]int) (byIndex bool) {
	t.Helper()
	want := map[urn.URN]metatest.Verdict{}
	for _, u := range c.assets {
		n := naive{c: c, u: u}
		if slices.Contains(test.Types, u.Type()) && n.holds(definition["on"].(object)["conditions"]) {
			want[u] = metatest.Failing
			if n.holds(definition["rules"]) {
				want[u] = metatest.Passing
			}
		}
		if got := test.Decide(c.facts(u, test)); got != want[u] {
			t.Fatalf("%s\nof %s by its aspects is %d, want %d", text, u, got, want[u])
		}
		verdicts[want[u]]++
	}
	on, ok := test.Selection(t.Context(), now, c)
	rules, both := test.Rules(t.Context(), now, c)
	if !ok || !both {
		return false
	}
	_, err := c.index.Select(t.Context(), search.Selection{Types: test.Types, Expressions: []search.Expression{on, rules}}, func(u urn.URN, holds search.ExpressionSet) error {
		got := metatest.NotSelected
		if holds.Has(0) {
			if got = metatest.Failing; holds.Has(1) {
				got = metatest.Passing
			}
		}
		if got != want[u] {
			t.Errorf("%s\nof %s by the index is %d, want %d", text, u, got, want[u])
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return true
}

// BenchmarkIndexBesideANaiveEvaluator decides 50 definitions that the index can decide alone, for
// every asset, with the index and with the naive evaluator. The ratio is of one run.
func BenchmarkIndexBesideANaiveEvaluator(b *testing.B) {
	assets := 4_000
	if text := os.Getenv("CARTULARY_ORACLE_ASSETS"); text != "" {
		assets, _ = strconv.Atoi(text)
	}
	c := newCompany(b, assets)
	made := definitions{rand.New(rand.NewPCG(3, 5))} //nolint:gosec // definitions of a test
	var all []object
	selection := search.Selection{Types: []string{"dataset"}}
	for len(all) < 50 {
		definition := jsontree.Clone(made.definition()).(object)
		text, err := json.Marshal(definition)
		if err != nil {
			b.Fatal(err)
		}
		test, err := metatest.Parse(b.Context(), c.registry, nil, text)
		if err != nil {
			continue
		}
		on, ok := test.Selection(b.Context(), now, c)
		rules, both := test.Rules(b.Context(), now, c)
		if ok && both {
			all = append(all, definition)
			selection.Expressions = append(selection.Expressions, on, rules)
		}
	}
	var byIndex, byHand time.Duration
	for b.Loop() {
		began := time.Now()
		if _, err := c.index.Select(b.Context(), selection, func(urn.URN, search.ExpressionSet) error { return nil }); err != nil {
			b.Fatal(err)
		}
		byIndex += time.Since(began)
		began = time.Now()
		for _, u := range c.assets {
			if u.Type() != "dataset" {
				continue
			}
			for _, definition := range all {
				n := naive{c: c, u: u}
				if n.holds(definition["on"].(object)["conditions"]) {
					n.holds(definition["rules"])
				}
			}
		}
		byHand += time.Since(began)
	}
	b.ReportMetric(byHand.Seconds()/byIndex.Seconds(), "x-naive")
	b.ReportMetric(float64(assets*3/4*50*b.N)/byIndex.Seconds(), "decisions/s")
}

// TestConditionsBehindIndexedReferencesAreDecidedByTheIndex checks the index expressions.
func TestConditionsBehindIndexedReferencesAreDecidedByTheIndex(t *testing.T) {
	t.Parallel()
	c := newCompany(t, 40)
	for property, indexed := range map[string]bool{
		"ownership.owners.owner.groupMembership.groups":            true,
		"domains.domains.domainProperties.parentDomain":            true,
		"container.container.dataPlatformInstance.platform":        true,
		"upstreamLineage.upstreams.dataset.ownership.owners.owner": true,
		"deprecation.replacement.status.removed":                   false, // the reference is not indexed
	} {
		for operator, values := range map[string]any{"exists": nil, "not_exists": nil, "regex": []any{"1"}, "equals": []any{"true"}} {
			check := object{"property": property, "operator": operator}
			if values != nil {
				check["values"] = values
			}
			text, err := json.Marshal(object{"on": object{"types": []any{"dataset"}}, "rules": check})
			if err != nil {
				t.Fatal(err)
			}
			test, err := metatest.Parse(t.Context(), c.registry, nil, text)
			if err != nil {
				if operator == "regex" {
					continue // on a boolean
				}
				t.Fatal(err)
			}
			if _, ok := test.Rules(t.Context(), now, c); ok != indexed || (len(test.Behind()) > 0) != indexed {
				t.Errorf("%s is indexed: %t, want %t; behind references %v", text, ok, indexed, test.Behind())
			}
			if _, ok := test.Rules(t.Context(), now, nil); ok {
				t.Errorf("%s is decided without looking behind the reference", text)
			}
		}
	}
}

// TestStructuredPropertiesAreDecidedByTheIndexWhereTheirFieldIsTheirOwn checks the index
// expressions.
func TestStructuredPropertiesAreDecidedByTheIndexWhereTheirFieldIsTheirOwn(t *testing.T) {
	t.Parallel()
	c := newCompany(t, 4)
	for _, one := range []struct {
		property, operator, value string
		indexed                   bool
	}{
		{"p0", "equals", "x", true}, {"p0", "contains", "x", true}, {"p0", "exists", "", true}, {"p0", "regex", "x", false},
		{"p1", "greater_than", "1", true}, {"p1", "contains", "1", false},
		{"p2", "before", "-30d", true}, {"p2", "equals", "2026-02-20", true}, {"p2", "starts_with", "2026-02", false},
		{"p3", "ends_with", "ann", true}, {"p4", "equals", "x", false}, {"p5", "equals", "x", false}, {"p6", "exists", "", false},
	} {
		check := object{"property": "structuredProperties.urn:li:structuredProperty:" + one.property, "operator": one.operator}
		if one.value != "" {
			check["value"] = one.value
		}
		text, err := json.Marshal(object{"on": object{"types": []any{"dataset"}}, "rules": check})
		if err != nil {
			t.Fatal(err)
		}
		test, err := metatest.Parse(t.Context(), c.registry, nil, text)
		if err != nil {
			t.Fatal(err)
		}
		e, ok := test.Rules(t.Context(), now, c)
		if ok != one.indexed {
			t.Errorf("%s is decided by the index: %t, want %t", text, ok, one.indexed)
		}
		if ok && e.Is.Field != "structuredProperties."+one.property {
			t.Errorf("%s asks for the field %s", text, e.Is.Field)
		}
		if _, ok := test.Rules(t.Context(), now, nil); ok {
			t.Errorf("%s is decided by the index without the definition of the property", text)
		}
	}
}
