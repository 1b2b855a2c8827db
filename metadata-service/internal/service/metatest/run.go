package metatest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/metadata-service/internal/task"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// RunKind is the kind of the task that evaluates tests about all assets.
const RunKind = "metadata-tests"

// Run is an evaluation of tests about all assets, as a task.
type Run struct {
	task.Task
	// Tests are the evaluated tests; empty means all.
	Tests []urn.URN
	// Counts covers the assets evaluated so far.
	Counts Sweep
	// Invalid lists up to maxInvalid tests that are not evaluated.
	Invalid []Invalid
}

// runParams are the parameters of a run.
type runParams struct {
	Tests   []urn.URN `json:"tests,omitempty"`
	Trigger Trigger   `json:"trigger,omitempty"`
}

// runResult is the result of a run.
type runResult struct {
	Sweep
	Invalid []Invalid `json:"invalid,omitempty"`
}

// maxInvalid is the maximum number of invalid tests in the result of a run.
const maxInvalid = 20

// runCheckpoint is the checkpoint of a run. Verdicts refer to the time of its first start, so that
// an interrupted run gives the same verdicts as an uninterrupted one.
type runCheckpoint struct {
	At     int64          `json:"at"`
	Place  place          `json:"place"`
	Done   Sweep          `json:"done"`
	Assets map[string]int `json:"assets,omitempty"` // by type
	Counts counts         `json:"counts,omitempty"`
}

// saveEvery is the minimum number of assets between two checkpoints.
const saveEvery = 1_000

// taskKinds returns the task kinds of the service.
func (s *Service) taskKinds() []task.Kind {
	return []task.Kind{{
		Name:  RunKind,
		Allow: func(ctx context.Context, _ json.RawMessage) error { return s.MayManage(ctx) },
		Run:   s.run,
	}, {
		Name:  CleanupKind,
		Allow: func(ctx context.Context, _ json.RawMessage) error { return s.MayManage(ctx) },
		Run:   s.cleanup,
	}}
}

// StartRun starts a task that evaluates the named tests, or all tests, about all assets, stores
// results and executes actions. It returns once the task is stored. It requires auth.ManageTests.
// While the same tests are being evaluated the error is fault.Conflict and names that run.
func (s *Service) StartRun(ctx context.Context, tests []urn.URN) (Run, error) {
	return s.startRun(ctx, tests, Requested)
}

func (s *Service) startRun(ctx context.Context, tests []urn.URN, trigger Trigger) (Run, error) {
	if s.Tasks == nil {
		return Run{}, fault.New(fault.Unsupported, "runs of metadata tests are not available here")
	}
	if err := s.MayManage(ctx); err != nil {
		return Run{}, err
	}
	if len(tests) > MaxTests {
		return Run{}, fault.New(fault.TooLarge, "testUrns: %d tests, at most %d are allowed", len(tests), MaxTests)
	}
	tests = slices.Clone(tests)
	slices.Sort(tests)
	tests = slices.Compact(tests)
	if len(tests) > 0 {
		if _, _, err := s.choose(ctx, tests); err != nil {
			return Run{}, err
		}
	}
	t, err := s.Tasks.Start(ctx, RunKind, runParams{tests, trigger}, runKey(tests))
	if err != nil {
		return Run{}, err
	}
	return runOf(t)
}

// runKey returns the key that excludes concurrent runs of the same tests. The key of a single test
// also serves to list its runs.
func runKey(tests []urn.URN) string {
	switch len(tests) {
	case 0:
		return RunKind
	case 1:
		return RunKind + " " + string(tests[0])
	}
	hash := sha256.New()
	for _, u := range tests {
		fmt.Fprintln(hash, u)
	}
	return RunKind + " " + hex.EncodeToString(hash.Sum(nil))
}

func runOf(t task.Task) (Run, error) {
	r := Run{Task: t}
	var params runParams
	if len(t.Params) > 0 {
		if err := json.Unmarshal(t.Params, &params); err != nil {
			return r, fmt.Errorf("read the parameters of run %s: %w", t.ID, err)
		}
	}
	r.Tests = params.Tests
	if len(t.Result) > 0 {
		var result runResult
		if err := json.Unmarshal(t.Result, &result); err != nil {
			return r, fmt.Errorf("read the result of run %s: %w", t.ID, err)
		}
		r.Counts, r.Invalid = result.Sweep, result.Invalid
	}
	return r, nil
}

