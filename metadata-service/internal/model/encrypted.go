package model

import (
	"maps"
	"strings"
)

// At gives the text of a member inside a value, by a registry path that leads
// through members alone; "" when it is absent or no text.
func At(value Object, path string) string {
	for _, found := range Select(value, path) {
		text, _ := found.(string)
		return text
	}
	return ""
}

// Mask stands for an encrypted member wherever an aspect is served. An actor that reads an
// aspect, changes it and writes it back keeps the stored secret.
const Mask = "********"

// WithText is a copy of a value in which the member at a path holds a text. The
// value stays as it is, and so does a value that has no such member.
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

// encryptable reports whether a path leads through members of records to a text.
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
