// Package graphql serves the GraphQL API.
//
// Package document validates each request, checks it against the budgets and rewrites it for the
// library. Then package plan calls the methods of query and mutation, one for each operation; the
// library does so for the few queries without a plan, which combine introspection with other
// fields. An operation decodes its input, calls a service or the catalog, and builds the response
// with a gqltype.Loader, which reads only the data that the document selects. This package
// contains no rules about metadata.
//
// Operations are in files named after their topic, like the files of the schema.
package graphql

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	graphgophers "github.com/graph-gophers/graphql-go"
	liberrors "github.com/graph-gophers/graphql-go/errors"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/cartulary/cartulary/metadata-service/internal/admission"
	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/encryption"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/discover"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/service/access"
	"github.com/cartulary/cartulary/metadata-service/internal/service/analytics"
	"github.com/cartulary/cartulary/metadata-service/internal/service/assertion"
	"github.com/cartulary/cartulary/metadata-service/internal/service/asset"
	"github.com/cartulary/cartulary/metadata-service/internal/service/businessattribute"
	"github.com/cartulary/cartulary/metadata-service/internal/service/collection"
	"github.com/cartulary/cartulary/metadata-service/internal/service/contract"
	"github.com/cartulary/cartulary/metadata-service/internal/service/credentials"
	"github.com/cartulary/cartulary/metadata-service/internal/service/domain"
	"github.com/cartulary/cartulary/metadata-service/internal/service/edit"
	"github.com/cartulary/cartulary/metadata-service/internal/service/ermodel"
	"github.com/cartulary/cartulary/metadata-service/internal/service/form"
	"github.com/cartulary/cartulary/metadata-service/internal/service/glossary"
	"github.com/cartulary/cartulary/metadata-service/internal/service/homepage"
	"github.com/cartulary/cartulary/metadata-service/internal/service/incident"
	"github.com/cartulary/cartulary/metadata-service/internal/service/ingestion"
	"github.com/cartulary/cartulary/metadata-service/internal/service/knowledge"
	"github.com/cartulary/cartulary/metadata-service/internal/service/label"
	"github.com/cartulary/cartulary/metadata-service/internal/service/lineageedit"
	"github.com/cartulary/cartulary/metadata-service/internal/service/link"
	"github.com/cartulary/cartulary/metadata-service/internal/service/logical"
	"github.com/cartulary/cartulary/metadata-service/internal/service/metatest"
	"github.com/cartulary/cartulary/metadata-service/internal/service/owner"
	"github.com/cartulary/cartulary/metadata-service/internal/service/policy"
	"github.com/cartulary/cartulary/metadata-service/internal/service/post"
	"github.com/cartulary/cartulary/metadata-service/internal/service/principal"
	"github.com/cartulary/cartulary/metadata-service/internal/service/property"
	queries "github.com/cartulary/cartulary/metadata-service/internal/service/query"
	"github.com/cartulary/cartulary/metadata-service/internal/service/recommendation"
	"github.com/cartulary/cartulary/metadata-service/internal/service/role"
	"github.com/cartulary/cartulary/metadata-service/internal/service/secret"
	"github.com/cartulary/cartulary/metadata-service/internal/service/setting"
	"github.com/cartulary/cartulary/metadata-service/internal/service/statistics"
	"github.com/cartulary/cartulary/metadata-service/internal/service/tag"
	"github.com/cartulary/cartulary/metadata-service/internal/service/timeline"
	"github.com/cartulary/cartulary/metadata-service/internal/service/token"
	"github.com/cartulary/cartulary/metadata-service/internal/service/version"
	"github.com/cartulary/cartulary/metadata-service/internal/service/view"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql/document"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql/plan"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql/selection"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/tracing"
)