// run executes a run. It resumes from the last checkpoint.
func (s *Service) run(ctx context.Context, run *task.Run) error {
	var params runParams
	if err := run.Params(&params); err != nil {
		return err
	}
	ctx = store.WithOrigin(ctx, SinkName)
	w, err := s.runSweeper(ctx, params.Tests)
	if err != nil {
		return err
	}
	saved := runCheckpoint{At: w.at.UnixMilli()}
	if resumed, err := run.Checkpoint(&saved); err != nil {
		return err
	} else if resumed {
		w.resume(saved)
	}
	total, err := w.total(ctx)
	if err != nil {
		return err
	}
	save := func(ctx context.Context) error {
		if err := run.SetResult(runResult{w.done, w.invalid[:min(len(w.invalid), maxInvalid)]}); err != nil {
			return err
		}
		return run.Save(ctx, task.Progress{Done: int64(w.done.Assets), Total: int64(max(total, w.done.Assets))}, w.checkpoint())
	}
	if err := save(ctx); err != nil { // preserve the start time if the run is interrupted early
		return err
	}
	last := w.done.Assets
	w.progress = func(ctx context.Context) error {
		if w.done.Assets < last+saveEvery {
			return nil
		}
		last = w.done.Assets
		return save(ctx)
	}
	if err := w.sweep(ctx); err != nil {
		return err
	}
	if err := save(ctx); err != nil {
		return err
	}
	if err := s.recordRun(ctx, run.ID(), params.Trigger, w); err != nil {
		return fmt.Errorf("record the run in the time series of its tests: %w", err)
	}
	return w.nothingValid(params.Tests)
}

// nothingValid returns an error for a run of named tests of which none can be evaluated.
func (w *sweeper) nothingValid(named []urn.URN) error {
	if len(named) == 0 || len(w.tests) > 0 || len(w.invalid) == 0 {
		return nil
	}
	return fault.New(fault.Malformed, "no test was evaluated; %s: %s", w.invalid[0].Test, w.invalid[0].Message)
}

// Runs returns a page of runs, newest first, and the total number of runs. With test it lists only
// runs of that single test. Like Run it requires auth.ManageTests or auth.ViewTests.
func (s *Service) Runs(ctx context.Context, test urn.URN, states []task.State, start, count int) ([]Run, int, error) {
	if err := s.MayList(ctx); err != nil || s.Tasks == nil {
		return nil, 0, err
	}
	q := task.Query{Kinds: []string{RunKind}, States: states, Start: start, Count: count}
	if test != "" {
		q.Key = runKey([]urn.URN{test})
	}
	found, total, err := s.Tasks.List(ctx, q)
	if err != nil {
		return nil, 0, err
	}
	out := make([]Run, 0, len(found))
	for _, t := range found {
		whole, err := s.Tasks.Get(ctx, t.ID) // lists omit the parameters
		if fault.KindOf(err) == fault.NotFound {
			continue // deleted meanwhile
		}
		if err != nil {
			return nil, 0, err
		}
		r, err := runOf(whole)
		if err != nil {
			return nil, 0, err
		}
		out = append(out, r)
	}
	return out, total, nil
}

// Run returns one run. The error is fault.NotFound when it does not exist.
func (s *Service) Run(ctx context.Context, id task.ID) (Run, error) {
	if err := s.MayList(ctx); err != nil {
		return Run{}, err
	}
	return s.findRun(ctx, id)
}

func (s *Service) findRun(ctx context.Context, id task.ID) (Run, error) {
	if s.Tasks == nil {
		return Run{}, fault.New(fault.NotFound, "the run %.100s does not exist", string(id))
	}
	t, err := s.Tasks.Get(ctx, id)
	if err != nil {
		return Run{}, err
	}
	if t.Kind != RunKind {
		return Run{}, fault.New(fault.NotFound, "%s is no run of metadata tests but a task %s", id, strings.ToLower(t.Kind))
	}
	return runOf(t)
}

// CancelRun requests the end of a run. Stored results stay. It requires auth.ManageTests. A run
// that has ended does not change.
func (s *Service) CancelRun(ctx context.Context, id task.ID) (Run, error) {
	if err := s.MayManage(ctx); err != nil {
		return Run{}, err
	}
	if _, err := s.findRun(ctx, id); err != nil {
		return Run{}, err
	}
	t, err := s.Tasks.Cancel(ctx, id)
	if err != nil {
		return Run{}, err
	}
	return runOf(t)
}
