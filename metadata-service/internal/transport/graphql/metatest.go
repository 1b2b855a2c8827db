package graphql

import (
	"context"
	"errors"
	"fmt"

	language "github.com/cartulary/cartulary/metadata-service/internal/metatest"
	"github.com/cartulary/cartulary/metadata-service/internal/service/metatest"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql/gqltype"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// ListTests lists metadata tests.
func (q *query) ListTests(ctx context.Context, args gqltype.ListTestsArgs) (*gqltype.ListTestsResult, error) {
	if err := q.api.Tests.MayList(ctx); err != nil {
		return nil, err
	}
	in := args.Input
	found, from, size, err := q.api.newestFirst(ctx, metatest.EntityType, "name", in.Query, in.Start, in.Count, nil)
	if err != nil {
		return nil, err
	}
	want := selected(ctx, "listTests").Of("ListTestsResult")["tests"]
	return build(ctx, q.api, func(l *loader) *gqltype.ListTestsResult {
		return &gqltype.ListTestsResult{Start: int32(from), Count: int32(size), Total: int32(found.Total), Tests: loadAll(urnsOf(found.Hits), want, l.Test)}
	})
}

// Test reads a metadata test.
func (q *query) Test(ctx context.Context, args gqltype.TestArgs) (*gqltype.Test, error) {
	return readExisting(ctx, q.api, "test", args.Urn, []string{metatest.EntityType}, (*loader).Test)
}

// ValidateTest tells what is wrong with a definition.
func (q *query) ValidateTest(ctx context.Context, args gqltype.ValidateTestArgs) (*gqltype.TestValidation, error) {
	out := &gqltype.TestValidation{Valid: true, Problems: []*gqltype.TestProblem{}, Warnings: []*gqltype.TestProblem{}}
	if err := q.api.Tests.MayManage(ctx); err != nil {
		return nil, err
	}
	var of urn.URN
	if args.Urn != nil {
		var err error
		if of, err = q.api.entityURN("urn", *args.Urn, metatest.EntityType); err != nil {
			return nil, err
		}
	}
	err := q.api.Tests.Validate(ctx, args.Definition)
	var problems *language.Error
	if errors.As(err, &problems) {
		out.Valid = false
		for _, p := range problems.Problems {
			out.Problems = append(out.Problems, &gqltype.TestProblem{Path: p.Path, Message: p.Message})
		}
		return out, nil
	}
	if err != nil {
		return nil, err
	}
	conflicts, err := q.api.Tests.Conflicts(ctx, args.Definition, of)
	for _, c := range conflicts {
		message := fmt.Sprintf("the test %s may undo this one on the same assets: one of them has the action %s, the other one takes back what it does", c.Other(of), c.Action)
		if c.Entity != "" {
			message += " to " + string(c.Entity)
		}
		out.Warnings = append(out.Warnings, &gqltype.TestProblem{Path: "actions", Message: message})
	}
	return out, err
}

// PreviewTest counts what a definition would say of all assets.
func (q *query) PreviewTest(ctx context.Context, args gqltype.PreviewTestArgs) (*gqltype.TestPreview, error) {
	examples := valueOr(args.Input.Limit, metatest.DefaultExamples)
	if examples == 0 {
		return nil, fault.New(fault.Malformed, "limit: must be 1 to %d examples of each verdict, is 0", metatest.MaxExamples)
	}
	done, err := q.api.Tests.Preview(ctx, args.Input.Definition, int(examples))
	if err != nil {
		return nil, err
	}
	want := selected(ctx, "previewTest").Of("TestPreview")
	return build(ctx, q.api, func(l *loader) *gqltype.TestPreview {
		list := func(urns []urn.URN, member string) []*gqltype.Entity {
			out := []*gqltype.Entity{}
			for _, u := range urns {
				if e := l.Entity(u, want[member]); e != nil {
					out = append(out, e)
				}
			}
			return out
		}
		return &gqltype.TestPreview{
			Selected: int32(done.Selected), Passing: int32(done.Passing), Failing: int32(done.Failing), Complete: done.Complete,
			PassingExamples: list(done.PassingExamples, "passingExamples"), FailingExamples: list(done.FailingExamples, "failingExamples"),
		}
	})
}

// CreateTest makes a metadata test and gives its URN.
func (m *mutation) CreateTest(ctx context.Context, args gqltype.CreateTestArgs) (*string, error) {
	in := args.Input
	u, err := m.api.Tests.Create(ctx, value(in.Id), metatest.Info{
		Name: in.Name, Category: in.Category, Description: in.Description, Definition: value(in.Definition.Json),
	})
	return nilIfZero(string(u)), err
}

// UpdateTest replaces a metadata test and gives its URN.
func (m *mutation) UpdateTest(ctx context.Context, args gqltype.UpdateTestArgs) (*string, error) {
	u, err := m.api.entityURN("urn", args.Urn, metatest.EntityType)
	if err != nil {
		return nil, err
	}
	in := args.Input
	return nilIfZero(string(u)), m.api.Tests.Update(ctx, u, metatest.Info{
		Name: in.Name, Category: in.Category, Description: in.Description, Definition: value(in.Definition.Json),
	})
}

// DeleteTest removes a metadata test.
func (m *mutation) DeleteTest(ctx context.Context, args gqltype.DeleteTestArgs) (*bool, error) {
	u, err := m.api.entityURN("urn", args.Urn, metatest.EntityType)
	if err != nil {
		return nil, err
	}
	return succeeded(m.api.Tests.Delete(ctx, u))
}

// RunTest evaluates metadata tests about an asset.
func (m *mutation) RunTest(ctx context.Context, args gqltype.RunTestArgs) (*gqltype.TestResults, error) {
	asset, err := m.api.Edit.Parse("urn", args.Input.Urn)
	if err != nil {
		return nil, err
	}
	var tests []urn.URN
	for _, text := range value(args.Input.TestUrns) {
		u, err := m.api.entityURN("testUrns", text, metatest.EntityType)
		if err != nil {
			return nil, err
		}
		tests = append(tests, u)
	}
	done, err := m.api.Tests.Evaluate(ctx, asset, tests, value(args.Input.Push))
	if err != nil {
		return nil, err
	}
	want := selected(ctx, "runTest").Of("TestResults")
	return build(ctx, m.api, func(l *loader) *gqltype.TestResults {
		list := func(results []metatest.Result, member, verdict string) []*gqltype.TestResult {
			out := []*gqltype.TestResult{}
			for _, r := range results {
				out = append(out, &gqltype.TestResult{Test: l.Test(r.Test, want[member].Of("TestResult")["test"]), Type: verdict})
			}
			return out
		}
		return &gqltype.TestResults{Passing: list(done.Passing, "passing", "SUCCESS"), Failing: list(done.Failing, "failing", "FAILURE")}
	})
}
