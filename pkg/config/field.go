package config

import (
	"encoding"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"time"
)

// field is one setting: its key and the target of its value.
type field struct {
	key    string
	value  reflect.Value
	other  string // an alias of its variable, empty without one
	listed string // a second name in Values, empty without one
}

func (f field) fileKey() string { return f.key }

func (f field) variable() string {
	return Prefix + strings.ToUpper(strings.ReplaceAll(f.key, ".", "_"))
}

func (f field) alias() string { return f.other }

func fieldsOf(target any) []field {
	v := reflect.ValueOf(target)
	if v.Kind() != reflect.Pointer || v.Elem().Kind() != reflect.Struct {
		panic(fmt.Sprintf("config: target is a %T, not a pointer to a struct", target))
	}
	return collect(nil, v.Elem(), "")
}

func collect(fields []field, v reflect.Value, prefix string) []field {
	for i := range v.NumField() {
		tag := v.Type().Field(i).Tag.Get("config")
		if tag == "" {
			continue
		}
		f := field{key: prefix + tag, value: v.Field(i), other: v.Type().Field(i).Tag.Get("alias"), listed: v.Type().Field(i).Tag.Get("listed")}
		if f.value.Kind() == reflect.Struct && !f.isUnmarshaler() {
			fields = collect(fields, f.value, f.key+".")
			continue
		}
		if !f.supported() {
			panic(fmt.Sprintf("config: %s has the unsupported type %s", f.key, f.value.Type()))
		}
		fields = append(fields, f)
	}
	return fields
}

func (f field) isUnmarshaler() bool {
	_, ok := f.value.Addr().Interface().(encoding.TextUnmarshaler)
	return ok
}

func (f field) supported() bool {
	switch f.value.Kind() {
	case reflect.String, reflect.Bool, reflect.Int, reflect.Int64:
		return true
	case reflect.Slice:
		return f.value.Type().Elem().Kind() == reflect.String
	}
	return f.isUnmarshaler()
}

// text returns the value as written in a variable, *** for a Secret.
func (f field) text() string {
	switch value := f.value.Interface().(type) {
	case fmt.Stringer: // slog.Level, time.Duration, Secret
		return value.String()
	case []string:
		return strings.Join(value, ",")
	}
	return fmt.Sprint(f.value.Interface())
}

// setAny sets a value in the form that file parsers return.
func (f field) setAny(value any) error {
	items, isList := value.([]any)
	if !isList {
		return f.setText(fmt.Sprint(value))
	}
	if f.value.Kind() != reflect.Slice {
		return fmt.Errorf("a single value is expected, not a list")
	}
	texts := make([]string, len(items))
	for i, item := range items {
		texts[i] = fmt.Sprint(item)
	}
	f.setList(texts)
	return nil
}

// setText sets a value in the form used in variables.
func (f field) setText(text string) error {
	if u, ok := f.value.Addr().Interface().(encoding.TextUnmarshaler); ok {
		return u.UnmarshalText([]byte(text))
	}
	switch f.value.Kind() {
	case reflect.String:
		f.value.SetString(text)
	case reflect.Slice:
		f.setList(strings.Split(text, ","))
	case reflect.Bool:
		return f.setBool(text)
	default:
		return f.setNumber(text)
	}
	return nil
}

func (f field) setBool(text string) error {
	b, err := strconv.ParseBool(strings.ToLower(text))
	if err != nil {
		return fmt.Errorf("%q is neither true nor false", text)
	}
	f.value.SetBool(b)
	return nil
}

func (f field) setNumber(text string) error {
	if f.value.Type() == reflect.TypeFor[time.Duration]() {
		d, err := time.ParseDuration(text)
		if err != nil {
			return fmt.Errorf("%q is not a duration such as 30s or 2h", text)
		}
		f.value.SetInt(int64(d))
		return nil
	}
	n, err := strconv.ParseInt(text, 10, f.value.Type().Bits())
	if err != nil {
		return fmt.Errorf("%q is not a whole number, or is out of range", text)
	}
	f.value.SetInt(n)
	return nil
}

func (f field) setList(items []string) {
	out := reflect.MakeSlice(f.value.Type(), 0, len(items))
	for _, item := range items {
		if item = strings.TrimSpace(item); item != "" {
			out = reflect.Append(out, reflect.ValueOf(item).Convert(f.value.Type().Elem()))
		}
	}
	f.value.Set(out)
}

// Keys returns the keys of all settings of target, a pointer to a struct as for Load, in the order of
// the fields.
func Keys(target any) []string {
	var keys []string
	for _, f := range fieldsOf(target) {
		keys = append(keys, f.key)
	}
	return keys
}

// Variable returns the environment variable of a key.
func Variable(key string) string { return field{key: key}.variable() }

// IsSection reports whether an addressable field of a configuration holds settings instead of being
// one.
func IsSection(v reflect.Value) bool {
	return v.Kind() == reflect.Struct && !field{value: v}.isUnmarshaler()
}

// Text returns the value of an addressable field as written in a variable, *** for a Secret.
func Text(v reflect.Value) string { return field{value: v}.text() }
