package metatest

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/search/document"
	"github.com/cartulary/cartulary/metadata-service/internal/webhook"
)

// SchemaDialect is the version of JSON Schema that Schema is written in.
const SchemaDialect = "https://json-schema.org/draft/2020-12/schema"

// Schema describes definitions as a JSON Schema, for editors. It is derived from the tables of the
// parser. Every definition that Parse accepts is valid in the schema. The schema also accepts some
// definitions that Parse refuses, since only Parse checks that a property exists and fits its
// operator, and the limits of a definition as a whole.
func Schema(registry *model.Registry) []byte {
	defs := jsontree.Object{
		"predicate":        anyOfSchema(nullSchema, listSchema(ref("condition")), ref("condition")),
		"condition":        anyOfSchema(listSchema(ref("condition")), ref("nothing"), combined("and", "condition"), combined("or", "condition"), negation("condition"), ref("each"), ref("check")),
		"elementCondition": anyOfSchema(listSchema(ref("elementCondition")), ref("nothing"), combined("and", "elementCondition"), combined("or", "elementCondition"), negation("elementCondition"), ref("check")),
		"nothing":          object("Always holds.", nil, "maxProperties", jsontree.Number(0)),
		"each":             eachSchema(),
		"check":            checkSchema(),
		"property": jsontree.Object{
			"type": "string", "minLength": jsontree.Number(1), "examples": propertyExamples(registry),
			"description": "A search field, a path into an aspect, or relationships.NAME.incoming, timeseries.ASPECT.STAT.sum.30d.",
		},
		"operator": operatorSchema(func(*operator) bool { return true }),
		"value":    jsontree.Object{"type": []any{"string", "number", "boolean"}},
		"action":   actionSchema(),
		"actions": anyOfSchema(nullSchema, jsontree.Object{
			"type": "array", "maxItems": jsontree.Number(MaxActions), "items": ref("action"),
		}),
	}
	return jsontree.Encode(jsontree.Object{
		"$schema":     SchemaDialect,
		"title":       "Definition of a metadata test",
		"description": "Rules that assets are held to. An empty object is a draft.",
		"anyOf":       []any{ref("nothing"), definitionSchema(registry)},
		"$defs":       defs,
	})
}

var nullSchema = jsontree.Object{"type": "null"}

func ref(name string) jsontree.Object { return jsontree.Object{"$ref": "#/$defs/" + name} }

func anyOfSchema(schemas ...any) jsontree.Object { return jsontree.Object{"anyOf": schemas} }

func listSchema(items any) jsontree.Object {
	return jsontree.Object{"type": "array", "items": items}
}

// object returns the schema of an object without further members. more are keywords and their
// values.
func object(description string, members jsontree.Object, more ...any) jsontree.Object {
	o := jsontree.Object{"type": "object", "description": description}
	if members != nil {
		o["properties"], o["additionalProperties"] = members, false
	}
	for i := 0; i+1 < len(more); i += 2 {
		o[more[i].(string)] = more[i+1]
	}
	return o
}

func definitionSchema(registry *model.Registry) jsontree.Object {
	on := object("Selects the assets that the test is about.", jsontree.Object{
		"types": jsontree.Object{
			"type": "array", "minItems": jsontree.Number(1), "items": typeSchema(registry), "description": "Entity types.",
		},
		"conditions": described(ref("predicate"), "Which of them; all when absent."),
		"match":      described(ref("predicate"), "Another name of conditions."),
	}, "required", []any{"types"}, "not", jsontree.Object{"required": []any{"conditions", "match"}, "properties": notNull("conditions", "match")})
	return object("A definition.", jsontree.Object{
		"on": on, "rules": described(ref("predicate"), "What passes; everything that is selected when absent."),
		"actions": anyOfSchema(nullSchema, object("What is done to assets by their verdict.", jsontree.Object{
			"passing": described(ref("actions"), "To assets that pass."), "failing": described(ref("actions"), "To assets that fail."),
			"undo": jsontree.Object{"type": []any{"boolean", "null"}, "description": "Whether actions are reverted when the verdict changes."},
		})),
		"every": jsontree.Object{"type": []any{"string", "null"}, "pattern": "^[0-9]+[mhdwMHDW]$", "description": "How often it is evaluated about all assets, besides whenever all tests are.", "examples": []any{"6h"}},
		"name":  true, "description": true, "$schema": true,
	}, "required", []any{"on"})
}

func notNull(names ...string) jsontree.Object {
	o := jsontree.Object{}
	for _, name := range names {
		o[name] = jsontree.Object{"not": nullSchema}
	}
	return o
}

func described(schema jsontree.Object, text string) jsontree.Object {
	schema["description"] = text
	return schema
}

