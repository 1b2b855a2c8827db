package model

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// MaxURNLength is the maximum length of a URN in percent-encoded form, in bytes. URNs of schema
// fields contain whole field paths; they are limited by maxFieldURNLength only.
const MaxURNLength = 512

// maxFieldURNLength is the maximum length of the URN of a schema field in plain form, in bytes.
const maxFieldURNLength = 8192

// PathSeparator separates the steps of a browse path, so no URN may contain it.
const PathSeparator = "\u241f"

// URNError states why a text is not the URN of an entity of this model, or must not be written. It
// is malformed input.
type URNError struct {
	URN    string // as given, cut to a readable length
	Reason string
}

func (e *URNError) Error() string { return "Invalid urn!: " + e.URN + " (" + e.Reason + ")" }

// FaultKind gives pkg/fault the kind of the error: malformed input.
func (e *URNError) FaultKind() fault.Kind { return fault.Malformed }

// PublicMessage returns the whole error text, since all of it concerns the client's input.
func (e *URNError) PublicMessage() string { return e.Error() }

func badURN(text, format string, args ...any) error {
	return &URNError{URN: cut(text), Reason: fmt.Sprintf(format, args...)}
}

// Resolve parses a URN and binds it to its entity type: the type must exist and be spelled as in
// the registry, and the key must have the parts of the type. The error is a *URNError.
func (r *Registry) Resolve(text string) (urn.URN, *EntitySpec, error) {
	u, err := urn.Parse(text)
	if err != nil {
		return "", nil, badURN(text, "%s", err.(*urn.Error).Reason)
	}
	spec, ok := r.Entity(u.Type())
	if !ok {
		return "", nil, badURN(text, "unknown entity type %s", u.Type())
	}
	if spec.Name != u.Type() {
		return "", nil, badURN(text, "the entity type is written %s", spec.Name)
	}
	if reason := r.bindReason(spec, u); reason != "" {
		return "", nil, badURN(text, "%s", reason)
	}
	return u, spec, nil
}

// CheckWritable checks the URN of a write beyond its syntax: length, white space, reserved
// characters. The error is a *URNError.
func CheckWritable(u urn.URN, spec *EntitySpec) error {
	text := string(u)
	switch {
	case strings.TrimSpace(text) != text:
		return badURN(text, "white space at an end")
	case strings.Contains(text, PathSeparator):
		return badURN(text, "contains the reserved character U+241F")
	case spec.Name == ColumnType && len(text) > maxFieldURNLength:
		return badURN(text, "longer than %d bytes", maxFieldURNLength)
	case spec.Name != ColumnType && len(url.QueryEscape(text)) > MaxURNLength:
		return badURN(text, "percent-encoded longer than %d bytes", MaxURNLength)
	case strings.ContainsFunc(text, func(c rune) bool { return c < ' ' || c == 0x7f }):
		return badURN(text, "contains a control character")
	}
	return nil
}

func cut(text string) string {
	const readable = 200
	if len(text) <= readable {
		return strings.ToValidUTF8(text, "\ufffd")
	}
	return strings.ToValidUTF8(text[:readable], "") + "…"
}

// KeyValue returns the value of the key aspect for a URN. The path of a column is decoded. The URN
// must be bound.
func (e *EntitySpec) KeyValue(u urn.URN) Object {
	parts := e.parts(u)
	o := make(Object, len(parts))
	for i, part := range e.KeyParts {
		if i < len(parts) {
			o[part.Name] = parts[i]
		}
	}
	if _, path, ok := SplitColumn(u); ok {
		o[columnPathPart] = path
	}
	return o
}

// URNOf returns the URN for a value of the key aspect. The path of a column is encoded. The value
// must conform. Errors are of kind fault.Malformed.
func (e *EntitySpec) URNOf(key Object) (urn.URN, error) {
	parts := make([]string, len(e.KeyParts))
	for i, part := range e.KeyParts {
		text, ok := key[part.Name].(string)
		if !ok || text == "" {
			return "", fault.New(fault.Malformed, "key of %s: field %s must be a text that is not empty", e.Name, part.Name)
		}
		if e.Name == ColumnType && part.Name == columnPathPart {
			text = pathEncoder.Replace(text)
		}
		parts[i] = text
	}
	made := urn.Make(e.Name, parts...)
	u, err := urn.Parse(string(made))
	if err != nil {
		return "", badURN(string(made), "%s", err.(*urn.Error).Reason)
	}
	if !slices.Equal(e.parts(u), parts) {
		return "", badURN(string(made), "a comma or parenthesis inside a key part must be percent-encoded")
	}
	return u, nil
}

// bindReason returns the reason why a URN does not bind to the key of its entity type. It is empty
// if it binds.
func (r *Registry) bindReason(spec *EntitySpec, u urn.URN) string {
	parts := spec.parts(u)
	if len(parts) != len(spec.KeyParts) {
		return fmt.Sprintf("the key has %d parts, %s has %d: %s", len(parts), spec.Name, len(spec.KeyParts), spec.partNames())
	}
	for i, part := range spec.KeyParts {
		switch {
		case part.Type.Shape == Enum && !part.Type.symbols[parts[i]]:
			return fmt.Sprintf("key part %s must be %s", part.Name, part.Type.describe())
		case part.Type.Addresses != "":
			if _, err := urn.Parse(parts[i]); err != nil {
				return fmt.Sprintf("key part %s must be a URN", part.Name)
			}
		}
	}
	return ""
}

// parts splits the key of a URN. A one-part key may itself be in parentheses and is then not split.
func (e *EntitySpec) parts(u urn.URN) []string {
	if len(e.KeyParts) == 1 {
		return []string{u.Key()}
	}
	return u.Parts()
}

func (e *EntitySpec) partNames() string {
	names := make([]string, len(e.KeyParts))
	for i, part := range e.KeyParts {
		names[i] = part.Name
	}
	return strings.Join(names, ", ")
}

// strictReason returns the reason why a bound URN breaks the strict rules: no raw comma in a
// one-part key, no raw parenthesis or comma in a part. Parts that are URNs, or that contain
// percent-encoded parentheses, are not checked.
func strictReason(spec *EntitySpec, u urn.URN) string {
	for _, part := range spec.parts(u) {
		if urn.Looks(part) || strings.Contains(part, "%28") || strings.Contains(part, "%29") {
			continue
		}
		if strings.ContainsAny(part, "(),") {
			return "must not have raw parentheses or commas in a key part of its URN"
		}
	}
	return ""
}
