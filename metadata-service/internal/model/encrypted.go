package model

import (
	"maps"
	"strings"
)

// At returns the text of a member inside a value. The registry path must consist of members only.
// It returns "" if the member is absent or not a text.
func At(value Object, path string) string {
	for _, found := range Select(value, path) {
		text, _ := found.(string)
		return text
	}
	return ""
}

// Mask replaces an encrypted member in every served aspect. If an actor writes an aspect with the
// mask back, the stored secret is kept.
const Mask = "********"

// WithText returns a copy of a value in which the member at a path has the given text. The original
// value is not modified. A value without such a member is returned unchanged.
func WithText(value Object, path, text string) Object {
	head, rest, deeper := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	member, there := value[head]
	if !there {
		return value
	}
	copied := maps.Clone(value)
	if !deeper {
		copied[head] = text
		return copied
	}
	if inner, ok := member.(Object); ok {
		copied[head] = WithText(inner, rest, text)
	}
	return copied
}

// encryptable reports whether a path reaches a text through members of records only.
func encryptable(t *Type, path string) bool {
	for _, name := range strings.Split(strings.TrimPrefix(path, "/"), "/") {
		if t.Shape != RecordShape {
			return false
		}
		field, ok := t.Field(name)
		if !ok {
			return false
		}
		t = field.Type
	}
	return t.Shape == String
}
