"""The metadata of each connector family, written with the client's own classes as files that are ingested beside the
sample company.

A family comprises connectors of one kind. Its file contains the entities that they create, the relationships between
these, and the aspects that only they write. The names are those of a company that sells bicycles.
"""

import pathlib

import datahub.emitter.mce_builder as builder
from datahub.emitter.mcp import MetadataChangeProposalWrapper as Proposal
from datahub.emitter.mcp_builder import BucketKey, ContainerKey, DatabaseKey, FolderKey, SchemaKey
from datahub.ingestion.sink.file import write_metadata_file
from datahub.metadata import schema_classes as models
from datahub.specific.dashboard import DashboardPatchBuilder
from datahub.specific.datajob import DataJobPatchBuilder
from datahub.specific.dataset import DatasetPatchBuilder

TIME = 1_760_000_000_000
ACTOR = "urn:li:corpuser:family-loader"
STAMP = models.AuditStampClass(time=TIME, actor=ACTOR)
CREATED = models.ChangeAuditStampsClass(created=STAMP, lastModified=STAMP)

Proposals = list


def about(urn: str, *aspects) -> Proposals:
    """Aspects of an entity, with the status that connectors always send."""
    return Proposal.construct_many(urn, [*aspects, models.StatusClass(removed=False)])


def below(urn: str, key: ContainerKey, *names: str) -> Proposals:
    """The container and the browse path of an entity."""
    path = [models.BrowsePathEntryClass(id=name) for name in names[:-1]]
    path.append(models.BrowsePathEntryClass(id=names[-1], urn=key.as_urn()))
    return Proposal.construct_many(urn, [models.ContainerClass(container=key.as_urn()), models.BrowsePathsV2Class(path=path)])


def container(key: ContainerKey, name: str, subtype: str) -> Proposals:
    made = about(
        key.as_urn(),
        models.ContainerPropertiesClass(name=name, customProperties=key.property_dict(), env="PROD"),
        models.SubTypesClass(typeNames=[subtype]),
        models.DataPlatformInstanceClass(platform=builder.make_data_platform_urn(key.platform)),
    )
    above = key.parent_key()
    return made + (below(key.as_urn(), above, "PROD", above.as_urn()) if above else [])


def schema(name: str, platform: str, *columns: tuple[str, object, str], keys: list[str] | None = None) -> models.SchemaMetadataClass:
    return models.SchemaMetadataClass(
        schemaName=name,
        platform=builder.make_data_platform_urn(platform),
        version=0,
        hash="",
        platformSchema=models.MySqlDDLClass(tableSchema=""),
        primaryKeys=keys,
        fields=[
            models.SchemaFieldClass(fieldPath=path, type=models.SchemaFieldDataTypeClass(type=kind), nativeDataType=native, nullable=path not in (keys or []), description=f"the {path}")
            for path, kind, native in columns
        ],
    )


NUMBER, TEXT, DATE, RECORD, ARRAY = models.NumberTypeClass(), models.StringTypeClass(), models.DateTypeClass(), models.RecordTypeClass(), models.ArrayTypeClass()


def table(platform: str, name: str, subtype: str, *columns, keys: list[str] | None = None, instance: str | None = None) -> tuple[str, Proposals]:
    urn = builder.make_dataset_urn_with_platform_instance(platform, name, instance)
    return urn, about(
        urn,
        models.DatasetPropertiesClass(name=name.split(".")[-1], qualifiedName=name, description=f"{subtype} {name}", customProperties={"rows": "10"}, created=models.TimeStampClass(time=TIME)),
        models.SubTypesClass(typeNames=[subtype]),
        schema(name, platform, *columns, keys=keys),
        models.DataPlatformInstanceClass(
            platform=builder.make_data_platform_urn(platform), instance=builder.make_dataplatform_instance_urn(platform, instance) if instance else None
        ),
    )


ORDERS = (("id", NUMBER, "bigint"), ("customer", TEXT, "varchar(64)"), ("ordered_at", DATE, "date"))


