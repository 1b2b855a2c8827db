package document

import "github.com/vektah/gqlparser/v2/ast"

// Document is one operation, ready for the library. It is shared between
// requests and safe for concurrent use.
type Document struct {
	source        string
	text          string
	op            *ast.OperationDefinition
	bindings      []*binding
	introspection bool
	catalog       *catalog
	ignoreUnknown bool
	places        places
}

// Text is the specialised text for the library, to be executed with what
// Variables gives.
func (d *Document) Text() string { return d.text }

// Operation is the name of the operation within Text; it may be empty.
func (d *Document) Operation() string { return d.op.Name }

// Kind tells queries from mutations.
func (d *Document) Kind() ast.Operation { return d.op.Operation }

// Definition is the operation as the client wrote it, validated and with its
// fragments resolved. It must not be changed.
func (d *Document) Definition() *ast.OperationDefinition { return d.op }

// Introspection tells whether the operation asks for nothing but the schema. Its
// answer depends on the text and the variables alone.
func (d *Document) Introspection() bool { return d.introspection }
