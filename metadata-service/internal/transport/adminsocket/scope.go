package adminsocket

import (
	"flag"
	"regexp"
	"slices"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
)

// scopeFlags are the flags that restrict the scope of a token.
type scopeFlags struct{ asked auth.Scope }

func (s *scopeFlags) define(flags *flag.FlagSet) {
	flags.BoolVar(&s.asked.ReadOnly, "read-only", false, "")
	flags.Func("privilege", "", func(name string) error {
		s.asked.Privileges = append(s.asked.Privileges, auth.Privilege(name))
		return nil
	})
	flags.Func("resource", "", func(text string) error {
		s.add(criterionOf(text))
		return nil
	})
}

// scope returns the requested scope, nil for none. The service validates it.
func (s *scopeFlags) scope() *auth.Scope {
	if !s.asked.ReadOnly && len(s.asked.Privileges) == 0 && len(s.asked.Resources) == 0 {
		return nil
	}
	return &s.asked
}

// add adds a criterion. A further value for the same field and condition is an alternative.
func (s *scopeFlags) add(c auth.Criterion) {
	at := slices.IndexFunc(s.asked.Resources, func(o auth.Criterion) bool { return o.Field == c.Field && o.Condition == c.Condition })
	if at < 0 {
		s.asked.Resources = append(s.asked.Resources, c)
		return
	}
	s.asked.Resources[at].Values = append(s.asked.Resources[at].Values, c.Values...)
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
