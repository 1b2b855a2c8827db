package model

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Object is a JSON object as a tree.
type Object = jsontree.Object

// maxProblems limits the reported problems of one value. Further ones are dropped.
const maxProblems = 10

// Problem is one violation of the model in a value.
type Problem struct {
	Path  string // JSON pointer into the aspect; empty for the value itself
	Rule  string // the rule of the model
	Value string // the value found, shortened
}

func (p Problem) String() string {
	path := p.Path
	if path == "" {
		path = "/"
	}
	if p.Value == "" {
		return fmt.Sprintf("%s :: %s", path, p.Rule)
	}
	return fmt.Sprintf("%s :: %s, found %s", path, p.Rule, p.Value)
}

// ValueError lists the problems of a value of an aspect or key.
type ValueError struct {
	Of       string // aspect or entity type
	Problems []Problem
}

func (e *ValueError) Error() string {
	texts := make([]string, len(e.Problems))
	for i, p := range e.Problems {
		texts[i] = p.String()
	}
	return e.Of + ": " + strings.Join(texts, "; ")
}

// FaultKind gives pkg/fault the kind of the error: invalid input.
func (e *ValueError) FaultKind() fault.Kind { return fault.Invalid }

// PublicMessage returns the whole error text, since all of it concerns the client's input.
func (e *ValueError) PublicMessage() string { return e.Error() }

// Reference is a URN in a field whose rule requires the entity to exist.
type Reference struct {
	Path string
	URN  urn.URN
}

// Conform brings a value of the aspect, in any of its JSON forms, into canonical form and checks it
// against the model: required fields, types, symbols, URNs. It works in place as far as possible.
// Unknown members and nulls are dropped, numeric text is coerced. The error is a *ValueError.
//
// The caller must check that the entities of the returned references exist.
func (r *Registry) Conform(a *AspectSpec, value any) (Object, []Reference, error) {
	w := walker{registry: r}
	out := w.value(a.Record, value, a.rules)
	if len(w.problems) > 0 {
		return nil, nil, &ValueError{Of: a.Name, Problems: withoutSecrets(a, w.problems)}
	}
	return out.(Object), w.references, nil
}

// withoutSecrets removes the values from problems that may contain a secret.
func withoutSecrets(a *AspectSpec, problems []Problem) []Problem {
	for i := range problems {
		at := problems[i].Path + "/"
		holds := func(path string) bool { return strings.HasPrefix(at, path+"/") || strings.HasPrefix(path+"/", at) }
		if a.Confidential() || slices.ContainsFunc(a.Encrypted, holds) {
			problems[i].Value = ""
		}
	}
	return problems
}

// ConformText is Conform for a JSON text. It also returns the canonical text.
func (r *Registry) ConformText(a *AspectSpec, text []byte) (json.RawMessage, Object, []Reference, error) {
	tree, err := jsontree.Decode(text)
	if err != nil {
		return nil, nil, nil, &ValueError{Of: a.Name, Problems: []Problem{{Rule: err.Error()}}}
	}
	object, references, err := r.Conform(a, tree)
	if err != nil {
		return nil, nil, nil, err
	}
	return jsontree.Encode(object), object, references, nil
}

// ConformType is Conform for a value of any type of the model, without the rules of an aspect.
func (r *Registry) ConformType(t *Type, of string, value any) (any, error) {
	w := walker{registry: r}
	out := w.value(t, value, nil)
	if len(w.problems) > 0 {
		return nil, &ValueError{Of: of, Problems: w.problems}
	}
	return out, nil
}

// walker traverses a value and its type in parallel.
type walker struct {
	registry   *Registry
	path       []string
	problems   []Problem
	references []Reference
}

func (w *walker) refuse(rule string, found any) any {
	if len(w.problems) < maxProblems {
		p := Problem{Path: w.pointer(), Rule: rule}
		if found != nil {
			p.Value = shorten(found)
		}
		w.problems = append(w.problems, p)
	}
	return nil
}

func (w *walker) pointer() string {
	var b strings.Builder
	for _, step := range w.path {
		b.WriteByte('/')
		b.WriteString(strings.NewReplacer("~", "~0", "/", "~1").Replace(step))
	}
	return b.String()
}

func shorten(v any) string {
	const readable = 120
	text := string(jsontree.Encode(v))
	if len(text) > readable {
		text = strings.ToValidUTF8(text[:readable], "") + "…"
	}
	return text
}

