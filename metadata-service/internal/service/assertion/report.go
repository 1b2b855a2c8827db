package assertion

import (
	"context"

	"github.com/google/uuid"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/service/edit"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Result is the outcome of one run.
type Result struct {
	Time        *int64 // milliseconds since 1970; now when nil
	Type        string // INIT, SUCCESS, FAILURE or ERROR
	Severity    *string
	ExternalURL *string
	Properties  map[string]string
	Error       *Failure
}

// Failure is the reason why a run has no result.
type Failure struct{ Type, Message string }

// Report stores the result of a run. It requires auth.EditAssertions on the asset. The assertion
// must exist and have an asset.
func (s *Service) Report(ctx context.Context, id string, r Result) error {
	u, err := s.edit.Parse("urn", id, EntityType)
	if err != nil {
		return err
	}
	asset, err := s.asset(ctx, u)
	if err != nil {
		return err
	}
	if asset == "" {
		// Only actors with the privilege may learn whether it exists.
		if _, err := s.mayEdit(ctx, u); err != nil {
			return err
		}
		return fault.New(fault.Malformed, "urn: %s does not exist, or names no asset", u)
	}
	decided, err := s.mayEditOf(ctx, u, asset)
	if err != nil {
		return err
	}
	result, err := r.tree()
	if err != nil {
		return err
	}
	at, err := s.time("timestampMillis", r.Time)
	if err != nil {
		return err
	}
	return s.append(ctx, decided, u, "assertionRunEvent", jsontree.Object{
		"timestampMillis": at, "runId": uuid.NewString(), "asserteeUrn": string(asset), "assertionUrn": string(u),
		"status": "COMPLETE", "result": result,
	})
}

func (r Result) tree() (jsontree.Object, error) {
	out := jsontree.Object{"type": r.Type}
	if r.Severity != nil {
		out["severity"] = *r.Severity
	}
	if r.ExternalURL != nil && *r.ExternalURL != "" {
		if err := edit.Text("externalUrl", *r.ExternalURL, maxLink, true); err != nil {
			return nil, err
		}
		out["externalUrl"] = *r.ExternalURL
	}
	if r.Properties != nil {
		if err := checkProperties("properties", r.Properties); err != nil {
			return nil, err
		}
		out["nativeResults"] = tree(r.Properties)
	}
	if r.Error != nil {
		if err := edit.Text("error.message", r.Error.Message, edit.MaxText, false); err != nil {
			return nil, err
		}
		out["error"] = jsontree.Object{"type": r.Error.Type, "properties": jsontree.Object{"message": r.Error.Message}}
	}
	return out, nil
}

// time returns the given time, or the current time for nil.
func (s *Service) time(name string, given *int64) (int64, error) {
	switch {
	case given == nil:
		return s.edit.Now().UnixMilli(), nil
	case *given < 0:
		return 0, fault.New(fault.Malformed, "%s: must not be negative, is %d", name, *given)
	}
	return *given, nil
}

// append adds a document to a time-series aspect.
func (s *Service) append(ctx context.Context, decided auth.Decisions, u urn.URN, aspect string, value jsontree.Object) error {
	return s.edit.Write(ctx, decided, catalog.Proposal{URN: string(u), Aspect: aspect, Value: jsontree.Encode(value)})
}

// Operation is an operation on the data of a dataset.
type Operation struct {
	Dataset    string
	Type       string // INSERT, UPDATE, ..., CUSTOM
	CustomType *string
	Source     string // DATA_PROCESS or DATA_PLATFORM
	Time       *int64 // milliseconds since 1970; now when nil
	Partition  *string
	Rows       *int64
	Properties map[string]string
}

// ReportOperation stores an operation. It requires auth.EditOperations on the dataset.
func (s *Service) ReportOperation(ctx context.Context, o Operation) error {
	u, err := s.edit.Parse("urn", o.Dataset, "dataset")
	if err != nil {
		return err
	}
	decided, err := s.edit.RequireOver(ctx, u, auth.EditOperations, auth.EditEntity)
	if err != nil {
		return err
	}
	at, err := s.time("timestampMillis", o.Time)
	if err != nil {
		return err
	}
	if err := checkProperties("customProperties", o.Properties); err != nil {
		return err
	}
	value := jsontree.Object{
		"timestampMillis": at, "lastUpdatedTimestamp": at, "actor": s.edit.Stamp(ctx)["actor"],
		"operationType": o.Type, "sourceType": o.Source,
	}
	if o.Type == custom {
		if o.CustomType == nil {
			return fault.New(fault.Malformed, "customOperationType: must be given when the type is %s", custom)
		}
		if err := edit.Text("customOperationType", *o.CustomType, edit.MaxName, true); err != nil {
			return err
		}
		value["customOperationType"] = *o.CustomType
	}
	if o.Partition != nil {
		if err := edit.Text("partition", *o.Partition, edit.MaxText, true); err != nil {
			return err
		}
		value["partitionSpec"] = jsontree.Object{"partition": *o.Partition, "type": "PARTITION"}
	}
	if o.Rows != nil {
		value["numAffectedRows"] = *o.Rows
	}
	if o.Properties != nil {
		value["customProperties"] = tree(o.Properties)
	}
	return s.append(ctx, decided, u, "operation", value)
}
