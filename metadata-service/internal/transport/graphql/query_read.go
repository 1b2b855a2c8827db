package graphql

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql/gqltype"
)

// Queries that read one entity by its URN.

// Dataset reads a Dataset.
func (q *query) Dataset(ctx context.Context, args gqltype.DatasetArgs) (*gqltype.Dataset, error) {
	return readEntity(ctx, q.api, "dataset", args.Urn, []string{"dataset"}, (*loader).Dataset)
}

// Chart reads a Chart.
func (q *query) Chart(ctx context.Context, args gqltype.ChartArgs) (*gqltype.Chart, error) {
	return readEntity(ctx, q.api, "chart", args.Urn, []string{"chart"}, (*loader).Chart)
}

// Dashboard reads a Dashboard.
func (q *query) Dashboard(ctx context.Context, args gqltype.DashboardArgs) (*gqltype.Dashboard, error) {
	return readEntity(ctx, q.api, "dashboard", args.Urn, []string{"dashboard"}, (*loader).Dashboard)
}

// Notebook reads a Notebook.
func (q *query) Notebook(ctx context.Context, args gqltype.NotebookArgs) (*gqltype.Notebook, error) {
	return readEntity(ctx, q.api, "notebook", args.Urn, []string{"notebook"}, (*loader).Notebook)
}

// Container reads a Container.
func (q *query) Container(ctx context.Context, args gqltype.ContainerArgs) (*gqltype.Container, error) {
	return readEntity(ctx, q.api, "container", args.Urn, []string{"container"}, (*loader).Container)
}

// DataFlow reads a DataFlow.
func (q *query) DataFlow(ctx context.Context, args gqltype.DataFlowArgs) (*gqltype.DataFlow, error) {
	return readEntity(ctx, q.api, "dataFlow", args.Urn, []string{"dataFlow"}, (*loader).DataFlow)
}

// DataJob reads a DataJob.
func (q *query) DataJob(ctx context.Context, args gqltype.DataJobArgs) (*gqltype.DataJob, error) {
	return readEntity(ctx, q.api, "dataJob", args.Urn, []string{"dataJob"}, (*loader).DataJob)
}

// DataProcessInstance reads a DataProcessInstance.
func (q *query) DataProcessInstance(ctx context.Context, args gqltype.DataProcessInstanceArgs) (*gqltype.DataProcessInstance, error) {
	return readEntity(ctx, q.api, "dataProcessInstance", args.Urn, []string{"dataProcessInstance"}, (*loader).DataProcessInstance)
}

// DataPlatform reads a DataPlatform.
func (q *query) DataPlatform(ctx context.Context, args gqltype.DataPlatformArgs) (*gqltype.DataPlatform, error) {
	return readEntity(ctx, q.api, "dataPlatform", args.Urn, []string{"dataPlatform"}, (*loader).DataPlatform)
}

// DataPlatformInstance reads a DataPlatformInstance.
func (q *query) DataPlatformInstance(ctx context.Context, args gqltype.DataPlatformInstanceArgs) (*gqltype.DataPlatformInstance, error) {
	return readEntity(ctx, q.api, "dataPlatformInstance", args.Urn, []string{"dataPlatformInstance"}, (*loader).DataPlatformInstance)
}

// MlModel reads a MLModel.
func (q *query) MlModel(ctx context.Context, args gqltype.MlModelArgs) (*gqltype.MLModel, error) {
	return readEntity(ctx, q.api, "mlModel", args.Urn, []string{"mlModel"}, (*loader).MLModel)
}

// MlModelGroup reads a MLModelGroup.
func (q *query) MlModelGroup(ctx context.Context, args gqltype.MlModelGroupArgs) (*gqltype.MLModelGroup, error) {
	return readEntity(ctx, q.api, "mlModelGroup", args.Urn, []string{"mlModelGroup"}, (*loader).MLModelGroup)
}

// MlFeature reads a MLFeature.
func (q *query) MlFeature(ctx context.Context, args gqltype.MlFeatureArgs) (*gqltype.MLFeature, error) {
	return readEntity(ctx, q.api, "mlFeature", args.Urn, []string{"mlFeature"}, (*loader).MLFeature)
}

// MlFeatureTable reads a MLFeatureTable.
func (q *query) MlFeatureTable(ctx context.Context, args gqltype.MlFeatureTableArgs) (*gqltype.MLFeatureTable, error) {
	return readEntity(ctx, q.api, "mlFeatureTable", args.Urn, []string{"mlFeatureTable"}, (*loader).MLFeatureTable)
}

// MlPrimaryKey reads a MLPrimaryKey.
func (q *query) MlPrimaryKey(ctx context.Context, args gqltype.MlPrimaryKeyArgs) (*gqltype.MLPrimaryKey, error) {
	return readEntity(ctx, q.api, "mlPrimaryKey", args.Urn, []string{"mlPrimaryKey"}, (*loader).MLPrimaryKey)
}

// Tag reads a Tag.
func (q *query) Tag(ctx context.Context, args gqltype.TagArgs) (*gqltype.Tag, error) {
	return readEntity(ctx, q.api, "tag", args.Urn, []string{"tag"}, (*loader).Tag)
}

// GlossaryTerm reads a GlossaryTerm.
func (q *query) GlossaryTerm(ctx context.Context, args gqltype.GlossaryTermArgs) (*gqltype.GlossaryTerm, error) {
	return readEntity(ctx, q.api, "glossaryTerm", args.Urn, []string{"glossaryTerm"}, (*loader).GlossaryTerm)
}

