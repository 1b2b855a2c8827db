package openapi

import (
	"net/http"

	"github.com/cartulary/cartulary/metadata-service/internal/task"
	"github.com/cartulary/cartulary/pkg/fault"
)

var taskListParams = []param{
	{"kind", kindText, "", "Kinds of tasks, separated by commas; all when absent."},
	{"state", kindText, "", "States: queued, running, succeeded, failed, cancelled; all when absent."},
	startParam,
	{"count", kindNumber, "100", "Tasks at most, up to 1000."},
}

func (a *API) taskOperations() []operation {
	const elastic, one = "/operations/elasticSearch", "/operations/tasks/{id}"
	series := withGroup([]operation{
		{method: http.MethodGet, path: elastic + "/getIndexSizes", handle: a.indexSizes, summary: "List the indices of the time series with their sizes, the largest first",
			answer: anyObject},
		{method: http.MethodGet, path: elastic + "/getTaskStatus", handle: a.taskStatus, summary: "Tell how a task is",
			query: []param{{"task", kindText, "", "The id of the task, <node>:<number>."}}, answer: anyObject},
		{method: http.MethodPost, path: "/operations/computeFeatures", handle: a.computeFeatures,
			summary: "Sum up use and size of datasets for search and metadata tests, as a task", answer: anyObject},
	}, groupOperations, "Time series")
	return append(series, withGroup([]operation{
		{method: http.MethodGet, path: "/operations/tasks", handle: a.listTasks, summary: "List long tasks, the newest first", query: taskListParams, answer: anyObject},
		{method: http.MethodGet, path: one, handle: a.getTask, summary: "Show a task: its progress, its result, or why it failed", answer: anyObject},
		{method: http.MethodPost, path: one + "/cancel", handle: a.cancelTask, summary: "Ask a task to stop", answer: anyObject},
	}, groupOperations, "Tasks")...)
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
