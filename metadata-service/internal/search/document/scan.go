package document

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
)

// Limits of values.
const maxMapText = 4096 // maximum length of a key=value text of a map; longer ones are dropped

// scanner reads the values of search fields from a stored aspect. Stored values are valid JSON;
// invalid JSON ends the scan.
type scanner struct {
	b      []byte
	at     int
	plan   *aspectPlan
	values [][]search.Value // by field of the plan
}

// scan reads the values of a plan's fields. The next scan reuses the slices.
func (s *scanner) scan(p *aspectPlan, value []byte) {
	s.b, s.at, s.plan = value, 0, p
	for len(s.values) < len(p.fields) {
		s.values = append(s.values, nil)
	}
	for i := range p.fields {
		s.values[i] = nil
	}
	s.read(p.root)
}

func (s *scanner) peek() byte {
	for s.at < len(s.b) {
		switch c := s.b[s.at]; c {
		case ' ', '\t', '\n', '\r':
			s.at++
		default:
			return c
		}
	}
	return 0
}

// read reads one value. With a nil node it skips the value.
func (s *scanner) read(n *node) {
	switch s.peek() {
	case '{':
		s.object(n)
	case '[':
		s.array(n)
	case 0:
	default:
		start := s.at
		s.skip()
		if n != nil && len(n.fields) > 0 {
			s.scalar(n.fields, s.b[start:s.at])
		}
	}
}

func (s *scanner) object(n *node) {
	if n == nil {
		s.skip()
		return
	}
	if n.isStep {
		s.step(n.field)
		return
	}
	s.at++
	for s.at < len(s.b) {
		key, ok := s.key()
		if !ok {
			return
		}
		s.member(n, key)
	}
}

// key advances to the value of the next member of an object and returns its name. ok is false
// behind the last member.
func (s *scanner) key() (name []byte, ok bool) {
	for s.peek() == ',' {
		s.at++
	}
	if s.peek() != '"' {
		s.at++
		return nil, false
	}
	name = s.text()
	if s.peek() != ':' {
		s.at = len(s.b)
		return nil, false
	}
	s.at++
	return name, true
}

// step reads an entry of a browse path. An entry with an entity becomes a step with its URN, since
// its id repeats a name that is not visible to every actor that sees the path.
func (s *scanner) step(field int) {
	var id, entity string
	s.at++
	for s.at < len(s.b) {
		key, ok := s.key()
		if !ok {
			break
		}
		start, text := s.at, &id
		switch string(key) {
		case "id":
		case "urn":
			text = &entity
		default:
			text = nil
		}
		isText := s.peek() == '"'
		if isText {
			start = s.at
		}
		if s.skip(); text != nil && isText {
			*text = plainText(s.b[start:s.at])
		}
	}
	s.add(field, search.Value{Text: firstNonEmpty(entity, id)})
}

func (s *scanner) member(n *node, key []byte) {
	for _, f := range n.keys {
		s.add(f, search.Value{Text: string(key)})
	}
	start := s.at
	if len(n.fields) > 0 {
		s.entries(n.fields, string(key))
		s.at = start
	}
	child := n.children[string(key)]
	if child != nil && n.each != nil {
		s.read(child)
		s.at = start
		child = n.each
	} else if child == nil {
		child = n.each
	}
	s.read(child)
}

// entries adds key=value texts for a member of a map, one for each element of a list.
func (s *scanner) entries(fields []int, key string) {
	add := func(raw []byte) {
		if raw[0] == '{' || raw[0] == '[' || string(raw) == "null" {
			return
		}
		text := key + "=" + plainText(raw)
		if len(text) >= maxMapText {
			return
		}
		for _, f := range fields {
			if !isNumber(s.plan.fields[f].kind) {
				s.add(f, search.Value{Text: text})
			}
		}
	}
	if s.peek() != '[' {
		start := s.at
		if s.skip(); s.at > start {
			add(s.b[start:s.at])
		}
		return
	}
	for s.at++; s.at < len(s.b); {
		switch s.peek() {
		case ',':
			s.at++
		case ']':
			s.at++
			return
		default:
			start := s.at
			if s.skip(); s.at == start {
				return
			}
			add(s.b[start:s.at])
		}
	}
}