def relational() -> Proposals:
    """Databases: tables and views with keys, profiles and the definition of a view."""
    database = DatabaseKey(platform="mysql", database="family_shop", env="PROD")
    tables = SchemaKey(platform="mysql", database="family_shop", schema="sales", env="PROD")
    orders, out = table("mysql", "family_shop.sales.orders", "Table", *ORDERS, keys=["id"])
    view, made = table("mysql", "family_shop.sales.recent", "View", *ORDERS)
    out = container(database, "family_shop", "Database") + container(tables, "sales", "Schema") + out + below(orders, tables, "PROD", "sales") + made + below(view, tables, "PROD", "sales")
    out += about(view, models.ViewPropertiesClass(materialized=False, viewLogic="select * from orders where ordered_at > now() - interval 1 day", viewLanguage="SQL"), lineage(view, orders, "id"))
    out += about(
        orders,
        models.DatasetProfileClass(
            timestampMillis=TIME,
            rowCount=10,
            columnCount=3,
            sizeInBytes=4096,
            partitionSpec=models.PartitionSpecClass(partition="FULL_TABLE_SNAPSHOT", type="FULL_TABLE"),
            fieldProfiles=[
                models.DatasetFieldProfileClass(
                    fieldPath="id", uniqueCount=10, uniqueProportion=1.0, nullCount=0, min="1", max="10", mean="5.5", median="5.5", stdev="3.02",
                    quantiles=[models.QuantileClass(quantile="0.5", value="5")], sampleValues=["1", "2"], distinctValueFrequencies=[models.ValueFrequencyClass(value="1", frequency=1)],
                )
            ],
        ),
    )
    return out


def lineage(downstream: str, upstream: str, *columns: str) -> models.UpstreamLineageClass:
    return models.UpstreamLineageClass(
        upstreams=[models.UpstreamClass(dataset=upstream, type="TRANSFORMED", auditStamp=STAMP)],
        fineGrainedLineages=[
            models.FineGrainedLineageClass(
                upstreamType="FIELD_SET", downstreamType="FIELD", confidenceScore=0.9, transformOperation="SELECT",
                upstreams=[builder.make_schema_field_urn(upstream, c)], downstreams=[builder.make_schema_field_urn(downstream, c)],
            )
            for c in columns
        ],
    )


def warehouses() -> Proposals:
    """Warehouses: an instance, external tables, queries with usage, and operations."""
    orders, out = table("redshift", "family.public.orders", "Table", *ORDERS, instance="emea")
    instance = builder.make_dataplatform_instance_urn("redshift", "emea")
    out += about(instance, models.DataPlatformInstancePropertiesClass(name="emea", description="the cluster of the region"))
    query = "urn:li:query:family-redshift-1"
    out += Proposal.construct_many(
        query,
        [
            models.QueryPropertiesClass(statement=models.QueryStatementClass(value="select count(*) from orders", language="SQL"), source="SYSTEM", created=STAMP, lastModified=STAMP),
            models.QuerySubjectsClass(subjects=[models.QuerySubjectClass(entity=orders), models.QuerySubjectClass(entity=builder.make_schema_field_urn(orders, "id"))]),
            models.DataPlatformInstanceClass(platform="urn:li:dataPlatform:redshift"),
            models.QueryUsageStatisticsClass(timestampMillis=TIME, queryCount=3, eventGranularity=models.TimeWindowSizeClass(unit="DAY"), userCounts=[models.DatasetUserUsageCountsClass(user=ACTOR, count=3)]),
        ],
    )
    out += Proposal.construct_many(
        orders,
        [
            models.DatasetUsageStatisticsClass(
                timestampMillis=TIME, eventGranularity=models.TimeWindowSizeClass(unit="DAY"), uniqueUserCount=1, totalSqlQueries=3, topSqlQueries=["select count(*) from orders"],
                userCounts=[models.DatasetUserUsageCountsClass(user=ACTOR, count=3, userEmail="loader@example.com")], fieldCounts=[models.DatasetFieldUsageCountsClass(fieldPath="id", count=3)],
            ),
            models.OperationClass(timestampMillis=TIME, operationType="INSERT", lastUpdatedTimestamp=TIME, actor=ACTOR, numAffectedRows=10, affectedDatasets=[orders]),
            models.OperationClass(timestampMillis=TIME + 1, operationType="CUSTOM", customOperationType="VACUUM", lastUpdatedTimestamp=TIME, customProperties={"slots": "4"}),
        ],
    )
    return out


