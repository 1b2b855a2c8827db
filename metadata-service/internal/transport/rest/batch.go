package rest

import (
	"encoding/json"
	"errors"
	"io"
	"strconv"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/pkg/fault"
)

// maxProposals bounds a batch; clients send at most 200.
const maxProposals = 10_000

// readProposals reads the body of both ingestion actions: proposals in the given member (a list,
// or a single one with single), and async. Bodies of the usual form and size are decoded at once;
// larger ones from the stream, so that they are never in memory as a whole.
func readProposals(r io.Reader, member string, single bool) ([]catalog.Proposal, bool, error) {
	head, whole, rest := readHead(r)
	if whole {
		if proposals, async, ok := readPlainProposals(head, member, single); ok {
			return proposals, async, nil
		}
	}
	return readAnyProposals(rest, member, single)
}

// readAnyProposals decodes every accepted form, and returns the error for all others.
func readAnyProposals(r io.Reader, member string, single bool) ([]catalog.Proposal, bool, error) {
	d := json.NewDecoder(r)
	d.DisallowUnknownFields()
	b := batch{decoder: d, single: single}
	var async looseBool
	err := members(d, func(name string) error {
		switch name {
		case member:
			return b.read(name)
		case "async":
			return decode(d, name, &async)
		}
		var ignored json.RawMessage
		return decode(d, name, &ignored)
	})
	if err != nil {
		return nil, false, err
	}
	if b.proposals == nil {
		return nil, false, fault.New(fault.Malformed, "%s is required in the body", member)
	}
	return b.proposals, bool(async), nil
}

// members calls use for each member of the only JSON value in d, an object. use must decode the
// value. An empty text counts as an empty object.
func members(d *json.Decoder, use func(name string) error) error {
	first, err := d.Token()
	if errors.Is(err, io.EOF) {
		return nil
	}
	if err != nil {
		return decodeError("", err)
	}
	if first != json.Delim('{') {
		return fault.New(fault.Malformed, "the request body must be an object")
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return decodeError("", err)
		}
		if err := use(name.(string)); err != nil {
			return err
		}
	}
	if _, err := d.Token(); err != nil {
		return decodeError("", err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return fault.New(fault.Malformed, "the request body has more text after its object")
	}
	return nil
}

func decode(d *json.Decoder, at string, into any) error {
	if err := d.Decode(into); err != nil {
		return decodeError(at, err)
	}
	return nil
}

// batch collects proposals from a stream.
type batch struct {
	decoder   *json.Decoder
	single    bool
	proposals []catalog.Proposal
}

func (b *batch) read(member string) error {
	b.proposals = nil // the last of repeated members counts
	if b.single {
		return b.readProposal(member)
	}
	first, err := b.decoder.Token()
	if err != nil {
		return decodeError(member, err)
	}
	if first != json.Delim('[') {
		return fault.New(fault.Malformed, "%s must be an array", member)
	}
	b.proposals = []catalog.Proposal{}
	for i := 0; b.decoder.More(); i++ {
		if i == maxProposals {
			return fault.New(fault.TooLarge, "%s has more than %d items; send several batches", member, maxProposals)
		}
		if err := b.readProposal(member + "." + strconv.Itoa(i)); err != nil {
			return err
		}
	}
	if _, err := b.decoder.Token(); err != nil {
		return decodeError(member, err)
	}
	return nil
}

func (b *batch) readProposal(at string) error {
	var p *proposal
	if err := decode(b.decoder, at, &p); err != nil {
		return err
	}
	if p == nil {
		return fault.New(fault.Malformed, "%s must be an object, is null", at)
	}
	if reason := p.problem(); reason != "" {
		return fault.New(fault.Malformed, "%s: %s", at, reason)
	}
	if b.single {
		if err := p.unescape(); err != nil {
			return fault.Wrap(err, fault.Malformed, "%s: %s", at, fault.Message(err))
		}
	}
	read, err := p.catalogProposal()
	if err != nil {
		return fault.Wrap(err, fault.Malformed, "%s: %s", at, fault.Message(err))
	}
	b.proposals = append(b.proposals, read)
	return nil
}
