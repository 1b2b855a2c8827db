package export

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/urn"
)

// list writes a JSON list of change proposals item by item, in the format of the file sink of
// DataHub's client.
type list struct {
	out   io.Writer
	items int64
	line  []byte // reused
}

func (l *list) add(entityType, aspect string, u urn.URN, value json.RawMessage, system model.SystemMetadata) error {
	line := append(l.line[:0], ",\n"...)
	if l.items == 0 {
		line = append(line[:0], "[\n"...)
	}
	line = jsontree.AppendString(append(line, `{"entityType":`...), entityType)
	line = jsontree.AppendString(append(line, `,"entityUrn":`...), string(u))
	line = jsontree.AppendString(append(line, `,"changeType":"UPSERT","aspectName":`...), aspect)
	line = appendValue(append(line, `,"aspect":`...), value)
	noted, err := json.Marshal(exportedMetadata(system))
	if err != nil {
		return err
	}
	line = append(append(append(line, `,"systemMetadata":`...), noted...), '}')
	l.items++
	l.line = line
	if cap(line) > bufferBytes {
		l.line = nil // do not keep the memory of one large aspect
	}
	_, err = l.out.Write(line)
	return err
}

// appendValue appends a value as JSON. It writes a value without members as JSON in a text, because
// clients take the other form for an absent value.
func appendValue(to []byte, value json.RawMessage) []byte {
	if bytes.Equal(value, []byte("{}")) {
		return append(to, `{"value":"{}","contentType":"application/json"}`...)
	}
	return append(append(append(to, `{"json":`...), value...), '}')
}

// exportedMetadata returns the system metadata that a writer could have sent; the importing catalog
// sets the rest.
func exportedMetadata(m model.SystemMetadata) model.SystemMetadata {
	properties := maps.Clone(m.Properties)
	delete(properties, model.PropertyTraceID)
	delete(properties, model.PropertyNoOp)
	delete(properties, model.PropertySource)
	return model.SystemMetadata{
		LastObserved: m.LastObserved, RunID: m.RunID, PipelineName: m.PipelineName,
		RegistryName: m.RegistryName, RegistryVersion: m.RegistryVersion, Properties: properties,
	}
}

func (l *list) end() error {
	text := "\n]\n"
	if l.items == 0 {
		text = "[]\n"
	}
	_, err := io.WriteString(l.out, text)
	return err
}
