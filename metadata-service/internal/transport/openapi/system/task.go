package system

import (
	"net/http"

	"github.com/cartulary/cartulary/metadata-service/internal/task"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/openapi/endpoint"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/openapi/spec"
	"github.com/cartulary/cartulary/pkg/fault"
)

var taskListParams = []spec.Param{
	spec.NewParam("kind", spec.KindText, "", "Kinds of tasks, separated by commas; all when absent."),
	spec.NewParam("state", spec.KindText, "", "States: queued, running, succeeded, failed, cancelled; all when absent."),
	endpoint.StartParam,
	spec.NewParam("count", spec.KindNumber, "100", "Tasks at most, up to 1000."),
}

func (a *API) taskOperations() []endpoint.Endpoint {
	const elastic, one = "/operations/elasticSearch", "/operations/tasks/{id}"
	series := endpoint.InGroup([]endpoint.Endpoint{
		{Handle: a.indexSizes, Operation: spec.Operation{Method: http.MethodGet, Path: elastic + "/getIndexSizes", Summary: "List the indices of the time series with their sizes, the largest first",
			Answer: spec.AnyObject}},
		{Handle: a.taskStatus, Operation: spec.Operation{Method: http.MethodGet, Path: elastic + "/getTaskStatus", Summary: "Tell how a task is",
			Query: []spec.Param{spec.NewParam("task", spec.KindText, "", "The id of the task, <node>:<number>.")}, Answer: spec.AnyObject}},
		{Handle: a.computeFeatures, Operation: spec.Operation{Method: http.MethodPost, Path: "/operations/computeFeatures",
			Summary: "Sum up use and size of datasets for search and metadata tests, as a task", Answer: spec.AnyObject}},
	}, spec.GroupOperations, "Time series")
	return append(series, endpoint.InGroup([]endpoint.Endpoint{
		{Handle: a.listTasks, Operation: spec.Operation{Method: http.MethodGet, Path: "/operations/tasks", Summary: "List long tasks, the newest first", Query: taskListParams, Answer: spec.AnyObject}},
		{Handle: a.getTask, Operation: spec.Operation{Method: http.MethodGet, Path: one, Summary: "Show a task: its progress, its result, or why it failed", Answer: spec.AnyObject}},
		{Handle: a.cancelTask, Operation: spec.Operation{Method: http.MethodPost, Path: one + "/cancel", Summary: "Ask a task to stop", Answer: spec.AnyObject}},
	}, spec.GroupOperations, "Tasks")...)
}

func (a *API) indexSizes(c *endpoint.Call) error {
	sizes, err := a.Operations.IndexSizes(c.Ctx())
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, map[string]any{"sizes": sizes})
}

func (a *API) taskStatus(c *endpoint.Call) error {
	id := c.QueryParam("task")
	if id == "" {
		return fault.New(fault.Malformed, "query parameter task is required, as <node>:<number>")
	}
	status, err := a.Operations.GetTaskStatus(c.Ctx(), task.ID(id))
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, status)
}

// computeFeatures starts a task and responds with it.
func (a *API) computeFeatures(c *endpoint.Call) error {
	started, err := a.Operations.ComputeFeatures(c.Ctx())
	if err != nil {
		return err
	}
	t, err := a.Operations.GetTask(c.Ctx(), started.ID)
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, t)
}

func (a *API) listTasks(c *endpoint.Call) error {
	var q task.Query
	var err error
	if q.Kinds, err = c.List("kind"); err != nil {
		return err
	}
	states, err := c.List("state")
	if err != nil {
		return err
	}
	for _, s := range states {
		q.States = append(q.States, task.State(s))
	}
	if q.Start, err = c.Count("start", 0, maxTaskStart); err != nil {
		return err
	}
	if q.Count, err = c.Count("count", task.DefaultCount, task.MaxCount); err != nil {
		return err
	}
	page, err := a.Operations.ListTasks(c.Ctx(), q)
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, page)
}

// maxTaskStart is larger than the number of stored tasks.
const maxTaskStart = 1_000_000

func (a *API) getTask(c *endpoint.Call) error {
	t, err := a.Operations.GetTask(c.Ctx(), task.ID(c.PathParams["id"]))
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, t)
}

func (a *API) cancelTask(c *endpoint.Call) error {
	t, err := a.Operations.CancelTask(c.Ctx(), task.ID(c.PathParams["id"]))
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, t)
}
