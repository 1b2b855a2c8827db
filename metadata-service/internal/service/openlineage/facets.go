package openlineage

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

const (
	maxTags       = 100
	maxProperties = 200
	maxProperty   = 1_000 // bytes of a value
)

// properties returns facts about the engine of the job, and the properties of Spark and Airflow.
func (w *writer) properties() jsontree.Object {
	out := jsontree.Object{}
	if w.e.Run == nil {
		return out
	}
	add := func(name, value string) {
		if value != "" && len(value) <= maxProperty && len(out) < maxProperties {
			out[name] = value
		}
	}
	var by engine
	if w.e.Run.Facets.read("processing_engine", &by) {
		add("processingEngine", by.Name)
		add("processingEngineVersion", by.Version)
		add("openlineageAdapterVersion", by.Adapter)
	}
	var spark struct{ Properties map[string]any }
	if w.e.Run.Facets.read("spark_properties", &spark) {
		addTexts(add, "", spark.Properties)
	}
	var application map[string]any
	if w.e.Run.Facets.read("spark_applicationDetails", &application) {
		addTexts(add, "spark.", application)
	}
	var airflow struct{ Dag, Task map[string]any }
	if w.e.Run.Facets.read("airflow", &airflow) {
		addTexts(add, "airflow.dag.", airflow.Dag)
		addTexts(add, "airflow.task.", airflow.Task)
	}
	return out
}

// addTexts adds the members that are texts, numbers or booleans, ordered by name. Texts with a
// leading underscore are metadata of the facet and are omitted.
func addTexts(add func(name, value string), prefix string, members map[string]any) {
	for _, member := range slices.Sorted(maps.Keys(members)) {
		switch value := members[member].(type) {
		case string:
			if !strings.HasPrefix(member, "_") {
				add(prefix+member, value)
			}
		case float64, bool:
			text, _ := json.Marshal(value) // a number or a boolean
			add(prefix+member, string(text))
		}
	}
}

// datasets writes the facets of datasets, each dataset once, and returns their URNs.
func (w *writer) datasets(at string, list []dataset) ([]urn.URN, error) {
	var out []urn.URN
	for i := range list {
		u := w.c.urn(list[i])
		if err := w.columnLineage(at, u, list[i].Facets); err != nil {
			return nil, err
		}
		if slices.Contains(out, u) {
			continue
		}
		out = append(out, u)
		if w.written[u] { // already written as an input
			continue
		}
		w.written[u] = true
		w.restore(u)
		if err := w.schema(at, u, &list[i]); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// field is a column of the facet "schema".
type field struct {
	Name        string
	Type        string
	Description string
	Fields      []field
}

func (w *writer) schema(at string, u urn.URN, d *dataset) error {
	var facet struct{ Fields []field }
	if !d.Facets.read("schema", &facet) {
		return nil
	}
	fields := appendColumns(nil, "", facet.Fields)
	switch {
	case len(fields) == 0:
		return nil
	case len(fields) > maxColumns:
		return fault.New(fault.TooLarge, "%s: the schema of %.200s has more than %d columns", at, d.Name, maxColumns)
	}
	platform := u.Parts()[0]
	w.put(u, "schemaMetadata", jsontree.Object{
		"schemaName": d.Name, "platform": platform, "version": jsontree.Number(0), "hash": "", "fields": fields,
		"platformSchema": jsontree.Object{"com.linkedin.schema.OtherSchema": jsontree.Object{"rawSchema": ""}},
	})
	return nil
}

// appendColumns appends columns, each structure followed by its nested columns. It stops shortly
// after the limit.
func appendColumns(out []any, above string, fields []field) []any {
	for _, f := range fields {
		if f.Name == "" || len(out) > maxColumns {
			continue
		}
		column := jsontree.Object{
			"fieldPath": above + f.Name, "nativeDataType": f.Type, "type": jsontree.Object{"type": jsontree.Object{typeOf(f.Type): jsontree.Object{}}},
		}
		if f.Description != "" {
			column["description"] = f.Description
		}
		out = appendColumns(append(out, column), above+f.Name+".", f.Fields)
	}
	return out
}

// typePrefixes maps prefixes of native types to column types; the first match applies.
var typePrefixes = []struct{ begins, record string }{
	{"bool", "Boolean"}, {"date", "Date"}, {"time", "Time"}, {"interval", "Time"}, {"array", "Array"}, {"list", "Array"}, {"map", "Map"}, {"struct", "Record"}, {"record", "Record"},
	{"row", "Record"}, {"object", "Record"}, {"enum", "Enum"}, {"union", "Union"}, {"binary", "Bytes"}, {"varbinary", "Bytes"}, {"byte", "Bytes"}, {"blob", "Bytes"}, {"fixed", "Fixed"},
	{"int", "Number"}, {"big", "Number"}, {"small", "Number"}, {"tiny", "Number"}, {"long", "Number"}, {"short", "Number"}, {"decimal", "Number"}, {"numeric", "Number"},
	{"number", "Number"}, {"float", "Number"}, {"double", "Number"}, {"real", "Number"}, {"string", "String"}, {"char", "String"}, {"varchar", "String"}, {"text", "String"},
	{"uuid", "String"}, {"json", "String"}, {"nvarchar", "String"}, {"clob", "String"},
}

func typeOf(native string) string {
	native = strings.ToLower(native)
	for _, k := range typePrefixes {
		if strings.HasPrefix(native, k.begins) && native != "datetime" {
			return "com.linkedin.schema." + k.record + "Type"
		}
	}
	if native == "datetime" {
		return "com.linkedin.schema.TimeType"
	}
	return "com.linkedin.schema.NullType"
}

// columnLineage adds the column lineage of a dataset, and records the datasets that it reads.
func (w *writer) columnLineage(at string, u urn.URN, of facets) error {
	var facet struct {
		Fields map[string]struct {
			InputFields []struct {
				name
				Field string
			}
			TransformationDescription, TransformationType string
		}
	}
	if !of.read("columnLineage", &facet) {
		return nil
	}
	for _, column := range slices.Sorted(maps.Keys(facet.Fields)) {
		from := facet.Fields[column]
		var upstreams []any
		for _, in := range from.InputFields {
			if in.Field != "" && in.check("inputFields") == nil {
				read := w.urn(in.name)
				upstreams = append(upstreams, columnOf(read, in.Field))
				if read != u && !w.upstreams[read] {
					w.upstreams[read] = true
					w.upstreamOrder = append(w.upstreamOrder, read)
				}
			}
		}
		if column == "" || len(upstreams) == 0 {
			continue
		}
		pair := jsontree.Object{
			"upstreamType": "FIELD_SET", "upstreams": upstreams, "downstreamType": "FIELD", "downstreams": []any{columnOf(u, column)}, "confidenceScore": jsontree.Double(1),
		}
		if how := from.TransformationDescription; how != "" && len(how) <= maxProperty {
			pair["transformOperation"] = how
		}
		w.columns = append(w.columns, pair)
		if w.pairs += len(upstreams); w.pairs > maxPairs {
			return fault.New(fault.TooLarge, "%s: lineage of more than %d pairs of columns", at, maxPairs)
		}
	}
	return nil
}

// urn returns the URN of a dataset by its name in the event. Only the lists of the event contain
// the symlinks of a dataset, so listed datasets take precedence.
func (w *writer) urn(n name) urn.URN {
	if u, ok := w.byName[n]; ok {
		return u
	}
	return w.c.urn(dataset{name: n})
}

func columnOf(u urn.URN, column string) string {
	return string(model.ColumnURN(u, column))
}
