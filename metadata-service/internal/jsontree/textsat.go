package jsontree

// AppendTextsAt appends the strings of a JSON text at a path of member names to a list,
// in the order of the text. Arrays on the way are gone through: "tags", "tag" finds the
// tag of each element of tags. What is not there, or no string, is left out. It builds
// no tree, for texts of which little is asked. Text that is not valid JSON gives the
// error of Decode; strings that are passed over are not held to UTF-8. Of a name that
// comes twice in an object both count.
func AppendTextsAt(to []string, text []byte, path ...string) ([]string, error) {
	f := fast{text: text}
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

// appendTexts takes the next value.
func (f *fast) appendTexts(to []string, path []string) ([]string, bool) {
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

// items goes through the elements or members of what begins here.
func (f *fast) items(last byte, item func() bool) bool {
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

// member takes the name of a member and its colon, and tells whether it is this one.
func (f *fast) member(name string) (same, ok bool) {
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

// skip takes the next value and keeps nothing of it.
func (f *fast) skip() bool {
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

// skipString takes a string without escapes; Decode sees to the others.
func (f *fast) skipString() bool {
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
