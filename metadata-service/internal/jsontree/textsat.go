package jsontree

// AppendTextsAt appends the strings of a JSON text at a path of member names to a list, in the
// order of the text. It includes the elements of arrays on the path: "tags", "tag" finds the tag of
// each element of tags. Absent values, and values that are not strings, are left out. It builds no
// tree, for texts of which only a small part is needed. For text that is not valid JSON the error
// is that of Decode; skipped strings are not checked for UTF-8. If a name occurs twice in an
// object, both count.
func AppendTextsAt(to []string, text []byte, path ...string) ([]string, error) {
	f := fastDecoder{text: text}
	f.space()
	found, ok := f.appendTexts(to, path)
	if f.space(); ok && f.at == len(text) {
		return found, nil
	}
	tree, err := Decode(text)
	if err != nil {
		return to, err
	}
	return AppendTexts(to, tree, path...), nil
}

// AppendTexts is AppendTextsAt for a tree.
func AppendTexts(to []string, v any, path ...string) []string {
	switch v := v.(type) {
	case []any:
		for _, element := range v {
			to = AppendTexts(to, element, path...)
		}
	case Object:
		if len(path) > 0 {
			to = AppendTexts(to, v[path[0]], path[1:]...)
		}
	case string:
		if len(path) == 0 {
			to = append(to, v)
		}
	}
	return to
}

// appendTexts consumes the next value.
func (f *fastDecoder) appendTexts(to []string, path []string) ([]string, bool) {
	if f.at == len(f.text) {
		return to, false
	}
	switch c := f.text[f.at]; {
	case c == '[':
		ok := f.items(']', func() (ok bool) {
			to, ok = f.appendTexts(to, path)
			return ok
		})
		return to, ok
	case c == '{' && len(path) > 0:
		ok := f.items('}', func() (ok bool) {
			wanted, ok := f.member(path[0])
			if !ok {
				return false
			}
			if !wanted {
				return f.skip()
			}
			to, ok = f.appendTexts(to, path[1:])
			return ok
		})
		return to, ok
	case c == '"' && len(path) == 0:
		text, ok := f.string()
		return append(to, text), ok
	}
	return to, f.skip()
}

// items iterates over the elements or members of the next value.
func (f *fastDecoder) items(last byte, item func() bool) bool {
	if f.depth++; f.depth > MaxDepth {
		return false
	}
	f.at++
	if f.space(); f.take(last) {
		f.depth--
		return true
	}
	for {
		if !item() {
			return false
		}
		if f.space(); f.take(last) {
			f.depth--
			return true
		}
		if !f.take(',') {
			return false
		}
		f.space()
	}
}

// member consumes the name of a member and its colon, and reports whether the name is the given
// one.
func (f *fastDecoder) member(name string) (same, ok bool) {
	start := f.at
	if !f.skipString() {
		return false, false
	}
	same = string(f.text[start+1:f.at-1]) == name
	if f.space(); !f.take(':') {
		return false, false
	}
	f.space()
	return same, true
}

// skip consumes the next value without keeping it.
func (f *fastDecoder) skip() bool {
	if f.at == len(f.text) {
		return false
	}
	switch f.text[f.at] {
	case '{':
		return f.items('}', func() bool {
			_, ok := f.member("")
			return ok && f.skip()
		})
	case '[':
		return f.items(']', f.skip)
	case '"':
		return f.skipString()
	case 't':
		return f.word("true")
	case 'f':
		return f.word("false")
	case 'n':
		return f.word("null")
	}
	_, ok := f.number()
	return ok
}

// skipString consumes a string without escapes. Decode handles the others.
func (f *fastDecoder) skipString() bool {
	if !f.take('"') {
		return false
	}
	for ; f.at < len(f.text); f.at++ {
		switch c := f.text[f.at]; {
		case c == '"':
			f.at++
			return true
		case c == '\\', c < ' ':
			return false
		}
	}
	return false
}
