package eventhook

import (
	"encoding/json"
	"fmt"

	"github.com/cartulary/cartulary/metadata-service/internal/records"
	"github.com/cartulary/cartulary/pkg/fault"
)

// Buckets of the records: webhooks and progress are keyed by id, attempts and dead letters by id
// and an increasing number.
const (
	hookBucket     = "webhooks"
	progressBucket = "webhook-progress"
	deliveryBucket = "webhook-deliveries"
	letterBucket   = "webhook-dead-letters"
)

// stored is the stored form of a webhook. Address and Secret are encrypted.
type stored struct {
	ID      string `json:"id"`
	Name    string `json:"name"`
	Address string `json:"address"`
	Secret  string `json:"secret"`
	Filter  Filter `json:"filter"`
	Paused  bool   `json:"paused,omitempty"`
	Owner   Owner  `json:"owner"`
	Created int64  `json:"created"`
	Changed int64  `json:"changed"`
}

// progress is the position of a webhook.
type progress struct {
	Offset string `json:"offset"` // after the last completed event
	// Delivery is the event being retried, with its failed attempts so far.
	Delivery string `json:"delivery,omitempty"`
	Attempts int    `json:"attempts,omitempty"`
	Error    string `json:"error,omitempty"`
	RetryAt  int64  `json:"retryAt,omitempty"`
	// Next is the counter for the keys of attempts and dead letters.
	Next           uint64 `json:"next"`
	Letters        int    `json:"letters,omitempty"`
	LetterBytes    int    `json:"letterBytes,omitempty"`
	LettersDropped int    `json:"lettersDropped,omitempty"`
	Missed         int64  `json:"missed,omitempty"`
	Problem        string `json:"problem,omitempty"`
}

func entryKey(id string, n uint64) string { return fmt.Sprintf("%s/%016x", id, n) }

func errNoWebhook(id string) error { return fault.New(fault.NotFound, "there is no webhook %.60s", id) }

func read[T any](tx records.Tx, bucket, key string) (value *T, err error) {
	text := tx.Get(bucket, key)
	if text == nil {
		return nil, nil
	}
	value = new(T)
	if err := json.Unmarshal(text, value); err != nil {
		return nil, fmt.Errorf("read %s in %s: it is damaged", key, bucket) // the cause may quote the value
	}
	return value, nil
}

func write(tx records.Tx, bucket, key string, value any) error {
	text, err := json.Marshal(value)
	if err != nil {
		return err
	}
	return tx.Put(bucket, key, text)
}

// list returns the keys and values of a bucket whose keys have a prefix, in key order.
func list[T any](tx records.Tx, bucket, prefix string) (keys []string, values []T, err error) {
	tx.Scan(bucket, prefix, func(key string, text []byte) bool {
		var value T
		if json.Unmarshal(text, &value) != nil {
			err = fmt.Errorf("read %s in %s: it is damaged", key, bucket)
			return false
		}
		keys, values = append(keys, key), append(values, value)
		return true
	})
	return keys, values, err
}

// load returns a webhook and its progress. A missing webhook is fault.NotFound.
func load(tx records.Tx, id string) (*stored, *progress, error) {
	h, err := read[stored](tx, hookBucket, id)
	if err != nil {
		return nil, nil, err
	}
	if h == nil {
		return nil, nil, errNoWebhook(id)
	}
	p, err := read[progress](tx, progressBucket, id)
	if err == nil && p == nil {
		p = &progress{}
	}
	return h, p, err
}

// addDelivery stores an attempt, and deletes the oldest ones beyond KeptDeliveries.
func (p *progress) addDelivery(tx records.Tx, id string, d Delivery) error {
	p.Next++
	if err := write(tx, deliveryBucket, entryKey(id, p.Next), d); err != nil {
		return err
	}
	var old []string
	tx.Scan(deliveryBucket, id+"/", func(key string, _ []byte) bool {
		old = append(old, key)
		return true
	})
	for _, key := range old[:max(len(old)-KeptDeliveries, 0)] {
		if err := tx.Delete(deliveryBucket, key); err != nil {
			return err
		}
	}
	return nil
}

// addLetter stores a dead letter, and deletes the oldest ones beyond the limits.
func (p *progress) addLetter(tx records.Tx, id string, l Letter) error {
	p.Next++
	if err := write(tx, letterBucket, entryKey(id, p.Next), l); err != nil {
		return err
	}
	p.Letters++
	p.LetterBytes += len(l.Body)
	keys, letters, err := list[Letter](tx, letterBucket, id+"/")
	for i := 0; err == nil && i < len(keys) && (p.Letters > KeptLetters || p.LetterBytes > KeptLetterSize); i++ {
		p.LettersDropped++
		err = p.remove(tx, keys[i], &letters[i])
	}
	return err
}

func (p *progress) remove(tx records.Tx, key string, l *Letter) error {
	p.Letters--
	p.LetterBytes -= len(l.Body)
	return tx.Delete(letterBucket, key)
}
