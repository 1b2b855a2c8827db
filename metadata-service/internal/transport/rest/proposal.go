package rest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/precondition"
	"github.com/cartulary/cartulary/pkg/fault"
)

// proposal is a change in a body. Unknown members are refused.
type proposal struct {
	AuditHeader     json.RawMessage   `json:"auditHeader"` // ignored
	EntityType      string            `json:"entityType"`
	EntityURN       string            `json:"entityUrn"`
	EntityKeyAspect *genericAspect    `json:"entityKeyAspect"`
	ChangeType      model.ChangeType  `json:"changeType"`
	AspectName      string            `json:"aspectName"`
	Aspect          *genericAspect    `json:"aspect"`
	SystemMetadata  systemMetadata    `json:"systemMetadata"`
	Headers         map[string]string `json:"headers"`
}

// genericAspect is an aspect or a patch as JSON inside a JSON string.
type genericAspect struct {
	ContentType string     `json:"contentType"`
	Value       aspectText `json:"value"`
}

// aspectText is the text of an aspect, which this package does not parse.
type aspectText []byte

// UnmarshalText receives the decoded string. Its type in the protocol is bytes, with one
// character for each byte. So a text whose characters all fit into a byte may be UTF-8 encoded
// byte by byte; it is taken as such if it is valid UTF-8.
func (a *aspectText) UnmarshalText(text []byte) error {
	if narrow, ok := latin1(text); ok && utf8.Valid(narrow) {
		*a = narrow
		return nil
	}
	*a = bytes.Clone(text)
	return nil
}

// latin1 encodes a text with one byte per character. ok is false when that is not possible, and
// when the text is ASCII and would not change.
func latin1(text []byte) ([]byte, bool) {
	wide := false
	for _, b := range text {
		if b > 0xc3 { // first byte of a character above U+00FF
			return nil, false
		}
		wide = wide || b >= utf8.RuneSelf
	}
	if !wide {
		return nil, false
	}
	narrow := make([]byte, 0, len(text))
	for _, r := range string(text) {
		narrow = append(narrow, byte(r))
	}
	return narrow, true
}

// systemMetadata is encoded as an object or as JSON inside a string. Unknown members are ignored:
// newer clients add some, and no decision depends on them.
type systemMetadata model.SystemMetadata

// UnmarshalJSON accepts both forms.
func (m *systemMetadata) UnmarshalJSON(text []byte) error {
	if text[0] != '"' {
		return json.Unmarshal(text, (*model.SystemMetadata)(m))
	}
	var inner string
	if err := json.Unmarshal(text, &inner); err != nil {
		return err
	}
	if inner == "" {
		return nil
	}
	if err := jsontree.CheckText([]byte(inner)); err != nil {
		return fault.Wrap(err, fault.Malformed, "systemMetadata at %s", fault.Message(err))
	}
	if err := json.Unmarshal([]byte(inner), (*model.SystemMetadata)(m)); err != nil {
		return wrongType[model.SystemMetadata](text)
	}
	return nil
}

// problem returns the reason why the envelope is invalid, empty when it is valid.
func (p *proposal) problem() string {
	switch {
	case p.EntityType == "":
		return "entityType is required"
	case p.ChangeType == "":
		return "changeType is required"
	case !p.ChangeType.Valid():
		return fmt.Sprintf("changeType must be UPSERT, CREATE, CREATE_ENTITY, UPDATE, PATCH, DELETE or RESTATE, is %q", truncate(string(p.ChangeType)))
	case p.EntityURN == "" && (p.EntityKeyAspect == nil || len(p.EntityKeyAspect.Value) == 0):
		return "entityUrn or entityKeyAspect is required"
	case p.AspectName == "" && p.ChangeType != model.Delete:
		return "aspectName is required"
	case p.ChangeType == model.Delete || p.ChangeType == model.Restate:
	case p.Aspect == nil || len(p.Aspect.Value) == 0:
		return "aspect with a value is required"
	case !p.Aspect.isJSON():
		return fmt.Sprintf("aspect.contentType must be application/json or application/json-patch+json, is %q", truncate(p.Aspect.ContentType))
	}
	return ""
}

// isJSON accepts both content types for every change type: clients mark patches from files as
// plain JSON.
func (a *genericAspect) isJSON() bool {
	media, _, _ := strings.Cut(a.ContentType, ";")
	switch strings.ToLower(strings.TrimSpace(media)) {
	case "", "application/json", "application/json-patch+json":
		return true
	}
	return false
}

func (p *proposal) catalogProposal() (catalog.Proposal, error) {
	conditions, err := precondition.Parse(p.Headers)
	if err != nil {
		return catalog.Proposal{}, err
	}
	out := catalog.Proposal{
		EntityType: p.EntityType,
		URN:        p.EntityURN,
		Change:     p.ChangeType,
		Aspect:     p.AspectName,
		System:     model.SystemMetadata(p.SystemMetadata),
		Conditions: conditions,
	}
	if p.EntityURN == "" {
		out.Key = json.RawMessage(p.EntityKeyAspect.Value)
	}
	if p.Aspect != nil {
		out.Value = json.RawMessage(p.Aspect.Value)
	}
	return out, nil
}

// unescape reverts the encoding of plain strings in single proposals: the client sends characters
// outside of ASCII as the six characters \uXXXX.
func (p *proposal) unescape() error {
	m := &p.SystemMetadata
	for _, text := range []*string{&p.EntityType, &p.EntityURN, &p.AspectName, &m.RunID, &m.LastRunID, &m.PipelineName, &m.RegistryName, &m.RegistryVersion} {
		plain, err := unescapeUnicode(*text)
		if err != nil {
			return err
		}
		*text = plain
	}
	for _, texts := range []map[string]string{m.Properties, p.Headers} {
		for name, text := range texts {
			plain, err := unescapeUnicode(text)
			if err != nil {
				return err
			}
			texts[name] = plain
		}
	}
	return nil
}

// unescapeUnicode replaces each \uXXXX, and surrogate pairs together. Other text remains
// unchanged; half of a pair is an error.
func unescapeUnicode(text string) (string, error) {
	if !strings.Contains(text, `\u`) {
		return text, nil
	}
	var b strings.Builder
	for i := 0; i < len(text); {
		r, ok := codeUnit(text[i:])
		if !ok {
			b.WriteByte(text[i])
			i++
			continue
		}
		i += unitLength
		if utf16.IsSurrogate(r) {
			low, paired := codeUnit(text[i:])
			if r = utf16.DecodeRune(r, low); !paired || r == utf8.RuneError {
				return "", fault.New(fault.Malformed, "%q: a \\u escape is half of a surrogate pair; send both halves, or the character itself", truncate(text))
			}
			i += unitLength
		}
		b.WriteRune(r)
	}
	return b.String(), nil
}

// unitLength is the length of \uXXXX.
const unitLength = 6

func codeUnit(text string) (rune, bool) {
	if len(text) < unitLength || text[:2] != `\u` {
		return 0, false
	}
	n, err := strconv.ParseUint(text[2:unitLength], 16, 16)
	return rune(n), err == nil
}
