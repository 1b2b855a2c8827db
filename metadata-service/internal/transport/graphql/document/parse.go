package document

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/lexer"
	"github.com/vektah/gqlparser/v2/parser"

	"github.com/cartulary/cartulary/pkg/utf8json"
)

// parse parses text into a document. The parser counts tokens and refuses nesting beyond 1000
// levels, so neither memory nor stack grows with the input.
func (s *Stage) parse(text string) (*ast.QueryDocument, Errors) {
	if len(text) > s.cfg.MaxBytes {
		return nil, overBudget("length", len(text), s.cfg.MaxBytes)
	}
	if i := strings.IndexByte(text, 0); i >= 0 {
		return nil, syntaxError("the text contains a NUL byte", placeOf(text, i))
	}
	if !utf8.ValidString(text) {
		return nil, syntaxError("the text is not valid UTF-8")
	}
	parsed, err := parser.ParseQueryWithTokenLimit(&ast.Source{Input: text}, s.cfg.MaxTokens)
	if err != nil {
		return nil, s.parseError(err)
	}
	if failed := checkEscapes(text); failed != nil {
		return nil, failed
	}
	for _, f := range parsed.Fragments {
		if len(f.VariableDefinition) > 0 {
			return nil, syntaxError("a fragment takes no variables", locate(f.Position)...)
		}
	}
	return parsed, nil
}

// checkEscapes refuses strings that contain half of an escaped surrogate pair, which the parser
// would replace by U+FFFD. Block strings and comments have no escapes, so a text that fails the
// quick check is tokenised again to examine its strings alone.
func checkEscapes(text string) Errors {
	if utf8json.Check([]byte(text)) == nil {
		return nil
	}
	tokens := lexer.New(&ast.Source{Input: text})
	for {
		token, err := tokens.ReadToken()
		if err != nil || token.Kind == lexer.EOF {
			return nil
		}
		if token.Kind != lexer.String {
			continue
		}
		at := token.Pos.Start
		if bad := new(utf8json.Error); errors.As(utf8json.Check([]byte(text[at:token.Pos.End])), &bad) {
			return syntaxError(bad.Reason, placeOf(text, at+int(bad.Offset)))
		}
	}
}

func (s *Stage) parseError(err error) Errors {
	var found *gqlerror.Error
	if !errors.As(err, &found) {
		return syntaxError(err.Error())
	}
	if strings.HasPrefix(found.Message, "exceeded token limit") {
		return overBudget("tokens", s.cfg.MaxTokens+1, s.cfg.MaxTokens)
	}
	var at []Location
	for _, l := range found.Locations {
		at = append(at, Location{Line: l.Line, Column: l.Column})
	}
	return syntaxError(found.Message, at...)
}

func syntaxError(reason string, at ...Location) Errors {
	message := "Invalid syntax: " + reason
	if len(at) > 0 {
		message = fmt.Sprintf("Invalid syntax at line %d column %d: %s", at[0].Line, at[0].Column, reason)
	}
	return Errors{{Message: message, Locations: at, Classification: InvalidSyntax}}
}

func placeOf(text string, offset int) Location {
	before := text[:offset]
	line := strings.Count(before, "\n")
	column := utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:])
	return Location{Line: line + 1, Column: column + 1}
}

func locate(at *ast.Position) []Location {
	if at == nil {
		return nil
	}
	return []Location{{Line: at.Line, Column: at.Column}}
}
