package bolt

import (
	"encoding/binary"
	"errors"

	"go.etcd.io/bbolt"

	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
)

// Check runs bbolt's own integrity check.
func (s *Store) Check() error {
	return s.db.View(func(tx *bbolt.Tx) error {
		var errs []error
		for err := range tx.Check() {
			errs = append(errs, err)
		}
		return errors.Join(errs...)
	})
}

// PageBytes is the size of the file's pages.
const PageBytes = storePageBytes

// SetFormat makes the file look as if another version had written it.
func SetFormat(path string, format uint64) error {
	db, err := bbolt.Open(path, 0o600, nil)
	if err != nil {
		return err
	}
	err = db.Update(func(tx *bbolt.Tx) error {
		return tx.Bucket(storeBucketNames[storeMeta]).Put(storeFormatKey, binary.AppendUvarint(nil, format))
	})
	return errors.Join(err, db.Close())
}

// Words is a dictionary for codec tests.
type Words struct{ texts []string }

func (w *Words) text(_ storeDictionary, number uint32) (string, bool) {
	if number == 0 || int(number) > len(w.texts) {
		return "", false
	}
	return w.texts[number-1], true
}

func (w *Words) number(text string) (uint32, error) {
	w.texts = append(w.texts, text)
	return uint32(len(w.texts)), nil
}

// EncodeRow and the others give tests the binary forms.
func (w *Words) EncodeRow(rec *model.Record) ([]byte, error) { return storeEncodeRow(rec, w.number) }

func (w *Words) DecodeRow(raw []byte) (rec model.Record, err error) {
	err = storeDecodeRow(raw, &rec, w)
	return rec, err
}

func (w *Words) EncodeEntry(entry *store.Entry) ([]byte, error) {
	return storeEncodeEntry(entry, 1, 1, w.number)
}

func (w *Words) DecodeEntry(raw []byte) (store.Entry, error) {
	entry, _, err := storeDecodeEntry(raw, w)
	return entry, err
}

// DecodeSmall runs the decoders of the index values.
func DecodeSmall(raw []byte) error {
	_, err := storeDecodeMembers(raw)
	_, runErr := storeDecodeRun(raw)
	_, rowErr := storeRowRun(raw)
	_, countErr := storeCountOf(raw)
	return errors.Join(err, runErr, rowErr, countErr)
}
