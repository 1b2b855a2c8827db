// Package patch applies JSON Patch documents to aspects.
//
// It differs from RFC 6902 in the addressing of arrays: not by index but by the values of key
// fields, so that clients can add and remove elements without reading the array.
// /tags/urn:li:tag:pii names the element of tags whose field tag is that URN. With several key
// fields the path has a segment for each.
//
// Before the operations run, each array with keys is converted into a table that keeps the order of
// its elements, and converted back afterwards. Elements keep their positions, new ones are
// appended. The keys of arrays come from the patch (generic mode) or from the registry (template
// mode). Arrays without keys are addressed by index as in the RFC.
//
// Adding creates the missing parents of a path. Removing an absent value is no error. Removing an
// array with keys as a whole empties it.
package patch

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/fault"
)

// MaxOperations is the maximum number of operations in a patch.
const MaxOperations = 50_000

// Limits on the work that one patch can cause.
const (
	maxKeyFields = 16 // of one array
	// maxKeyField is the maximum length in bytes of a key field, including the path to it and its
	// alternatives, since each element is searched for them.
	maxKeyField = 500
	// maxMoved limits the elements that insertions and removals shift in arrays without keys, in
	// total: adding at the front of an array shifts all of it.
	maxMoved = 1 << 26
)

// Document is a parsed patch.
type Document struct {
	Operations []Operation
	// ArrayKeys maps arrays to their key fields, as in model.PatchTemplate.
	ArrayKeys map[string][]string
	// Generic is true if the patch has array keys of its own or requests the generic mode.
	Generic bool
}

// Joins reports whether one patch can have the effect of d followed by next: the keys of their
// arrays must be equal. The limit MaxOperations applies to the joined patch.
func (d *Document) Joins(next *Document) bool {
	return d.Generic == next.Generic && maps.EqualFunc(d.ArrayKeys, next.ArrayKeys, slices.Equal)
}

// Join returns one patch with the operations of several that join.
func Join(docs []*Document) *Document {
	joined := &Document{ArrayKeys: docs[0].ArrayKeys, Generic: docs[0].Generic}
	for _, d := range docs {
		joined.Operations = append(joined.Operations, d.Operations...)
	}
	return joined
}

// Reads reports whether the effect or failure of an operation depends on the value that it is
// applied to, as for copy, move and test.
func (d *Document) Reads() bool {
	return slices.ContainsFunc(d.Operations, func(o Operation) bool { return o.Op == "copy" || o.Op == "move" || o.Op == "test" })
}

// Operation is one step. Path and From are unescaped segments.
type Operation struct {
	Op    string
	Path  []string
	From  []string
	Value any // tree; nil when the member is absent or null
}

// Parse parses a patch: a list of operations, or an object with patch, arrayPrimaryKeys and
// forceGenericPatch. Errors are of kind fault.Malformed, or fault.TooLarge for more than
// MaxOperations.
func Parse(text []byte) (Document, error) {
	tree, err := jsontree.Decode(text)
	if err != nil {
		return Document{}, fault.New(fault.Malformed, "patch: %s", err)
	}
	var doc Document
	list, ok := tree.([]any)
	if object, isObject := tree.(model.Object); isObject {
		if list, ok = object["patch"].([]any); !ok {
			return Document{}, fault.New(fault.Malformed, "patch: member patch must be a list of operations")
		}
		if doc.ArrayKeys, err = arrayKeys(object["arrayPrimaryKeys"]); err != nil {
			return Document{}, err
		}
		doc.Generic = len(doc.ArrayKeys) > 0 || object["forceGenericPatch"] == true
	}
	if !ok {
		return Document{}, fault.New(fault.Malformed, "patch: must be a list of operations or an object with the member patch")
	}
	if len(list) > MaxOperations {
		return Document{}, fault.New(fault.TooLarge, "patch: has %d operations, at most %d are taken", len(list), MaxOperations)
	}
	for i, item := range list {
		op, err := operation(item)
		if err != nil {
			return Document{}, fault.New(fault.Malformed, "patch: operation %d: %s", i, err)
		}
		doc.Operations = append(doc.Operations, op)
	}
	return doc, nil
}

