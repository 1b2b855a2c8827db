package graphql

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/admission"
	language "github.com/cartulary/cartulary/metadata-service/internal/metatest"
	"github.com/cartulary/cartulary/metadata-service/internal/service/metatest"
	"github.com/cartulary/cartulary/metadata-service/internal/task"
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
	want := selectionOf(ctx, "listTests").Of("ListTestsResult")["tests"]
	return build(ctx, q.api, func(l *loader) *gqltype.ListTestsResult {
		return &gqltype.ListTestsResult{Start: int32(from), Count: int32(size), Total: int32(found.Total), Tests: loadAll(urnsOf(found.Hits), want, l.Test)}
	})
}

// Test reads a metadata test.
func (q *query) Test(ctx context.Context, args gqltype.TestArgs) (*gqltype.Test, error) {
	return readExisting(ctx, q.api, "test", args.Urn, []string{metatest.EntityType}, (*loader).Test)
}

// ValidateTest reports the problems of a definition as part of the result, and warns about tests
// with conflicting actions.
func (q *query) ValidateTest(ctx context.Context, args gqltype.ValidateTestArgs) (*gqltype.TestValidation, error) {
	out := &gqltype.TestValidation{Valid: true, IsValid: true, Messages: []string{}, Problems: []*gqltype.TestProblem{}, Warnings: []*gqltype.TestProblem{}}
	if err := q.api.Tests.MayManage(ctx); err != nil {
		return nil, err
	}
	definition := args.Definition
	if args.Input != nil {
		if definition != nil {
			return nil, fault.New(fault.Malformed, "definition and input: give one of them, not both")
		}
		definition = args.Input.Json
	}
	if definition == nil {
		return nil, fault.New(fault.Malformed, "input.json: the definition is missing")
	}
	var of urn.URN
	if args.Urn != nil {
		var err error
		if of, err = q.api.entityURN("urn", *args.Urn, metatest.EntityType); err != nil {
			return nil, err
		}
	}
	err := q.api.Tests.Validate(ctx, *definition)
	var problems *language.Error
	if errors.As(err, &problems) {
		out.Valid, out.IsValid = false, false
		for _, p := range problems.Problems {
			out.Problems = append(out.Problems, &gqltype.TestProblem{Path: p.Path, Message: p.Message})
			out.Messages = append(out.Messages, p.String())
		}
		return out, nil
	}
	if err != nil {
		return nil, err
	}
	conflicts, err := q.api.Tests.Conflicts(ctx, *definition, of)
	for _, c := range conflicts {
		message := fmt.Sprintf("the test %s may undo this one on the same assets: one of them has the action %s, and the other one reverts it", c.Other(of), c.Action)
		if c.Entity != "" {
			message += " for " + string(c.Entity)
		}
		out.Warnings = append(out.Warnings, &gqltype.TestProblem{Path: "actions", Message: message})
	}
	return out, err
}

// previewTime is the processor time that a preview reserves at least.
const previewTime = 100 * time.Millisecond

// PreviewTest counts the assets that a definition selects, and those that pass and fail it,
// without storing results.
func (q *query) PreviewTest(ctx context.Context, args gqltype.PreviewTestArgs) (*gqltype.TestPreview, error) {
	examples := valueOr(args.Input.Limit, metatest.DefaultExamples)
	if examples == 0 {
		return nil, fault.New(fault.Malformed, "limit: must be 1 to %d examples of each verdict, is 0", metatest.MaxExamples)
	}
	want := selectionOf(ctx, "previewTest").Of("TestPreview")
	explain := want["failures"] != nil || want["reasons"] != nil || want["explained"] != nil
	if err := q.api.Tests.MayManage(ctx); err != nil {
		return nil, err
	}
	// A preview examines all assets, so it waits like the heavy queries of its actor.
	if err := admission.Work(ctx, previewTime); err != nil {
		return nil, err
	}
	end, err := admission.Alone(ctx)
	if err != nil {
		return nil, err
	}
	defer end()
	done, err := q.api.Tests.Preview(ctx, args.Input.Definition, int(examples), explain)
	if err != nil {
		return nil, err
	}
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
			Failures: testFailures(done), Reasons: testReasons(done.Reasons), Explained: int32(done.Explained),
		}
	})
}

func testFailures(p metatest.Preview) []*gqltype.TestFailure {
	out := []*gqltype.TestFailure{}
	for i, findings := range p.Failures {
		out = append(out, &gqltype.TestFailure{Urn: string(p.FailingExamples[i]), Findings: testFindings(findings)})
	}
	return out
}

func testReasons(reasons []metatest.Reason) []*gqltype.TestReason {
	out := []*gqltype.TestReason{}
	for _, r := range reasons {
		out = append(out, &gqltype.TestReason{Condition: testCondition(&r.Condition), Count: int32(r.Count)})
	}
	return out
}

