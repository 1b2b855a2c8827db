// Package secret keeps values that recipes of ingestion name: passwords, keys.
//
// The catalog encrypts the value of a secret as it stores it, whichever interface writes it,
// and it is never listed. Values leave in
// one way: Values gives them to those who hold auth.ManageSecrets, which
// executors do. The id of a secret is the name it was created under; recipes
// refer to it by that, whatever its name for people becomes.
package secret

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/encryption"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/service/edit"
	"github.com/cartulary/cartulary/pkg/config"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Names in the model of what this package owns.
const (
	EntityType  = "dataHubSecret"
	ValueAspect = "dataHubSecretValue"
)

// MaxValue is the limit of a value in bytes. Certificates fit.
const MaxValue = 100_000

// MaxNames is how many values one call may ask for.
const MaxNames = 1000

const batch = 500 // secrets read at once

// Aspects reads and writes what this package owns: a catalog.Managed for
// ValueAspect.
type Aspects interface {
	Get(ctx context.Context, u urn.URN, aspect string) (*model.Record, error)
	Write(ctx context.Context, proposals []catalog.Proposal) error
	List(ctx context.Context, entityType string, after urn.URN, limit int) ([]urn.URN, error)
}

// Service keeps secrets. It is safe for concurrent use.
type Service struct {
	edit    *edit.Editor
	aspects Aspects
	cipher  *encryption.Cipher
}

// New makes a Service.
func New(e *edit.Editor, aspects Aspects, cipher *encryption.Cipher) *Service {
	return &Service{edit: e, aspects: aspects, cipher: cipher}
}

// Draft is a secret to create, or what one becomes.
type Draft struct {
	Name        string
	Value       config.Secret
	Description *string
}

// Info is what is shown of a secret.
type Info struct {
	URN         urn.URN
	Name        string
	Description *string
}

// stored is the form of a secret: Value is encrypted when it is read, and plain when it is
// written.
type stored struct {
	Name        string          `json:"name"`
	Value       string          `json:"value"`
	Description *string         `json:"description,omitempty"`
	Created     json.RawMessage `json:"created,omitempty"`

	version string
}

// Create makes a secret, whose id is its name. It needs auth.ManageSecrets. A
// name that is taken is fault.Malformed.
func (s *Service) Create(ctx context.Context, d Draft) (urn.URN, error) {
	if err := s.check(ctx, d); err != nil {
		return "", err
	}
	u, err := s.edit.NewURN(ctx, "Secret", EntityType, d.Name)
	if err != nil {
		return "", err
	}
	stamp, err := json.Marshal(s.edit.Stamp(ctx))
	if err != nil {
		return "", fmt.Errorf("encode secret %s: %w", u, err)
	}
	err = s.write(ctx, u, stored{Name: d.Name, Value: d.Value.Reveal(), Description: d.Description, Created: stamp, version: "-1"})
	if errors.Is(err, fault.Unavailable) {
		// Who came first has the name; trying again would not help.
		if taken := s.edit.MustBeFree(ctx, "Secret", u); taken != nil {
			err = taken
		}
	}
	return u, err
}

// Update replaces name, value and description of a secret; without a
// description that stays. It needs auth.ManageSecrets. A secret that is not
// there is fault.Malformed.
func (s *Service) Update(ctx context.Context, u urn.URN, d Draft) error {
	if err := s.check(ctx, d); err != nil {
		return err
	}
	old, err := s.read(ctx, u)
	if err != nil {
		return err
	}
	if old == nil {
		return fault.New(fault.Malformed, "urn: there is no secret %s", u)
	}
	old.Name, old.Value = d.Name, d.Value.Reveal()
	if d.Description != nil {
		old.Description = d.Description
	}
	return s.write(ctx, u, *old)
}

func (s *Service) check(ctx context.Context, d Draft) error {
	if _, err := s.edit.Require(ctx, auth.ManageSecrets); err != nil {
		return err
	}
	if err := edit.Text("name", d.Name, edit.MaxName, true); err != nil {
		return err
	}
	if err := edit.Text("value", d.Value.Reveal(), MaxValue, false); err != nil {
		return err
	}
	if d.Description != nil {
		return edit.Text("description", *d.Description, edit.MaxText, false)
	}
	return nil
}

