package policy

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"sync"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
)

// Offer is what pages offer to people who write policies, in the order in which
// they show it. What programs ask for can be granted, too, and is not among it.
type Offer struct {
	Platform []OfferedPrivilege
	// Types are the entity types, each with the privileges that make sense for it.
	Types []OfferedType
	// All are the privileges over entities of some type.
	All []OfferedPrivilege
}

// OfferedPrivilege is a privilege with what people read of it.
type OfferedPrivilege struct {
	Privilege          auth.Privilege
	Title, Description string
}

// OfferedType is an entity type with the privileges over its entities.
type OfferedType struct {
	Type, Title string
	Privileges  []OfferedPrivilege
}

//go:embed offered.json
var offeredText []byte

// Offered is what pages offer. It must not be changed.
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
