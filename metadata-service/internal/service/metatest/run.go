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

// RunKind is the kind of tasks that evaluate tests about all assets.
const RunKind = "metadata-tests"

// Run is an evaluation of tests about all assets, as a task.
type Run struct {
	task.Task
	// Tests are those that are evaluated; none means all.
	Tests []urn.URN
	// Counts are of the assets that were evaluated so far.
	Counts Sweep
	// Invalid are tests that are not evaluated, some of many.
	Invalid []Invalid
}

// runParams are the parameters of the task.
type runParams struct {
	Tests   []urn.URN `json:"tests,omitempty"`
	Trigger Trigger   `json:"trigger,omitempty"`
}

// runResult is the result of the task.
type runResult struct {
	Sweep
	Invalid []Invalid `json:"invalid,omitempty"`
}

// maxInvalid is how many tests that are not valid a run tells of.
const maxInvalid = 20

// runCheckpoint is where a task goes on. Verdicts are as of the time when it first
// began, so that a run that was interrupted says what one that was not would have.
type runCheckpoint struct {
	At     int64          `json:"at"`
	Place  place          `json:"place"`
	Done   Sweep          `json:"done"`
	Assets map[string]int `json:"assets,omitempty"` // by type
	Counts counts         `json:"counts,omitempty"`
}

// saveEvery is how many assets are evaluated between two checkpoints, at least.
const saveEvery = 1_000

// taskKinds are the kinds of tasks that the service carries out.
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

// StartRun begins to evaluate tests, all when none are named, about all assets:
// results are kept and actions carried out. It returns once the task is stored. It
// needs auth.ManageTests. While the same tests are evaluated it is fault.Conflict
// and names that run.
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

// runKey keeps the same tests from being evaluated twice at once. That of a single
// test tells its runs.
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

// run is the work of the task.
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
	if err := save(ctx); err != nil { // so that the time of a run that is interrupted early stays
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

// nothingValid is the error of a run of named tests of which none can be evaluated.
func (w *sweeper) nothingValid(named []urn.URN) error {
	if len(named) == 0 || len(w.tests) > 0 || len(w.invalid) == 0 {
		return nil
	}
	return fault.New(fault.Malformed, "no test was evaluated; %s: %s", w.invalid[0].Test, w.invalid[0].Message)
}

// Runs gives a page of the runs, the newest first, of one test alone if it is
// named, and tells how many there are. It needs auth.ManageTests or
// auth.ViewTests, as Run does.
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
		whole, err := s.Tasks.Get(ctx, t.ID) // lists leave out which tests
		if fault.KindOf(err) == fault.NotFound {
			continue // forgotten since
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

// Run tells about one run; fault.NotFound when there is none.
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

// CancelRun asks a run to stop: what it has kept stays. It needs auth.ManageTests.
// A run that has ended stays as it is.
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
