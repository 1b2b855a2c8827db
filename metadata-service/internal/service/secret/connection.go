package secret

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/service/edit"
	"github.com/cartulary/cartulary/pkg/config"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Model names of connections.
const (
	ConnectionType   = "dataHubConnection"
	ConnectionAspect = "dataHubConnectionDetails"
)

const (
	platformAspect = "dataPlatformInstance"
	kindJSON       = "JSON"
	maxBlob        = 1 << 20 // bytes
	maxID          = 400     // bytes
)

// ConnectionDraft describes a connection to write.
type ConnectionDraft struct {
	ID       string // a random one when empty
	Platform string // URN of the platform of the other system
	Name     *string
	// Blob is the JSON text of the details, nil for none.
	Blob *config.Secret
}

// ConnectionDetails are the stored details of a connection.
type ConnectionDetails struct {
	Name string // may be empty
	// Blob is nil if there is none or the actor may not see it.
	Blob *config.Secret
}

// stored is the form of the details in the aspect. Reads return the blob encrypted; writes take
// plain text.
type storedConnection struct {
	Type string     `json:"type"`
	Name *string    `json:"name,omitempty"`
	JSON *encrypted `json:"json,omitempty"`
}

type encrypted struct {
	Blob string `json:"encryptedBlob"`
}

// UpsertConnection creates a connection, or replaces the one with the id. It requires
// auth.ManageConnections. Details that are not JSON are fault.Malformed.
func (s *Service) UpsertConnection(ctx context.Context, d ConnectionDraft) (urn.URN, error) {
	if _, err := s.edit.Require(ctx, auth.ManageConnections); err != nil {
		return "", err
	}
	u, platform, err := s.connectionAddress(ctx, d)
	if err != nil {
		return "", err
	}
	details := storedConnection{Type: kindJSON, Name: d.Name}
	if err := edit.OptionalText("name", d.Name, edit.MaxName, false); err != nil {
		return "", err
	}
	if d.Blob != nil {
		if err := edit.Text("json.blob", d.Blob.Reveal(), maxBlob, true); err != nil {
			return "", err
		}
		if !json.Valid([]byte(d.Blob.Reveal())) {
			return "", fault.New(fault.Malformed, "json.blob: is not the text of a JSON value")
		}
		details.JSON = &encrypted{d.Blob.Reveal()}
	}
	value, err := json.Marshal(details)
	if err != nil {
		return "", fmt.Errorf("encode details of %s: %w", u, err)
	}
	err = s.aspects.Write(ctx, []catalog.Proposal{
		{URN: string(u), Aspect: ConnectionAspect, Change: model.Upsert, Value: value},
		{URN: string(u), Aspect: platformAspect, Change: model.Upsert, Value: jsontree.Encode(jsontree.Object{"platform": string(platform)})},
	})
	if err != nil {
		return "", fmt.Errorf("write %s: %w", u, err)
	}
	return u, nil
}

func (s *Service) connectionAddress(ctx context.Context, d ConnectionDraft) (u, platform urn.URN, err error) {
	if platform, err = s.edit.Parse("platformUrn", d.Platform, "dataPlatform"); err != nil {
		return "", "", err
	}
	switch {
	case d.ID == "":
		u, err = s.edit.NewURN(ctx, "Connection", ConnectionType, "")
	case len(d.ID) > maxID:
		err = fault.New(fault.Malformed, "id: longer than %d bytes", maxID)
	default:
		u, err = s.edit.Parse("id", string(urn.Make(ConnectionType, d.ID)), ConnectionType)
	}
	return u, platform, err
}

// ConnectionDetails returns the details of a connection, or nil if there are none. Actors without
// auth.ManageConnections get them without the blob. A blob encrypted with another key is
// fault.Conflict.
func (s *Service) ConnectionDetails(ctx context.Context, u urn.URN) (*ConnectionDetails, error) {
	var kept storedConnection
	row, err := s.read(ctx, u, ConnectionAspect, &kept)
	if err != nil || row == nil {
		return nil, err
	}
	out := &ConnectionDetails{}
	if kept.Name != nil {
		out.Name = *kept.Name
	}
	if kept.JSON == nil {
		return out, nil
	}
	switch _, err := s.edit.Require(ctx, auth.ManageConnections); {
	case errors.Is(err, fault.Forbidden):
		return out, nil
	case err != nil:
		return nil, err
	}
	text, err := s.cipher.Decrypt(kept.JSON.Blob)
	if err != nil {
		return nil, fault.Wrap(err, fault.Conflict, "the details of %s were encrypted with another key; write them again", u)
	}
	blob := config.Secret(text)
	out.Blob = &blob
	return out, nil
}
