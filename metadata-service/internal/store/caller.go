package store

import (
	"context"
	"strings"
)

// MaxCallerBytes is the maximum length of each text of a Caller.
const MaxCallerBytes = 300

// Caller describes the request that made a change. The log stores it with the entries, so that
// followers of the log have it, also after a crash. Unknown texts are empty.
type Caller struct {
	Request string // id of the request, as in the log of the service
	Address string // network address of the client
	Agent   string // user agent of the client
	Door    string // interface of the request
	Token   string // id of the access token, never its text
}

type callerKey struct{}

// WithCaller returns a context whose writes are attributed to a request. Log entries of an Update
// without a caller get this one. Long texts are cut, since a long header must not fail a write.
func WithCaller(ctx context.Context, c Caller) context.Context {
	for _, text := range []*string{&c.Request, &c.Address, &c.Agent, &c.Door, &c.Token} {
		if len(*text) > MaxCallerBytes {
			*text = strings.ToValidUTF8((*text)[:MaxCallerBytes], "")
		}
	}
	return context.WithValue(ctx, callerKey{}, &c)
}

// CallerOf returns the caller of a context, nil if there is none. It must not be modified.
func CallerOf(ctx context.Context) *Caller {
	c, _ := ctx.Value(callerKey{}).(*Caller)
	return c
}
