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

// Mask is model.Mask.
const Mask = model.Mask

// Cipher encrypts the members that the model marks as encrypted.
type Cipher interface {
	// Encrypt encrypts a text. Repeated calls with the same text return different results.
	Encrypt(text string) string
	// Decrypt decrypts a result of Encrypt; any other text is an error.
	Decrypt(encrypted string) (string, error)
	// Encrypted reports whether a text has the form of a result of Encrypt, with any key.
	Encrypted(text string) bool
}

// encrypt encrypts the marked members of an aspect before it is stored. It keeps the stored
// ciphertext of an unchanged secret, so that writing the secret again is no change.
func (t *txn) encrypt(c *change) error {
	for _, path := range c.Aspect.Encrypted {
		given := model.At(c.After, path)
		if given == "" {
			continue
		}
		encrypted, err := t.encryptedText(given, model.At(c.Before, path))
		if err != nil {
			return fmt.Errorf("%s: %s: %w", c.Aspect.Name, path, err)
		}
		if encrypted != given {
			c.After, c.text = model.WithText(c.After, path, encrypted), nil
		}
	}
	return nil
}

func (s *Service) encryptedText(given, stored string) (string, error) {
	switch {
	case s.Cipher == nil:
		return "", fault.New(fault.Unsupported, "cannot be stored: this catalog has no key to encrypt it with")
	case given == Mask && stored == "":
		return "", fault.New(fault.Invalid, "must be the secret itself: %s stands for one that is stored, and none is", Mask)
	case given == Mask:
		return stored, nil
	}
	// A rule that changes another member passes the stored ciphertext, which is kept even if the
	// key is lost.
	if given == stored && s.Cipher.Encrypted(stored) {
		return stored, nil
	}
	if text, err := s.Cipher.Decrypt(stored); err == nil && text == given {
		return stored, nil
	}
	return s.Cipher.Encrypt(given), nil
}

// Masked returns a stored value as clients see it: with Mask in place of encrypted members.
func Masked(spec *model.AspectSpec, value []byte) ([]byte, error) {
	if len(spec.Encrypted) == 0 || value == nil {
		return value, nil
	}
	tree, err := jsontree.DecodeObject(value)
	if err != nil {
		return nil, err
	}
	return jsontree.Encode(masked(spec, tree)), nil
}

// masked returns a copy of a stored value with Mask in place of encrypted members, or the value
// itself if it has none. The value may be nil.
func masked(spec *model.AspectSpec, value model.Object) model.Object {
	for _, path := range spec.Encrypted {
		if model.At(value, path) != "" {
			value = model.WithText(value, path, Mask)
		}
	}
	return value
}

// maskWritten masks the encrypted members in the results of a batch.
func maskWritten(written []Written) error {
	for i, w := range written {
		if w.Record == nil || len(w.Spec.Encrypted) == 0 {
			continue
		}
		shown := *w.Record
		var err error
		if shown.Value, err = Masked(w.Spec, shown.Value); err != nil {
			return err
		}
		written[i].Record = &shown
	}
	return nil
}

// Decrypted returns the latest value of an aspect with its encrypted members in clear, nil if it is
// absent. Only the service itself may call it; for other actors it fails with fault.Forbidden.
func (s *Service) Decrypted(ctx context.Context, u urn.URN, aspect string) (model.Object, error) {
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
	for _, path := range spec.Encrypted {
		encrypted := model.At(value, path)
		if encrypted == "" {
			continue
		}
		text, err := s.Cipher.Decrypt(encrypted)
		if err != nil {
			return nil, fmt.Errorf("%s of %s: %s: %w", aspect, u, path, err)
		}
		value = model.WithText(value, path, text)
	}
	return value, nil
}
