package graphql

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/service/assertion"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql/gqltype"
)

// UpsertCustomAssertion writes an assertion that another system runs.
func (m *mutation) UpsertCustomAssertion(ctx context.Context, args gqltype.UpsertCustomAssertionArgs) (*gqltype.Assertion, error) {
	in := args.Input
	fields := value(in.FieldPaths)
	if len(fields) == 0 && in.FieldPath != nil {
		fields = []string{*in.FieldPath}
	}
	u, err := m.api.AssertionEdits.Upsert(ctx, value(args.Urn), assertion.Draft{
		Asset: in.EntityUrn, Type: in.Type, Description: in.Description, Fields: fields,
		PlatformURN: value(in.Platform.Urn), PlatformName: value(in.Platform.Name), ExternalURL: in.ExternalUrl,
		Logic: in.Logic, Scope: in.Scope, Aggregation: in.Aggregation, Operator: in.Operator, NativeType: in.NativeType,
		Parameters: parameters(in.Parameters), NativeParameters: pairs(in.NativeParameters), Note: in.Note,
	})
	if err != nil {
		return nil, err
	}
	return build(ctx, m.api, func(l *loader) *gqltype.Assertion { return l.Assertion(u, selectionOf(ctx, "upsertCustomAssertion")) })
}

func parameters(in *gqltype.AssertionStdParametersInput) jsontree.Object {
	if in == nil {
		return nil
	}
	out := jsontree.Object{}
	for name, p := range map[string]*gqltype.AssertionStdParameterInput{"value": in.Value, "maxValue": in.MaxValue, "minValue": in.MinValue} {
		if p != nil {
			out[name] = jsontree.Object{"value": p.Value, "type": p.Type}
		}
	}
	return out
}

// ReportAssertionResult records the result of a run of an assertion.
func (m *mutation) ReportAssertionResult(ctx context.Context, args gqltype.ReportAssertionResultArgs) (bool, error) {
	in := args.Result
	r := assertion.Result{Time: millis(in.TimestampMillis), Type: in.Type, Severity: in.Severity, ExternalURL: in.ExternalUrl, Properties: pairs(in.Properties)}
	if in.Error != nil {
		r.Error = &assertion.Failure{Type: in.Error.Type, Message: in.Error.Message}
	}
	err := m.api.AssertionEdits.Report(ctx, args.Urn, r)
	return err == nil, err
}

// DeleteAssertion deletes an assertion permanently.
func (m *mutation) DeleteAssertion(ctx context.Context, args gqltype.DeleteAssertionArgs) (*bool, error) {
	return trueResult(m.api.AssertionEdits.Delete(ctx, args.Urn))
}

// ReportOperation records an operation on a dataset. It returns the string "true", because the
// schema declares a string.
func (m *mutation) ReportOperation(ctx context.Context, args gqltype.ReportOperationArgs) (*string, error) {
	in := args.Input
	err := m.api.AssertionEdits.ReportOperation(ctx, assertion.Operation{
		Dataset: in.Urn, Type: in.OperationType, CustomType: in.CustomOperationType, Source: in.SourceType, Time: millis(in.TimestampMillis),
		Partition: in.Partition, Rows: millis(in.NumAffectedRows), Properties: pairs(in.CustomProperties),
	})
	if err != nil {
		return nil, err
	}
	return ptr("true"), nil
}