// Delete removes a secret for good. It needs auth.ManageSecrets.
func (s *Service) Delete(ctx context.Context, u urn.URN) error {
	decided, err := s.edit.Require(ctx, auth.ManageSecrets)
	if err != nil {
		return err
	}
	_, err = s.edit.Catalog.DeleteEntity(ctx, u, decided...)
	return err
}

// List gives the secrets whose name or description holds a text, ignoring case,
// in the order of their names. It needs auth.ManageSecrets.
func (s *Service) List(ctx context.Context, text string) ([]Info, error) {
	if _, err := s.edit.Require(ctx, auth.ManageSecrets); err != nil {
		return nil, err
	}
	text = strings.ToLower(text)
	var out []Info
	for after := urn.URN(""); ; {
		urns, err := s.aspects.List(ctx, EntityType, after, batch)
		if err != nil {
			return nil, fmt.Errorf("list secrets: %w", err)
		}
		for _, u := range urns {
			found, err := s.read(ctx, u)
			if err != nil {
				return nil, err
			}
			if found != nil && found.mentions(text) {
				out = append(out, Info{URN: u, Name: found.Name, Description: found.Description})
			}
		}
		if len(urns) < batch {
			slices.SortFunc(out, func(a, b Info) int { return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.URN, b.URN)) })
			return out, nil
		}
		after = urns[len(urns)-1]
	}
}

func (v *stored) mentions(text string) bool {
	return strings.Contains(strings.ToLower(v.Name), text) || v.Description != nil && strings.Contains(strings.ToLower(*v.Description), text)
}

// Value is a secret that was opened.
type Value struct {
	Name  string
	Value config.Secret
}

// Values opens secrets by the names they were created under, in the order
// asked. Names nobody knows are left out. It needs auth.ManageSecrets. A value
// that was encrypted with another key is fault.Conflict.
func (s *Service) Values(ctx context.Context, names []string) ([]Value, error) {
	if _, err := s.edit.Require(ctx, auth.ManageSecrets); err != nil {
		return nil, err
	}
	if len(names) > MaxNames {
		return nil, fault.New(fault.TooLarge, "secrets: %d entries, at most %d are allowed", len(names), MaxNames)
	}
	out := make([]Value, 0, len(names))
	for _, name := range names {
		u, err := s.edit.Parse("secrets", string(urn.Make(EntityType, name)), EntityType)
		if err != nil {
			continue // a name that no secret can have
		}
		found, err := s.read(ctx, u)
		if err != nil {
			return nil, err
		}
		if found == nil {
			continue
		}
		text, err := s.cipher.Decrypt(found.Value)
		if errors.Is(err, encryption.ErrUnreadable) {
			return nil, fault.Wrap(err, fault.Conflict, "secrets: %s was encrypted with another key; set its value again", name)
		}
		if err != nil {
			return nil, fmt.Errorf("open secret %s: %w", u, err)
		}
		out = append(out, Value{Name: name, Value: config.Secret(text)})
	}
	return out, nil
}

// read gives a secret, nil when it is absent.
func (s *Service) read(ctx context.Context, u urn.URN) (*stored, error) {
	row, err := s.aspects.Get(ctx, u, ValueAspect)
	if err != nil {
		return nil, fmt.Errorf("read secret %s: %w", u, err)
	}
	if row == nil {
		return nil, nil
	}
	v := &stored{version: row.System.Version}
	if err := json.Unmarshal(row.Value, v); err != nil {
		// Without the cause: it may quote the value.
		return nil, fmt.Errorf("secret %s cannot be read", u)
	}
	return v, nil
}

// write stores a secret over the version it was read as.
func (s *Service) write(ctx context.Context, u urn.URN, v stored) error {
	value, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("encode secret %s: %w", u, err)
	}
	err = s.aspects.Write(ctx, []catalog.Proposal{{
		URN: string(u), Aspect: ValueAspect, Change: model.Upsert, Value: value, Headers: map[string]string{"If-Version-Match": v.version},
	}})
	switch {
	case errors.Is(err, fault.Precondition):
		return fault.Wrap(err, fault.Unavailable, "%s was changed by somebody else meanwhile; try again", u)
	case err != nil:
		return fmt.Errorf("write secret %s: %w", u, err)
	}
	return nil
}