func arrayKeys(v any) (map[string][]string, error) {
	if v == nil {
		return nil, nil
	}
	object, ok := v.(model.Object)
	if !ok {
		return nil, fault.New(fault.Malformed, "patch: arrayPrimaryKeys must be an object of lists of field names")
	}
	keys := make(map[string][]string, len(object))
	for array, fields := range object {
		list, ok := fields.([]any)
		if !ok {
			return nil, fault.New(fault.Malformed, "patch: arrayPrimaryKeys.%s must be a list of field names", array)
		}
		if len(list) > maxKeyFields {
			return nil, fault.New(fault.Malformed, "patch: arrayPrimaryKeys.%s has %d key fields, at most %d are taken", array, len(list), maxKeyFields)
		}
		keys[array] = []string{}
		for _, f := range list {
			name, ok := f.(string)
			if !ok {
				return nil, fault.New(fault.Malformed, "patch: arrayPrimaryKeys.%s must be a list of field names", array)
			}
			if len(name) > maxKeyField {
				return nil, fault.New(fault.Malformed, "patch: arrayPrimaryKeys.%s has a field of %d bytes, at most %d are taken", array, len(name), maxKeyField)
			}
			keys[array] = append(keys[array], name)
		}
	}
	return keys, nil
}

func operation(v any) (Operation, error) {
	object, ok := v.(model.Object)
	if !ok {
		return Operation{}, fmt.Errorf("must be an object, is %s", jsontree.KindOf(v))
	}
	op := Operation{Value: object["value"]}
	op.Op, _ = object["op"].(string)
	path, hasPath := object["path"].(string)
	from, hasFrom := object["from"].(string)
	switch op.Op {
	case "add", "replace", "test":
		if _, ok := object["value"]; !ok {
			return op, fmt.Errorf("%s needs the member value", op.Op)
		}
	case "move", "copy":
		if !hasFrom {
			return op, fmt.Errorf("%s needs the member from", op.Op)
		}
	case "remove":
	default:
		return op, fmt.Errorf("op must be add, remove, replace, move, copy or test, is %q", op.Op)
	}
	if !hasPath {
		return op, fmt.Errorf("%s needs the member path", op.Op)
	}
	var err error
	if op.Path, err = pointer(path); err != nil {
		return op, err
	}
	op.From, err = pointer(from)
	return op, err
}

// pointer splits a JSON pointer into unescaped segments.
func pointer(text string) ([]string, error) {
	if text == "" {
		return nil, nil
	}
	if text[0] != '/' {
		return nil, fmt.Errorf("path %q must start with a slash", text)
	}
	segments := strings.Split(text[1:], "/")
	if len(segments) > jsontree.MaxDepth {
		return nil, fmt.Errorf("path has %d segments, at most %d are taken", len(segments), jsontree.MaxDepth)
	}
	for i, s := range segments {
		if strings.Contains(s, "~") {
			segments[i] = strings.ReplaceAll(strings.ReplaceAll(s, "~1", "/"), "~0", "~")
		}
	}
	return segments, nil
}

// Apply patches a value of the aspect. current is nil if nothing is stored, and is not modified.
// stamp is the audit stamp for places where the registry requires one. The caller must still
// conform the result. Errors are of kind fault.Invalid, or fault.TooLarge for a patch with copies
// and moves beyond the limits, and name the operation.
func (d Document) Apply(spec *model.AspectSpec, current model.Object, stamp model.Object) (model.Object, error) {
	template := spec.Patch
	if !d.Generic && template == nil {
		return nil, fault.New(fault.Invalid, "%s has no built-in patch keys; name the keys of its arrays in arrayPrimaryKeys", spec.Name)
	}
	start, err := startFrom(spec, current, stamp, d.Generic)
	if err != nil {
		return nil, err
	}
	keys := newKeyNode()
	if d.Generic {
		keys.add(d.ArrayKeys)
	} else {
		keys.add(template.ArrayKeys)
		if template.FineGrainedLineages {
			keys.fields[fineGrained] = &keyNode{lineage: true}
		}
	}
	root, left := keys.tabulate(start), budget{maxCopied, maxMoved}
	for i, op := range d.Operations {
		if root, err = op.apply(root, keys, &left); err != nil {
			return nil, &OperationError{i, spec.Name, err}
		}
	}
	out, ok := keys.list(root).(model.Object)
	if !ok {
		return nil, fault.New(fault.Invalid, "patch of %s: the result must be an object", spec.Name)
	}
	fillStamps(out, template, stamp)
	fillNestedStamps(spec.Record, out, stamp)
	return out, nil
}

