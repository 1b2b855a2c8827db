package rest

import (
	"bytes"
	"errors"
	"io"
	"unicode/utf8"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
)

// Initial and maximal size of the head of a body, in bytes. A body of up to maxHead is decoded
// as a whole.
const (
	initialHead = 2 << 10
	maxHead     = 4 << 20
)

// readHead reads the beginning of a body, and reports whether it is the whole body. rest returns
// the whole body again, and the same read error at the same place.
func readHead(r io.Reader) (head []byte, whole bool, rest io.Reader) {
	head = make([]byte, 0, initialHead)
	for len(head) < maxHead {
		if len(head) == cap(head) {
			head = append(make([]byte, 0, nextBufferSize(cap(head))), head...)
		}
		n, err := r.Read(head[len(head):cap(head)])
		head = head[:len(head)+n]
		switch {
		case errors.Is(err, io.EOF):
			return head, true, bytes.NewReader(head)
		case err != nil:
			return head, false, io.MultiReader(bytes.NewReader(head), errorReader{err})
		}
	}
	return head, false, io.MultiReader(bytes.NewReader(head), r)
}

// nextBufferSize returns the next size of the buffer for a head. Large buffers grow by half, so
// that they stay within the memory that package admission reserves for an arriving body.
func nextBufferSize(size int) int {
	if size < 256<<10 {
		return 4 * size
	}
	return size + size/2
}

// errorReader is a reader that returns an error.
type errorReader struct{ err error }

func (f errorReader) Read([]byte) (int, error) { return 0, f.err }

// readPlainProposals is readAnyProposals for bodies in the usual form of clients: each known
// member at most once, in its usual type. It decodes four times as fast. ok is false for
// everything else, including errors; the caller then uses readAnyProposals.
func readPlainProposals(body []byte, member string, single bool) (proposals []catalog.Proposal, async, ok bool) {
	p := plainBatch{Reader: jsontree.NewReader(body), single: single}
	var seen seenMembers
	ok = p.Object(func(name string) bool {
		switch name {
		case member:
			return seen.markSeen(0) && p.readProposals()
		case "async":
			return seen.markSeen(1) && p.async()
		}
		return false
	})
	return p.proposals, p.isAsync, ok && p.End() && p.proposals != nil
}

// seenMembers is the set of members of an object that have occurred, by number. For a repeated
// member the last value counts, and parts of the earlier ones remain; readAnyProposals handles
// this case.
type seenMembers uint

func (s *seenMembers) markSeen(n int) bool {
	bit := seenMembers(1) << n
	fresh := *s&bit == 0
	*s |= bit
	return fresh
}

type plainBatch struct {
	*jsontree.Reader
	single    bool
	proposals []catalog.Proposal
	isAsync   bool
}

// async reads a flag as JSON or as a string.
func (b *plainBatch) async() bool {
	if !b.IsText() {
		value, ok := b.Bool()
		b.isAsync = value
		return ok
	}
	text, ok := b.Text()
	b.isAsync = text == "true"
	return ok && (b.isAsync || text == "false")
}

func (b *plainBatch) readProposals() bool {
	if b.single {
		return b.readProposal()
	}
	b.proposals = []catalog.Proposal{}
	return b.Array(func() bool { return len(b.proposals) < maxProposals && b.readProposal() })
}

func (b *plainBatch) readProposal() bool {
	var p proposal
	var seen seenMembers
	ok := b.Object(func(name string) bool { return b.member(&p, &seen, name) })
	if !ok || p.problem() != "" || b.single && p.unescape() != nil {
		return false
	}
	read, err := p.catalogProposal()
	b.proposals = append(b.proposals, read)
	return err == nil
}

func (b *plainBatch) member(p *proposal, seen *seenMembers, name string) (ok bool) {
	switch name {
	case "entityType":
		p.EntityType, ok = b.Text()
		return ok && seen.markSeen(0)
	case "entityUrn":
		p.EntityURN, ok = b.Text()
		return ok && seen.markSeen(1)
	case "changeType":
		text, ok := b.Text()
		p.ChangeType = model.ChangeType(text)
		return ok && seen.markSeen(2)
	case "aspectName":
		p.AspectName, ok = b.Text()
		return ok && seen.markSeen(3)
	case "aspect":
		p.Aspect, ok = b.aspect()
		return ok && seen.markSeen(4)
	case "entityKeyAspect":
		p.EntityKeyAspect, ok = b.aspect()
		return ok && seen.markSeen(5)
	case "systemMetadata":
		return seen.markSeen(6) && b.system(&p.SystemMetadata)
	case "headers":
		if b.Null() {
			return seen.markSeen(7)
		}
		p.Headers, ok = b.Texts()
		return ok && seen.markSeen(7)
	case "auditHeader":
		return b.Null()
	}
	return false
}

func (b *plainBatch) aspect() (*genericAspect, bool) {
	if b.Null() {
		return nil, true
	}
	var a genericAspect
	var seen seenMembers
	ok := b.Object(func(name string) bool {
		var ok bool
		switch name {
		case "contentType":
			a.ContentType, ok = b.Text()
			return ok && seen.markSeen(0)
		case "value":
			var text []byte
			text, ok = b.Bytes()
			a.Value = aspectBytes(text)
			return ok && seen.markSeen(1)
		}
		return false
	})
	return &a, ok
}

// aspectBytes is aspectText.UnmarshalText for a text that need not be copied.
func aspectBytes(text []byte) aspectText {
	if narrow, ok := latin1(text); ok && utf8.Valid(narrow) {
		return narrow
	}
	return text
}

// system reads system metadata as an object or as JSON inside a string.
func (b *plainBatch) system(m *systemMetadata) bool {
	if b.Null() {
		return true
	}
	if !b.IsText() {
		return systemMembers(b.Reader, m)
	}
	text, ok := b.Bytes()
	inner := jsontree.NewReader(text)
	return ok && (len(text) == 0 || systemMembers(inner, m) && inner.End())
}

// systemMembers reads the members that clients send.
func systemMembers(r *jsontree.Reader, m *systemMetadata) bool {
	var seen seenMembers
	return r.Object(func(name string) (ok bool) {
		switch name {
		case "lastObserved":
			m.LastObserved, ok = r.Int()
			return ok && seen.markSeen(0)
		case "runId":
			m.RunID, ok = r.Text()
			return ok && seen.markSeen(1)
		case "lastRunId":
			m.LastRunID, ok = r.Text()
			return ok && seen.markSeen(2)
		case "pipelineName":
			m.PipelineName, ok = r.Text()
			return ok && seen.markSeen(3)
		case "properties":
			if r.Null() {
				return seen.markSeen(4)
			}
			m.Properties, ok = r.Texts()
			return ok && seen.markSeen(4)
		case "registryName", "registryVersion", "version", "aspectCreated", "aspectModified":
			return r.Null()
		}
		return false
	})
}
