package openapi

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/timeseries"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/openapi/endpoint"
	"github.com/cartulary/cartulary/pkg/fault"
)

func (a *API) timeseries(c *endpoint.Call) error {
	spec, err := a.spec(c.PathParams["type"])
	if err != nil {
		return err
	}
	aspect, ok := spec.AspectFold(c.PathParams["aspect"])
	if !ok || !aspect.Timeseries {
		return fault.New(fault.Malformed, "entity type %s has no time-series aspect %s", spec.Name, endpoint.Truncate(c.PathParams["aspect"]))
	}
	q := catalog.TimeseriesQuery{EntityType: spec.Name, Aspect: aspect.Name}
	if err := readTimes(c, &q); err != nil {
		return err
	}
	system, err := c.Flag("systemMetadata", false)
	if err != nil {
		return err
	}
	count, err := c.Count("count", endpoint.DefaultCount, endpoint.MaxCount)
	if err != nil {
		return err
	}
	identity := queryText("timeseries", spec.Name, aspect.Name, c.QueryParam("startTimeMillis"), c.QueryParam("endTimeMillis"))
	if cursor := c.QueryParam("scrollId"); cursor != "" {
		if q.After, err = decodePosition(identity, cursor); err != nil {
			return err
		}
	}
	q.Limit = count + 1 // one more, to determine whether there is a next page
	documents, err := a.Catalog.Timeseries(c.Ctx(), q)
	if err != nil {
		return err
	}
	next := ""
	if len(documents) > count {
		documents = documents[:count]
		if count > 0 {
			next = encodePosition(identity, documents[count-1])
		}
	}
	return c.JSONBlob(http.StatusOK, encodeDocuments(documents, next, system))
}

func readTimes(c *endpoint.Call, q *catalog.TimeseriesQuery) error {
	for name, into := range map[string]**int64{"startTimeMillis": &q.From, "endTimeMillis": &q.To} {
		if c.QueryParam(name) == "" {
			continue
		}
		n, err := c.Number(name, 0)
		if err != nil {
			return err
		}
		*into = &n
	}
	return nil
}

func encodePosition(identity string, d timeseries.Document) string {
	return encodeCursor(identity, strconv.FormatInt(d.Time, 10)+":"+d.ID)
}

func decodePosition(identity, cursor string) (*timeseries.Position, error) {
	text, err := decodeCursor(identity, cursor)
	if err != nil {
		return nil, err
	}
	millis, id, _ := strings.Cut(text, ":")
	at, err := strconv.ParseInt(millis, 10, 64)
	if err != nil {
		return nil, cursorError()
	}
	return &timeseries.Position{Time: at, ID: id}, nil
}

func encodeDocuments(documents []timeseries.Document, next string, system bool) []byte {
	out := []byte{'{'}
	if next != "" {
		out = append(jsontree.AppendString(append(out, `"scrollId":`...), next), ',')
	}
	out = append(out, `"results":[`...)
	for i, d := range documents {
		if i > 0 {
			out = append(out, ',')
		}
		out = strconv.AppendInt(append(out, `{"timestampMillis":`...), d.Time, 10)
		out = jsontree.AppendString(append(out, `,"urn":`...), string(d.URN))
		out = append(append(out, `,"event":`...), d.Event...)
		if d.MessageID != "" {
			out = jsontree.AppendString(append(out, `,"messageId":`...), d.MessageID)
		}
		if system {
			out = appendMember(out, "systemMetadata", d.System)
		}
		out = append(out, '}')
	}
	return append(out, ']', '}')
}
