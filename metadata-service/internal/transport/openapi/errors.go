package openapi

import (
	"cmp"
	"errors"
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/fault"
)

const (
	operationKey = "openapi.operation"
	reasonHeader = "Not-Found-Reason"
)

type errorBody struct {
	Error   string `json:"error"`
	Message string `json:"message,omitempty"`
}

// bodyError says that a body could not be read: title is the fixed text of the
// answer, reason what is wrong.
type bodyError struct{ title, reason string }

const (
	malformedBody = "Malformed request body"
	malformedJSON = "Invalid JSON format"
)

func (e *bodyError) Error() string         { return e.title + ": " + e.reason }
func (e *bodyError) FaultKind() fault.Kind { return fault.Malformed }
func (e *bodyError) PublicMessage() string { return e.Error() }

// renderError writes the error answers of these paths. Clients and their tests
// compare some of the texts, so they are fixed.
func renderError(c echo.Context, status int, err error) error {
	kind := fault.KindOf(err)
	var route *routeError
	if kind == fault.NotFound && !errors.As(err, &route) {
		c.Response().Header().Set(reasonHeader, "ENTITY")
		return c.NoContent(http.StatusNotFound)
	}
	switch kind {
	case fault.Unsupported:
		status = http.StatusBadRequest
		if c.Response().Header().Get(echo.HeaderAllow) != "" {
			status = http.StatusMethodNotAllowed
		}
	case fault.Conflict:
		status = http.StatusBadRequest
	case fault.Invalid, fault.Precondition:
		if op, ok := c.Get(operationKey).(*operation); ok {
			status = cmp.Or(op.rejected, status)
		}
	}
	return c.JSON(status, bodyOf(kind, err))
}

func bodyOf(kind fault.Kind, err error) errorBody {
	message := fault.Message(err)
	var body *bodyError
	var invalid *model.URNError
	var batch *catalog.WriteError
	var value *model.ValueError
	switch {
	case errors.As(err, &body):
		return errorBody{Error: body.title, Message: body.reason}
	case kind == fault.Malformed && findURNError(err, &invalid):
		return errorBody{Error: "Invalid urn!: " + invalid.URN, Message: invalid.Reason}
	case kind == fault.Precondition:
		return errorBody{Error: "Precondition Error", Message: message}
	case kind == fault.Forbidden && errors.As(err, &batch):
		return errorBody{Error: "Authorization Error", Message: message}
	case errors.As(err, &batch), errors.As(err, &value), kind == fault.Invalid, kind == fault.Conflict:
		return errorBody{Error: "Validation Error", Message: message}
	}
	return errorBody{Error: message}
}

// findURNError looks into the items of a refused batch too.
func findURNError(err error, target **model.URNError) bool {
	var batch *catalog.WriteError
	if !errors.As(err, &batch) {
		return errors.As(err, target)
	}
	for _, item := range batch.Items {
		if errors.As(item.Err, target) {
			return true
		}
	}
	return false
}