func (w *walker) value(t *Type, v any, rules *ruleNode) any {
	v = unwrap(t, v)
	switch t.Shape {
	case RecordShape:
		return w.record(t, v, rules)
	case Array:
		return w.array(t, v, rules)
	case Map:
		return w.mapping(t, v, rules)
	case Union:
		return w.union(t, v, rules)
	case Int, Long:
		return w.integer(t, v)
	case Float, Double:
		return w.float(v)
	case Boolean:
		return w.boolean(v)
	}
	return w.text(t, v, rules)
}

// unwrap removes the wrapper that Avro JSON puts around optional values: {"string":"x"},
// {"com.linkedin.X":{...}}. A map whose only key happens to equal the name of the wrapper is
// recognised by the content of its entry.
func unwrap(t *Type, v any) any {
	o, ok := v.(Object)
	if !ok || len(o) != 1 || t.Shape == Union {
		return v
	}
	for key, inner := range o {
		if StripAvro(key) != t.memberKey() {
			return v
		}
		switch t.Shape {
		case RecordShape:
			if _, own := t.fields[key]; own {
				return v
			}
		case Map:
			if entries, wrapped := inner.(Object); !wrapped || t.Elem.Shape == Map || t.Elem.hasFieldIn(entries) {
				return v
			}
		}
		return inner
	}
	return v
}

// hasFieldIn reports whether o has a member with the name of a field of t.
func (t *Type) hasFieldIn(o Object) bool {
	for name := range o {
		if _, own := t.fields[name]; own {
			return true
		}
	}
	return false
}

func (w *walker) record(t *Type, v any, rules *ruleNode) any {
	o, ok := v.(Object)
	if !ok {
		return w.refuse("must be "+t.describe(), v)
	}
	kept := 0
	for i := range t.Fields {
		f := &t.Fields[i]
		if member := o[f.Name]; member != nil {
			w.path = append(w.path, f.Name)
			o[f.Name] = w.value(f.Type, member, rules.field(f.Name))
			w.path = w.path[:len(w.path)-1]
			kept++
		} else if f.Required() {
			w.path = append(w.path, f.Name)
			w.refuse("field is required but not found and has no default value", nil)
			w.path = w.path[:len(w.path)-1]
		}
	}
	if len(o) > kept {
		maps.DeleteFunc(o, func(name string, member any) bool {
			_, known := t.fields[name]
			return !known || member == nil
		})
	}
	return o
}

func (w *walker) array(t *Type, v any, rules *ruleNode) any {
	list, ok := v.([]any)
	if !ok {
		return w.refuse("must be an array", v)
	}
	kept := list[:0]
	for i, e := range list {
		if e == nil {
			continue
		}
		w.path = append(w.path, strconv.Itoa(i))
		kept = append(kept, w.value(t.Elem, e, rules.element()))
		w.path = w.path[:len(w.path)-1]
	}
	return kept
}

func (w *walker) mapping(t *Type, v any, rules *ruleNode) any {
	o, ok := v.(Object)
	if !ok {
		return w.refuse("must be an object", v)
	}
	// In key order, so that equal values give equal problems.
	for _, key := range jsontree.Sorted(o) {
		e := o[key]
		if e == nil {
			delete(o, key)
			continue
		}
		w.path = append(w.path, key)
		o[key] = w.value(t.Elem, e, rules.element())
		w.path = w.path[:len(w.path)-1]
	}
	return o
}

func (w *walker) union(t *Type, v any, rules *ruleNode) any {
	member, inner, ok := pick(t, v)
	if !ok {
		keys := make([]string, len(t.Members))
		for i, m := range t.Members {
			keys[i] = m.Key
		}
		return w.refuse("must be an object with exactly one of the members "+strings.Join(keys, ", "), v)
	}
	w.path = append(w.path, member.Key)
	out := w.value(member.Type, inner, rules.field(member.Key))
	w.path = w.path[:len(w.path)-1]
	return Object{member.Key: out}
}

// avroDiscriminator is a member that Avro JSON puts beside the value of a union whose members have
// aliases. The one-member object contains the same information.
const avroDiscriminator = "fieldDiscriminator"

// pick finds the union member of a value in any of the forms: the one-member object, the __type
// member, or a bare value that only one member can hold.
func pick(t *Type, v any) (Member, any, bool) {
	o, ok := v.(Object)
	if !ok {
		return pickBare(t, v)
	}
	if name, tagged := o["__type"].(string); tagged {
		for _, m := range t.Members {
			if m.Type.Name != "" && m.Type.Short() == name || m.Key == name {
				delete(o, "__type")
				return m, o, true
			}
		}
		return Member{}, nil, false
	}
	found, inner, count := Member{}, any(nil), 0
	for key, e := range o {
		if e == nil || key == avroDiscriminator {
			continue
		}
		count++
		key = StripAvro(key)
		for _, m := range t.Members {
			if m.Key == key {
				found, inner = m, e
			}
		}
	}
	return found, inner, count == 1 && found.Type != nil
}

