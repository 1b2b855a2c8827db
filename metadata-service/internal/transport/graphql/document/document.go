package document

import (
	"sync/atomic"

	"github.com/vektah/gqlparser/v2/ast"
)

// Document is one operation, ready for the library. Requests with equal texts share it; it is
// safe for concurrent use.
type Document struct {
	source        string
	text          string
	op            *ast.OperationDefinition
	bindings      []*binding
	introspection bool
	schemaValues  int
	schema        *schemaIndex
	ignoreUnknown bool
	pages         []*page
	maxPage       int
	maxBytes      int // of variables
	maxValues     int
	fanOut        *fanOut
	expansion     func() (int, Errors)
	places        places
	attachment    atomic.Pointer[Attachment]
	key           cacheKey
}

// Text is the specialised text for the library, to be executed with the result of Variables.
func (d *Document) Text() string { return d.text }

// Operation is the name of the operation within Text; it may be empty.
func (d *Document) Operation() string { return d.op.Name }

// Kind is the kind of the operation: query or mutation.
func (d *Document) Kind() ast.Operation { return d.op.Operation }

// Definition is the operation as the client wrote it, validated and with its fragments resolved.
// Callers must not change it.
func (d *Document) Definition() *ast.OperationDefinition { return d.op }

// FanOut is the largest number of times that the response may repeat one value of a root field
// under different aliases. It is 1 when every field is selected under one name.
func (d *Document) FanOut() int { return d.fanOut.factor }

// KeyBytes is the largest number of bytes that the keys of one value of a type take in the
// response. Types are named as fields declare them: for values of a field of interface type, pass
// the name of the interface.
func (d *Document) KeyBytes(typeName string) int { return d.fanOut.keyBytes[typeName] }

// Expansion returns the reasons why the library should not execute the text, because it would
// expand beyond the budgets. It is nil when the library may execute the text. The first call
// computes the result.
func (d *Document) Expansion() Errors {
	_, refused := d.expansion()
	return refused
}

// Expanded is the number of selections that the library expands the text to on each request, with
// fragments taken by value. The first call computes it.
func (d *Document) Expanded() int {
	n, _ := d.expansion()
	return n
}

// Introspection reports whether the operation selects nothing but the schema. Its response
// depends on the text and the variables alone.
func (d *Document) Introspection() bool { return d.introspection }

// SchemaValues estimates the number of values of the schema in the response.
func (d *Document) SchemaValues() int { return d.schemaValues }

// Attachment is a value that a caller attaches to a document to reuse it in later requests.
type Attachment interface {
	// Bytes estimates the memory of the attachment. It may grow; see Stage.UpdateSize.
	Bytes() int
}

// Attach attaches a value to the document and replaces the previous one. The document holds the
// value for as long as it stays in the cache. Attach is safe for concurrent use.
func (d *Document) Attach(value Attachment) { d.attachment.Store(&value) }

// Attachment returns the value that was attached last, nil when there is none.
func (d *Document) Attachment() Attachment {
	if value := d.attachment.Load(); value != nil {
		return *value
	}
	return nil
}
