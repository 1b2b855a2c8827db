// Package configdoctest declares a Config struct for the tests of package configdoc, which reads its
// source.
package configdoctest

import (
	"time"

	"github.com/cartulary/cartulary/pkg/config"
)

// Settings has each kind of field.
type Settings struct {
	// Listen is the address, which Wait does not concern.
	Listen string        `config:"listen"`
	Wait   time.Duration `config:"wait_for"` // no longer than a day
	Secret config.Secret `config:"secret"`
	File   string        `config:"file" sample:"./file"`

	// Settings of the log. Names is no key here.
	Log struct {
		// Names lists the names that are printed, in the order in which they are given here, at least one of them.
		Names []string `config:"names"`
		Level string   `config:"level" example:"high" alias:"LEVEL"`
	} `config:"log"`
	Rest Nested `config:"rest"`
}

// Nested is a section of a named type.
type Nested struct {
	// Text needs quotes.
	Text string `config:"text"`
}
