"""The Python client's objects over both protocols and in every emit mode."""

import pytest
from datahub.emitter.mcp import MetadataChangeProposalWrapper
from datahub.emitter.rest_emitter import DatahubRestEmitter, EmitMode
from datahub.errors import ItemNotFoundError, SdkUsageError
from datahub.ingestion.graph.client import DataHubGraph, get_default_graph
from datahub.ingestion.graph.config import DatahubClientConfig
from datahub.metadata import schema_classes as models
from datahub.metadata.urns import DatasetUrn, TagUrn
from datahub.sdk import DataHubClient, Dataset
from datahub.specific.dataset import DatasetPatchBuilder

from caller import dataset

MODES = list(EmitMode)
PROTOCOLS = ["restli", "openapi"]


@pytest.fixture(scope="module")
def graphs(stack, token) -> dict[str, DataHubGraph]:
    return {
        "restli": DataHubGraph(DatahubClientConfig(server=stack.gms, token=token)),
        "openapi": DataHubGraph(DatahubClientConfig(server=stack.gms, token=token, openapi_ingestion=True)),
    }


@pytest.fixture
def clients(stack, token, monkeypatch) -> dict[str, DataHubClient]:
    monkeypatch.setenv("DATAHUB_GMS_URL", stack.gms)
    monkeypatch.setenv("DATAHUB_GMS_TOKEN", token)
    return {
        "restli": DataHubClient(server=stack.gms, token=token),
        "openapi": DataHubClient.from_env(),
    }


def test_the_connection_test_passes(graphs):
    for graph in graphs.values():
        graph.test_connection()
        assert graph.server_config.is_no_code_enabled


def test_from_env_chooses_open_api(clients, stack):
    assert get_default_graph() is not None
    graph = clients["openapi"]._graph
    assert graph._openapi_ingestion and graph.config.server == stack.gms
    assert not clients["restli"]._graph._openapi_ingestion


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("mode", MODES, ids=[mode.name for mode in MODES])
def test_emitted_aspects_are_read_back(graphs, protocol, mode):
    graph = graphs[protocol]
    urn = dataset(f"sdk.emit.{protocol}.{mode.name}")
    properties = models.DatasetPropertiesClass(description="Größe", customProperties={"a": "1"})
    graph.emit_mcp(MetadataChangeProposalWrapper(entityUrn=urn, aspect=properties), emit_mode=mode)
    several = [
        MetadataChangeProposalWrapper(entityUrn=urn, aspect=models.StatusClass(removed=False)),
        MetadataChangeProposalWrapper(
            entityUrn=urn, aspect=models.GlobalTagsClass(tags=[models.TagAssociationClass(tag="urn:li:tag:sdk")])
        ),
    ]
    graph.emit_mcps(several, emit_mode=mode)

    read = graph.get_aspect(urn, models.DatasetPropertiesClass)
    assert read is not None and read.to_obj() == properties.to_obj()
    assert graph.get_aspect(urn, models.StatusClass) == models.StatusClass(removed=False)
    assert graph.get_tags(urn).tags[0].tag == "urn:li:tag:sdk"
    assert graph.exists(urn)


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_patch_changes_what_it_names(graphs, protocol):
    graph = graphs[protocol]
    urn = dataset(f"sdk.patch.{protocol}")
    graph.emit(
        MetadataChangeProposalWrapper(
            entityUrn=urn, aspect=models.DatasetPropertiesClass(description="stays", customProperties={"old": "1"})
        )
    )
    builder = DatasetPatchBuilder(urn).add_custom_property("new", "2").add_tag(models.TagAssociationClass(tag="urn:li:tag:a/b"))
    for patch in builder.build():
        graph.emit(patch)
    read = graph.get_dataset_properties(urn)
    assert read.description == "stays" and read.customProperties == {"old": "1", "new": "2"}
    assert [t.tag for t in graph.get_tags(urn).tags] == ["urn:li:tag:a/b"]


def test_a_snapshot_is_emitted(graphs):
    urn = dataset("sdk.snapshot")
    snapshot = models.DatasetSnapshotClass(urn=urn, aspects=[models.StatusClass(removed=True)])
    graphs["restli"].emit_mce(models.MetadataChangeEventClass(proposedSnapshot=snapshot))
    assert graphs["restli"].get_aspect(urn, models.StatusClass).removed


def test_emit_all_writes_everything_before_it_returns(graphs):
    urns = [dataset(f"sdk.all.{i}") for i in range(250)]
    graphs["restli"].emit_all(
        MetadataChangeProposalWrapper(entityUrn=urn, aspect=models.StatusClass(removed=False)) for urn in urns
    )
    assert all(graphs["restli"].exists(urn) for urn in urns[::50])


def test_time_series_are_read_by_their_time(graphs):
    graph, urn = graphs["restli"], dataset("sdk.series")
    for i in range(3):
        profile = models.DatasetProfileClass(timestampMillis=1754000000000 + i, rowCount=i)
        graph.emit(MetadataChangeProposalWrapper(entityUrn=urn, aspect=profile))
    latest = graph.get_latest_timeseries_value(urn, models.DatasetProfileClass, {})
    assert latest.rowCount == 2
    newest_first = graph.get_timeseries_values(urn, models.DatasetProfileClass, {}, limit=10)
    assert [p.rowCount for p in newest_first] == [2, 1, 0]


