// Package secret stores the encrypted values that people enter: secrets and connections.
//
// Secrets are values that ingestion recipes refer to: passwords, keys. The catalog encrypts the
// value of a secret at rest for all APIs, and never lists it. Only Values returns values, to actors
// with auth.ManageSecrets, such as executors. The id of a secret is its initial name; recipes refer
// to the id even if the display name changes.
//
// Connections lead to other systems. Their details are JSON that only the client of the other
// system interprets. They often contain credentials: the catalog encrypts them at rest for all
// APIs, and this package returns them only to actors with auth.ManageConnections.
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

// Model names of secrets.
const (
	EntityType  = "dataHubSecret"
	ValueAspect = "dataHubSecretValue"
)

// MaxValue is the maximum length of a value in bytes, sufficient for certificates.
const MaxValue = 100_000

// MaxNames is the maximum number of values in one call.
const MaxNames = 1000

const batch = 500 // secrets per page

// Aspects reads and writes the aspects of this package: a catalog.Managed for ValueAspect and
// ConnectionAspect. A batch may contain other aspects too.
type Aspects interface {
	Get(ctx context.Context, u urn.URN, aspect string) (*model.Record, error)
	Write(ctx context.Context, proposals []catalog.Proposal) error
	List(ctx context.Context, entityType string, after urn.URN, limit int) ([]urn.URN, error)
}

// Service stores secrets and connections. It is safe for concurrent use.
type Service struct {
	edit    *edit.Editor
	aspects Aspects
	cipher  *encryption.Cipher
}

// New returns a Service.
func New(e *edit.Editor, aspects Aspects, cipher *encryption.Cipher) *Service {
	return &Service{edit: e, aspects: aspects, cipher: cipher}
}

// Draft describes a secret to write.
type Draft struct {
	Name        string
	Value       config.Secret
	Description *string
}

// Info holds the listed properties of a secret.
type Info struct {
	URN         urn.URN
	Name        string
	Description *string
}

// stored is the form of a secret in the aspect. Reads return Value encrypted; writes take plain
// text.
type stored struct {
	Name        string          `json:"name"`
	Value       string          `json:"value"`
	Description *string         `json:"description,omitempty"`
	Created     json.RawMessage `json:"created,omitempty"`

	version int64
}

// Create creates a secret with its name as id. It requires auth.ManageSecrets. A name that is in
// use is fault.Malformed.
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
	err = s.write(ctx, u, stored{Name: d.Name, Value: d.Value.Reveal(), Description: d.Description, Created: stamp, version: catalog.Absent})
	if errors.Is(err, fault.Unavailable) {
		// A concurrent call has taken the name, so another attempt would fail too.
		if taken := s.edit.MustBeFree(ctx, "Secret", u); taken != nil {
			err = taken
		}
	}
	return u, err
}

// Update replaces name, value and description of a secret; a nil description keeps the previous
// one. It requires auth.ManageSecrets. A secret that does not exist is fault.Malformed.
func (s *Service) Update(ctx context.Context, u urn.URN, d Draft) error {
	if err := s.check(ctx, d); err != nil {
		return err
	}
	old, err := s.secret(ctx, u)
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
	if err := edit.NameAndDescription(&d.Name, d.Description); err != nil {
		return err
	}
	return edit.Text("value", d.Value.Reveal(), MaxValue, false)
}

// Delete deletes a secret permanently. It requires auth.ManageSecrets.
func (s *Service) Delete(ctx context.Context, u urn.URN) error {
	decided, err := s.edit.Require(ctx, auth.ManageSecrets)
	if err != nil {
		return err
	}
	_, err = s.edit.Catalog.DeleteEntity(ctx, u, decided...)
	return err
}

// List returns the secrets whose name or description contains a text, ignoring case, ordered by
// name. It requires auth.ManageSecrets. It reads all secrets.
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
			found, err := s.secret(ctx, u)
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

// Value is a decrypted secret.
type Value struct {
	Name  string
	Value config.Secret
}

// Values decrypts secrets by their initial names, in the requested order. It omits unknown names.
// It requires auth.ManageSecrets. A value encrypted with another key is fault.Conflict.
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
			continue // not a valid name of a secret
		}
		found, err := s.secret(ctx, u)
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

// secret returns a secret, or nil when it is absent.
func (s *Service) secret(ctx context.Context, u urn.URN) (*stored, error) {
	v := &stored{}
	row, err := s.read(ctx, u, ValueAspect, v)
	if err != nil || row == nil {
		return nil, err
	}
	v.version = catalog.VersionOf(row)
	return v, nil
}

// read decodes an aspect into v and returns its record, or nil when it is absent.
func (s *Service) read(ctx context.Context, u urn.URN, aspect string, v any) (*model.Record, error) {
	row, err := s.aspects.Get(ctx, u, aspect)
	if err != nil {
		return nil, fmt.Errorf("read %s of %s: %w", aspect, u, err)
	}
	if row == nil {
		return nil, nil
	}
	if err := json.Unmarshal(row.Value, v); err != nil {
		// omits the cause, which may quote the value
		return nil, fmt.Errorf("%s of %s cannot be read", aspect, u)
	}
	return row, nil
}

// write stores a secret on condition that its version is unchanged since the read.
func (s *Service) write(ctx context.Context, u urn.URN, v stored) error {
	value, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("encode secret %s: %w", u, err)
	}
	err = s.aspects.Write(ctx, []catalog.Proposal{{
		URN: string(u), Aspect: ValueAspect, Change: model.Upsert, Value: value, Conditions: catalog.AtVersion(v.version),
	}})
	switch {
	case errors.Is(err, fault.Precondition):
		return fault.Wrap(err, fault.Unavailable, "%s was changed by somebody else meanwhile; try again", u)
	case err != nil:
		return fmt.Errorf("write secret %s: %w", u, err)
	}
	return nil
}
