package openapi

import (
	"net/http"

	"github.com/cartulary/cartulary/metadata-service/internal/task"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/openapi/spec"
	"github.com/cartulary/cartulary/pkg/fault"
)

var taskListParams = []spec.Param{
	spec.NewParam("kind", spec.KindText, "", "Kinds of tasks, separated by commas; all when absent."),
	spec.NewParam("state", spec.KindText, "", "States: queued, running, succeeded, failed, cancelled; all when absent."),
	startParam,
	spec.NewParam("count", spec.KindNumber, "100", "Tasks at most, up to 1000."),
}

func (a *API) taskOperations() []operation {
	const elastic, one = "/operations/elasticSearch", "/operations/tasks/{id}"
	series := withGroup([]operation{
		{handle: a.indexSizes, Operation: spec.Operation{Method: http.MethodGet, Path: elastic + "/getIndexSizes", Summary: "List the indices of the time series with their sizes, the largest first",
			Answer: spec.AnyObject}},
		{handle: a.taskStatus, Operation: spec.Operation{Method: http.MethodGet, Path: elastic + "/getTaskStatus", Summary: "Tell how a task is",
			Query: []spec.Param{spec.NewParam("task", spec.KindText, "", "The id of the task, <node>:<number>.")}, Answer: spec.AnyObject}},
		{handle: a.computeFeatures, Operation: spec.Operation{Method: http.MethodPost, Path: "/operations/computeFeatures",
			Summary: "Sum up use and size of datasets for search and metadata tests, as a task", Answer: spec.AnyObject}},
	}, spec.GroupOperations, "Time series")
	return append(series, withGroup([]operation{
		{handle: a.listTasks, Operation: spec.Operation{Method: http.MethodGet, Path: "/operations/tasks", Summary: "List long tasks, the newest first", Query: taskListParams, Answer: spec.AnyObject}},
		{handle: a.getTask, Operation: spec.Operation{Method: http.MethodGet, Path: one, Summary: "Show a task: its progress, its result, or why it failed", Answer: spec.AnyObject}},
		{handle: a.cancelTask, Operation: spec.Operation{Method: http.MethodPost, Path: one + "/cancel", Summary: "Ask a task to stop", Answer: spec.AnyObject}},
	}, spec.GroupOperations, "Tasks")...)
}

func (a *API) indexSizes(c *call) error {
	sizes, err := a.Operations.IndexSizes(c.ctx())
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, map[string]any{"sizes": sizes})
}

func (a *API) taskStatus(c *call) error {
	id := c.QueryParam("task")
	if id == "" {
		return fault.New(fault.Malformed, "query parameter task is required, as <node>:<number>")
	}
	status, err := a.Operations.GetTaskStatus(c.ctx(), task.ID(id))
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, status)
}

// computeFeatures starts a task and responds with it.
func (a *API) computeFeatures(c *call) error {
	started, err := a.Operations.ComputeFeatures(c.ctx())
	if err != nil {
		return err
	}
	t, err := a.Operations.GetTask(c.ctx(), started.ID)
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, t)
}

func (a *API) listTasks(c *call) error {
	var q task.Query
	var err error
	if q.Kinds, err = c.list("kind"); err != nil {
		return err
	}
	states, err := c.list("state")
	if err != nil {
		return err
	}
	for _, s := range states {
		q.States = append(q.States, task.State(s))
	}
	if q.Start, err = c.count("start", 0, maxTaskStart); err != nil {
		return err
	}
	if q.Count, err = c.count("count", task.DefaultCount, task.MaxCount); err != nil {
		return err
	}
	page, err := a.Operations.ListTasks(c.ctx(), q)
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, page)
}

// maxTaskStart is larger than the number of stored tasks.
const maxTaskStart = 1_000_000

func (a *API) getTask(c *call) error {
	t, err := a.Operations.GetTask(c.ctx(), task.ID(c.path["id"]))
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, t)
}

func (a *API) cancelTask(c *call) error {
	t, err := a.Operations.CancelTask(c.ctx(), task.ID(c.path["id"]))
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, t)
}