// GlossaryNode reads a GlossaryNode.
func (q *query) GlossaryNode(ctx context.Context, args gqltype.GlossaryNodeArgs) (*gqltype.GlossaryNode, error) {
	return readEntity(ctx, q.api, "glossaryNode", args.Urn, []string{"glossaryNode"}, (*loader).GlossaryNode)
}

// Domain reads a Domain.
func (q *query) Domain(ctx context.Context, args gqltype.DomainArgs) (*gqltype.Domain, error) {
	return readEntity(ctx, q.api, "domain", args.Urn, []string{"domain"}, (*loader).Domain)
}

// DataProduct reads a DataProduct.
func (q *query) DataProduct(ctx context.Context, args gqltype.DataProductArgs) (*gqltype.DataProduct, error) {
	return readEntity(ctx, q.api, "dataProduct", args.Urn, []string{"dataProduct"}, (*loader).DataProduct)
}

// Application reads an Application.
func (q *query) Application(ctx context.Context, args gqltype.ApplicationArgs) (*gqltype.Application, error) {
	return readEntity(ctx, q.api, "application", args.Urn, []string{"application"}, (*loader).Application)
}

// CorpUser reads a CorpUser.
func (q *query) CorpUser(ctx context.Context, args gqltype.CorpUserArgs) (*gqltype.CorpUser, error) {
	return readEntity(ctx, q.api, "corpUser", args.Urn, []string{"corpuser"}, (*loader).CorpUser)
}

// CorpGroup reads a CorpGroup.
func (q *query) CorpGroup(ctx context.Context, args gqltype.CorpGroupArgs) (*gqltype.CorpGroup, error) {
	return readEntity(ctx, q.api, "corpGroup", args.Urn, []string{"corpGroup"}, (*loader).CorpGroup)
}

// Assertion reads an Assertion.
func (q *query) Assertion(ctx context.Context, args gqltype.AssertionArgs) (*gqltype.Assertion, error) {
	return readEntity(ctx, q.api, "assertion", args.Urn, []string{"assertion"}, (*loader).Assertion)
}

// BusinessAttribute reads a BusinessAttribute.
func (q *query) BusinessAttribute(ctx context.Context, args gqltype.BusinessAttributeArgs) (*gqltype.BusinessAttribute, error) {
	return readEntity(ctx, q.api, "businessAttribute", args.Urn, []string{"businessAttribute"}, (*loader).BusinessAttribute)
}

// Document reads a Document.
func (q *query) Document(ctx context.Context, args gqltype.DocumentArgs) (*gqltype.Document, error) {
	return readEntity(ctx, q.api, "document", args.Urn, []string{"document"}, (*loader).Document)
}

// ErModelRelationship reads an ERModelRelationship.
func (q *query) ErModelRelationship(ctx context.Context, args gqltype.ErModelRelationshipArgs) (*gqltype.ERModelRelationship, error) {
	return readEntity(ctx, q.api, "erModelRelationship", args.Urn, []string{"erModelRelationship"}, (*loader).ERModelRelationship)
}

// Metric reads a Metric.
func (q *query) Metric(ctx context.Context, args gqltype.MetricArgs) (*gqltype.Metric, error) {
	return readEntity(ctx, q.api, "metric", args.Urn, []string{"metric"}, (*loader).Metric)
}

// SemanticModel reads a SemanticModel.
func (q *query) SemanticModel(ctx context.Context, args gqltype.SemanticModelArgs) (*gqltype.SemanticModel, error) {
	return readEntity(ctx, q.api, "semanticModel", args.Urn, []string{"semanticModel"}, (*loader).SemanticModel)
}

// StructuredProperty reads a StructuredPropertyEntity.
func (q *query) StructuredProperty(ctx context.Context, args gqltype.StructuredPropertyArgs) (*gqltype.StructuredPropertyEntity, error) {
	return readExisting(ctx, q.api, "structuredProperty", args.Urn, []string{"structuredProperty"}, (*loader).StructuredPropertyEntity)
}

// Form reads a Form.
func (q *query) Form(ctx context.Context, args gqltype.FormArgs) (*gqltype.Form, error) {
	return readExisting(ctx, q.api, "form", args.Urn, []string{"form"}, (*loader).Form)
}

// VersionSet reads a VersionSet.
func (q *query) VersionSet(ctx context.Context, args gqltype.VersionSetArgs) (*gqltype.VersionSet, error) {
	return readEntity(ctx, q.api, "versionSet", args.Urn, []string{"versionSet"}, (*loader).VersionSet)
}

// Role reads a Role.
func (q *query) Role(ctx context.Context, args gqltype.RoleArgs) (*gqltype.Role, error) {
	return readExisting(ctx, q.api, "role", args.Urn, []string{"role"}, (*loader).Role)
}

// View reads a DataHubView.
func (q *query) View(ctx context.Context, args gqltype.ViewArgs) (*gqltype.DataHubView, error) {
	return readExisting(ctx, q.api, "view", args.Urn, []string{"dataHubView"}, (*loader).DataHubView)
}

// ExecutionRequest reads an ExecutionRequest.
func (q *query) ExecutionRequest(ctx context.Context, args gqltype.ExecutionRequestArgs) (*gqltype.ExecutionRequest, error) {
	return readExisting(ctx, q.api, "executionRequest", args.Urn, []string{"dataHubExecutionRequest"}, (*loader).ExecutionRequest)
}

// Connection reads a DataHubConnection.
func (q *query) Connection(ctx context.Context, args gqltype.ConnectionArgs) (*gqltype.DataHubConnection, error) {
	return readExisting(ctx, q.api, "connection", args.Urn, []string{"dataHubConnection"}, (*loader).DataHubConnection)
}