def lakes() -> Proposals:
    """Object storage and table formats: buckets, folders, nested columns and partitions."""
    bucket = BucketKey(platform="s3", bucket_name="family-bucket", env="PROD")
    folder = FolderKey(platform="s3", folder_abs_path="family-bucket/raw", env="PROD")
    path = "family-bucket/raw/events"
    events, out = table(
        "s3", path, "Table",
        ("[version=2.0].[type=struct].[type=struct].who", RECORD, "struct<id:bigint,name:string>"),
        ("[version=2.0].[type=struct].[type=struct].who.[type=long].id", NUMBER, "bigint"),
        ("[version=2.0].[type=struct].[type=array].[type=string].labels", ARRAY, "array<string>"),
    )
    delta, made = table("delta-lake", "family.lake.events", "Table", ("day", DATE, "date"), ("n", NUMBER, "bigint"))
    out += container(bucket, "family-bucket", "S3 bucket") + container(folder, "raw", "Folder") + below(events, folder, "family-bucket", "raw") + made
    out += about(delta, lineage(delta, events), models.SiblingsClass(siblings=[events], primary=True))
    out += about(events, models.OperationClass(timestampMillis=TIME, operationType="UPDATE", lastUpdatedTimestamp=TIME, partitionSpec=models.PartitionSpecClass(partition="day=2025-10-09", type="PARTITION")))
    out += about(events, models.PartitionsSummaryClass(minPartition=models.PartitionSummaryClass(partition="day=2025-10-01"), maxPartition=models.PartitionSummaryClass(partition="day=2025-10-09")))
    return out


def streams() -> Proposals:
    """Brokers and schema registries: topics with keys and values in Avro, and a connector between them."""
    topic, out = table("pulsar", "persistent://family/orders/placed", "Topic", ("[version=2.0].[key=True].[type=long]", NUMBER, "long"), ("[version=2.0].[type=Order].[type=string].customer", TEXT, "string"))
    flow = builder.make_data_flow_urn("kafka-connect", "family-sink")
    job = builder.make_data_job_urn_with_flow(flow, "orders")
    target = builder.make_dataset_urn("mysql", "family_shop.sales.orders")
    out += about(flow, models.DataFlowInfoClass(name="family-sink", customProperties={"connector.class": "JdbcSink"}, externalUrl="https://example.com/connect/family-sink"))
    out += about(
        job,
        models.DataJobInfoClass(name="orders", type="COMMAND", flowUrn=flow),
        models.DataJobInputOutputClass(
            inputDatasets=[topic], outputDatasets=[target],
            fineGrainedLineages=[models.FineGrainedLineageClass(
                upstreamType="FIELD_SET", downstreamType="FIELD_SET", confidenceScore=1.0,
                upstreams=[builder.make_schema_field_urn(topic, "customer")], downstreams=[builder.make_schema_field_urn(target, "customer")])],
        ),
    )
    return out


def documents() -> Proposals:
    """Document and key-value stores: collections with columns inferred from samples, with unions and unknown types."""
    _, out = table(
        "mongodb", "family.carts", "Collection",
        ("_id", TEXT, "ObjectId"), ("lines", ARRAY, "array"), ("lines.sku", TEXT, "string"), ("total", models.UnionTypeClass(), "mixed"), ("note", models.NullTypeClass(), "null"), ("raw", models.BytesTypeClass(), "binary"),
    )
    _, more = table("elasticsearch", "family-products-*", "Index Template", ("name", TEXT, "text"), ("price", NUMBER, "scaled_float"), ("added", models.TimeTypeClass(), "date"), ("sold", models.BooleanTypeClass(), "boolean"))
    _, last = table("dynamodb", "eu-central-1.family-sessions", "Table", ("pk", TEXT, "S"), ("data", models.MapTypeClass(), "M"), keys=["pk"])
    return out + more + last


