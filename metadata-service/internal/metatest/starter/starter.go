// Package starter holds metadata tests for teams that have none yet. They are data in starter.yaml.
// Package service/metatest installs them.
package starter

import (
	_ "embed"
	"fmt"

	"go.yaml.in/yaml/v3"
)

// Test is a test of the starter pack.
type Test struct {
	ID          string `yaml:"id"` // of its URN
	Name        string `yaml:"name"`
	Category    string `yaml:"category"`
	Description string `yaml:"description"`
	// Definition is YAML in the language of package metatest.
	Definition string `yaml:"definition"`
}

//go:embed starter.yaml
var pack []byte

// Tests returns the tests of the starter pack.
func Tests() ([]Test, error) {
	var tests []Test
	if err := yaml.Unmarshal(pack, &tests); err != nil {
		return nil, fmt.Errorf("read the starter pack of metadata tests: %w", err)
	}
	return tests, nil
}
