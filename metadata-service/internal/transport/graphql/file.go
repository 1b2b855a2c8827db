package graphql

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql/gqltype"
	"github.com/cartulary/cartulary/pkg/fault"
)

// errNoStorage is the answer about uploads: their content goes to object storage,
// which this service has none of.
func errNoStorage() error {
	return fault.New(fault.Invalid, "No object storage is configured, so files cannot be uploaded")
}

// GetPresignedUploadUrl is switched off.
func (q *query) GetPresignedUploadUrl(context.Context, gqltype.GetPresignedUploadUrlArgs) (*gqltype.GetPresignedUploadUrlResponse, error) {
	return nil, errNoStorage()
}

// CreateDataHubFile is switched off.
func (m *mutation) CreateDataHubFile(context.Context, gqltype.CreateDataHubFileArgs) (*gqltype.CreateDataHubFileResponse, error) {
	return nil, errNoStorage()
}