func typeSchema(registry *model.Registry) jsontree.Object {
	var names []string
	for _, spec := range registry.Entities() {
		if isTested(spec) {
			names = append(names, spec.Name)
		}
	}
	slices.Sort(names)
	return spellings(names, "_")
}

// spellings accepts names as they are, which editors offer, and in other cases and with separators
// between their letters.
func spellings(names []string, separators string) jsontree.Object {
	patterns := make([]string, len(names))
	for i, name := range names {
		patterns[i] = spelling(name, separators)
	}
	return anyOfSchema(jsontree.Object{"enum": anys(names)}, jsontree.Object{"type": "string", "pattern": "^(" + strings.Join(patterns, "|") + ")$"})
}

// spelling returns a pattern for the letters of a name in either case. JSON Schema has no flag for
// that.
func spelling(name, separators string) string {
	var b strings.Builder
	separate := func() {
		if separators != "" {
			fmt.Fprintf(&b, "[%s]*", separators)
		}
	}
	separate()
	for _, letter := range name {
		if strings.ContainsRune(separators, letter) {
			continue
		}
		if upper, lower := unicode.ToUpper(letter), unicode.ToLower(letter); upper != lower {
			fmt.Fprintf(&b, "[%c%c]", upper, lower)
		} else {
			b.WriteRune(letter)
		}
		separate()
	}
	return b.String()
}

func anys(names []string) []any {
	out := make([]any, len(names))
	for i, name := range names {
		out[i] = name
	}
	return out
}

func combined(word, of string) jsontree.Object {
	text := map[string]string{"and": "All of these hold.", "or": "One of these holds."}[word]
	return object(text, jsontree.Object{word: listSchema(ref(of))}, "required", []any{word})
}

func negation(of string) jsontree.Object {
	return object("This does not hold.", jsontree.Object{"not": ref(of)}, "required", []any{"not"})
}

// matchSchema accepts quantifiers, as words and as shares.
func matchSchema(shares bool) jsontree.Object {
	words := []any{nullSchema, spellings([]string{matchAny, matchAll, matchNone}, "")}
	if shares {
		words = append(words, jsontree.Object{"type": "string", "pattern": "^.+%$", "description": "A share, as 80%.", "examples": []any{"80%"}})
	}
	return anyOfSchema(words...)
}

func eachSchema() jsontree.Object {
	return object("Elements of a list meet rules.", jsontree.Object{
		"of":    jsontree.Object{"type": "string", "description": "columns, or a path to an array of objects.", "examples": []any{"columns"}},
		"match": described(matchSchema(true), "How many elements have to; any when absent."),
		"rules": described(ref("elementCondition"), "What they are to meet, by properties of their own. Columns have "+columnNames()+"."),
	}, "required", []any{"of", "rules"})
}

func checkSchema() jsontree.Object {
	check := object("A check of a property.", jsontree.Object{
		"property": ref("property"), "query": ref("property"), "operator": ref("operator"), "operation": ref("operator"),
		"values": described(anyOfSchema(nullSchema, ref("value"), listSchema(ref("value"))), "What the operator compares with."),
		"value":  described(anyOfSchema(nullSchema, ref("value"), listSchema(ref("value"))), "Another name of values."),
		"match":  described(matchSchema(false), "How many values of the property have to meet it; any when absent."),
	})
	either := func(a, b string) jsontree.Object {
		return jsontree.Object{"oneOf": []any{jsontree.Object{"required": []any{a}}, jsontree.Object{"required": []any{b}}}}
	}
	check["allOf"] = []any{
		either("property", "query"), either("operator", "operation"),
		jsontree.Object{"not": jsontree.Object{"required": []any{"values", "value"}}},
		operands(func(o *operator) bool { return o.operands == 0 }, anyOfSchema(nullSchema, jsontree.Object{"type": "array", "maxItems": jsontree.Number(0)}), false),
		operands(func(o *operator) bool { return o.operands == 1 }, anyOfSchema(ref("value"), jsontree.Object{"type": "array", "minItems": jsontree.Number(1), "maxItems": jsontree.Number(1)}), true),
		operands(func(o *operator) bool { return o.operands == anyNumber }, anyOfSchema(ref("value"), jsontree.Object{"type": "array", "minItems": jsontree.Number(1)}), true),
		operands(func(o *operator) bool { return o.operand == wantsPattern }, anyOfSchema(patternSchema(), listSchema(patternSchema())), true),
		conditional(func(o *operator) bool { return o.whole }, jsontree.Object{"properties": jsontree.Object{"match": nullSchema}}),
	}
	return check
}

// patternSchema limits the length of a regular expression. A number is a regular expression, too.
func patternSchema() jsontree.Object {
	return jsontree.Object{"type": []any{"string", "number", "boolean"}, "maxLength": jsontree.Number(MaxPattern)}
}