// OperationError is the failure of one operation of a patch. It unwraps to an error of package
// fault.
type OperationError struct {
	Index  int // of the operation
	aspect string
	reason error
}

// At returns the same failure with another index, for an operation in a joined patch.
func (e *OperationError) At(index int) *OperationError {
	return &OperationError{index, e.aspect, e.reason}
}

func (e *OperationError) Error() string { return e.Unwrap().Error() }

// Unwrap returns the error of package fault.
func (e *OperationError) Unwrap() error {
	kind := fault.Invalid
	if errors.Is(e.reason, errGrowth) {
		kind = fault.TooLarge
	}
	return fault.New(kind, "patch of %s: operation %d: %s", e.aspect, e.Index, e.reason)
}

// stampMark is the placeholder for the present audit stamp in registry data.
const stampMark = "$stamp"

func startFrom(spec *model.AspectSpec, current, stamp model.Object, generic bool) (model.Object, error) {
	if current != nil {
		return jsontree.Clone(current).(model.Object), nil
	}
	if spec.Patch == nil || spec.Patch.WhenAbsent == nil {
		if generic {
			return model.Object{}, nil
		}
		return nil, fault.New(fault.Invalid, "%s must exist before it can be patched", spec.Name)
	}
	start, err := jsontree.DecodeObject(spec.Patch.WhenAbsent)
	if err != nil {
		return nil, fmt.Errorf("registry: whenAbsent of %s: %w", spec.Name, err)
	}
	return replaceStamps(start, stamp).(model.Object), nil
}

func replaceStamps(v any, stamp model.Object) any {
	switch v := v.(type) {
	case string:
		if v == stampMark {
			return jsontree.Clone(stamp)
		}
	case model.Object:
		for name, e := range v {
			v[name] = replaceStamps(e, stamp)
		}
	}
	return v
}

// fillStamps adds the audit stamps of the template that the patched value lacks, so that patching
// an aspect without them is no error.
func fillStamps(out model.Object, template *model.PatchTemplate, stamp model.Object) {
	if template == nil || template.WhenAbsent == nil {
		return
	}
	var start map[string]json.RawMessage
	if json.Unmarshal(template.WhenAbsent, &start) != nil {
		return
	}
	for name, value := range start {
		if _, there := out[name]; !there && string(value) == `"`+stampMark+`"` {
			out[name] = jsontree.Clone(stamp)
		}
	}
}

// fillNestedStamps adds the audit stamps of nested records that the model marks as stamped. A patch
// that creates such a record by adding to a list in it need not know that the record is new.
func fillNestedStamps(t *model.Type, v any, stamp model.Object) {
	switch v := v.(type) {
	case model.Object:
		fillStampsOf(t, v, stamp)
	case []any:
		if t.Shape != model.Array {
			return
		}
		for _, e := range v {
			fillNestedStamps(t.Elem, e, stamp)
		}
	}
}

func fillStampsOf(t *model.Type, o model.Object, stamp model.Object) {
	switch t.Shape {
	case model.RecordShape:
		for i := range t.Fields {
			f := &t.Fields[i]
			if f.Stamped && o[f.Name] == nil {
				o[f.Name] = jsontree.Clone(stamp)
			}
			fillNestedStamps(f.Type, o[f.Name], stamp)
		}
	case model.Map:
		for _, e := range o {
			fillNestedStamps(t.Elem, e, stamp)
		}
	case model.Union:
		for _, m := range t.Members {
			fillNestedStamps(m.Type, o[m.Key], stamp)
		}
	}
}
