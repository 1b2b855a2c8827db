package metatest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/yamltree"
)

// decode parses JSON, and otherwise YAML, into a tree of package jsontree.
func decode(ctx context.Context, text []byte) (any, *Problem) {
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
		if tree, problem := decodeYAML(ctx, text); problem == nil { // flow style of YAML may begin with a brace, too
			return tree, nil
		}
		return nil, &Problem{"definition", "is not JSON: " + err.Error()}
	}
	return decodeYAML(ctx, text)
}

func decodeYAML(ctx context.Context, text []byte) (any, *Problem) {
	tree, err := yamltree.Decode(ctx, text)
	if err == nil {
		return tree, nil
	}
	problem := &Problem{"definition", err.Error()}
	if at := (*yamltree.Error)(nil); errors.As(err, &at) && at.Path != "" {
		problem = &Problem{at.Path, at.Message}
	}
	return nil, problem
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

func contains(list []string, name string) bool { return slices.Contains(list, name) }

// formatValue formats a value for a message, shortened.
func formatValue(v any) string {
	const longest = 60
	text := string(jsontree.Encode(v))
	if len(text) > longest {
		text = strings.ToValidUTF8(text[:longest], "") + "..."
	}
	return text
}