// Config holds the dependencies and limits of an Engine. Fields are required unless their comment
// states otherwise.
type Config struct {
	Catalog            *catalog.Service
	Discover           *discover.Service
	Registry           *model.Registry
	Edit               *edit.Editor
	Statistics         *statistics.Service
	Tags               *tag.Service
	Labels             *label.Service
	Owners             *owner.Service
	Assets             *asset.Service
	LineageEdits       *lineageedit.Service
	AssertionEdits     *assertion.Service
	IncidentEdits      *incident.Service
	Contracts          *contract.Service
	Glossary           *glossary.Service
	Domains            *domain.Service
	Links              *link.Service
	Principals         *principal.Service
	Settings           *setting.Service
	Views              *view.Service
	Queries            *queries.Service
	HomePages          *homepage.Service
	Posts              *post.Service
	Ingestion          *ingestion.Service
	Secrets            *secret.Service
	Recommendations    *recommendation.Service
	Analytics          *analytics.Service
	Timeline           *timeline.Service
	KnowledgeBase      *knowledge.Service
	Tokens             *token.Service
	Credentials        *credentials.Service
	Properties         *property.Service
	Forms              *form.Service
	DataProducts       *collection.DataProducts
	Applications       *collection.Applications
	Joins              *ermodel.Service
	LogicalModels      *logical.Service
	Versions           *version.Service
	OwnerTypes         *owner.Types
	Tests              *metatest.Service
	Policies           *policy.Service
	Access             *access.Service
	Roles              *role.Service
	BusinessAttributes *businessattribute.Service
	Cipher             *encryption.Cipher
	Version            string // of the product
	AuthOn             bool   // requests need tokens
	PoliciesOn         bool   // policies decide about authorization
	// MaxDepth and MaxCost limit documents; the limits of the reference server when zero.
	MaxDepth, MaxCost int
	// MaxVariables bounds the variables of a request in bytes; DefaultMaxVariables when zero.
	MaxVariables int
	// MaxReadCost bounds the read cost of a request; DefaultMaxReadCost when zero.
	MaxReadCost int
	Timeout     time.Duration // of one document; DefaultTimeout when zero
	Now         func() time.Time
	Log         *slog.Logger
}

// pageSizes are the arguments, and members of inputs, that determine the number of listed
// entries.
var pageSizes = []string{"count", "limit", "urns"}

// maxSelections bounds the selections that the library expands a document to. The stage counts
// the same and refuses earlier.
const maxSelections = 400_000

// selectionBytes estimates the memory for a selection while the library executes: a document of
// 237,000 selections allocated 90 MiB in total.
const selectionBytes = 400

// DefaultTimeout bounds the execution of a document.
const DefaultTimeout = time.Minute

// Engine executes documents. It is safe for concurrent use.
type Engine struct {
	api     *api
	stage   *document.Stage
	schema  func() (*graphgophers.Schema, error) // built for the first document without a plan
	plans   func(*document.Document) *plan.Plan
	parsed  *ast.Schema
	types   *selection.Types
	answers *answerCache
	log     *slog.Logger

	maxVariables int
}

// root holds the resolvers for the library.
type root struct {
	query    *query
	mutation *mutation
}

func (r *root) Query() *query       { return r.query }
func (r *root) Mutation() *mutation { return r.mutation }

// query has a method for each query, mutation one for each mutation.
type (
	query    struct{ api *api }
	mutation struct{ api *api }
)