func testFindings(findings []metatest.Finding) []*gqltype.TestFinding {
	out := []*gqltype.TestFinding{}
	for _, f := range findings {
		shown := &gqltype.TestFinding{Condition: testCondition(&f.Condition), Met: f.Met, Decisive: f.Decisive}
		if !f.Hidden {
			found := append([]string{}, f.Found...)
			shown.Found, shown.FoundTotal = &found, ptr(int32(f.Total))
		}
		if !f.Hidden && f.Elements != "" {
			shown.Elements, shown.Meeting = ptr(int32(f.Of)), ptr(int32(f.Meeting))
		}
		out = append(out, shown)
	}
	return out
}

func testCondition(c *language.Condition) *gqltype.TestCondition {
	return &gqltype.TestCondition{
		Path: c.Path, Property: c.Property, Operator: nilIfZero(c.Operator), Values: append([]string{}, c.Values...), Match: nilIfZero(c.Match),
		Elements: nilIfZero(c.Elements), Negated: c.Negated, OneOf: nilIfZero(c.OneOf),
	}
}

// CreateTest creates a metadata test and returns its URN.
func (m *mutation) CreateTest(ctx context.Context, args gqltype.CreateTestArgs) (*string, error) {
	in := args.Input
	u, err := m.api.Tests.Create(ctx, value(in.Id), metatest.Info{
		Name: in.Name, Category: in.Category, Description: in.Description, Definition: value(in.Definition.Json),
	})
	return nilIfZero(string(u)), err
}

// UpdateTest replaces a metadata test and returns its URN.
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

// StarterTests lists the starter pack, with the state of each test in the catalog.
func (q *query) StarterTests(ctx context.Context) ([]*gqltype.StarterTest, error) {
	pack, err := q.api.Tests.InstallStarter(ctx, true)
	return starterTests(pack, "MISSING"), err
}

// InstallStarterTests creates the missing tests of the starter pack.
func (m *mutation) InstallStarterTests(ctx context.Context) ([]*gqltype.StarterTest, error) {
	pack, err := m.api.Tests.InstallStarter(ctx, false)
	return starterTests(pack, "CREATED"), err
}

func starterTests(pack []metatest.Installed, created string) []*gqltype.StarterTest {
	out := make([]*gqltype.StarterTest, len(pack))
	for i, t := range pack {
		out[i] = &gqltype.StarterTest{Urn: string(t.URN), Name: t.Name, Category: t.Category, Description: t.Description, State: "PRESENT"}
		switch {
		case t.Created:
			out[i].State = created
		case t.Changed:
			out[i].State = "CHANGED"
		}
	}
	return out
}

// DeleteTest deletes a metadata test.
func (m *mutation) DeleteTest(ctx context.Context, args gqltype.DeleteTestArgs) (*bool, error) {
	u, err := m.api.entityURN("urn", args.Urn, metatest.EntityType)
	if err != nil {
		return nil, err
	}
	return trueResult(m.api.Tests.Delete(ctx, u))
}

// RunTest evaluates metadata tests for one asset, or starts their evaluation for all assets.
func (m *mutation) RunTest(ctx context.Context, args gqltype.RunTestArgs) (*gqltype.TestResults, error) {
	var tests []urn.URN
	for _, text := range value(args.Input.TestUrns) {
		u, err := m.api.entityURN("testUrns", text, metatest.EntityType)
		if err != nil {
			return nil, err
		}
		tests = append(tests, u)
	}
	if args.Input.Urn == nil {
		return m.startRun(ctx, tests, args.Input.Push)
	}
	asset, err := m.api.Edit.Parse("urn", *args.Input.Urn)
	if err != nil {
		return nil, err
	}
	want := selectionOf(ctx, "runTest").Of("TestResults")
	evaluate := m.api.Tests.Evaluate
	if selectsFindings(want["passing"]) || selectsFindings(want["failing"]) {
		evaluate = m.api.Tests.Explain
	}
	done, err := evaluate(ctx, asset, tests, value(args.Input.Push))
	if err != nil {
		return nil, err
	}
	return build(ctx, m.api, func(l *loader) *gqltype.TestResults {
		list := func(results []metatest.Result, member, verdict string) []*gqltype.TestResult {
			out := []*gqltype.TestResult{}
			for _, r := range results {
				result := &gqltype.TestResult{Test: l.Test(r.Test, want[member].Of("TestResult")["test"]), Type: verdict}
				if r.Findings != nil {
					result.Findings = ptr(testFindings(r.Findings))
				}
				out = append(out, result)
			}
			return out
		}
		return &gqltype.TestResults{Passing: list(done.Passing, "passing", "SUCCESS"), Failing: list(done.Failing, "failing", "FAILURE")}
	})
}