def dashboards() -> Proposals:
    """Business intelligence: workspaces, data sources, charts with input columns, dashboards with
    usage, embeds and access."""
    project = ContainerKey(platform="superset", instance="family")
    source, out = table("superset", "family.sales_by_day", "Sigma Dataset", *ORDERS)
    chart, board = builder.make_chart_urn("superset", "family-1"), builder.make_dashboard_urn("superset", "family-1")
    inner = builder.make_dashboard_urn("superset", "family-2")
    out += container(project, "Sales", "Project")
    out += about(
        chart,
        models.ChartInfoClass(
            title="Orders by day", description="how many", lastModified=CREATED, chartUrl="https://example.com/c/1", type="BAR", access="PUBLIC", inputEdges=[models.EdgeClass(destinationUrn=source, lastModified=STAMP)],
            customProperties={"metrics": "count"}, lastRefreshed=TIME,
        ),
        models.ChartQueryClass(rawQuery="select ordered_at, count(*) from orders group by 1", type="SQL"),
        models.InputFieldsClass(fields=[models.InputFieldClass(schemaFieldUrn=builder.make_schema_field_urn(source, "ordered_at"), schemaField=models.SchemaFieldClass(
            fieldPath="ordered_at", type=models.SchemaFieldDataTypeClass(type=DATE), nativeDataType="date"))]),
        models.ChartUsageStatisticsClass(timestampMillis=TIME, viewsCount=4, uniqueUserCount=1, userCounts=[models.ChartUserUsageCountsClass(user=ACTOR, viewsCount=4)]),
        models.EmbedClass(renderUrl="https://example.com/embed/c/1"),
    )
    out += below(chart, project, "Sales")
    out += about(inner, models.DashboardInfoClass(title="Details", description="", lastModified=CREATED))
    out += about(
        board,
        models.DashboardInfoClass(
            title="Sales", description="of all shops", lastModified=CREATED, dashboardUrl="https://example.com/d/1", chartEdges=[models.EdgeClass(destinationUrn=chart)],
            dashboards=[models.EdgeClass(destinationUrn=inner)], access="PRIVATE", lastRefreshed=TIME,
        ),
        models.OwnershipClass(owners=[models.OwnerClass(owner=ACTOR, type="DATAOWNER")], lastModified=STAMP),
        models.GlobalTagsClass(tags=[models.TagAssociationClass(tag="urn:li:tag:family-certified")]),
        models.DashboardUsageStatisticsClass(timestampMillis=TIME, viewsCount=7, uniqueUserCount=1, favoritesCount=1, eventGranularity=models.TimeWindowSizeClass(unit="DAY"), userCounts=[
            models.DashboardUserUsageCountsClass(user=ACTOR, viewsCount=7, executionsCount=2)]),
        models.EmbedClass(renderUrl="https://example.com/embed/d/1"),
    )
    out += about("urn:li:tag:family-certified", models.TagPropertiesClass(name="family-certified", description="checked by the team", colorHex="#2a7f62"))
    return out + list(DashboardPatchBuilder(board).add_dataset_edge(source).add_custom_property("owner", "sales").build())


def orchestrators() -> Proposals:
    """Orchestrators: flows and jobs with runs, their results, and patches of lineage."""
    flow = builder.make_data_flow_urn("dagster", "family-nightly", platform_instance="eu")
    jobs = [builder.make_data_job_urn_with_flow(flow, name) for name in ("extract", "load")]
    source, target = builder.make_dataset_urn("mysql", "family_shop.sales.orders"), builder.make_dataset_urn("s3", "family-bucket/raw/events")
    out = about(
        flow,
        models.DataFlowInfoClass(name="family-nightly", description="every night", project="shop", env="PROD", created=models.TimeStampClass(time=TIME), lastModified=models.TimeStampClass(time=TIME)),
        models.DataPlatformInstanceClass(platform="urn:li:dataPlatform:dagster", instance=builder.make_dataplatform_instance_urn("dagster", "eu")),
        models.SubTypesClass(typeNames=["Job"]),
    )
    for job, before in zip(jobs, [[], jobs[:1]]):
        out += about(
            job,
            models.DataJobInfoClass(name=job.split(",")[-1].rstrip(")"), type=models.AzkabanJobTypeClass.SQL, env="PROD", customProperties={"retries": "2"}, status="IN_PROGRESS"),
            models.DataJobInputOutputClass(
                inputDatasets=[], outputDatasets=[], inputDatasetEdges=[models.EdgeClass(destinationUrn=source)], outputDatasetEdges=[models.EdgeClass(destinationUrn=target)],
                inputDatajobEdges=[models.EdgeClass(destinationUrn=b) for b in before],
            ),
            models.DataTransformLogicClass(transforms=[models.DataTransformClass(queryStatement=models.QueryStatementClass(value="insert into events select * from orders", language="SQL"))]),
        )
    run = "urn:li:dataProcessInstance:family-run-1"
    out += Proposal.construct_many(
        run,
        [
            models.DataProcessInstancePropertiesClass(name="family-run-1", created=STAMP, type="BATCH_SCHEDULED", customProperties={"try": "1"}, externalUrl="https://example.com/runs/1"),
            models.DataProcessInstanceRelationshipsClass(parentTemplate=jobs[0], upstreamInstances=[]),
            models.DataProcessInstanceInputClass(inputs=[source], inputEdges=[models.EdgeClass(destinationUrn=source)]),
            models.DataProcessInstanceOutputClass(outputs=[target], outputEdges=[models.EdgeClass(destinationUrn=target)]),
            models.DataProcessInstanceRunEventClass(timestampMillis=TIME, status="STARTED", attempt=1),
            models.DataProcessInstanceRunEventClass(timestampMillis=TIME + 60_000, status="COMPLETE", attempt=1, durationMillis=60_000, result=models.DataProcessInstanceRunResultClass(type="SUCCESS", nativeResultType="dagster")),
        ],
    )
    return out + list(DataJobPatchBuilder(jobs[1]).add_output_dataset(builder.make_dataset_urn("delta-lake", "family.lake.events")).add_tag(models.TagAssociationClass(tag="urn:li:tag:family-certified")).build())