// operands applies a schema to the values of some operators.
func operands(which func(*operator) bool, values jsontree.Object, needed bool) jsontree.Object {
	then := jsontree.Object{"properties": jsontree.Object{"values": values, "value": values}}
	if needed {
		then["anyOf"] = []any{jsontree.Object{"required": []any{"values"}}, jsontree.Object{"required": []any{"value"}}}
	}
	return conditional(which, then)
}

// conditional returns a schema for checks with some operators.
func conditional(which func(*operator) bool, then jsontree.Object) jsontree.Object {
	by := func(member string) jsontree.Object {
		return jsontree.Object{"required": []any{member}, "properties": jsontree.Object{member: operatorSchema(which)}}
	}
	return jsontree.Object{"if": anyOfSchema(by("operator"), by("operation")), "then": then}
}

// operatorSchema accepts the names of some operators, and their synonyms.
func operatorSchema(which func(*operator) bool) jsontree.Object {
	var names, patterns []string
	for _, key := range slices.Sorted(maps.Keys(operators)) {
		o := operators[key]
		if !which(o) {
			continue
		}
		names = append(names, o.name)
		patterns = append(patterns, spelling(key, "-_ "))
	}
	slices.Sort(names)
	return anyOfSchema(jsontree.Object{"enum": anys(slices.Compact(names))}, jsontree.Object{"type": "string", "pattern": "^(" + strings.Join(patterns, "|") + ")$"})
}

func actionSchema() jsontree.Object {
	var alternatives []any
	for _, name := range slices.Sorted(maps.Keys(actionShapes)) {
		shape := actionShapes[name]
		members, required := jsontree.Object{}, []any{}
		if shape.entities != "" {
			members[shape.entities] = entitiesSchema(shape.types, shape.manyEntities)
			required = append(required, shape.entities)
		}
		if shape.text != "" {
			members[shape.text] = textsSchema(shape)
			if shape.textRequired {
				required = append(required, shape.text)
			}
		}
		for _, more := range shape.more {
			members[more] = anyOfSchema(nullSchema, entitiesSchema(furtherTypes(more), false), jsontree.Object{"type": "array", "maxItems": jsontree.Number(0)})
		}
		params := object("Parameters of the action.", members, "required", required)
		action := object("", jsontree.Object{"type": spellings([]string{string(name)}, ""), "params": anyOfSchema(params)}, "required", []any{"type"})
		if len(required) == 0 {
			action["properties"].(jsontree.Object)["params"] = anyOfSchema(nullSchema, params)
		} else {
			action["required"] = []any{"type", "params"}
		}
		delete(action, "description")
		alternatives = append(alternatives, action)
	}
	return anyOfSchema(alternatives...)
}

// furtherTypes returns the entity types of members that only some actions have.
func furtherTypes(member string) []string {
	if member == "ownershipType" {
		return []string{"ownershipType"}
	}
	return nil
}

func entitiesSchema(types []string, several bool) jsontree.Object {
	one := jsontree.Object{"type": "string", "pattern": "^[uU][rR][nN]:li:"}
	if len(types) > 0 {
		one["examples"] = []any{"urn:li:" + types[0] + ":example"}
		one["pattern"] = "^[uU][rR][nN]:li:(" + strings.Join(types, "|") + "):"
	}
	most := 1
	if several {
		most = maxActionValues
	}
	return anyOfSchema(one, jsontree.Object{"type": "array", "minItems": jsontree.Number(1), "maxItems": jsontree.Number(int64(most)), "items": one})
}

func textsSchema(shape actionShape) jsontree.Object {
	one := jsontree.Object{"type": []any{"string", "number"}, "minLength": jsontree.Number(1), "maxLength": jsontree.Number(longestActionText)}
	if shape.address {
		one = jsontree.Object{"type": "string", "maxLength": jsontree.Number(webhook.MaxAddress), "pattern": "^[hH][tT][tT][pP][sS]?://", "description": "Of a host that tests.webhook_hosts allows."}
	}
	list := jsontree.Object{"type": "array", "maxItems": jsontree.Number(1), "items": one}
	if shape.manyTexts {
		list["maxItems"] = jsontree.Number(maxActionValues)
	}
	if shape.textRequired {
		list["minItems"] = jsontree.Number(1)
		return anyOfSchema(one, list)
	}
	return anyOfSchema(nullSchema, one, list)
}

// propertyExamples returns the names that editors offer: all search fields of assets.
func propertyExamples(registry *model.Registry) []any {
	names := map[string]bool{"urn": true, "entityType": true}
	for _, schema := range document.Schemas(registry) {
		if spec, ok := registry.Entity(schema.EntityType); !ok || !isTested(spec) {
			continue
		}
		for _, f := range schema.Fields {
			if !strings.HasPrefix(f.Name, "_") {
				names[f.Name] = true
			}
		}
	}
	return anys(slices.Sorted(maps.Keys(names)))
}
