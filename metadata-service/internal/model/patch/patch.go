// Package patch applies JSON Patch documents to aspects.
//
// What differs from RFC 6902 is how arrays are addressed: not by index but by
// the values of key fields, so that writers who do not know the array can add
// to it and remove from it. /tags/urn:li:tag:pii names the element of tags whose
// field tag is that URN. With several key fields the path has a segment for each.
//
// Before the operations run, each array with keys is turned into a table that
// remembers the order of its elements; afterwards it is turned back. Elements
// keep their place, new ones come last. Which arrays have which keys comes from
// the patch document (generic mode) or from the registry (template mode). Arrays
// without keys are addressed by index as in the RFC.
//
// Adding creates the missing parents of a path; removing what is not there is
// no error. An array with keys that is removed as a whole is empty afterwards.
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

// MaxOperations is how many operations a document has at most.
const MaxOperations = 50_000

// Bounds of the work one document can ask for.
const (
	maxKeyFields = 16 // of one array
	// maxKeyField is the length in bytes of a key field, with the fields on the way to it and its
	// alternatives: they are looked for in each element.
	maxKeyField = 500
	// maxMoved is how many elements of arrays without keys may make room for others, or close up,
	// together: adding at the front of an array moves all of it.
	maxMoved = 1 << 26
)

// Document is a parsed patch.
type Document struct {
	Operations []Operation
	// ArrayKeys maps arrays to their key fields, as model.PatchTemplate does.
	ArrayKeys map[string][]string
	// Generic is set when the document brings its own array keys or asks for the generic mode.
	Generic bool
}

// Joins reports whether one document can do what d does and then what next does: the keys of their arrays
// are the same. One document takes no more than MaxOperations.
func (d *Document) Joins(next *Document) bool {
	return d.Generic == next.Generic && maps.EqualFunc(d.ArrayKeys, next.ArrayKeys, slices.Equal)
}

// Join makes one document of several that join.
func Join(docs []*Document) *Document {
	joined := &Document{ArrayKeys: docs[0].ArrayKeys, Generic: docs[0].Generic}
	for _, d := range docs {
		joined.Operations = append(joined.Operations, d.Operations...)
	}
	return joined
}

// Reads reports whether an operation reads the value that it is applied to: what it does, or whether
// it fails, depends on what is there.
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

// Parse reads a patch document: a list of operations, or an object with patch,
// arrayPrimaryKeys and forceGenericPatch. Errors are of kind fault.Malformed.
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

// Apply patches a value of the aspect; current is nil when nothing is stored,
// and is not modified. The stamp is the audit stamp used where the registry
// asks for one. The result still has to conform. Errors are of kind
// fault.Invalid, or fault.TooLarge for a document that blows the value up, and
// name the operation.
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

// OperationError is the failure of one operation of a document. It unwraps to an error of package fault.
type OperationError struct {
	Index  int // of the operation
	aspect string
	reason error
}

// At is the same failure of the operation of another index, such as in a document that was joined
// with others.
func (e *OperationError) At(index int) *OperationError {
	return &OperationError{index, e.aspect, e.reason}
}

func (e *OperationError) Error() string { return e.Unwrap().Error() }

// Unwrap gives the error of package fault.
func (e *OperationError) Unwrap() error {
	kind := fault.Invalid
	if errors.Is(e.reason, errGrowth) {
		kind = fault.TooLarge
	}
	return fault.New(kind, "patch of %s: operation %d: %s", e.aspect, e.Index, e.reason)
}

// stampMark stands in registry data for the audit stamp of now.
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

// fillStamps adds audit stamps that the template starts with and the patched
// value lacks, so that patching an aspect written without them is no error.
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

// fillNestedStamps adds the audit stamps of records inside the value that the
// model marks as stamped, so that a patch that creates such a record by adding
// to a list in it need not know that it is new.
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