def transformations() -> Proposals:
    """Transformations as code: models and their siblings in the warehouse, terms and owners from
    their files, tests as assertions."""
    model, out = table("dbt", "family.public.orders_clean", "Model", *ORDERS)
    warehouse, made = table("redshift", "family.public.orders_clean", "Table", *ORDERS, instance="emea")
    out += made + about(
        model,
        models.ViewPropertiesClass(materialized=True, viewLogic="select * from {{ ref('orders') }}", formattedViewLogic="select\n  *\nfrom orders", viewLanguage="SQL"),
        models.SiblingsClass(siblings=[warehouse], primary=True),
        models.GlossaryTermsClass(terms=[models.GlossaryTermAssociationClass(urn="urn:li:glossaryTerm:family.order")], auditStamp=STAMP),
        models.OwnershipClass(owners=[models.OwnerClass(owner="urn:li:corpGroup:family-analysts", type="CUSTOM", typeUrn="urn:li:ownershipType:__system__technical_owner")], lastModified=STAMP),
        models.InstitutionalMemoryClass(elements=[models.InstitutionalMemoryMetadataClass(url="https://example.com/docs/orders", description="how it is made", createStamp=STAMP)]),
    )
    out += about(warehouse, models.SiblingsClass(siblings=[model], primary=False))
    out += list(DatasetPatchBuilder(warehouse).add_upstream_lineage(models.UpstreamClass(dataset=model, type="COPY")).add_structured_property("urn:li:structuredProperty:family.tier", "gold").build())
    assertion = "urn:li:assertion:family-dbt-unique"
    out += about(
        assertion,
        models.AssertionInfoClass(
            type="DATASET", customProperties={"dbt_test": "unique"}, externalUrl="https://example.com/tests/1",
            datasetAssertion=models.DatasetAssertionInfoClass(
                dataset=warehouse, scope="DATASET_COLUMN", fields=[builder.make_schema_field_urn(warehouse, "id")], operator="EQUAL_TO", aggregation="UNIQUE_PROPOTION", nativeType="unique", logic="select 1",
                parameters=models.AssertionStdParametersClass(value=models.AssertionStdParameterClass(value="1.0", type="NUMBER")),
            ),
        ),
        models.DataPlatformInstanceClass(platform="urn:li:dataPlatform:dbt"),
        models.AssertionRunEventClass(timestampMillis=TIME, runId="family-1", asserteeUrn=warehouse, status="COMPLETE", assertionUrn=assertion, result=models.AssertionResultClass(type="FAILURE", nativeResults={"failures": "2"}, unexpectedCount=2)),
    )
    return [*properties(), *out]


def properties() -> Proposals:
    return Proposal.construct_many(
        "urn:li:structuredProperty:family.tier",
        [models.StructuredPropertyDefinitionClass(
            qualifiedName="family.tier", displayName="Tier", valueType="urn:li:dataType:datahub.string", entityTypes=["urn:li:entityType:datahub.dataset"], cardinality="SINGLE",
            allowedValues=[models.PropertyValueClass(value="gold"), models.PropertyValueClass(value="silver", description="good enough")])],
    )