// New creates an Engine. It returns an error when an operation of the schema has no method. The
// library is bound to the methods when the first document without a plan arrives, because binding
// takes several megabytes and a large part of the start-up time.
func New(cfg Config) (*Engine, error) {
	parsed, err := readSchema()
	if err != nil {
		return nil, err
	}
	if cfg.Timeout == 0 {
		cfg.Timeout = DefaultTimeout
	}
	if cfg.MaxVariables == 0 {
		cfg.MaxVariables = DefaultMaxVariables
	}
	cfg.MaxReadCost = cmp.Or(cfg.MaxReadCost, DefaultMaxReadCost)
	e := &Engine{maxVariables: cfg.MaxVariables, api: &api{Config: cfg, now: cfg.Now, log: cfg.Log, schema: parsed}, parsed: parsed, types: selection.NewTypes(parsed), answers: &answerCache{}, log: cfg.Log}
	if e.stage, err = document.New(document.Config{Schema: parsed, MaxDepth: cfg.MaxDepth, MaxCost: cfg.MaxCost, MaxVariableBytes: cfg.MaxVariables, PageSizes: pageSizes, MaxPage: maxCount, IgnoreUnknownVariables: true}); err != nil {
		return nil, err
	}
	planner, err := plan.NewPlanner(plan.Config{Schema: parsed, Query: &query{e.api}, Mutation: &mutation{e.api}, Default: e.stage.Default, Parallel: parallel, Begin: auth.CheckCredential, LogPanic: panicLog{cfg.Log}.LogPanic})
	if err != nil {
		return nil, err
	}
	e.plans = planner.New
	e.schema = sync.OnceValues(func() (*graphgophers.Schema, error) { return e.bind() })
	return e, nil
}

// bind binds the library to the methods of all operations.
func (e *Engine) bind(options ...graphgophers.SchemaOpt) (*graphgophers.Schema, error) {
	schema, err := librarySchema()
	if err != nil {
		return nil, err
	}
	bound, err := schema.Clone(&root{&query{e.api}, &mutation{e.api}}, append([]graphgophers.SchemaOpt{
		graphgophers.UseStringDescriptions(), graphgophers.UseFieldResolvers(), graphgophers.DisableFieldSelections(), graphgophers.MaxSelections(maxSelections),
		graphgophers.PanicHandler(panicHandler{}), graphgophers.Logger(panicLog{e.log}),
	}, options...)...)
	if err != nil {
		return nil, fmt.Errorf("resolvers: %w", err)
	}
	return bound, nil
}

// parallel returns the number of operations and list elements of one document that run
// concurrently. It is low for a heavy request, so that other requests are served in the meantime.
func parallel(ctx context.Context) int {
	const defaultParallel = 10
	if admission.Heavy(ctx) {
		return min(defaultParallel, max(1, runtime.GOMAXPROCS(0)/2))
	}
	return defaultParallel
}

// Request is a GraphQL request of a client.
type Request struct {
	Query         string
	OperationName string
	Variables     json.RawMessage // an object, null or nothing
}

// Response is the result of a request. Data is nil when the document was refused. Requests may
// share it, so callers must not change it.
type Response struct {
	Errors []Error
	Data   json.RawMessage
	// Busy is not nil when a query, or any request before its execution began, was refused for
	// lack of memory. The client may repeat the request later. The other fields are then invalid.
	Busy error
}

// Error is one entry of the list of errors.
type Error struct {
	Message    string              `json:"message"`
	Locations  []document.Location `json:"locations,omitempty"`
	Path       []any               `json:"path,omitempty"`
	Extensions map[string]any      `json:"extensions,omitempty"`
}

