package plan

import "errors"

// Failure tells why a field of the answer is null.
type Failure struct {
	// Path are the keys, as strings, and the places in lists, as ints, that lead to
	// the field.
	Path []any
	// Err is what the function of the field gave, ErrPanic or ErrNoValue.
	Err error
}

var (
	// ErrPanic says that a function panicked. Config.LogPanic was told of what.
	ErrPanic = errors.New("the function panicked")
	// ErrNoValue says that there is nothing where the schema allows no null, or a
	// value that the type of the field does not have.
	ErrNoValue = errors.New("there is no value")

	// errArguments says that the arguments of a text do not fit a function.
	errArguments = errors.New("the arguments do not fit")
)

// maxFailures bounds what is told of one answer: a page of thousands of entries
// may fail in each of them, and the first causes are as good as all.
const maxFailures = 1000

// step is one part of a path: a key, or a place in a list.
type step struct {
	field *field
	index int
}

// addFailure notes a failure of the value that is being written.
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

// addFailures notes failures of others.
func (w *writer) addFailures(failures ...Failure) {
	w.failures = append(w.failures, failures[:min(len(failures), maxFailures-len(w.failures))]...)
}

// alias is the key without what stands around it in the answer.
func (f *field) alias() string { return f.key[1 : len(f.key)-len(`":`)] }