def quality() -> Proposals:
    """Data checks: freshness, volume, SQL, columns and schemas, with contracts and incidents."""
    orders = builder.make_dataset_urn_with_platform_instance("redshift", "family.public.orders", "emea")
    number = models.AssertionStdParametersClass(value=models.AssertionStdParameterClass(value="5", type="NUMBER"))
    column = models.SchemaFieldSpecClass(path="id", type="NUMBER", nativeType="bigint")
    kinds = {
        "freshness": models.AssertionInfoClass(type="FRESHNESS", freshnessAssertion=models.FreshnessAssertionInfoClass(
            type="DATASET_CHANGE", entity=orders, schedule=models.FreshnessAssertionScheduleClass(type="FIXED_INTERVAL", fixedInterval=models.FixedIntervalScheduleClass(unit="HOUR", multiple=8)))),
        "volume": models.AssertionInfoClass(type="VOLUME", volumeAssertion=models.VolumeAssertionInfoClass(type="ROW_COUNT_TOTAL", entity=orders, rowCountTotal=models.RowCountTotalClass(operator="GREATER_THAN", parameters=number))),
        "sql": models.AssertionInfoClass(type="SQL", sqlAssertion=models.SqlAssertionInfoClass(type="METRIC", entity=orders, statement="select count(*) from orders", operator="GREATER_THAN", parameters=number)),
        "field": models.AssertionInfoClass(type="FIELD", fieldAssertion=models.FieldAssertionInfoClass(
            type="FIELD_VALUES", entity=orders, fieldValuesAssertion=models.FieldValuesAssertionClass(
                field=column, operator="NOT_NULL", failThreshold=models.FieldValuesFailThresholdClass(type="COUNT", value=0), excludeNulls=False))),
        "schema": models.AssertionInfoClass(type="DATA_SCHEMA", schemaAssertion=models.SchemaAssertionInfoClass(entity=orders, schema=schema("x", "redshift", *ORDERS), compatibility="SUPERSET")),
        "custom": models.AssertionInfoClass(type="CUSTOM", customAssertion=models.CustomAssertionInfoClass(type="seasonality", entity=orders, logic="a model says so"), description="looks as it always did"),
    }
    out: Proposals = []
    for name, info in kinds.items():
        urn = f"urn:li:assertion:family-{name}"
        out += about(urn, info, models.DataPlatformInstanceClass(platform="urn:li:dataPlatform:great-expectations"), models.AssertionActionsClass(onFailure=[], onSuccess=[]))
        out += [Proposal(entityUrn=urn, aspect=models.AssertionRunEventClass(
            timestampMillis=TIME, runId="family", asserteeUrn=orders, status="COMPLETE", assertionUrn=urn, result=models.AssertionResultClass(type="SUCCESS", rowCount=10, actualAggValue=10.0)))]
    out += about(
        "urn:li:dataContract:family-orders",
        models.DataContractPropertiesClass(
            entity=orders, schema=[models.SchemaContractClass(assertion="urn:li:assertion:family-schema")], freshness=[models.FreshnessContractClass(assertion="urn:li:assertion:family-freshness")],
            dataQuality=[models.DataQualityContractClass(assertion="urn:li:assertion:family-field")]),
        models.DataContractStatusClass(state="ACTIVE"),
    )
    out += Proposal.construct_many("urn:li:incident:family-1", [models.IncidentInfoClass(
        type="OPERATIONAL", title="late", entities=[orders], status=models.IncidentStatusClass(state="RESOLVED", stage="FIXED", lastUpdated=STAMP, message="done"), created=STAMP, priority=1, startedAt=TIME,
        source=models.IncidentSourceClass(type="MANUAL"), assignees=[models.IncidentAssigneeClass(actor=ACTOR, assignedAt=STAMP)])])
    return out


