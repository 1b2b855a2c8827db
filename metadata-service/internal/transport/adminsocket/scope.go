package adminsocket

import (
	"flag"
	"regexp"
	"slices"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
)

// scopeFlags are the flags that restrict the scope of a token.
type scopeFlags struct{ requested auth.Scope }

func (s *scopeFlags) define(flags *flag.FlagSet) {
	flags.BoolVar(&s.requested.ReadOnly, "read-only", false, "")
	flags.Func("privilege", "", func(name string) error {
		s.requested.Privileges = append(s.requested.Privileges, auth.Privilege(name))
		return nil
	})
	flags.Func("resource", "", func(text string) error {
		s.add(criterionOf(text))
		return nil
	})
}

// scope returns the requested scope, nil for none. The service validates it.
func (s *scopeFlags) scope() *auth.Scope {
	if !s.requested.ReadOnly && len(s.requested.Privileges) == 0 && len(s.requested.Resources) == 0 {
		return nil
	}
	return &s.requested
}

// add adds a criterion. A further value for the same field and condition is an alternative.
func (s *scopeFlags) add(c auth.Criterion) {
	at := slices.IndexFunc(s.requested.Resources, func(o auth.Criterion) bool { return o.Field == c.Field && o.Condition == c.Condition })
	if at < 0 {
		s.requested.Resources = append(s.requested.Resources, c)
		return
	}
	s.requested.Resources[at].Values = append(s.requested.Resources[at].Values, c.Values...)
}

var comparison = regexp.MustCompile(`^([A-Za-z_]+)(=|!=|\^=)(.*)$`)

var operators = map[string]auth.Condition{"=": auth.Equals, "!=": auth.NotEquals, "^=": auth.StartsWith}

// criterionOf parses FIELD=VALUE, FIELD!=VALUE and FIELD^=VALUE; any other text is a URN.
func criterionOf(text string) auth.Criterion {
	parts := comparison.FindStringSubmatch(text)
	if parts == nil {
		return auth.Criterion{Field: auth.FieldURN, Values: []string{text}, Condition: auth.Equals}
	}
	return auth.Criterion{Field: auth.ResourceField(strings.ToUpper(parts[1])), Values: []string{parts[3]}, Condition: operators[parts[2]]}
}
