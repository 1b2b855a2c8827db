package store

import (
	"context"
	"strings"
)

// MaxCallerBytes bounds each text of a Caller.
const MaxCallerBytes = 300

// Caller says by which request a change was made. The log keeps it with the
// entries, so that what follows the log can tell, also after a crash. Texts that
// are not known are empty.
type Caller struct {
	Request string // id of the request, as in the log of the service
	Address string // network address it came from
	Agent   string // program that sent it, as it names itself
	Door    string // interface it came through
	Token   string // id of the access token, never its text
}

type callerKey struct{}

// WithCaller marks what is written under the context as caused by a request. The
// log entries of an Update that have no caller get this one. Long texts are cut:
// a header is no reason to refuse a write.
func WithCaller(ctx context.Context, c Caller) context.Context {
	for _, text := range []*string{&c.Request, &c.Address, &c.Agent, &c.Door, &c.Token} {
		if len(*text) > MaxCallerBytes {
			*text = strings.ToValidUTF8((*text)[:MaxCallerBytes], "")
		}
	}
	return context.WithValue(ctx, callerKey{}, &c)
}

// CallerOf gives the caller of a context, nil when there is none. It must not be
// changed.
func CallerOf(ctx context.Context) *Caller {
	c, _ := ctx.Value(callerKey{}).(*Caller)
	return c
}