// Exec executes a request as the actor in ctx. It always returns a response: Errors holds the
// errors of the document, of its variables and of fields, and Busy reports lack of memory.
// Queries of a document run concurrently; mutations run one after the other in the order of the
// text. The changes of a mutation persist when a later mutation fails.
func (e *Engine) Exec(ctx context.Context, r Request) (done Response) {
	ctx, span := tracing.Start(ctx, "graphql")
	defer func() {
		span.Count("graphql.errors", len(done.Errors))
		span.End(done.Busy)
	}()
	if busy := e.admitText(ctx, r); busy != nil {
		return Response{Busy: busy}
	}
	d, refused := e.stage.Compile(r.Query, r.OperationName)
	if refused != nil {
		return Response{Errors: refusals(refused)}
	}
	describe(span, d)
	if err := admitVariables(ctx, d, r.Variables); err != nil {
		return e.refusedForMemory(ctx, d, err)
	}
	variables, refused := d.Variables(r.Variables)
	if refused != nil {
		return Response{Errors: refusals(refused)}
	}
	if d.Introspection() {
		return e.introspect(ctx, d, variables)
	}
	ctx, stop := context.WithTimeout(ctx, e.api.Timeout)
	defer stop()
	attached := e.attachmentOf(d)
	defer e.stage.UpdateSize(d)
	ctx = context.WithValue(ctx, selectionKey{}, attached.selection.Of(attached.root))
	if err := admission.Reserve(ctx, min(maxEntryBytes, entryBytes*int64(d.OuterEntries(variables)))); err != nil {
		return e.refusedForMemory(ctx, d, err)
	}
	if d.Kind() == ast.Query {
		if err := admission.Work(ctx, costTime*time.Duration(attached.rootCost)); err != nil {
			return e.refusedForMemory(ctx, d, err)
		}
	}
	var ok bool
	done, ok = e.execPlan(ctx, d, attached.plan, variables)
	if !ok && ctx.Err() == nil {
		done = e.execLibrary(ctx, d, variables)
	}
	if d.Kind() == ast.Query && admission.LastRefusal(ctx) == nil {
		// The response stays in memory until the client has read it. A refusal here is found by
		// LastRefusal below.
		_ = admission.ReserveCapped(ctx, int64(len(done.Data)))
	}
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return timeoutResponse(e.api.Timeout, d.Kind())
	}
	if d.Kind() == ast.Query {
		// A response to mutations is never replaced by Busy, because the client must learn about
		// the changes.
		done.Busy = admission.LastRefusal(ctx)
	}
	return done
}

// describe records the executed operation in a span: the selected fields of the schema, and the
// client's name of the operation only where the span records names.
func describe(span tracing.Span, d *document.Document) {
	if !span.Recording() {
		return
	}
	span.Word("graphql.operation.type", string(d.Kind()))
	span.Name("graphql.operation.name", d.Operation())
	var fields []string
	for _, selected := range d.Definition().SelectionSet {
		if field, ok := selected.(*ast.Field); ok && len(fields) < maxDescribed {
			fields = append(fields, field.Name)
		}
	}
	span.Word("graphql.fields", strings.Join(fields, ","))
}

// maxDescribed is the number of fields of a document that a span records.
const maxDescribed = 8

// refusedForMemory is the response to a request that was refused before its execution.
func (e *Engine) refusedForMemory(ctx context.Context, d *document.Document, cause error) Response {
	return Response{Busy: admission.LastRefusal(ctx), Errors: []Error{e.failure(ctx, d, fieldFailure{cause: cause})}}
}

// textBytes estimates the memory for compiling one byte of text. For texts and variables of up to
// shortText bytes, compiling and decoding take little memory.
const (
	textBytes = 50
	shortText = 4 << 10
)

// Processor times for compiling a byte of text, for a selection that the library expands, for a
// value of the schema, and for sending a byte of a cached response.
const (
	textTime        = 150 * time.Nanosecond
	selectionTime   = time.Microsecond
	schemaValueTime = 100 * time.Nanosecond
	answerTime      = 4 * time.Nanosecond
)

// admitText reserves processor time and memory to compile a text that is not cached: even the
// text of a light request may need megabytes.
func (e *Engine) admitText(ctx context.Context, r Request) error {
	if len(r.Query) <= shortText || e.stage.Compiled(r.Query, r.OperationName) {
		return nil
	}
	if err := admission.Work(ctx, textTime*time.Duration(len(r.Query))); err != nil {
		return err
	}
	return admission.ReserveCapped(ctx, textBytes*int64(len(r.Query)))
}

// admitVariables reserves memory to decode variables. Short variables, as in nearly all requests,
// are not counted.
func admitVariables(ctx context.Context, d *document.Document, raw json.RawMessage) error {
	if len(raw) <= shortText {
		return nil
	}
	return admission.Reserve(ctx, valueBytes*int64(d.DeclaredValues(raw)))
}

