package mcp

import (
	"context"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/cartulary/cartulary/metadata-service/internal/service/asset"
	"github.com/cartulary/cartulary/metadata-service/internal/service/label"
	"github.com/cartulary/cartulary/metadata-service/internal/service/owner"
	"github.com/cartulary/cartulary/pkg/fault"
)

// maxTargets bounds the targets of one call.
const maxTargets = 100

func (s *Server) addWriteTools(to *sdk.Server) {
	adds := &sdk.ToolAnnotations{DestructiveHint: new(bool), IdempotentHint: true, OpenWorldHint: new(bool)}
	replaces := &sdk.ToolAnnotations{IdempotentHint: true, OpenWorldHint: new(bool)}
	addTool(s, to, sdk.Tool{
		Name: "add_tags", Annotations: adds, Title: "Add tags",
		Description: "Put tags on assets or on columns of datasets: on all of them, or, when one may not be changed or does not exist, on none.",
	}, s.addLabels(label.Tags()))
	addTool(s, to, sdk.Tool{
		Name: "add_terms", Annotations: adds, Title: "Add glossary terms",
		Description: "Put glossary terms on assets or on columns of datasets: on all of them, or, when one may not be changed or does not exist, on none.",
	}, s.addLabels(label.Terms()))
	addTool(s, to, sdk.Tool{
		Name: "add_owners", Annotations: adds, Title: "Add owners",
		Description: "Make people or groups owners of assets, of all or of none.",
	}, s.addOwners)
	addTool(s, to, sdk.Tool{
		Name: "update_description", Annotations: replaces, Title: "Describe an asset or a column",
		Description: "Replace the edited description of an asset or a column, in Markdown. Read the present one first.",
	}, s.describe)
}

// Target is an asset, or a column of a dataset.
type Target struct {
	URN    string `json:"urn" jsonschema:"the asset"`
	Column string `json:"column,omitempty" jsonschema:"path of a column, when the column is meant and not the dataset"`
}

// kind is the name of the target's kind in the services, empty for an asset.
func (t Target) kind() string {
	if t.Column == "" {
		return ""
	}
	return "DATASET_FIELD"
}

// LabelsInput are the arguments of add_tags and add_terms.
type LabelsInput struct {
	Labels  []string `json:"labels" jsonschema:"URNs of the tags or terms, which must exist"`
	Targets []Target `json:"targets" jsonschema:"assets or columns to change, at most 100"`
}

// Done states the number of changed targets.
type Done struct {
	Changed int `json:"changed"`
}

func (s *Server) addLabels(kind label.Kind) func(context.Context, LabelsInput) (Done, error) {
	return func(ctx context.Context, in LabelsInput) (Done, error) {
		if err := checkCount("labels", len(in.Labels)); err != nil {
			return Done{}, err
		}
		if err := checkCount("targets", len(in.Targets)); err != nil {
			return Done{}, err
		}
		targets := make([]label.Target, len(in.Targets))
		for i, t := range in.Targets {
			targets[i] = label.Target{URN: t.URN, Column: t.Column, Kind: t.kind()}
		}
		if err := s.Labels.Add(ctx, kind, in.Labels, targets); err != nil {
			return Done{}, err
		}
		return Done{len(targets)}, nil
	}
}

func checkCount(argument string, n int) error {
	if n == 0 || n > maxTargets {
		return fault.New(fault.Malformed, "%s: %d are given, 1 to %d are allowed", argument, n, maxTargets)
	}
	return nil
}

// OwnersInput are the arguments of add_owners.
type OwnersInput struct {
	Owners  []string `json:"owners" jsonschema:"URNs of users and groups, which must exist"`
	Type    string   `json:"type,omitempty" jsonschema:"URN of the type of ownership; urn:li:ownershipType:__system__technical_owner unless said"`
	Targets []string `json:"targets" jsonschema:"URNs of the assets, at most 100"`
}

const defaultOwnershipType = "urn:li:ownershipType:__system__technical_owner"

func (s *Server) addOwners(ctx context.Context, in OwnersInput) (Done, error) {
	if err := checkCount("owners", len(in.Owners)); err != nil {
		return Done{}, err
	}
	if err := checkCount("targets", len(in.Targets)); err != nil {
		return Done{}, err
	}
	if in.Type == "" {
		in.Type = defaultOwnershipType
	}
	owners := make([]owner.Owner, len(in.Owners))
	for i, u := range in.Owners {
		owners[i] = owner.Owner{URN: u, TypeURN: in.Type}
	}
	targets := make([]owner.Target, len(in.Targets))
	for i, u := range in.Targets {
		targets[i] = owner.Target{URN: u}
	}
	if err := s.Owners.Add(ctx, owners, targets); err != nil {
		return Done{}, err
	}
	return Done{len(targets)}, nil
}

// DescriptionInput are the arguments of update_description.
type DescriptionInput struct {
	Target
	Description string `json:"description" jsonschema:"the new text; empty takes it away"`
}

func (s *Server) describe(ctx context.Context, in DescriptionInput) (Done, error) {
	if err := s.Assets.Describe(ctx, in.URN, asset.Column{Path: in.Column, Kind: in.kind()}, in.Description); err != nil {
		return Done{}, err
	}
	return Done{1}, nil
}
