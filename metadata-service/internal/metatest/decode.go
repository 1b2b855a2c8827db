package metatest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/search/document"
)

// maxNodes bounds what a definition in YAML may become: aliases multiply.
const maxNodes = 200_000

// decode reads JSON, and otherwise YAML, as a tree of package jsontree.
func decode(text []byte) (any, *Problem) {
	if len(text) > MaxBytes {
		return nil, &Problem{"definition", fmt.Sprintf("has %d bytes, at most %d are allowed", len(text), MaxBytes)}
	}
	if trimmed := bytes.TrimSpace(text); len(trimmed) == 0 || trimmed[0] == '{' || trimmed[0] == '[' {
		tree, err := jsontree.Decode(text)
		if err == nil {
			return tree, nil
		}
		if len(trimmed) == 0 || json.Valid(trimmed) || trimmed[0] == '[' {
			return nil, &Problem{"definition", "is not JSON: " + err.Error()}
		}
		if tree, problem := decodeYAML(text); problem == nil { // flow style may begin with a brace, too
			return tree, nil
		}
		return nil, &Problem{"definition", "is not JSON: " + err.Error()}
	}
	return decodeYAML(text)
}

func decodeYAML(text []byte) (any, *Problem) {
	var v any
	if err := yaml.Unmarshal(text, &v); err != nil {
		return nil, &Problem{"definition", "is not YAML: " + strings.TrimPrefix(err.Error(), "yaml: ")}
	}
	left := maxNodes
	return plain("definition", v, &left)
}

// plain turns what the YAML package makes into a tree of package jsontree.
func plain(path string, v any, left *int) (any, *Problem) {
	if *left--; *left < 0 {
		return nil, &Problem{"definition", fmt.Sprintf("has more than %d values with all aliases written out", maxNodes)}
	}
	switch v := v.(type) {
	case nil, string, bool:
		return v, nil
	case int:
		return json.Number(strconv.Itoa(v)), nil
	case int64:
		return json.Number(strconv.FormatInt(v, 10)), nil
	case uint64:
		return json.Number(strconv.FormatUint(v, 10)), nil
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, &Problem{path, "is no number"}
		}
		return jsontree.Float(v), nil
	case time.Time:
		return v.Format(time.RFC3339Nano), nil
	case []any:
		out := make([]any, len(v))
		for i, e := range v {
			one, problem := plain(fmt.Sprintf("%s[%d]", path, i), e, left)
			if problem != nil {
				return nil, problem
			}
			out[i] = one
		}
		return out, nil
	case map[string]any:
		out := make(jsontree.Object, len(v))
		for name, e := range v {
			one, problem := plain(join(path, name), e, left)
			if problem != nil {
				return nil, problem
			}
			out[name] = one
		}
		return out, nil
	}
	return nil, &Problem{path, "must have texts as names of its members"}
}

func join(path, name string) string {
	if path == "" || path == "definition" {
		return name
	}
	return path + "." + name
}

func contains(list []string, name string) bool { return slices.Contains(list, name) }

// searched tells whether entities of a type can be looked for, and so be tested.
func searched(spec *model.EntitySpec) bool { return document.IsIndexed(spec) }

// spell writes a value for a message, shortened.
func spell(v any) string {
	const longest = 60
	text := string(jsontree.Encode(v))
	if len(text) > longest {
		text = strings.ToValidUTF8(text[:longest], "") + "..."
	}
	return text
}
