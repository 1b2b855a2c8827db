package model

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// Default is an aspect that every new catalog contains.
type Default struct {
	URN    string          `json:"urn"`
	Aspect string          `json:"aspect"`
	Change ChangeType      `json:"change"` // Upsert, or Create for aspects that users may have changed
	Value  json.RawMessage `json:"value"`  // "$stamp" is a placeholder for the present audit stamp
}

// DefaultSet is a group of defaults that is applied as one unit.
type DefaultSet struct {
	Name string // "data-platforms"
	// Version changes with the content of the set.
	Version string
	Rows    []Default
}

// Defaults returns the default data of the binary, ordered by name. The last set has one entityType
// entity for each entity type of the registry.
func (r *Registry) Defaults() ([]DefaultSet, error) {
	const folder = "registry/defaults"
	names, err := fs.Glob(registryFiles, folder+"/*.json")
	if err != nil {
		return nil, err
	}
	sets := make([]DefaultSet, 0, len(names)+1)
	for _, name := range names {
		content, err := registryFiles.ReadFile(name)
		if err != nil {
			return nil, err
		}
		set := DefaultSet{Name: strings.TrimSuffix(path.Base(name), ".json"), Version: digest(content)}
		if err := json.Unmarshal(content, &set.Rows); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		sets = append(sets, set)
	}
	return append(sets, r.entityTypes()), nil
}

func digest(content []byte) string {
	const length = 12
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])[:length]
}

func (r *Registry) entityTypes() DefaultSet {
	set := DefaultSet{Name: "entity-types"}
	names := make([]string, len(r.entities))
	for i, e := range r.entities {
		names[i] = e.Name
		value, _ := json.Marshal(map[string]string{"qualifiedName": "datahub." + e.Name, "displayName": e.Name})
		set.Rows = append(set.Rows, Default{URN: "urn:li:entityType:datahub." + e.Name, Aspect: "entityTypeInfo", Change: Create, Value: value})
	}
	slices.Sort(names)
	set.Version = digest([]byte(strings.Join(names, ",")))
	return set
}
