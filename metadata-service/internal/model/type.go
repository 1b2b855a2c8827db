package model

import (
	"errors"
	"fmt"
	"strings"
)

// Shape is the JSON form of the values of a type.
type Shape uint8

const (
	Boolean Shape = iota + 1
	Int
	Long
	Float
	Double
	String
	Bytes // a string with one character for each byte
	Fixed
	Enum
	RecordShape
	Array
	Map // keys are strings
	Union
)

var primitives = map[string]Shape{
	"boolean": Boolean, "int": Int, "long": Long, "float": Float, "double": Double, "string": String, "bytes": Bytes,
}

// Type is a type of the model with all names resolved. Types are immutable and
// may be recursive.
type Type struct {
	Shape Shape
	// Name is the fully qualified name of a record, enum or fixed.
	Name string
	// Alias is the name of the typeref that refers to the type, if any.
	Alias string
	// Addresses is set for strings that hold URNs. It is the required entity type, "*" for any.
	Addresses string
	// Web is set for strings that hold addresses which pages show as links or images: relative
	// addresses, and those of any scheme that runs no code.
	Web     bool
	Fields  []Field         // of a record, in declared order
	Symbols []string        // of an enum
	Size    int             // of a fixed
	Elem    *Type           // of an array or map
	Members []Member        // of a union
	fields  map[string]int  // position of a field by name
	symbols map[string]bool // of an enum
}

// Field is a member of a record.
type Field struct {
	Name       string
	Type       *Type
	Optional   bool
	HasDefault bool
	Default    any // JSON tree; only with HasDefault
	Deprecated bool
	// Stamped is set for audit stamps that a patch adds to records without them.
	Stamped bool
}

// Required reports whether a value must have the field.
func (f Field) Required() bool { return !f.Optional && !f.HasDefault }

// Member is one alternative of a union; Key is its name in the one-member object.
type Member struct {
	Key  string
	Type *Type
}

// Field finds a field of a record by name.
func (t *Type) Field(name string) (Field, bool) {
	i, ok := t.fields[name]
	if !ok {
		return Field{}, false
	}
	return t.Fields[i], true
}

// Short returns the last segment of the type's name, which is the value of __type members.
func (t *Type) Short() string { return t.Name[strings.LastIndexByte(t.Name, '.')+1:] }

// memberKey returns the key of a type inside a union.
func (t *Type) memberKey() string {
	switch t.Shape {
	case RecordShape, Enum, Fixed:
		return t.Name
	case Array:
		return "array"
	case Map:
		return "map"
	}
	return t.Shape.String()
}

func (s Shape) String() string {
	for name, shape := range primitives {
		if shape == s {
			return name
		}
	}
	return [...]string{Fixed: "fixed", Enum: "enum", RecordShape: "record", Array: "array", Map: "map", Union: "union"}[s]
}

// describe returns the name of the type for messages.
func (t *Type) describe() string {
	switch t.Shape {
	case RecordShape:
		return "an object of type " + t.Name
	case Enum:
		return "one of " + strings.Join(t.Symbols, ", ")
	case Array, Map, Union, Int:
		return "an " + map[Shape]string{Array: "array", Map: "object", Union: "object with one of the members of the union", Int: "int"}[t.Shape]
	}
	return "a " + t.Shape.String()
}

// typeRow is a row of registry/types. Exactly one of the first four members is set.
type typeRow struct {
	Record, Enum, Alias, Fixed string
	Fields                     []fieldRow
	Includes                   []string
	Symbols                    []string
	DeprecatedSymbols          []string
	Of                         string
	Addresses                  string
	Size                       int
	Deprecated, Web            bool
}

type fieldRow struct {
	Name, Type           string
	Optional, Deprecated bool
	Web, Stamped         bool
	Default              *any
}

func (r typeRow) name() string { return r.Record + r.Enum + r.Alias + r.Fixed }

// types resolves type names. Each name is resolved once.
type types struct {
	rows  map[string]typeRow
	known map[string]*Type
	open  map[string]bool // aliases being resolved
}

func newTypes() *types {
	return &types{rows: map[string]typeRow{}, known: map[string]*Type{}, open: map[string]bool{}}
}

func (ts *types) add(row typeRow) error {
	name := row.name()
	if name == "" {
		return errors.New("a type needs a name: record, enum, alias or fixed")
	}
	if _, twice := ts.rows[name]; twice {
		return fmt.Errorf("type %s is there twice", name)
	}
	ts.rows[name] = row
	return nil
}

