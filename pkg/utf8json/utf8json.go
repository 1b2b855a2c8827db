// Package utf8json checks that external JSON is well-formed Unicode: that its bytes are UTF-8, and
// that no \u escape is a lone surrogate.
//
// JSON decoders, including encoding/json, silently replace both by U+FFFD. Two different texts then
// become equal, and so do two entities with these texts as URNs. The difference is lost after
// decoding, so the check comes before: NewReader checks a stream while it is decoded, Check a whole
// text, and Valid a percent-decoded text. A U+FFFD in the original text is a regular character.
//
// The decoder checks the syntax. An escape within a nested JSON text, such as an aspect in a
// string, is data here and is checked when that text is decoded.
package utf8json

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/cartulary/cartulary/pkg/fault"
)

// Error gives the position at which a text is not well-formed. Its kind is fault.Malformed.
type Error struct {
	Offset int64 // in bytes, from 0
	Reason string
}

func (e *Error) Error() string { return fmt.Sprintf("byte %d: %s", e.Offset, e.Reason) }

// FaultKind returns fault.Malformed.
func (e *Error) FaultKind() fault.Kind { return fault.Malformed }

// Is makes errors.Is(err, fault.Malformed) true.
func (e *Error) Is(target error) bool { return target == fault.Malformed }

// PublicMessage returns the message for users, which quotes nothing of the text.
func (e *Error) PublicMessage() string { return e.Error() }

const (
	notUTF8 = "not valid UTF-8; send the text in UTF-8"
	lone    = `a \u escape is half of a surrogate pair; send both halves, or the character itself`
)

// Valid reports whether decoded text, such as a query parameter, is UTF-8.
func Valid(text string) bool { return utf8.ValidString(text) }

// Check checks a whole JSON text. The error is an *Error; a text that is not JSON at all may pass.
func Check(text []byte) error {
	i := 0
	for {
		i += plainPrefix(text[i:])
		if i == len(text) {
			return nil
		}
		size, reason := token(text[i:])
		if size == 0 {
			reason = truncatedReason(text[i:])
		}
		if reason != "" {
			return &Error{Offset: int64(i), Reason: reason}
		}
		i += max(size, 1)
	}
}

// NewReader returns a reader that checks the data of r. Read returns an *Error before it returns
// the byte that completes an invalid character, so a decoder that sees the error has decoded no
// part of the character.
func NewReader(r io.Reader) io.Reader { return &reader{source: r} }

type reader struct {
	source io.Reader
	err    error // the first error, returned from then on
	offset int64 // of the first byte that is not yet checked
	// pending holds the beginning of a character whose end has not been read.
	pending [maxTokenBytes]byte
	held    int
}

// maxTokenBytes is the length of an escaped surrogate pair.
const maxTokenBytes = len(`\ud83d\ude00`)

func (r *reader) Read(p []byte) (int, error) {
	if r.err != nil {
		return 0, r.err
	}
	n, err := r.source.Read(p)
	good, reason := r.check(p[:n])
	if reason == "" && errors.Is(err, io.EOF) {
		reason = truncatedReason(r.pending[:r.held])
	}
	if reason != "" {
		r.err = &Error{Offset: r.offset, Reason: reason}
		return good, r.err
	}
	r.err = err
	return n, err
}

// check checks the next bytes. If it returns a reason, the number is that of the bytes before the
// invalid character.
func (r *reader) check(p []byte) (int, string) {
	i, reason := r.finish(p)
	for reason == "" {
		skipped := plainPrefix(p[i:])
		i, r.offset = i+skipped, r.offset+int64(skipped)
		if i == len(p) {
			return i, ""
		}
		var size int
		if size, reason = token(p[i:]); reason != "" {
			break
		}
		if size == 0 {
			r.held = copy(r.pending[:], p[i:])
			return len(p), ""
		}
		i, r.offset = i+size, r.offset+int64(size)
	}
	return i, reason
}

// finish completes the pending character and returns the number of bytes that it took from p.
func (r *reader) finish(p []byte) (int, string) {
	if r.held == 0 {
		return 0, ""
	}
	for i := range p {
		r.pending[r.held] = p[i]
		r.held++
		size, reason := token(r.pending[:r.held])
		if reason != "" {
			return i, reason
		}
		if size == 0 {
			continue
		}
		taken := i + 1
		if size < r.held { // not an escape after all: the held bytes are plain, but the last byte may begin another one
			r.held--
			taken--
		}
		r.offset += int64(r.held)
		r.held = 0
		return taken, ""
	}
	return len(p), ""
}

// plainPrefix returns the length of the ASCII text without backslashes at the beginning of p. It
// processes eight bytes at a time, as nearly all text is of this kind.
func plainPrefix(p []byte) int {
	const (
		high      = 0x8080808080808080
		low       = 0x0101010101010101
		backslash = low * '\\'
	)
	i := 0
	for ; len(p)-i >= 8; i += 8 {
		word := binary.LittleEndian.Uint64(p[i:])
		escape := word ^ backslash // has a zero byte where word has a backslash
		if (word|(escape-low)&^escape)&high != 0 {
			break
		}
	}
	for i < len(p) && p[i] < utf8.RuneSelf && p[i] != '\\' {
		i++
	}
	return i
}

// token returns the length of the character or escape at the beginning of p, 0 if it is incomplete,
// or the reason why it is invalid.
func token(p []byte) (size int, reason string) {
	switch {
	case p[0] == '\\':
		return escape(p)
	case p[0] < utf8.RuneSelf:
		return 1, ""
	case !utf8.FullRune(p):
		return 0, ""
	}
	r, size := utf8.DecodeRune(p)
	if r == utf8.RuneError && size == 1 {
		return 0, notUTF8
	}
	return size, ""
}

const escapeUnitBytes = len(`\ud83d`)

// escape is token for a backslash. The decoder rejects invalid escapes.
func escape(p []byte) (size int, reason string) {
	switch {
	case len(p) == 1:
		return 0, ""
	case p[1] >= utf8.RuneSelf:
		return 1, ""
	case p[1] != 'u':
		return 2, ""
	}
	first, whole := codeUnit(p)
	switch {
	case !whole:
		return 0, ""
	case !utf16.IsSurrogate(first):
		return 2, "" // its digits are plain
	case first >= lowSurrogates:
		return 0, lone
	}
	second, whole := codeUnit(p[escapeUnitBytes:])
	if !whole {
		return 0, ""
	}
	if utf16.DecodeRune(first, second) == utf8.RuneError {
		return 0, lone
	}
	return 2 * escapeUnitBytes, ""
}

const lowSurrogates = 0xdc00

// codeUnit parses \uXXXX. For other texts it returns 0, which is not a surrogate; whole is false
// while further bytes may complete the escape.
func codeUnit(p []byte) (r rune, whole bool) {
	for i, c := range p[:min(len(p), escapeUnitBytes)] {
		if i == 0 && c != '\\' || i == 1 && c != 'u' || i > 1 && !isHex(c) {
			return 0, true
		}
	}
	if len(p) < escapeUnitBytes {
		return 0, false
	}
	n, err := strconv.ParseUint(string(p[2:escapeUnitBytes]), 16, 16)
	if err != nil {
		return 0, true
	}
	return rune(n), true
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}

// truncatedReason returns the reason against a text that ends in p, an incomplete character.
// Truncated escapes are invalid JSON but not invalid characters, unless one is half of a surrogate
// pair.
func truncatedReason(p []byte) string {
	switch {
	case len(p) == 0 || p[0] == '\\' && len(p) < escapeUnitBytes:
		return ""
	case p[0] == '\\':
		return lone
	}
	return notUTF8
}
