package config

import (
	"fmt"
	"io"
	"log/slog"
)

const masked = "***"

// Secret is a text that must not be seen. Every way of printing or encoding it
// gives ***; Reveal is the only way out. Keep it in exported fields and out of
// the keys of maps: fmt does not call the methods of what unexported fields
// hold, nor encoding/json those of keys that are strings.
type Secret string

// Reveal returns the text itself.
func (s Secret) Reveal() string { return string(s) }

// Format covers every verb of fmt.
func (s Secret) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, masked) }

func (s Secret) String() string { return masked }

// MarshalText covers JSON and other encodings.
func (s Secret) MarshalText() ([]byte, error) { return []byte(masked), nil }

// LogValue covers slog.
func (s Secret) LogValue() slog.Value { return slog.StringValue(masked) }
