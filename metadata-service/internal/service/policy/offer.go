package policy

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"sync"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
)

// Offer lists the privileges that the web UI offers to authors of policies, in display order.
// Privileges for programs can be granted too, but are not part of it.
type Offer struct {
	Platform []OfferedPrivilege
	// Types are the entity types, each with its applicable privileges.
	Types []OfferedType
	// All are the privileges on entities of any type.
	All []OfferedPrivilege
}

// OfferedPrivilege is a privilege with its title and description.
type OfferedPrivilege struct {
	Privilege          auth.Privilege
	Title, Description string
}

// OfferedType is an entity type with the privileges on its entities.
type OfferedType struct {
	Type, Title string
	Privileges  []OfferedPrivilege
}

//go:embed offered.json
var offeredText []byte

// Offered returns the offer, which callers must not change.
var Offered = sync.OnceValues(readOffer)

func readOffer() (*Offer, error) {
	type named struct {
		Privilege auth.Privilege
		Title     string
	}
	var in struct {
		Platform, Metadata []named
		Types              []struct {
			Type, Title string
			Privileges  []auth.Privilege
		}
	}
	if err := json.Unmarshal(offeredText, &in); err != nil {
		return nil, fmt.Errorf("read the privileges that are offered: %w", err)
	}
	descriptions := map[auth.Privilege]string{}
	for _, r := range auth.Rights() {
		descriptions[r.Privilege] = r.Description
	}
	out, titles := &Offer{}, map[auth.Privilege]string{}
	describe := func(list []named) (described []OfferedPrivilege) {
		for _, p := range list {
			titles[p.Privilege] = p.Title
			described = append(described, OfferedPrivilege{p.Privilege, p.Title, descriptions[p.Privilege]})
		}
		return described
	}
	out.Platform, out.All = describe(in.Platform), describe(in.Metadata)
	for _, t := range in.Types {
		of := OfferedType{Type: t.Type, Title: t.Title}
		for _, p := range t.Privileges {
			of.Privileges = append(of.Privileges, OfferedPrivilege{p, titles[p], descriptions[p]})
		}
		out.Types = append(out.Types, of)
	}
	return out, nil
}
