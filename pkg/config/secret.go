package config

import (
	"fmt"
	"io"
	"log/slog"
)

const masked = "***"

// Secret is a text that must not be shown. Every way of printing or encoding it produces ***; only
// Reveal returns the text. Keep it in exported fields and out of map keys: fmt does not call
// methods on values in unexported fields, and encoding/json does not call them on string keys.
type Secret string

// Reveal returns the text itself.
func (s Secret) Reveal() string { return string(s) }

// Format masks the text for every verb of fmt.
func (s Secret) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, masked) }

func (s Secret) String() string { return masked }

// MarshalText masks the text in JSON and other encodings.
func (s Secret) MarshalText() ([]byte, error) { return []byte(masked), nil }

// LogValue masks the text in slog.
func (s Secret) LogValue() slog.Value { return slog.StringValue(masked) }
