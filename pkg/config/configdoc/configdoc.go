// Package configdoc derives the commented configuration file of a program, and the list of its
// environment variables, from its Config struct: keys and defaults by reflection, comments from the
// source of the struct. It reads source files, so only tests use it.
//
// The comment of a field becomes the comment of its key. Names of fields of the same struct in it
// become keys. A line comment stays behind the value. Two tags, besides those of package config,
// determine the value in the file: example is a value of a setting that has no default, shown in a
// comment; sample is a value that the file sets although it is no default.
package configdoc

import (
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/cartulary/cartulary/pkg/config"
)

// module is the prefix of the import paths of all packages of the repository.
const module = "github.com/cartulary/cartulary/"

// width is the maximum length of a comment line.
const width = 100

// File returns the configuration file for target, a pointer to a Config struct with the defaults, as
// YAML: the lines of head as a comment, then all settings. root is the folder of the repository.
func File(head string, target any, root string) (string, error) {
	w := &writer{root: root, packages: map[string]map[string]*ast.StructType{}}
	v := reflect.ValueOf(target).Elem()
	source, err := w.source(v.Type())
	if err != nil {
		return "", err
	}
	w.comment("", head)
	if err := w.settings(v, source, "", ""); err != nil {
		return "", err
	}
	return w.out.String(), nil
}

// Program is a program whose files are derived.
type Program struct {
	// Name is the name of the binary, and List the name of its list in package variables.
	Name, List string
	// Head is the text at the head of its configuration file.
	Head string
	// Config points to its Config struct with the defaults.
	Config any
}

// Files returns the derived files of a program by path: the configuration file in deploy/config and
// the list of variables in pkg/config/variables. root is the folder of the repository.
func Files(p Program, root string) (map[string]string, error) {
	file, err := File(p.Head, p.Config, root)
	if err != nil {
		return nil, err
	}
	list, err := format.Source([]byte(GoFile("variables", p.List, "lists the environment variables of "+p.Name+".", Variables(p.Config))))
	if err != nil {
		return nil, err
	}
	return map[string]string{
		filepath.Join(root, "deploy", "config", p.Name+".yaml"):                                file,
		filepath.Join(root, "pkg", "config", "variables", "zz_"+strings.ToLower(p.List)+".go"): string(list),
	}, nil
}

// Variables returns the environment variables of all settings of target, in the order of the fields.
func Variables(target any) []string {
	var names []string
	for _, key := range config.Keys(target) {
		names = append(names, config.Variable(key))
	}
	return names
}

// GoFile returns the source of a file that declares a list of environment variables.
func GoFile(packageName, name, comment string, variables []string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "// Code generated from the Config struct by a test with -update. DO NOT EDIT.\n\npackage %s\n\n// %s %s\nvar %s = []string{\n", packageName, name, comment, name)
	for _, v := range variables {
		fmt.Fprintf(&b, "\t%q,\n", v)
	}
	b.WriteString("}\n")
	return b.String()
}

type writer struct {
	out      strings.Builder
	root     string
	packages map[string]map[string]*ast.StructType // by import path, then by name
}

// source returns the declaration of a struct type.
func (w *writer) source(t reflect.Type) (*ast.StructType, error) {
	path := t.PkgPath()
	if w.packages[path] == nil {
		folder, inside := strings.CutPrefix(path, module)
		if !inside {
			return nil, fmt.Errorf("configdoc: %s is not a type of the repository", t)
		}
		structs, err := structsOf(filepath.Join(w.root, folder))
		if err != nil {
			return nil, err
		}
		w.packages[path] = structs
	}
	found := w.packages[path][t.Name()]
	if found == nil {
		return nil, fmt.Errorf("configdoc: no struct %s in %s", t.Name(), path)
	}
	return found, nil
}

// structsOf returns the struct types that the files of a folder declare, without tests.
func structsOf(folder string) (map[string]*ast.StructType, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	structs := map[string]*ast.StructType{}
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".go") || strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(folder, e.Name()), nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		for _, d := range file.Decls {
			declaration, ok := d.(*ast.GenDecl)
			if !ok {
				continue
			}
			for _, s := range declaration.Specs {
				if spec, ok := s.(*ast.TypeSpec); ok {
					if t, ok := spec.Type.(*ast.StructType); ok {
						structs[spec.Name.Name] = t
					}
				}
			}
		}
	}
	return structs, nil
}

