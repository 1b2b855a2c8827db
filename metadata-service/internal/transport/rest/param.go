package rest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"math"
	"net/http"
	"os"
	"reflect"
	"strconv"
	"strings"

	"github.com/cartulary/cartulary/pkg/fault"
)

// looseBool is a boolean that may be written as a string, as clients do with async.
type looseBool bool

// UnmarshalJSON accepts true, "true", false, "false", and "" as false.
func (f *looseBool) UnmarshalJSON(text []byte) error {
	switch strings.ToLower(string(bytes.Trim(text, `"`))) {
	case "true":
		*f = true
	case "false", "":
		*f = false
	case "null":
	default:
		return wrongType[bool](text)
	}
	return nil
}

// looseInt is an integer that may be written as a string.
type looseInt int64

// UnmarshalJSON accepts 5, 5.0 and "5".
func (w *looseInt) UnmarshalJSON(text []byte) error {
	if string(text) == "null" {
		return nil
	}
	plain := string(bytes.Trim(text, `"`))
	if n, err := strconv.ParseInt(plain, 10, 64); err == nil {
		*w = looseInt(n)
		return nil
	}
	f, err := strconv.ParseFloat(plain, 64)
	if err != nil || f != math.Trunc(f) || math.Abs(f) >= 1<<62 {
		return wrongType[int64](text)
	}
	*w = looseInt(f)
	return nil
}

// int64 converts the optional value for the catalog.
func (w *looseInt) int64() *int64 {
	if w == nil {
		return nil
	}
	n := int64(*w)
	return &n
}

// clamp returns the value within bounds, or absent when w is nil. A value below the bounds is
// an error, one above is reduced to high; responses state the used value.
func (w *looseInt) clamp(name string, low, absent, high int) (int, error) {
	if w == nil {
		return absent, nil
	}
	if int64(*w) < int64(low) {
		return 0, fault.New(fault.Malformed, "%s must be at least %d, is %d", name, low, *w)
	}
	return int(min(int64(*w), int64(high))), nil
}

// wrongType returns the error that encoding/json itself would return; encoding/json then adds the
// path of the value.
func wrongType[T any](text []byte) error {
	return &json.UnmarshalTypeError{Value: kindOf(text) + " " + truncate(string(text)), Type: reflect.TypeFor[T]()}
}

func kindOf(text []byte) string {
	switch text[0] {
	case '"':
		return "string"
	case '{':
		return "object"
	case '[':
		return "array"
	case 't', 'f':
		return "bool"
	}
	return "number"
}

// decodeError converts the error of decoding a body to a message for clients. at is the path of
// the decoded value, empty for the whole body. Errors of the transport remain unchanged.
func decodeError(at string, err error) error {
	var tooLong *http.MaxBytesError
	var syntax *json.SyntaxError
	var mismatch *json.UnmarshalTypeError
	switch {
	case fault.KindOf(err) != fault.Internal, errors.As(err, &tooLong),
		errors.Is(err, os.ErrDeadlineExceeded), errors.Is(err, context.Canceled):
		return err
	case errors.As(err, &syntax):
		return fault.Wrap(err, fault.Malformed, "the request body is not valid JSON near byte %d: %s", syntax.Offset, syntax.Error())
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return fault.Wrap(err, fault.Malformed, "the request body is not valid JSON: it ends too early")
	case errors.As(err, &mismatch):
		return fault.Wrap(err, fault.Malformed, "%s must be %s, is %s", memberPath(at, mismatch.Field), nameOf(mismatch.Type), mismatch.Value)
	}
	if name, unknown := strings.CutPrefix(err.Error(), "json: unknown field "); unknown {
		// Clients search for these words and then suggest a version mismatch.
		path := "/" + strings.ReplaceAll(memberPath(at, strings.Trim(name, `"`)), ".", "/")
		return fault.Wrap(err, fault.Malformed, "ERROR :: %s :: unrecognized field found but not allowed", path)
	}
	return fault.Wrap(err, fault.Malformed, "%s could not be read", memberPath(at, ""))
}

func memberPath(at, field string) string {
	switch {
	case at == "" && field == "":
		return "the request body"
	case at == "":
		return field
	case field == "":
		return at
	}
	return at + "." + field
}

func nameOf(t reflect.Type) string {
	switch t.Kind() {
	case reflect.String:
		return "a string"
	case reflect.Bool:
		return "a boolean"
	case reflect.Int, reflect.Int64:
		return "a whole number"
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return "a string"
		}
		return "an array"
	}
	return "an object"
}

// valueOr returns the value of an optional flag, or absent when it is nil.
func (f *looseBool) valueOr(absent bool) bool {
	if f == nil {
		return absent
	}
	return bool(*f)
}
