// Package task carries out long work: with progress, cancellation, and resumption
// after a restart.
//
// A Kind says how work of one sort is done, and is registered when the service is
// put together. Manager.Start makes a task of it: parameters, the actor it is done
// for, and a key that keeps two tasks from doing the same at once. Some tasks run at
// once, the others wait in a queue. A task saves its progress with a checkpoint now
// and then; after a restart, or a crash, it goes on from the checkpoint it saved last,
// so what it did since is done again and has to be idempotent.
//
// What is known of tasks is kept by a Store, of which there is one per installation.
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

// State is how far a task is.
type State string

// States. A task that is stopped by a shutdown stays Running, or Queued, and goes on at the next start.
const (
	Queued    State = "queued"
	Running   State = "running"
	Succeeded State = "succeeded"
	Failed    State = "failed"
	Cancelled State = "cancelled"
)

// States lists them all.
func States() []State { return []State{Queued, Running, Succeeded, Failed, Cancelled} }

// Unended lists those in which something will happen yet.
func Unended() []State { return []State{Queued, Running} }

// Ended tells whether nothing will happen any more.
func (s State) Ended() bool { return s != Queued && s != Running }

// Limits of what a task holds, in bytes.
const (
	MaxParams     = 16 << 20
	MaxCheckpoint = 1 << 20
	MaxResult     = 64 << 10
	MaxKey        = 512
	MaxMessage    = 500 // of the message of a progress; what is longer is cut
	maxError      = 2000
	// MaxKeptParams bounds the parameters that are kept once a task has ended.
	MaxKeptParams = 64 << 10
)

// ID is the id of a task, <node>:<number>. The node is made of letters and digits, the
// number has no leading zeros.
type ID string

// NewID makes an id.
func NewID(node string, number uint64) ID { return ID(node + ":" + strconv.FormatUint(number, 10)) }

// Parse gives the parts of an id; what has another form is fault.Malformed.
func (id ID) Parse() (node string, number uint64, err error) {
	node, digits, ok := strings.Cut(string(id), ":")
	number, err = strconv.ParseUint(digits, 10, 64)
	if !ok || err != nil || strconv.FormatUint(number, 10) != digits || !validNode(node) {
		return "", 0, fault.New(fault.Malformed, "%.100q is not the id of a task; it has the form <node>:<number>", string(id))
	}
	return node, number, nil
}

// maxNode bounds the node of an id.
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

// Progress is how much of its work a task has done. Total is 0 while it is not known.
type Progress struct {
	Done    int64  `json:"done"`
	Total   int64  `json:"total"`
	Message string `json:"message,omitempty"`
}

func (p Progress) cut() Progress {
	p.Message = cut(p.Message, MaxMessage)
	return p
}

// Actor is whom a task acts for: who started it, with the scope of the access token it was
// started with. The rights of the actor are decided again whenever the task begins.
type Actor struct {
	URN    urn.URN     `json:"urn"`
	System bool        `json:"system,omitempty"`
	Scope  *auth.Scope `json:"scope,omitempty"`
}

// Task is what is known of a task. Times are epoch milliseconds, 0 before they have come.
type Task struct {
	ID       ID
	Kind     string
	Key      string // no other unended task has it; empty when any number may run
	Actor    Actor
	State    State
	Progress Progress
	// Error says for users why a failed task failed, and Fault the name of its kind. Of a
	// cancelled task it says why nobody asked for that, and is empty when somebody did.
	Error, Fault string
	// Result is what the kind has answered.
	Result json.RawMessage

	Created, Started, Saved, Ended int64

	// CancelRequested is set once somebody asked to cancel the task.
	CancelRequested bool
	// Attempts counts how often the task began since it saved its last checkpoint, unless a shutdown ended it.
	Attempts int

	// Params and Checkpoint are of the kind. Lists of tasks leave them out. Ended tasks
	// have no checkpoint, and of their parameters those of up to MaxKeptParams bytes.
	Params, Checkpoint json.RawMessage
}

// Err is nil for a task that succeeded or has not ended, and otherwise why it did not.
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

// cut shortens a text to so many bytes at the border of a character.
func cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most]
}

// encode writes a value of a kind as JSON, within a limit.
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