def test_counts_by_aspect(graphs):
    graph = graphs["restli"]
    for i in range(3):
        graph.emit(
            MetadataChangeProposalWrapper(entityUrn=f"urn:li:tag:sdk-count-{i}", aspect=models.TagPropertiesClass(name=str(i)))
        )
    assert graph.get_aspect_counts("tagProperties", "urn:li:tag:sdk-count-%") == 3


def test_an_entity_is_read_as_a_whole(graphs):
    graph, urn = graphs["restli"], dataset("sdk.whole")
    graph.emit(MetadataChangeProposalWrapper(entityUrn=urn, aspect=models.StatusClass(removed=False)))
    assert graph.get_entity_semityped(urn)["status"] == models.StatusClass(removed=False)
    assert graph.get_entity_raw(urn)["aspects"]["datasetKey"]["value"]["name"] == "sdk.whole"
    assert "status" in {mcp.aspectName for mcp in graph.get_entity_as_mcps(urn)}


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_entities_are_deleted_softly_and_for_good(graphs, protocol):
    graph, urn = graphs[protocol], dataset(f"sdk.delete.{protocol}")
    graph.emit(MetadataChangeProposalWrapper(entityUrn=urn, aspect=models.DatasetPropertiesClass(description="x")))
    graph.soft_delete_entity(urn)
    assert graph.get_aspect(urn, models.StatusClass).removed and graph.exists(urn)
    graph.hard_delete_entity(urn)
    assert not graph.exists(urn)


def test_documents_of_a_time_series_are_deleted_by_time(graphs):
    graph, urn = graphs["restli"], dataset("sdk.series.delete")
    for i in range(3):
        profile = models.DatasetProfileClass(timestampMillis=1754000000000 + i, rowCount=i)
        graph.emit(MetadataChangeProposalWrapper(entityUrn=urn, aspect=profile))
    graph.hard_delete_timeseries_aspect(urn, "datasetProfile", start_time=None, end_time=None)
    assert graph.get_timeseries_values(urn, models.DatasetProfileClass, {}, limit=10) == []


def test_the_delete_change_of_open_api_removes_the_entity(graphs):
    graph, urn = graphs["openapi"], dataset("sdk.delete.change")
    graph.emit(MetadataChangeProposalWrapper(entityUrn=urn, aspect=models.StatusClass(removed=False)))
    graph.emit(
        MetadataChangeProposalWrapper(
            entityUrn=urn, entityType="dataset", aspectName="datasetKey", changeType=models.ChangeTypeClass.DELETE
        )
    )
    assert not graph.exists(urn)


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("mode", MODES, ids=[mode.name for mode in MODES])
def test_a_dataset_is_created_loaded_and_updated(clients, protocol, mode):
    client = clients[protocol]
    made = Dataset(
        platform="hive",
        name=f"sdk.entity.{protocol}.{mode.name}",
        description="first",
        schema=[("id", "bigint"), ("name", "string", "who")],
        tags=[TagUrn("pii")],
    )
    client.entities.upsert(made, emit_mode=mode)
    loaded = client.entities.get(DatasetUrn.from_string(str(made.urn)))
    assert loaded.description == "first"
    assert [field.field_path for field in loaded.schema] == ["id", "name"]

    loaded.set_description("second")
    client.entities.update(loaded, emit_mode=mode)
    assert client.entities.get(made.urn).description == "second"


def test_create_refuses_what_is_there(clients):
    client = clients["restli"]
    made = Dataset(platform="hive", name="sdk.create", description="once")
    client.entities.create(made)
    with pytest.raises(SdkUsageError):
        client.entities.create(made)
    assert client.entities.get(made.urn).description == "once"


def test_an_absent_dataset_is_not_found(clients):
    for client in clients.values():
        with pytest.raises(ItemNotFoundError):
            client.entities.get(DatasetUrn("hive", "sdk.nowhere"))


def test_a_rejected_write_names_the_reason_at_once(stack, token):
    emitter = DatahubRestEmitter(stack.gms, token=token)
    unknown = models.MetadataChangeProposalClass(
        entityType="dataset",
        entityUrn=dataset("sdk.rejected"),
        changeType="UPSERT",
        aspectName="status",
        aspect=models.GenericAspectClass(value=b'{"removed": "perhaps"}', contentType="application/json"),
    )
    with pytest.raises(Exception, match="removed"):
        emitter.emit_mcp(unknown)


def test_urns_with_other_letters_are_one_entity_on_every_path(graphs):
    urn = dataset("sdk.bücher")
    single, batch = graphs["restli"], graphs["openapi"]
    single.emit_mcp(MetadataChangeProposalWrapper(entityUrn=urn, aspect=models.StatusClass(removed=True)))
    batch.emit_mcps([MetadataChangeProposalWrapper(entityUrn=urn, aspect=models.DatasetPropertiesClass(description="d"))])
    aspects = single.get_entity_raw(urn)["aspects"]
    assert aspects["status"]["value"] == {"removed": True}
    assert aspects["datasetProperties"]["value"]["description"] == "d"
