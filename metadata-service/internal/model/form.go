package model

import "github.com/cartulary/cartulary/metadata-service/internal/jsontree"

// typeTag is the member that names a record in the older HTTP interfaces.
const typeTag = "__type"

// Tagged copies a canonical value into the form of the older HTTP interfaces: each record has its
// short name in __type, and a record inside a union has no one-member object around it.
func Tagged(t *Type, v any) any {
	switch t.Shape {
	case RecordShape:
		o := v.(Object)
		tagged := make(Object, len(o)+1)
		tagged[typeTag] = t.Short()
		for name, member := range o {
			if f, ok := t.Field(name); ok {
				tagged[name] = Tagged(f.Type, member)
			}
		}
		return tagged
	case Array:
		list := v.([]any)
		tagged := make([]any, len(list))
		for i, e := range list {
			tagged[i] = Tagged(t.Elem, e)
		}
		return tagged
	case Map:
		o := v.(Object)
		tagged := make(Object, len(o))
		for key, e := range o {
			tagged[key] = Tagged(t.Elem, e)
		}
		return tagged
	case Union:
		return taggedUnion(t, v.(Object))
	}
	return v
}

func taggedUnion(t *Type, o Object) any {
	for _, m := range t.Members {
		inner, ok := o[m.Key]
		if !ok {
			continue
		}
		if m.Type.Shape == RecordShape {
			return Tagged(m.Type, inner)
		}
		return Object{m.Key: Tagged(m.Type, inner)}
	}
	return o
}

// WithDefaults adds every absent field with a default to a canonical value, in place and on every
// level. The added values are not shared with the registry. Values are stored and served without
// defaults; readers that interpret a value need them.
func WithDefaults(t *Type, v any) any {
	switch t.Shape {
	case RecordShape:
		o := v.(Object)
		for i := range t.Fields {
			f := &t.Fields[i]
			member, there := o[f.Name]
			switch {
			case there:
				o[f.Name] = WithDefaults(f.Type, member)
			case f.HasDefault && f.Default != nil:
				o[f.Name] = WithDefaults(f.Type, jsontree.Clone(f.Default))
			}
		}
	case Array:
		for i, e := range v.([]any) {
			v.([]any)[i] = WithDefaults(t.Elem, e)
		}
	case Map:
		for key, e := range v.(Object) {
			v.(Object)[key] = WithDefaults(t.Elem, e)
		}
	case Union:
		o := v.(Object)
		for _, m := range t.Members {
			if inner, ok := o[m.Key]; ok {
				o[m.Key] = WithDefaults(m.Type, inner)
			}
		}
	}
	return v
}

// encodeObject returns the canonical text of an object, nil for an empty object and for other
// values.
func encodeObject(v any) []byte {
	if o, ok := v.(Object); ok && len(o) > 0 {
		return jsontree.Encode(o)
	}
	return nil
}