func selectsFindings(results *set) bool { return results.Of("TestResult")["findings"] != nil }

// startRun starts the evaluation of tests for all assets, which stores its results.
func (m *mutation) startRun(ctx context.Context, tests []urn.URN, push *bool) (*gqltype.TestResults, error) {
	if push != nil && !*push {
		return nil, fault.New(fault.Malformed, "push: an evaluation of all assets stores its results; use previewTest for results that are not stored, or name an asset in urn")
	}
	run, err := m.api.Tests.StartRun(ctx, tests)
	if err != nil {
		return nil, err
	}
	want := selectionOf(ctx, "runTest").Of("TestResults")["run"]
	return build(ctx, m.api, func(l *loader) *gqltype.TestResults {
		return &gqltype.TestResults{Passing: []*gqltype.TestResult{}, Failing: []*gqltype.TestResult{}, Run: testRun(l, run, want)}
	})
}

// CancelTestRun requests an evaluation of all assets to stop.
func (m *mutation) CancelTestRun(ctx context.Context, args gqltype.CancelTestRunArgs) (*gqltype.TestRun, error) {
	run, err := m.api.Tests.CancelRun(ctx, task.ID(args.Id))
	if err != nil {
		return nil, err
	}
	return build(ctx, m.api, func(l *loader) *gqltype.TestRun { return testRun(l, run, selectionOf(ctx, "cancelTestRun")) })
}

// TestRun reads an evaluation of all assets, nil when there is none with this id.
func (q *query) TestRun(ctx context.Context, args gqltype.TestRunArgs) (*gqltype.TestRun, error) {
	run, err := q.api.Tests.Run(ctx, task.ID(args.Id))
	if fault.KindOf(err) == fault.NotFound {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return build(ctx, q.api, func(l *loader) *gqltype.TestRun { return testRun(l, run, selectionOf(ctx, "testRun")) })
}

// Sizes of pages of evaluations.
const (
	defaultRuns = 20
	maxRuns     = 100
)

// TestRuns lists evaluations of all assets, page by page.
func (q *query) TestRuns(ctx context.Context, args gqltype.TestRunsArgs) (*gqltype.TestRunsResult, error) {
	in := value(args.Input)
	start, count := int(value(in.Start)), int(valueOr(in.Count, defaultRuns))
	if start < 0 || count < 1 || count > maxRuns {
		return nil, fault.New(fault.Malformed, "start must not be negative and count be 1 to %d, are %d and %d", maxRuns, start, count)
	}
	var test urn.URN
	if in.TestUrn != nil {
		var err error
		if test, err = q.api.entityURN("testUrn", *in.TestUrn, metatest.EntityType); err != nil {
			return nil, err
		}
	}
	var states []task.State
	for _, s := range value(in.States) {
		states = append(states, task.State(strings.ToLower(s)))
	}
	runs, total, err := q.api.Tests.Runs(ctx, test, states, start, count)
	if err != nil {
		return nil, err
	}
	want := selectionOf(ctx, "testRuns").Of("TestRunsResult")["runs"]
	return build(ctx, q.api, func(l *loader) *gqltype.TestRunsResult {
		out := &gqltype.TestRunsResult{Start: int32(start), Count: int32(count), Total: int32(total), Runs: []*gqltype.TestRun{}}
		for _, r := range runs {
			out.Runs = append(out.Runs, testRun(l, r, want))
		}
		return out
	})
}

func testRun(l *loader, r metatest.Run, want *set) *gqltype.TestRun {
	whenSet := func(at int64) *gqltype.Long {
		if at == 0 {
			return nil
		}
		return ptr(gqltype.Long(at))
	}
	out := &gqltype.TestRun{
		Id: string(r.ID), State: strings.ToUpper(string(r.State)), Tests: []*gqltype.Test{}, Actor: string(r.Actor.URN),
		Created: gqltype.Long(r.Created), Started: whenSet(r.Started), Ended: whenSet(r.Ended), Done: gqltype.Long(r.Counts.Assets), Total: gqltype.Long(r.Progress.Total),
		Passing: gqltype.Long(r.Counts.Passing), Failing: gqltype.Long(r.Counts.Failing), Changed: gqltype.Long(r.Counts.Changed), Error: nilIfZero(r.Error),
		Problems: []*gqltype.TestRunProblem{},
	}
	for _, p := range r.Invalid {
		out.Problems = append(out.Problems, &gqltype.TestRunProblem{Test: string(p.Test), Message: p.Message})
	}
	for _, u := range r.Tests {
		if t := l.Test(u, want.Of("TestRun")["tests"]); t != nil {
			out.Tests = append(out.Tests, t)
		}
	}
	return out
}
