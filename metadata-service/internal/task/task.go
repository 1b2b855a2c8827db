// Package task executes long work, with progress, cancellation, and resumption after a restart.
//
// A Kind defines the execution of one kind of work, and is registered when the service is
// assembled. Manager.Start creates a task: parameters, the actor of the task, and a key that
// excludes concurrent tasks with the same effect. A limited number of tasks runs at a time, the
// others wait in a queue. A task saves its progress together with a checkpoint from time to time.
// After a restart or a crash it continues from the last saved checkpoint, so later work is repeated
// and must be idempotent.
//
// A Store keeps the tasks. There is one per installation.
//
// Truncation and reindexing take minutes, and meanwhile an operator may close the terminal or
// restart the service. Tasks have a file of their own, so that saving a checkpoint waits for no
// other writer and damage loses only the tasks. A task acts for the actor that started it, within
// the scope of its access token, and the privileges are checked again at each start. After five
// starts without a saved checkpoint in between, a task fails: it would otherwise end the process
// each time.
package task

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// State is the state of a task.
type State string

// States. A task that a shutdown stops stays Running or Queued, and continues at the next start.
const (
	Queued    State = "queued"
	Running   State = "running"
	Succeeded State = "succeeded"
	Failed    State = "failed"
	Cancelled State = "cancelled"
)

// States returns all states.
func States() []State { return []State{Queued, Running, Succeeded, Failed, Cancelled} }

// Unended returns the states of tasks that have not ended.
func Unended() []State { return []State{Queued, Running} }

// Ended reports whether the state is final.
func (s State) Ended() bool { return s != Queued && s != Running }

// Limits on the size of a task, in bytes.
const (
	MaxParams     = 16 << 20
	MaxCheckpoint = 1 << 20
	MaxResult     = 64 << 10
	MaxKey        = 512
	MaxMessage    = 500 // message of a progress; longer ones are cut
	maxError      = 2000
	// MaxKeptParams is the maximum size of parameters that are kept after the end of a task.
	MaxKeptParams = 64 << 10
)

// ID is the id of a task, <node>:<number>. The node consists of letters, digits, - and _. The
// number has no leading zeros.
type ID string

// NewID returns an id.
func NewID(node string, number uint64) ID { return ID(node + ":" + strconv.FormatUint(number, 10)) }

// Parse returns the parts of an id. An invalid id is fault.Malformed.
func (id ID) Parse() (node string, number uint64, err error) {
	node, digits, ok := strings.Cut(string(id), ":")
	number, err = strconv.ParseUint(digits, 10, 64)
	if !ok || err != nil || strconv.FormatUint(number, 10) != digits || !validNode(node) {
		return "", 0, fault.New(fault.Malformed, "%.100q is not the id of a task; it has the form <node>:<number>", string(id))
	}
	return node, number, nil
}

// maxNode is the maximum length of the node of an id.
const maxNode = 100

func validNode(node string) bool {
	if node == "" || len(node) > maxNode {
		return false
	}
	for _, c := range node {
		if (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') && c != '-' && c != '_' {
			return false
		}
	}
	return true
}

// Progress is the completed part of a task. Total is 0 while it is unknown.
type Progress struct {
	Done    int64  `json:"done"`
	Total   int64  `json:"total"`
	Message string `json:"message,omitempty"`
}

func (p Progress) cut() Progress {
	p.Message = cut(p.Message, MaxMessage)
	return p
}

// Actor is the actor of a task: the one that started it, with the scope of the access token used to
// start it. The privileges of the actor are checked again whenever the task begins.
type Actor struct {
	URN    urn.URN     `json:"urn"`
	System bool        `json:"system,omitempty"`
	Scope  *auth.Scope `json:"scope,omitempty"`
}

// Task is the stored state of a task. Times are epoch milliseconds, 0 if they have not been
// reached.
type Task struct {
	ID       ID
	Kind     string
	Key      string // no other unended task has it; empty for no restriction
	Actor    Actor
	State    State
	Progress Progress
	// Error is the reason of a failure for users, and Fault the name of its kind. For a task that
	// was cancelled without a request of an actor Error is the reason, and otherwise empty.
	Error, Fault string
	// Result is the result of the kind.
	Result json.RawMessage

	Created, Started, Saved, Ended int64

	// CancelRequested is true after a request to cancel the task.
	CancelRequested bool
	// Attempts is the number of begins since the last saved checkpoint, without those that a
	// shutdown ended.
	Attempts int

	// Params and Checkpoint belong to the kind. Lists of tasks omit them. Ended tasks have no
	// checkpoint, and keep parameters of up to MaxKeptParams bytes.
	Params, Checkpoint json.RawMessage
}

// Err returns nil for a task that succeeded or has not ended, and otherwise the reason.
func (t *Task) Err() error {
	switch t.State {
	case Failed:
		for kind := fault.Internal; kind <= fault.StorageFull; kind++ {
			if kind.Error() == t.Fault {
				return fault.New(kind, "%s", t.Error)
			}
		}
		return fault.New(fault.Internal, "%s", t.Error)
	case Cancelled:
		if t.Error != "" {
			return fault.New(fault.Conflict, "the task %s was cancelled: %s", t.ID, t.Error)
		}
		return fault.New(fault.Conflict, "the task %s was cancelled", t.ID)
	}
	return nil
}

// cut shortens a text to at most most bytes, between characters.
func cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most]
}

// encode encodes a value of a kind as JSON, within a limit.
func encode(what string, value any, most int) (json.RawMessage, error) {
	if value == nil {
		return nil, nil
	}
	text, err := json.Marshal(value)
	if err != nil {
		return nil, fmt.Errorf("write the %s of a task: %w", what, err)
	}
	if len(text) > most {
		return nil, fault.New(fault.TooLarge, "%s: has %d bytes in a task, at most %d are possible", what, len(text), most)
	}
	return text, nil
}