func (s *scanner) array(n *node) {
	if n == nil {
		s.skip()
		return
	}
	s.at++
	for s.at < len(s.b) {
		switch s.peek() {
		case ',':
			s.at++
			continue
		case ']':
			s.at++
			return
		}
		start := s.at
		// A field that is a list has the values of its elements on every level.
		if len(n.fields) > 0 {
			s.read(&node{fields: n.fields})
			if n.each != nil {
				s.at = start
			}
		}
		if n.each != nil || len(n.fields) == 0 {
			s.read(n.each)
		}
		if s.at == start {
			return
		}
	}
}

// text reads a string.
func (s *scanner) text() []byte {
	start := s.at
	s.skip()
	raw := s.b[start:s.at]
	if len(raw) < 2 {
		return nil
	}
	if bytes.IndexByte(raw, '\\') < 0 {
		return raw[1 : len(raw)-1]
	}
	return []byte(plainText(raw))
}

// plainText returns the text of a scalar.
func plainText(raw []byte) string {
	if raw[0] != '"' {
		return string(raw)
	}
	if len(raw) >= 2 && bytes.IndexByte(raw, '\\') < 0 {
		return string(raw[1 : len(raw)-1])
	}
	var text string
	if json.Unmarshal(raw, &text) != nil {
		return ""
	}
	return text
}

// skip advances behind one value.
func (s *scanner) skip() {
	switch s.peek() {
	case '"':
		s.skipText()
	case '{', '[':
		depth := 0
		for s.at < len(s.b) {
			switch s.b[s.at] {
			case '"':
				s.skipText()
				continue
			case '{', '[':
				depth++
			case '}', ']':
				depth--
			}
			s.at++
			if depth == 0 {
				return
			}
		}
	default:
		for s.at < len(s.b) {
			switch s.b[s.at] {
			case ',', '}', ']', ' ', '\n', '\t', '\r':
				return
			}
			s.at++
		}
	}
}

func (s *scanner) skipText() {
	for s.at++; s.at < len(s.b); s.at++ {
		i := bytes.IndexByte(s.b[s.at:], '"')
		if i < 0 {
			s.at = len(s.b)
			return
		}
		escapes := 0
		for j := s.at + i - 1; j >= s.at && s.b[j] == '\\'; j-- {
			escapes++
		}
		s.at += i
		if escapes%2 == 0 {
			s.at++
			return
		}
	}
}

func (s *scanner) scalar(fields []int, raw []byte) {
	if string(raw) == "null" {
		return
	}
	for _, f := range fields {
		plan := &s.plan.fields[f]
		if isNumber(plan.kind) {
			if n, err := strconv.ParseFloat(strings.Trim(string(raw), `"`), 64); err == nil {
				s.add(f, search.Value{Number: n})
			}
			continue
		}
		text := plainText(raw)
		if plan.rich {
			text = stripMarkup(text)
		}
		s.add(f, search.Value{Text: text})
	}
}

// add adds a value: only the first one for a single field, and up to the limit for others.
func (s *scanner) add(field int, v search.Value) {
	plan := &s.plan.fields[field]
	if v.Text == "" && !isNumber(plan.kind) {
		return
	}
	have := s.values[field]
	most := search.MaxListValues
	if !plan.multi && plan.kind != search.BrowsePathV2 {
		most = 1
	}
	if len(have) < most {
		s.values[field] = append(have, v)
	}
}

// result returns the values of a field. A browse path is one value.
func (s *scanner) result(field int) []search.Value {
	values := s.values[field]
	if s.plan.fields[field].kind != search.BrowsePathV2 || len(values) == 0 {
		return values
	}
	var path strings.Builder
	for _, v := range values {
		path.WriteString(model.PathSeparator)
		path.WriteString(v.Text)
	}
	return []search.Value{{Text: path.String()}}
}