def machine_learning() -> Proposals:
    """Machine learning platforms and feature stores: features, models with versions, experiments, runs and deployments."""
    table_urn = builder.make_ml_feature_table_urn("feast", "family_customers")
    feature, key = builder.make_ml_feature_urn("family_customers", "orders_per_year"), builder.make_ml_primary_key_urn("family_customers", "customer")
    source = builder.make_dataset_urn("mysql", "family_shop.sales.orders")
    group, model = "urn:li:mlModelGroup:(urn:li:dataPlatform:sagemaker,family-churn,PROD)", "urn:li:mlModel:(urn:li:dataPlatform:sagemaker,family-churn-2,PROD)"
    deployment, run = "urn:li:mlModelDeployment:(urn:li:dataPlatform:sagemaker,family-endpoint,PROD)", "urn:li:dataProcessInstance:family-training-1"
    experiment = ContainerKey(platform="vertexai", instance=None)
    out = about(key, models.MLPrimaryKeyPropertiesClass(sources=[source], dataType="TEXT", description="who")) + about(feature, models.MLFeaturePropertiesClass(sources=[source], dataType="COUNT", description="how often"))
    out += about(table_urn, models.MLFeatureTablePropertiesClass(mlFeatures=[feature], mlPrimaryKeys=[key], customProperties={"store": "online"}))
    out += about(group, models.MLModelGroupPropertiesClass(name="family-churn", description="who leaves", createdAt=TIME, created=models.TimeStampClass(time=TIME)))
    out += about(deployment, models.MLModelDeploymentPropertiesClass(createdAt=TIME, status="IN_SERVICE"))
    out += about(
        model,
        models.MLModelPropertiesClass(
            name="family-churn-2", date=TIME, type="Gradient boosting", version=models.VersionTagClass(versionTag="2"), groups=[group], mlFeatures=[feature], deployments=[deployment], trainingJobs=[run], downstreamJobs=[],
            hyperParams=[models.MLHyperParamClass(name="depth", value="6")], trainingMetrics=[models.MLMetricClass(name="auc", value="0.9")], onlineMetrics=[], hyperParameters={"eta": 0.1}, tags=["beta"]),
        models.IntendedUseClass(primaryUses=["offers"], primaryUsers=["ENTERPRISE"], outOfScopeUses=["credit"]),
        models.MLModelFactorPromptsClass(relevantFactors=[models.MLModelFactorsClass(groups=["age"])]),
        models.MetricsClass(performanceMeasures=["auc"], decisionThreshold=["0.5"]),
        models.EvaluationDataClass(evaluationData=[models.BaseDataClass(dataset=source, motivation="the last year")]),
        models.TrainingDataClass(trainingData=[models.BaseDataClass(dataset=source)]),
        models.EthicalConsiderationsClass(data=["names are left out"], risksAndHarms=["wrong offers"]),
        models.CaveatsAndRecommendationsClass(recommendations="train each month", idealDatasetCharacteristics=["all regions"]),
        models.SourceCodeClass(sourceCode=[models.SourceCodeUrlClass(type="ML_MODEL_SOURCE_CODE", sourceCodeUrl="https://example.com/git/churn")]),
        models.CostClass(costType="ORG_COST_TYPE", cost=models.CostCostClass(fieldDiscriminator="costCode", costCode="c-1")),
    )
    out += about(experiment.as_urn(), models.ContainerPropertiesClass(name="churn experiment"), models.SubTypesClass(typeNames=["ML Experiment"]))
    out += Proposal.construct_many(
        run,
        [
            models.DataProcessInstancePropertiesClass(name="training 1", created=STAMP),
            models.MLTrainingRunPropertiesClass(id="1", outputUrls=["s3://family-bucket/models/1"], trainingMetrics=[models.MLMetricClass(name="auc", value="0.9")], hyperParams=[models.MLHyperParamClass(name="depth", value="6")]),
            models.DataProcessInstanceRelationshipsClass(parentInstance=None, upstreamInstances=[]),
            models.ContainerClass(container=experiment.as_urn()),
            models.SubTypesClass(typeNames=["ML Training Run"]),
            models.DataProcessInstanceInputClass(inputs=[source]),
            models.DataProcessInstanceOutputClass(outputs=[model]),
        ],
    )
    return out


def people() -> Proposals:
    """Directories: users and groups with their memberships and origin."""
    group, user = "urn:li:corpGroup:family-analysts", "urn:li:corpuser:family.ann@example.com"
    return (
        about(
            group,
            models.CorpGroupInfoClass(displayName="Analysts", description="who asks", admins=[], members=[], groups=[], email="analysts@example.com", slack="analysts"),
            models.OriginClass(type="EXTERNAL", externalType="AzureAD"),
        )
        + about(
            user,
            models.CorpUserInfoClass(active=True, displayName="Ann", email="ann@example.com", title="Analyst", managerUrn=ACTOR, departmentName="Sales", firstName="Ann", lastName="B", fullName="Ann B", countryCode="DE"),
            models.GroupMembershipClass(groups=[group]),
            models.OriginClass(type="EXTERNAL", externalType="AzureAD"),
            models.CorpUserStatusClass(status="ACTIVE", lastModified=STAMP),
        )
        + about(ACTOR, models.CorpUserInfoClass(active=True, displayName="Loader", system=False))
    )