// execPlan executes a document by its plan. It returns false when there is no plan or the plan
// leaves the document to the library.
func (e *Engine) execPlan(ctx context.Context, d *document.Document, p *plan.Plan, variables map[string]any) (Response, bool) {
	if p == nil {
		return Response{}, false
	}
	data, failures, ok := p.Exec(e.withReadBudget(ctx, d), variables)
	out := Response{Data: data}
	for _, f := range failures {
		failed := fieldFailure{path: f.Path, cause: f.Err}
		switch f.Err {
		case plan.ErrPanic:
			failed.cause, failed.panicked = nil, true
		case plan.ErrNoValue:
			failed.cause = nil
		}
		out.Errors = append(out.Errors, e.failure(ctx, d, failed))
	}
	return out, ok
}

// execLibrary executes documents without a plan: queries that combine introspection with other
// fields. The library expands the whole text on each request, so texts beyond its budgets are
// refused.
func (e *Engine) execLibrary(ctx context.Context, d *document.Document, variables map[string]any) Response {
	if refused := d.Expansion(); refused != nil {
		return Response{Errors: refusals(refused)}
	}
	if err := admission.Reserve(ctx, selectionBytes*int64(d.Expanded())); err != nil {
		return e.refusedForMemory(ctx, d, err)
	}
	if d.Kind() == ast.Query {
		if err := admission.Work(ctx, selectionTime*time.Duration(d.Expanded())+schemaValueTime*time.Duration(d.SchemaValues())); err != nil {
			return e.refusedForMemory(ctx, d, err)
		}
	}
	schema, err := e.schema()
	if err != nil {
		return Response{Errors: []Error{e.failure(ctx, d, fieldFailure{cause: err})}}
	}
	done := schema.Exec(e.withReadBudget(ctx, d), d.Text(), d.Operation(), variables)
	out := Response{Data: done.Data}
	for _, f := range done.Errors {
		failed := fieldFailure{path: f.Path, cause: f.ResolverError, message: f.Message}
		var crash panicError
		failed.panicked = errors.As(f.Err, &crash)
		out.Errors = append(out.Errors, e.failure(ctx, d, failed))
	}
	return out
}

// timeoutResponse is the response to a document that exceeded the time limit.
func timeoutResponse(limit time.Duration, kind ast.Operation) Response {
	advice := "ask for less at once"
	if kind == ast.Mutation {
		advice = "changes made until then stay, so check the data before you send the mutation again"
	}
	return Response{Errors: []Error{{
		Message:    fmt.Sprintf("the document took longer than %s and was given up; %s", limit, advice),
		Extensions: map[string]any{"code": fault.Unavailable.Code(), "type": fault.Unavailable.Label(), "classification": "ExecutionAborted"},
	}}}
}

func refusals(refused document.Errors) []Error {
	out := make([]Error, 0, len(refused))
	for _, r := range refused {
		out = append(out, Error{Message: r.Message, Locations: r.Locations, Path: r.Path, Extensions: map[string]any{"classification": r.Classification}})
	}
	return out
}

type selectionKey struct{}

// attachment is the data that the cache holds with a document between requests.
type attachment struct {
	selection *selection.Set
	root      string     // the type of the operations
	plan      *plan.Plan // nil when the library executes the document
	rootCost  int
}

func (e *Engine) attachmentOf(d *document.Document) *attachment {
	if known, _ := d.Attachment().(*attachment); known != nil {
		return known
	}
	k := &attachment{selection: selection.New(e.types, d.Definition().SelectionSet), root: queryName, plan: e.plans(d), rootCost: rootCost(d.Definition().SelectionSet, map[*ast.FragmentDefinition]bool{})}
	if d.Kind() == ast.Mutation {
		k.root = mutationName
	}
	d.Attach(k)
	return k
}

// Bytes estimates the memory of the attachment: each type that occurs in responses adds to it.
func (k *attachment) Bytes() int {
	total := k.selection.Bytes()
	if k.plan != nil {
		total += k.plan.Bytes()
	}
	return total
}

