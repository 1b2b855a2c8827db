package plan

import "errors"

// Failure is the reason why a field of the response is null.
type Failure struct {
	// Path leads to the field: keys as strings and list indices as ints.
	Path []any
	// Err is the error of the field's function, ErrPanic or ErrNoValue.
	Err error
}

var (
	// ErrPanic is the error of a function that panicked. Config.LogPanic received the panic
	// value.
	ErrPanic = errors.New("the function panicked")
	// ErrNoValue is the error of a value that is absent where the schema allows no null, or that
	// does not belong to the type of the field.
	ErrNoValue = errors.New("there is no value")

	// errArguments is the error of arguments that do not fit a function.
	errArguments = errors.New("the arguments do not fit")
)

// maxFailures bounds the failures of one response: a page of thousands of entries may fail in
// each of them, and the first causes suffice.
const maxFailures = 1000

// step is one part of a path: a key, or an index of a list.
type step struct {
	field *field
	index int
}

// addFailure records a failure of the value that is being written.
func (w *writer) addFailure(err error) {
	if len(w.failures) >= maxFailures {
		return
	}
	path := make([]any, len(w.path))
	for i, s := range w.path {
		path[i] = s.index
		if s.field != nil {
			path[i] = s.field.alias()
		}
	}
	w.failures = append(w.failures, Failure{Path: path, Err: err})
}

// addFailures appends failures of other writers, up to maxFailures.
func (w *writer) addFailures(failures ...Failure) {
	w.failures = append(w.failures, failures[:min(len(failures), maxFailures-len(w.failures))]...)
}

// alias returns the key without quotes and colon.
func (f *field) alias() string { return f.key[1 : len(f.key)-len(`":`)] }