func pickBare(t *Type, v any) (Member, any, bool) {
	var found Member
	for _, m := range t.Members {
		if m.Type.holds(v) {
			if found.Type != nil && found.Type.Shape == String {
				continue
			}
			found = m
		}
	}
	return found, v, found.Type != nil
}

// holds reports whether a bare scalar is of the type, without coercion.
func (t *Type) holds(v any) bool {
	switch v := v.(type) {
	case string:
		return t.Shape == String || t.Shape == Enum && t.symbols[v]
	case json.Number:
		return t.Shape >= Int && t.Shape <= Double
	case bool:
		return t.Shape == Boolean
	case []any:
		return t.Shape == Array
	}
	return false
}

func (w *walker) integer(t *Type, v any) any {
	text, ok := numeric(v)
	if !ok {
		return w.refuse("must be "+t.describe(), v)
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		f, ferr := strconv.ParseFloat(text, 64)
		if ferr != nil || f != math.Trunc(f) || math.Abs(f) >= 1<<63 {
			return w.refuse("must be a whole number of 64 bits", v)
		}
		n = int64(f)
	}
	if t.Shape == Int && (n < math.MinInt32 || n > math.MaxInt32) {
		return w.refuse("must be a whole number of 32 bits", v)
	}
	return json.Number(strconv.FormatInt(n, 10))
}

func (w *walker) float(v any) any {
	text, ok := numeric(v)
	if !ok {
		return w.refuse("must be a number", v)
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsInf(f, 0) || math.IsNaN(f) {
		return w.refuse("must be a finite number", v)
	}
	return jsontree.Double(f)
}

func numeric(v any) (string, bool) {
	switch v := v.(type) {
	case json.Number:
		return string(v), true
	case string:
		return strings.TrimSpace(v), v != ""
	}
	return "", false
}

func (w *walker) boolean(v any) any {
	switch v {
	case true, "true":
		return true
	case false, "false":
		return false
	}
	return w.refuse("must be a boolean", v)
}

func (w *walker) text(t *Type, v any, rules *ruleNode) any {
	s, ok := v.(string)
	if !ok {
		return w.refuse("must be "+t.describe(), v)
	}
	switch {
	case t.Shape == Enum && !t.symbols[s]:
		return w.refuse("must be "+t.describe(), v)
	case t.Shape == Fixed && len([]rune(s)) != t.Size:
		return w.refuse(fmt.Sprintf("must have %d bytes", t.Size), v)
	case (t.Shape == Fixed || t.Shape == Bytes) && strings.ContainsFunc(s, func(c rune) bool { return c > 0xff }):
		return w.refuse("must hold one character a byte", v)
	case t.Addresses != "":
		w.urn(t, s, rules)
	case t.Web:
		if reason := badAddress(s); reason != "" {
			return w.refuse(reason, v)
		}
	}
	return s
}

// urn checks a URN field: the URN must parse, name a known entity type, bind to the key of the
// type, and have a type that the field or its rules allow.
func (w *walker) urn(t *Type, s string, rules *ruleNode) {
	u, err := urn.Parse(s)
	if err != nil {
		w.refuse("must be a URN ("+err.(*urn.Error).Reason+")", s)
		return
	}
	entityType := u.Type()
	if t.Addresses != "*" && entityType != t.Addresses {
		w.refuse("must be a URN of entity type "+t.Addresses, s)
		return
	}
	spec, ok := w.registry.Entity(entityType)
	if !ok {
		// One typeref names a type that is no entity, so there is no key to bind to.
		if t.Addresses != entityType {
			w.refuse("must be a URN of a known entity type", s)
		}
		return
	}
	if reason := w.registry.bindReason(spec, u); reason != "" {
		w.refuse("must be a URN of "+spec.Name+" ("+reason+")", s)
		return
	}
	if rules == nil {
		return
	}
	if rules.types != nil && !slices.Contains(rules.types, spec.Name) {
		w.refuse("must be a URN of one of the entity types "+strings.Join(rules.types, ", "), s)
		return
	}
	if rules.strict {
		if reason := strictReason(spec, u); reason != "" {
			w.refuse(reason, s)
			return
		}
	}
	if rules.exist {
		w.references = append(w.references, Reference{Path: w.pointer(), URN: u})
	}
}