// settings writes the settings of a struct.
func (w *writer) settings(v reflect.Value, source *ast.StructType, indent, prefix string) error {
	fields := fieldsByName(source)
	names := keysByName(v)
	for i := range v.NumField() {
		f := v.Type().Field(i)
		key := f.Tag.Get("config")
		if key == "" {
			continue
		}
		declared := fields[f.Name]
		if declared == nil {
			return fmt.Errorf("configdoc: no source of %s%s", prefix, key)
		}
		text := names.replace(declared.Doc.Text())
		if alias := f.Tag.Get("alias"); alias != "" && alias != "AUTH_"+strings.ToUpper(strings.ReplaceAll(prefix+key, ".", "_")) && !strings.HasPrefix(alias, "AUTH_OIDC_") {
			text = strings.TrimSpace(strings.TrimSpace(text) + " Also " + alias + ".")
		}
		if indent == "" && text != "" {
			w.out.WriteString("\n")
		}
		if config.IsSection(v.Field(i)) {
			if err := w.section(v.Field(i), declared, key, text, indent, prefix); err != nil {
				return err
			}
			continue
		}
		w.comment(indent, text)
		line := indent + setting(key, f, v.Field(i))
		if behind := strings.TrimSpace(names.replace(declared.Comment.Text())); behind != "" {
			line += "  # " + behind
		}
		w.out.WriteString(line + "\n")
	}
	return nil
}

func (w *writer) section(v reflect.Value, declared *ast.Field, key, text, indent, prefix string) (err error) {
	source, isAnonymous := declared.Type.(*ast.StructType)
	if !isAnonymous {
		if source, err = w.source(v.Type()); err != nil {
			return err
		}
	}
	if indent == "" && text == "" {
		w.out.WriteString("\n")
	}
	w.comment(indent, text)
	w.out.WriteString(indent + key + ":\n")
	return w.settings(v, source, indent+"  ", prefix+key+".")
}

func fieldsByName(source *ast.StructType) map[string]*ast.Field {
	fields := map[string]*ast.Field{}
	for _, f := range source.Fields.List {
		for _, name := range f.Names {
			fields[name.Name] = f
		}
	}
	return fields
}

// keys replaces names of fields in texts by keys.
type keys struct {
	byName map[string]string
	names  *regexp.Regexp
}

// keysByName returns the keys of the settings of a struct. Names of sections are not replaced, since
// they are words such as Webhooks.
func keysByName(v reflect.Value) keys {
	k := keys{byName: map[string]string{}}
	var quoted []string
	for i := range v.NumField() {
		f := v.Type().Field(i)
		if key := f.Tag.Get("config"); key != "" && !config.IsSection(v.Field(i)) {
			k.byName[f.Name] = key
			quoted = append(quoted, f.Name)
		}
	}
	slices.SortFunc(quoted, func(a, b string) int { return len(b) - len(a) })
	k.names = regexp.MustCompile(`\b(` + strings.Join(quoted, "|") + `)\b`)
	return k
}

func (k keys) replace(text string) string {
	return k.names.ReplaceAllStringFunc(text, func(name string) string { return k.byName[name] })
}

// comment writes a text as comment lines. Lines that begin with a space keep their breaks.
func (w *writer) comment(indent, text string) {
	for paragraph := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n\n") {
		line := ""
		flush := func() {
			if line != "" {
				w.out.WriteString(indent + "#" + line + "\n")
			}
			line = ""
		}
		for source := range strings.SplitSeq(paragraph, "\n") {
			if strings.HasPrefix(source, " ") {
				flush()
				line = " " + source
				flush()
				continue
			}
			for word := range strings.FieldsSeq(source) {
				if len(indent)+1+len(line)+1+len(word) > width {
					flush()
				}
				line += " " + word
			}
		}
		flush()
	}
}

// setting returns the line of a setting, a comment if it has no default.
func setting(key string, f reflect.StructField, v reflect.Value) string {
	if sample := f.Tag.Get("sample"); sample != "" {
		return key + ": " + sample
	}
	if example := f.Tag.Get("example"); example != "" && v.IsZero() {
		return "# " + key + ": " + example
	}
	switch value := v.Interface().(type) {
	case config.Secret:
		return "# " + key + `: ""`
	case []string:
		if len(value) == 0 {
			return "# " + key + ": []"
		}
		return key + ": [" + strings.Join(value, ", ") + "]"
	}
	text := config.Text(v)
	if d, err := time.ParseDuration(text); err == nil && v.CanConvert(reflect.TypeFor[time.Duration]()) && d.String() == text && d != 0 {
		text = duration(d)
	}
	return key + ": " + scalar(text)
}

func duration(d time.Duration) string {
	text := d.String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}

var plain = regexp.MustCompile(`^[A-Za-z0-9./(][A-Za-z0-9_./:*() -]*$`)

// scalar returns a text as YAML, in quotes if it needs them.
func scalar(text string) string {
	if plain.MatchString(text) && !strings.Contains(text, ": ") {
		return text
	}
	return fmt.Sprintf("%q", text)
}
