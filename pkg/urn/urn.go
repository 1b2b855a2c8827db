// Package urn implements URNs, the addresses of all objects in the catalog.
//
// A URN has the form urn:li:<entity type>:<key>. The key of an entity type with one key part is
// that part; with several it is (a,b,c) in key order. A part may be a URN itself, so parts are
// split only at commas at the first level of parentheses. Nothing is encoded or decoded: a writer
// that needs a parenthesis or a comma inside a part percent-encodes it, and it stays encoded.
//
// This package implements only the syntax. The model defines the entity types and their keys.
package urn

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Namespace is the only namespace a URN may have.
const Namespace = "li"

const prefix = "urn:" + Namespace + ":"

// URN is the text of a URN. The zero value is not a URN. Values that do not come from Parse or Make
// may be malformed; their methods then return empty results.
type URN string

// Error reports that a text is not a URN. Text is truncated to a readable length.
type Error struct {
	Text   string
	Reason string
}

func (e *Error) Error() string { return fmt.Sprintf("invalid URN %q: %s", e.Text, e.Reason) }

func invalid(text, reason string) error {
	const readable = 200
	if len(text) > readable {
		text = text[:readable] + "…"
	}
	return &Error{Text: text, Reason: reason}
}

// Parse checks the syntax of text: prefix, entity type, a non-empty key in UTF-8, balanced
// parentheses and no empty part. The error is an *Error.
func Parse(text string) (URN, error) {
	rest, ok := strings.CutPrefix(text, prefix)
	if !ok {
		return "", invalid(text, "must start with "+prefix)
	}
	entityType, key, ok := strings.Cut(rest, ":")
	if !ok {
		return "", invalid(text, "has no key after the entity type")
	}
	if !validType(entityType) {
		return "", invalid(text, "entity type must be a lower-case letter followed by letters, digits or underscores")
	}
	if key == "" {
		return "", invalid(text, "key is empty")
	}
	if !utf8.ValidString(key) {
		return "", invalid(text, "is not valid UTF-8")
	}
	if !balanced(key) {
		return "", invalid(text, "parentheses do not balance")
	}
	if isTuple(key) {
		for _, part := range split(key[1 : len(key)-1]) {
			if part == "" {
				return "", invalid(text, "key has an empty part")
			}
		}
	}
	return URN(text), nil
}

// Make builds a URN from its entity type and one or several key parts. It does not check them.
func Make(entityType string, parts ...string) URN {
	if len(parts) == 1 {
		return URN(prefix + entityType + ":" + parts[0])
	}
	return URN(prefix + entityType + ":(" + strings.Join(parts, ",") + ")")
}

// TypePrefix returns the prefix of every URN of an entity type.
func TypePrefix(entityType string) string { return prefix + entityType + ":" }

// Looks reports whether text begins like a URN. It is cheap and checks nothing else.
func Looks(text string) bool { return strings.HasPrefix(text, prefix) }

func (u URN) String() string { return string(u) }

// Type returns the entity type, as spelled in the URN.
func (u URN) Type() string {
	rest, ok := strings.CutPrefix(string(u), prefix)
	if !ok {
		return ""
	}
	entityType, _, _ := strings.Cut(rest, ":")
	return entityType
}

// Key returns everything after the entity type.
func (u URN) Key() string {
	rest, ok := strings.CutPrefix(string(u), prefix)
	if !ok {
		return ""
	}
	_, key, _ := strings.Cut(rest, ":")
	return key
}

// Parts returns the key parts in order. A key without enclosing parentheses is one part.
func (u URN) Parts() []string {
	key := u.Key()
	if key == "" {
		return nil
	}
	if !isTuple(key) {
		return []string{key}
	}
	return split(key[1 : len(key)-1])
}

func validType(s string) bool {
	if s == "" || s[0] < 'a' || s[0] > 'z' {
		return false
	}
	for i := 1; i < len(s); i++ {
		c := s[i]
		if (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '_' {
			return false
		}
	}
	return true
}

func balanced(s string) bool {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth < 0 {
				return false
			}
		}
	}
	return depth == 0
}

// isTuple reports whether the first parenthesis of a balanced key closes at its very end: (a,b) is
// a tuple, (a)-(b) is a single part.
func isTuple(key string) bool {
	if len(key) < 2 || key[0] != '(' || key[len(key)-1] != ')' {
		return false
	}
	depth := 0
	for i := 0; i < len(key)-1; i++ {
		switch key[i] {
		case '(':
			depth++
		case ')':
			depth--
		}
		if depth == 0 {
			return false
		}
	}
	return true
}

func split(tuple string) []string {
	parts := make([]string, 0, 3)
	depth, start := 0, 0
	for i := 0; i < len(tuple); i++ {
		switch tuple[i] {
		case '(':
			depth++
		case ')':
			depth--
		case ',':
			if depth == 0 {
				parts = append(parts, tuple[start:i])
				start = i + 1
			}
		}
	}
	return append(parts, tuple[start:])
}
