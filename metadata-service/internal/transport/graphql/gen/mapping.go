package main

import (
	"fmt"
	"os"
	"regexp"
	"strings"
)

// mapping is the content of mapping.tsv. Each row holds a type, a field and its source:
//
//	Dataset        *         entity dataset DATASET   read by URN; the last word is its EntityType
//	VersionedX     *         view dataset DATASET     the same, never picked by URN
//	SearchResults  *         built                    filled in by operations and computed fields
//	Dataset        platform  datasetKey.platform      a path: the aspect first, then members
//	AuditStamp     actor     actor                    in a record the path starts at the record
//	@entity        tags      globalTags               for all entity types that have the field
//	*              x         $urn                     for all types that have the field
//
// A field of a record needs no row when the record has a member of the same name. Other sources:
// "." the record itself; "$urn" and "$type" of the entity that a value belongs to;
// "^aspect.member" a path that starts at an aspect of this entity; "@Name" a method of Computed,
// "@Name(a,b)" when it reads the aspects a and b; "-" no source. "a ?? b" takes the first source
// that has a value; "| text" at the end gives a default.
type mapping struct {
	kinds map[string][]string // words of the row with the field *
	rows  map[string]map[string]source
	used  map[string]map[string]bool
}

type source struct {
	line     int
	paths    [][]string // alternatives
	computed string
	aspects  []string
	builtin  string // "$urn", "$type" or "-"
	fallback *string
}

var computedForm = regexp.MustCompile(`^@(\w+)(?:\(([\w,]+)\))?$`)

func readMapping(file string) (*mapping, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	m := &mapping{kinds: map[string][]string{}, rows: map[string]map[string]source{}, used: map[string]map[string]bool{}}
	for i, line := range strings.Split(string(text), "\n") {
		if line == "" || strings.HasPrefix(line, "#") || strings.HasPrefix(line, "type\t") {
			continue
		}
		cells := strings.Split(line, "\t")
		if len(cells) != 3 {
			return nil, fmt.Errorf("%s:%d: %d cells, not type, field and source", file, i+1, len(cells))
		}
		if cells[1] == "*" {
			if m.kinds[cells[0]] = strings.Fields(cells[2]); len(m.kinds[cells[0]]) == 0 {
				return nil, fmt.Errorf("%s:%d: no kind", file, i+1)
			}
			continue
		}
		s, err := parseSource(cells[2])
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", file, i+1, err)
		}
		s.line = i + 1
		if m.rows[cells[0]] == nil {
			m.rows[cells[0]] = map[string]source{}
		}
		if _, twice := m.rows[cells[0]][cells[1]]; twice {
			return nil, fmt.Errorf("%s:%d: a second row for %s.%s", file, i+1, cells[0], cells[1])
		}
		m.rows[cells[0]][cells[1]] = s
	}
	return m, nil
}

func parseSource(text string) (source, error) {
	var s source
	if before, after, ok := strings.Cut(text, " | "); ok {
		text, s.fallback = before, &after
	}
	switch {
	case text == "":
		return s, fmt.Errorf("no source")
	case text == "-", text == "$urn", text == "$type":
		s.builtin = text
	case strings.HasPrefix(text, "$"):
		return s, fmt.Errorf("%q is neither $urn nor $type", text)
	case strings.HasPrefix(text, "@"):
		parts := computedForm.FindStringSubmatch(text)
		if parts == nil {
			return s, fmt.Errorf("%q is not @Name(aspects)", text)
		}
		s.computed = parts[1]
		if parts[2] != "" {
			s.aspects = strings.Split(parts[2], ",")
		}
	default:
		for _, path := range strings.Split(text, " ?? ") {
			if path == "." {
				s.paths = append(s.paths, nil)
				continue
			}
			s.paths = append(s.paths, strings.Split(path, "."))
		}
	}
	return s, nil
}

// find returns the row of a field from the first owner that has one, and marks it as used.
func (m *mapping) find(field string, owners ...string) (source, bool) {
	for _, owner := range owners {
		if s, ok := m.rows[owner][field]; ok {
			if m.used[owner] == nil {
				m.used[owner] = map[string]bool{}
			}
			m.used[owner][field] = true
			return s, true
		}
	}
	return source{}, false
}

// unused lists the rows that no field uses.
func (m *mapping) unused() []string {
	var out []string
	for owner, fields := range m.rows {
		for field, s := range fields {
			if !m.used[owner][field] {
				out = append(out, fmt.Sprintf("mapping.tsv:%d: no field %s.%s needs this row", s.line, owner, field))
			}
		}
	}
	return out
}