def vocabularies() -> Proposals:
    """Files of vocabularies, domains and products, and enrichment of assets with them."""
    node, term, general = "urn:li:glossaryNode:family", "urn:li:glossaryTerm:family.order", "urn:li:glossaryTerm:family.document"
    domain, inner, product = "urn:li:domain:family-sales", "urn:li:domain:family-online", "urn:li:dataProduct:family-orders"
    orders = builder.make_dataset_urn("mysql", "family_shop.sales.orders")
    return (
        Proposal.construct_many(node, [models.GlossaryNodeInfoClass(definition="of the shop", name="Family"), models.StatusClass(removed=False)])
        + about(general, models.GlossaryTermInfoClass(definition="what is kept", termSource="INTERNAL", name="Document", parentNode=node))
        + about(
            term,
            models.GlossaryTermInfoClass(definition="what a customer wants", termSource="EXTERNAL", sourceRef="FIBO", sourceUrl="https://example.com/fibo/order", name="Order", parentNode=node, customProperties={"reviewed": "yes"}),
            models.GlossaryRelatedTermsClass(isRelatedTerms=[general], relatedTerms=[general]),
        )
        + Proposal.construct_many(domain, [models.DomainPropertiesClass(name="Family sales", description="all shops")])
        + Proposal.construct_many(inner, [models.DomainPropertiesClass(name="Family online", parentDomain=domain)])
        + Proposal.construct_many(
            product,
            [
                models.DataProductPropertiesClass(name="Orders", description="of all shops", assets=[models.DataProductAssociationClass(destinationUrn=orders, outputPort=True)]),
                models.DomainsClass(domains=[inner]),
                models.StatusClass(removed=False),
            ],
        )
        + Proposal.construct_many(
            orders,
            [
                models.DomainsClass(domains=[inner]),
                models.EditableDatasetPropertiesClass(description="written by people", created=STAMP, lastModified=STAMP),
                models.EditableSchemaMetadataClass(editableSchemaFieldInfo=[models.EditableSchemaFieldInfoClass(
                    fieldPath="customer", description="a person", globalTags=models.GlobalTagsClass(tags=[models.TagAssociationClass(tag="urn:li:tag:family-certified")]))]),
                models.DeprecationClass(deprecated=True, note="use the new one", actor=ACTOR, decommissionTime=TIME, replacement=builder.make_dataset_urn_with_platform_instance("redshift", "family.public.orders", "emea")),
            ],
        )
        + list(DatasetPatchBuilder(orders).add_owner(models.OwnerClass(owner=ACTOR, type="DATA_STEWARD")).add_term(models.GlossaryTermAssociationClass(urn=term)).add_custom_property("note", "x").build())
    )


def business() -> Proposals:
    """Business applications: CRM objects, notebooks, access roles and files of an API."""
    _, out = table("salesforce", "Opportunity", "Object", ("Id", TEXT, "id"), ("Amount", NUMBER, "currency(18,2)"), keys=["Id"])
    notebook = "urn:li:notebook:(querybook,family-1)"
    out += about(notebook, models.NotebookInfoClass(title="Orders", changeAuditStamps=CREATED), models.NotebookContentClass(cells=[
        models.NotebookCellClass(type="TEXT_CELL", textCell=models.TextCellClass(cellId="1", changeAuditStamps=CREATED, text="first")),
        models.NotebookCellClass(type="QUERY_CELL", queryCell=models.QueryCellClass(cellId="2", changeAuditStamps=CREATED, rawQuery="select 1", lastExecuted=STAMP))]))
    role = "urn:li:role:family-read-orders"
    orders = builder.make_dataset_urn("mysql", "family_shop.sales.orders")
    out += Proposal.construct_many(role, [models.RolePropertiesClass(name="Read orders", description="for analysts", type="READ", requestUrl="https://example.com/access"), models.ActorsClass(users=[models.RoleUserClass(user=ACTOR)])])
    out += Proposal.construct_many(orders, [models.AccessClass(roles=[models.RoleAssociationClass(urn=role)])])
    _, last = table("openapi", "family_shop.v1/orders", "API", ("id", NUMBER, "integer"), ("lines.sku", TEXT, "string"))
    return out + last + about("urn:li:application:family-shop", models.ApplicationPropertiesClass(name="Shop", description="what customers see"))


FAMILIES = (people, vocabularies, relational, warehouses, lakes, streams, documents, dashboards, orchestrators, transformations, quality, machine_learning, business)


def write(folder: pathlib.Path) -> list[pathlib.Path]:
    """Writes one file for each family and returns their paths. In this order, most entities precede references to them."""
    paths = []
    for number, family in enumerate(FAMILIES):
        path = folder / f"family-{number:02}-{family.__name__.replace('_', '-')}.json"
        write_metadata_file(path, family())
        paths.append(path)
    return paths