// selectionOf returns the selections of the document on the result of a query or mutation. Several
// fields of one name are merged.
func selectionOf(ctx context.Context, field string) *set {
	fields, _ := ctx.Value(selectionKey{}).(selection.Fields)
	return fields[field]
}

// refusal is the message that clients compare for equality.
const refusal = "Unauthorized to perform this action. Please contact your DataHub administrator."

// fieldFailure describes the failure of a field: its function returned cause, or panicked, or
// returned no value where the schema requires one.
type fieldFailure struct {
	path     []any
	cause    error
	panicked bool
	message  string // for errors without a field
}

// failure converts the failure of a field to an entry of the list of errors. It logs internal
// errors.
func (e *Engine) failure(ctx context.Context, d *document.Document, f fieldFailure) Error {
	out := Error{Message: f.message, Path: f.path}
	if line, column, ok := d.Location(f.path); ok {
		out.Locations = []document.Location{{Line: line, Column: column}}
	}
	cause := f.cause
	switch {
	case f.panicked:
		out.Message, out.Extensions = unknownError, map[string]any{"code": 500, "type": "SERVER_ERROR", "classification": "DataFetchingException"}
		return out
	case cause == nil && len(f.path) > 0:
		out.Message = fmt.Sprintf("The field at path '%s' was declared as a non null type, but there is no value for it", pathText(f.path))
		out.Extensions = map[string]any{"classification": "NullValueInNonNullableField"}
		return out
	case cause == nil:
		out.Extensions = map[string]any{"classification": "ExecutionAborted"}
		return out
	}
	kind := fault.KindOf(cause)
	out.Message = truncated(fault.Message(cause))
	out.Extensions = map[string]any{"code": kind.Code(), "type": kind.Label(), "classification": "DataFetchingException"}
	switch kind {
	case fault.Forbidden:
		auth.NoteRefusal(ctx, cause)
		// Clients compare the message, so the reason of the refusal is in the extensions, for
		// users and programs.
		out.Extensions["reason"] = out.Message
		refused := auth.RefusalOf(ctx, cause)
		out.Extensions["actor"] = refused.Actor
		if len(refused.Missing) > 0 {
			out.Extensions["missing"] = refused.Missing
		}
		out.Message = refusal
		var worded messageError
		if errors.As(cause, &worded) {
			out.Message = worded.message
		}
	case fault.Internal:
		e.log.ErrorContext(ctx, "operation failed", "path", fmt.Sprint(f.path), "actor", string(actor(ctx)), "error", cause)
	}
	return out
}

// maxMessage bounds messages in bytes. Many messages quote input of the client.
const maxMessage = 1000

func truncated(message string) string {
	if len(message) <= maxMessage {
		return message
	}
	return strings.ToValidUTF8(message[:maxMessage], "") + "..."
}

// pathText writes a path in the notation of the reference server.
func pathText(path []any) string {
	var b strings.Builder
	for _, step := range path {
		if i, ok := step.(int); ok {
			fmt.Fprintf(&b, "[%d]", i)
			continue
		}
		fmt.Fprintf(&b, "/%v", step)
	}
	return b.String()
}

// unknownError is the message of an error without known details.
const unknownError = "An unknown error occurred."

// messageError is a refusal with a message of its own.
type messageError struct {
	message string
	cause   error
}

func (w messageError) Error() string { return w.message }
func (w messageError) Unwrap() error { return w.cause }

// panicError marks the panic of a resolver.
type panicError struct{}

func (panicError) Error() string { return unknownError }

type panicHandler struct{}

func (panicHandler) MakePanicError(context.Context, any) *liberrors.QueryError {
	return &liberrors.QueryError{Err: panicError{}, Message: unknownError}
}

type panicLog struct{ log *slog.Logger }

func (p panicLog) LogPanic(ctx context.Context, value any) {
	p.log.ErrorContext(ctx, "operation panicked", "panic", fmt.Sprint(value), "stack", string(debug.Stack()))
}
