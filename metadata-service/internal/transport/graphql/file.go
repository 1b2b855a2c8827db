package graphql

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql/gqltype"
	"github.com/cartulary/cartulary/pkg/fault"
)

// errNoStorage is the error of uploads: their content requires object storage, which this service
// does not have.
func errNoStorage() error {
	return fault.New(fault.Invalid, "No object storage is configured, so files cannot be uploaded")
}

// GetPresignedUploadUrl always returns errNoStorage.
func (q *query) GetPresignedUploadUrl(context.Context, gqltype.GetPresignedUploadUrlArgs) (*gqltype.GetPresignedUploadUrlResponse, error) {
	return nil, errNoStorage()
}

// CreateDataHubFile always returns errNoStorage.
func (m *mutation) CreateDataHubFile(context.Context, gqltype.CreateDataHubFileArgs) (*gqltype.CreateDataHubFileResponse, error) {
	return nil, errNoStorage()
}