// parse resolves a type expression: a primitive, a name, array[T], map[string,T] or union[...].
func (ts *types) parse(expr string) (*Type, error) {
	if shape, ok := primitives[expr]; ok {
		return &Type{Shape: shape}, nil
	}
	if open := strings.IndexByte(expr, '['); open > 0 && strings.HasSuffix(expr, "]") {
		return ts.parseCompound(expr[:open], splitTop(expr[open+1:len(expr)-1]))
	}
	return ts.named(expr)
}

func (ts *types) parseCompound(shape string, args []string) (*Type, error) {
	switch {
	case shape == "array" && len(args) == 1:
		elem, err := ts.parse(args[0])
		return &Type{Shape: Array, Elem: elem}, err
	case shape == "map" && len(args) == 2:
		elem, err := ts.parse(args[1])
		return &Type{Shape: Map, Elem: elem}, err
	case shape == "union":
		return ts.parseUnion(args)
	}
	return nil, fmt.Errorf("type %s[%s] is not understood", shape, strings.Join(args, ","))
}

func (ts *types) parseUnion(args []string) (*Type, error) {
	u := &Type{Shape: Union}
	for _, arg := range args {
		alias, expr, aliased := strings.Cut(arg, ":")
		if !aliased {
			expr = arg
		}
		member, err := ts.parse(expr)
		if err != nil {
			return nil, err
		}
		key := alias
		if !aliased {
			key = member.memberKey()
		}
		u.Members = append(u.Members, Member{Key: key, Type: member})
	}
	return u, nil
}

func (ts *types) named(name string) (*Type, error) {
	if t, ok := ts.known[name]; ok {
		return t, nil
	}
	row, ok := ts.rows[name]
	if !ok {
		return nil, fmt.Errorf("type %s is not in the registry", name)
	}
	if row.Alias != "" {
		return ts.alias(row)
	}
	t := &Type{Name: name}
	ts.known[name] = t // before its fields, since types may be recursive
	switch {
	case row.Enum != "":
		t.Shape, t.Symbols, t.symbols = Enum, row.Symbols, map[string]bool{}
		for _, s := range row.Symbols {
			t.symbols[s] = true
		}
	case row.Fixed != "":
		t.Shape, t.Size = Fixed, row.Size
	default:
		t.Shape = RecordShape
		return t, ts.fill(t, row)
	}
	return t, nil
}

func (ts *types) alias(row typeRow) (*Type, error) {
	if ts.open[row.Alias] {
		return nil, fmt.Errorf("alias %s leads back to itself", row.Alias)
	}
	ts.open[row.Alias] = true
	defer delete(ts.open, row.Alias)
	target, err := ts.parse(row.Of)
	if err != nil {
		return nil, err
	}
	t := *target
	t.Alias, t.Addresses, t.Web = row.Alias, row.Addresses, row.Web
	ts.known[row.Alias] = &t
	return &t, nil
}

func (ts *types) fill(t *Type, row typeRow) error {
	t.fields = make(map[string]int, len(row.Fields))
	for i, f := range row.Fields {
		ft, err := ts.parse(f.Type)
		if err != nil {
			return fmt.Errorf("%s.%s: %w", row.Record, f.Name, err)
		}
		if f.Web {
			if ft, err = webAddress(ft); err != nil {
				return fmt.Errorf("%s.%s: %w", row.Record, f.Name, err)
			}
		}
		if _, twice := t.fields[f.Name]; twice {
			return fmt.Errorf("%s.%s is there twice", row.Record, f.Name)
		}
		field := Field{Name: f.Name, Type: ft, Optional: f.Optional, Deprecated: f.Deprecated, Stamped: f.Stamped}
		if f.Default != nil {
			field.HasDefault, field.Default = true, *f.Default
		}
		t.Fields = append(t.Fields, field)
		t.fields[f.Name] = i
	}
	return nil
}

// webAddress marks a string as the address of a page or an image.
func webAddress(t *Type) (*Type, error) {
	if t.Shape != String {
		return nil, errors.New("only a string can be an address of the web")
	}
	marked := *t
	marked.Web = true
	return &marked, nil
}

// splitTop splits a list of type expressions on the commas outside brackets.
func splitTop(list string) []string {
	var parts []string
	depth, start := 0, 0
	for i := 0; i < len(list); i++ {
		switch list[i] {
		case '[':
			depth++
		case ']':
			depth--
		case ',':
			if depth == 0 {
				parts = append(parts, list[start:i])
				start = i + 1
			}
		}
	}
	return append(parts, list[start:])
}
