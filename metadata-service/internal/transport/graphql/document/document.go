package document

import (
	"sync/atomic"

	"github.com/vektah/gqlparser/v2/ast"
)

// Document is one operation, ready for the library. It is shared between
// requests and safe for concurrent use.
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

// FanOut is how often one value of a root field may stand in the answer under
// several names, at most; 1 when each is asked for under one.
func (d *Document) FanOut() int { return d.fanOut.factor }

// KeyBytes is how many bytes the keys of one value of a type take in the answer, at
// most. Types are named as fields name them, so for what stands in a field of an
// interface it is asked of the interface.
func (d *Document) KeyBytes(typeName string) int { return d.fanOut.keyBytes[typeName] }

// Expansion tells why the library should not execute the text: it would expand to
// more than the budgets allow. It is nil when the library may. The first call works
// it out.
func (d *Document) Expansion() Errors {
	_, refused := d.expansion()
	return refused
}

// Expanded is how many selections the library makes of the text on each request, with
// fragments taken by value. The first call works it out.
func (d *Document) Expanded() int {
	n, _ := d.expansion()
	return n
}

// Introspection tells whether the operation asks for nothing but the schema. Its
// answer depends on the text and the variables alone.
func (d *Document) Introspection() bool { return d.introspection }

// SchemaValues is about how many values of the schema the answer holds.
func (d *Document) SchemaValues() int { return d.schemaValues }

// Attachment is what a caller leaves with a document between requests.
type Attachment interface {
	// Bytes estimates what it occupies. It may grow; see Stage.UpdateSize.
	Bytes() int
}

// Attach keeps a value with the document, in place of the one before, for as long
// as the document stays in the cache.
func (d *Document) Attach(value Attachment) { d.attachment.Store(&value) }

// Attachment gives the value that was attached last, nil when there is none.
func (d *Document) Attachment() Attachment {
	if value := d.attachment.Load(); value != nil {
		return *value
	}
	return nil
}
