package bootstrap

import (
	"context"
	"fmt"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/urn"
)

// EncryptStored encrypts members that were stored before the model marked them as encrypted, in all
// stored versions. It creates neither versions nor log entries, and writes nothing if there are no
// such members. It leaves texts in encrypted form unchanged, so that a wrong key does no damage.
func (s *Service) EncryptStored(ctx context.Context) error {
	for _, entity := range s.registry.Entities() {
		for _, spec := range entity.Aspects {
			if len(spec.Encrypted) == 0 {
				continue
			}
			if err := s.encryptType(ctx, entity.Name, spec); err != nil {
				return fmt.Errorf("encrypt %s: %w", spec.Name, err)
			}
		}
	}
	return nil
}

func (s *Service) encryptType(ctx context.Context, entityType string, spec *model.AspectSpec) error {
	for after := urn.URN(""); ; {
		urns, err := s.Store.Scan(ctx, store.Scan{Type: entityType, After: after})
		if err != nil || len(urns) == 0 {
			return err
		}
		after = urns[len(urns)-1]
		for _, u := range urns {
			if err := s.encryptRows(ctx, store.Key{URN: u, Aspect: spec.Name}, spec); err != nil {
				return err
			}
		}
	}
}

func (s *Service) encryptRows(ctx context.Context, key store.Key, spec *model.AspectSpec) error {
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
		next, err := s.encryptRecord(rec, spec)
		if err != nil {
			return err
		}
		open = open || next != nil
	}
	if !open {
		return nil
	}
	return s.update(ctx, func(tx store.Tx) error {
		rows, err := tx.Rows(ctx, key)
		if err != nil {
			return err
		}
		for _, row := range append(rows, 0) {
			rec, err := tx.Row(ctx, key, row)
			if err != nil {
				return err
			}
			next, err := s.encryptRecord(rec, spec)
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

// encryptRecord returns a row with the marked members encrypted, nil if they already are.
func (s *Service) encryptRecord(rec *model.Record, spec *model.AspectSpec) (*model.Record, error) {
	if rec == nil {
		return nil, nil
	}
	value, err := jsontree.DecodeObject(rec.Value)
	if err != nil {
		return nil, err
	}
	var next *model.Record
	for _, path := range spec.Encrypted {
		text := model.At(value, path)
		if text == "" || s.Catalog.Cipher.Encrypted(text) {
			continue
		}
		value = model.WithText(value, path, s.Catalog.Cipher.Encrypt(text))
		encrypted := *rec
		encrypted.Value = jsontree.Encode(value)
		next = &encrypted
	}
	return next, nil
}

func (s *Service) update(ctx context.Context, fn func(store.Tx) error) error {
	_, err := s.Store.Update(ctx, fn)
	return err
}
