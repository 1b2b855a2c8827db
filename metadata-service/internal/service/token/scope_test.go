package token_test

import (
	"testing"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/authtest"
	authtoken "github.com/cartulary/cartulary/metadata-service/internal/auth/token"
	"github.com/cartulary/cartulary/metadata-service/internal/service/token"
	"github.com/cartulary/cartulary/metadata-service/internal/service/token/tokentest"
	"github.com/cartulary/cartulary/pkg/fault"
)

func draft(scope *auth.Scope) token.Draft {
	return token.Draft{Kind: authtoken.Personal, Actor: authtest.Jo, Name: "notebook", Lifetime: time.Hour, Scope: scope}
}

func TestAScopeIsKeptWithTheToken(t *testing.T) {
	t.Parallel()
	f := tokentest.New(t)
	asked := &auth.Scope{ReadOnly: true, Privileges: []auth.Privilege{auth.ViewPage}, Resources: []auth.Criterion{{Field: "type", Values: []string{"dataset"}}}}
	text, info, err := f.Create(f.As(authtest.Jo), draft(asked))
	if err != nil {
		t.Fatal(err)
	}
	const want = "read-only; VIEW_ENTITY_PAGE; TYPE EQUALS dataset"
	f.Open() // reads the stored records
	for range 2 {
		if v, err := f.Verify(t.Context(), text); err != nil || v.Scope.String() != want {
			t.Fatalf("verified %+v, %v", v, err)
		}
	}
	listed, err := f.List(f.As(authtest.Root), token.Query{})
	if err != nil || listed.Infos[0].Scope.String() != want || info.Scope.String() != want {
		t.Errorf("listed %+v, %v", listed, err)
	}
	shown, err := f.Metadata(f.As(authtest.Root), text)
	if err != nil || shown.Scope.String() != want {
		t.Errorf("metadata %+v, %v", shown, err)
	}
	if _, bare := tokentest.ClaimsOf(t, text)["scope"]; bare {
		t.Error("the text of the token tells its scope")
	}
	_, _, err = f.Create(f.As(authtest.Jo), draft(&auth.Scope{Privileges: []auth.Privilege{"FLY"}}))
	tokentest.Expect(t, err, fault.Malformed, "FLY")
	if _, info, err = f.Create(f.As(authtest.Jo), draft(&auth.Scope{})); err != nil || info.Scope != nil {
		t.Errorf("an empty scope is %v, %v", info.Scope, err)
	}
}

func TestATokenMakesNoneThatIsWiderThanItself(t *testing.T) {
	t.Parallel()
	f := tokentest.New(t)
	narrow := &auth.Scope{Privileges: []auth.Privilege{auth.GenerateTokens, auth.ViewPage}}
	for name, tc := range map[string]struct {
		scope, asked *auth.Scope
		want         string
		refused      fault.Kind
		says         string
	}{
		"nothing asked for":       {narrow, nil, "GENERATE_PERSONAL_ACCESS_TOKENS; VIEW_ENTITY_PAGE", 0, ""},
		"less asked for":          {narrow, &auth.Scope{Privileges: []auth.Privilege{auth.ViewPage}, ReadOnly: true}, "read-only; VIEW_ENTITY_PAGE", 0, ""},
		"another privilege":       {narrow, &auth.Scope{Privileges: []auth.Privilege{auth.EditEntity}}, "", fault.Forbidden, "EDIT_ENTITY"},
		"a read-only one":         {&auth.Scope{ReadOnly: true}, nil, "", fault.Forbidden, "read-only"},
		"one without the right":   {&auth.Scope{Privileges: []auth.Privilege{auth.ViewPage}}, nil, "", fault.Forbidden, "GENERATE_PERSONAL_ACCESS_TOKENS"},
		"one for resources alone": {&auth.Scope{Resources: []auth.Criterion{{Field: "TYPE", Values: []string{"dataset"}, Condition: auth.Equals}}}, nil, "", fault.Forbidden, "TYPE EQUALS dataset"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, info, err := f.Create(f.With(authtest.Jo, "id", tc.scope), draft(tc.asked))
			if tc.says != "" {
				tokentest.Expect(t, err, tc.refused, tc.says)
				return
			}
			if err != nil || info.Scope.String() != tc.want {
				t.Errorf("got %q, %v", info.Scope, err)
			}
		})
	}
}

func TestATokenWithAScopeRevokesItselfAlone(t *testing.T) {
	t.Parallel()
	f := tokentest.New(t)
	_, own := f.Own(authtest.Jo, time.Hour)
	_, other := f.Own(authtest.Jo, time.Hour)
	ctx := f.With(authtest.Jo, own.ID, &auth.Scope{Privileges: []auth.Privilege{auth.ViewPage}})
	tokentest.Expect(t, f.Revoke(ctx, other.ID), fault.Forbidden, "MANAGE_ACCESS_TOKENS")
	_, err := f.RevokeAll(ctx, authtest.Jo, false)
	tokentest.Expect(t, err, fault.Forbidden, "MANAGE_ACCESS_TOKENS")
	if err := f.Revoke(ctx, own.ID); err != nil {
		t.Error(err)
	}
	page, err := f.List(f.As(authtest.Root), token.Query{})
	if err != nil || page.Total != 1 {
		t.Errorf("left: %+v, %v", page, err)
	}
}

func TestAReadOnlyTokenListsTokens(t *testing.T) {
	t.Parallel()
	f := tokentest.New(t)
	f.Own(authtest.Jo, time.Hour)
	readOnly := &auth.Scope{ReadOnly: true}
	if page, err := f.List(f.With(authtest.Root, "id", readOnly), token.Query{}); err != nil || page.Total != 1 {
		t.Errorf("all: %+v, %v", page, err)
	}
	if page, err := f.List(f.With(authtest.Jo, "id", readOnly), token.Query{Owner: authtest.Jo}); err != nil || page.Total != 1 {
		t.Errorf("own: %+v, %v", page, err)
	}
}
