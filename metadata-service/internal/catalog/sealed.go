package catalog

import (
	"context"
	"fmt"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Mask stands for a sealed member wherever an aspect is shown. Who reads an
// aspect, changes it and writes it back keeps what is stored.
const Mask = "********"

// Sealer encrypts the members that the model marks as sealed.
type Sealer interface {
	// Seal encrypts a text. Doing it again gives another result.
	Seal(text string) string
	// Open decrypts what Seal gave; anything else is an error.
	Open(sealed string) (string, error)
	// Sealed tells whether a text has the form of what Seal gives, with any key.
	Sealed(text string) bool
}

// seal encrypts the sealed members of an aspect about to be stored. A secret
// that is stored already stays as it is, so that writing it again is no change.
func (t *txn) seal(n *change) error {
	for _, path := range n.spec.Sealed {
		given := model.At(n.value, path)
		if given == "" {
			continue
		}
		before, err := n.before()
		if err != nil {
			return err
		}
		sealed, err := t.sealedText(given, model.At(before, path))
		if err != nil {
			return fmt.Errorf("%s: %s: %w", n.spec.Name, path, err)
		}
		if sealed != given {
			n.set(model.WithText(n.value, path, sealed))
		}
	}
	return nil
}

func (s *Service) sealedText(given, stored string) (string, error) {
	switch {
	case s.Sealer == nil:
		return "", fault.New(fault.Unsupported, "cannot be stored: this catalog has no key to encrypt it with")
	case given == Mask && stored == "":
		return "", fault.New(fault.Invalid, "must be the secret itself: %s stands for one that is stored, and none is", Mask)
	case given == Mask:
		return stored, nil
	}
	// A patch of another member carries what is stored, which stays even with a lost key.
	if given == stored && s.Sealer.Sealed(stored) {
		return stored, nil
	}
	if text, err := s.Sealer.Open(stored); err == nil && text == given {
		return stored, nil
	}
	return s.Sealer.Seal(given), nil
}

// masked is a value as it is shown: with the mask in place of sealed members.
func masked(spec *model.AspectSpec, value []byte) ([]byte, error) {
	if len(spec.Sealed) == 0 || value == nil {
		return value, nil
	}
	tree, err := jsontree.DecodeObject(value)
	if err != nil {
		return nil, err
	}
	for _, path := range spec.Sealed {
		if model.At(tree, path) != "" {
			tree = model.WithText(tree, path, Mask)
		}
	}
	return jsontree.Encode(tree), nil
}

// maskWritten masks what a batch reports to have written.
func maskWritten(written []Written) error {
	for i, w := range written {
		if w.Record == nil || len(w.Spec.Sealed) == 0 {
			continue
		}
		shown := *w.Record
		var err error
		if shown.Value, err = masked(w.Spec, shown.Value); err != nil {
			return err
		}
		written[i].Record = &shown
	}
	return nil
}

// Unsealed reads the latest value of an aspect with its sealed members in clear,
// nil when it is absent. It is for the service itself: other actors are refused.
func (s *Service) Unsealed(ctx context.Context, u urn.URN, aspect string) (model.Object, error) {
	if actor, _ := auth.ActorFrom(ctx); !actor.System {
		return nil, fault.New(fault.Forbidden, "%s of %s in clear is for the service itself", aspect, u)
	}
	_, entity, err := s.Registry.Resolve(string(u))
	if err != nil {
		return nil, err
	}
	spec, ok := entity.Aspect(aspect)
	if !ok {
		return nil, fault.New(fault.NotFound, "%s has no aspect %q", entity.Name, aspect)
	}
	records, err := s.Store.Get(ctx, store.Key{URN: u, Aspect: spec.Name})
	if err != nil || records[0] == nil {
		return nil, err
	}
	value, err := jsontree.DecodeObject(records[0].Value)
	if err != nil {
		return nil, err
	}
	for _, path := range spec.Sealed {
		sealed := model.At(value, path)
		if sealed == "" {
			continue
		}
		text, err := s.Sealer.Open(sealed)
		if err != nil {
			return nil, fmt.Errorf("%s of %s: %s: %w", aspect, u, path, err)
		}
		value = model.WithText(value, path, text)
	}
	return value, nil
}

// SealStored encrypts sealed members that were stored before the model marked
// them, in all versions that are kept. It writes nothing when there are none,
// and makes neither versions nor log entries. What has the form of a sealed text
// is left alone, so that a wrong key spoils nothing.
func (s *Service) SealStored(ctx context.Context) error {
	for _, entity := range s.Registry.Entities() {
		for _, spec := range entity.Aspects {
			if len(spec.Sealed) == 0 {
				continue
			}
			if err := s.sealType(ctx, entity.Name, spec); err != nil {
				return fmt.Errorf("seal %s: %w", spec.Name, err)
			}
		}
	}
	return nil
}

func (s *Service) sealType(ctx context.Context, entityType string, spec *model.AspectSpec) error {
	for after := urn.URN(""); ; {
		urns, err := s.Store.Scan(ctx, store.Scan{Type: entityType, After: after})
		if err != nil || len(urns) == 0 {
			return err
		}
		after = urns[len(urns)-1]
		for _, u := range urns {
			if err := s.sealRows(ctx, store.Key{URN: u, Aspect: spec.Name}, spec); err != nil {
				return err
			}
		}
	}
}

func (s *Service) sealRows(ctx context.Context, key store.Key, spec *model.AspectSpec) error {
	rows, err := s.Store.Rows(ctx, key)
	if err != nil {
		return err
	}
	open := false
	for _, row := range append(rows, 0) {
		rec, err := s.Store.Row(ctx, key, row)
		if err != nil {
			return err
		}
		next, err := s.sealRecord(rec, spec)
		if err != nil {
			return err
		}
		open = open || next != nil
	}
	if !open {
		return nil
	}
	return s.change(ctx, func(tx store.Tx) error {
		rows, err := tx.Rows(ctx, key)
		if err != nil {
			return err
		}
		for _, row := range append(rows, 0) {
			rec, err := tx.Row(ctx, key, row)
			if err != nil {
				return err
			}
			next, err := s.sealRecord(rec, spec)
			if err != nil {
				return err
			}
			if next == nil {
				continue
			}
			if err := tx.Put(ctx, *next); err != nil {
				return err
			}
		}
		return nil
	})
}

// sealRecord is a row with its sealed members encrypted, nil when they are.
func (s *Service) sealRecord(rec *model.Record, spec *model.AspectSpec) (*model.Record, error) {
	if rec == nil {
		return nil, nil
	}
	value, err := jsontree.DecodeObject(rec.Value)
	if err != nil {
		return nil, err
	}
	var next *model.Record
	for _, path := range spec.Sealed {
		text := model.At(value, path)
		if text == "" || s.Sealer.Sealed(text) {
			continue
		}
		value = model.WithText(value, path, s.Sealer.Seal(text))
		sealed := *rec
		sealed.Value = jsontree.Encode(value)
		next = &sealed
	}
	return next, nil
}
