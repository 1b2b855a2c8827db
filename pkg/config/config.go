// Package config fills a struct from a file and the environment.
//
// The caller passes a pointer to a struct that already holds its defaults. A file (YAML, TOML or
// JSON, by its extension) overrides them, and the environment overrides the file. A field is a
// setting if it has a tag:
//
//	type Config struct {
//		Listen string        `config:"listen"`
//		Secret config.Secret `config:"system_secret"`
//		Auth   struct {
//			Enabled bool `config:"enabled"`
//		} `config:"auth"`
//	}
//
// The tag is the key in the file; nested structs are nested there too. The environment variable is
// the prefix followed by the keys of the path in capitals: listen is CARTULARY_LISTEN, auth.enabled
// is CARTULARY_AUTH_ENABLED. Fields may be strings, booleans, whole numbers, time.Duration, lists
// of strings (separated by commas in a variable) and types with an UnmarshalText method.
//
// A field with a tag alias can also be set by the variable of that name, which users know from
// another product. Options lists the prefixes of such variables, so that unknown variables with
// these prefixes are rejected as well. Setting a field by both variables is an error.
//
// A field with a tag listed has a second name in the result of Values.
//
// Unknown settings are errors: a key of the file, or a variable with the prefix, that belongs to no
// field is rejected. Load reports all problems in one error, so one look at the log suffices to
// repair a configuration.
package config

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/viper"
)

// Prefix is the prefix of all environment variables of this product.
const Prefix = "CARTULARY_"

// Options sets the sources of the settings.
type Options struct {
	// File is the path of the file; empty means none. The file must exist.
	File string
	// Environ holds NAME=value lines as os.Environ returns them. A variable with an empty value is
	// ignored.
	Environ []string
	// IgnoredVariables lists the full names of variables that another program of the product reads
	// from the same environment. They are ignored unless they are settings of this program as well.
	IgnoredVariables []string
	// AliasPrefixes lists prefixes that only aliases have.
	AliasPrefixes []string
}

// Validator is implemented by targets with additional rules. Load calls Validate after it has set
// the values; Validate returns all problems.
type Validator interface {
	Validate() []error
}

// Load fills target, a pointer to a struct, and reports all problems at once. Messages contain the
// key and the variable, but never the value of a Secret. Load panics if target is not such a
// pointer or has a field of an unknown type.
func Load(target any, opts Options) error {
	fields := fieldsOf(target)
	problems := fromFile(fields, opts.File)
	problems = append(problems, fromEnviron(fields, opts)...)
	if v, ok := target.(Validator); ok {
		problems = append(problems, v.Validate()...)
	}
	if err := errors.Join(problems...); err != nil {
		return fmt.Errorf("configuration cannot be used:\n%w", err)
	}
	return nil
}

// Values returns all fields of target, a pointer to a struct as for Load: by key, and also by the
// name in the tag listed. Values are formatted as in an environment variable; a Secret is ***.
func Values(target any) map[string]string {
	fields := fieldsOf(target)
	values := make(map[string]string, len(fields))
	for _, f := range fields {
		values[f.key] = f.text()
		if f.listed != "" {
			values[f.listed] = f.text()
		}
	}
	return values
}

func fromFile(fields []field, path string) []error {
	if path == "" {
		return nil
	}
	v := viper.New()
	v.SetConfigFile(path)
	if err := v.ReadInConfig(); err != nil {
		return []error{fmt.Errorf("file %s: %w", path, err)}
	}
	var problems []error
	keys := v.AllKeys()
	slices.Sort(keys)
	for _, key := range keys {
		value := v.Get(key)
		if value == nil {
			continue
		}
		at := slices.IndexFunc(fields, func(f field) bool { return f.key == key })
		if at < 0 {
			problems = append(problems, fmt.Errorf("file %s: %s is not a setting; known are: %s", path, key, fieldNames(fields, field.fileKey)))
			continue
		}
		if err := fields[at].setAny(value); err != nil {
			problems = append(problems, fmt.Errorf("file %s: %s: %w", path, key, err))
		}
	}
	return problems
}

func fromEnviron(fields []field, opts Options) []error {
	var problems []error
	given := map[string]string{} // the variable that has set each key
	for _, line := range slices.Sorted(slices.Values(opts.Environ)) {
		name, value, _ := strings.Cut(line, "=")
		named, known := naming(name, opts)
		if !known {
			continue
		}
		at := slices.IndexFunc(fields, func(f field) bool { return named(f) == name })
		if at < 0 && slices.Contains(opts.IgnoredVariables, name) {
			continue
		}
		if at < 0 {
			problems = append(problems, fmt.Errorf("%s is not a setting; known are: %s", name, fieldNames(fields, named)))
			continue
		}
		if value == "" {
			continue
		}
		if other := given[fields[at].key]; other != "" {
			problems = append(problems, fmt.Errorf("%s and %s are both set, and mean the same: keep one", other, name))
			continue
		}
		given[fields[at].key] = name
		if err := fields[at].setText(value); err != nil {
			problems = append(problems, fmt.Errorf("%s: %w", name, err))
		}
	}
	return problems
}

// naming returns the naming scheme of a variable, and reports whether the variable belongs to this
// program.
func naming(name string, opts Options) (named func(field) string, ours bool) {
	if strings.HasPrefix(name, Prefix) {
		return field.variable, true
	}
	return field.alias, slices.ContainsFunc(opts.AliasPrefixes, func(prefix string) bool { return strings.HasPrefix(name, prefix) })
}

func fieldNames(fields []field, name func(field) string) string {
	var names []string
	for _, f := range fields {
		if text := name(f); text != "" {
			names = append(names, text)
		}
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}
