import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";

import { useSession } from "../../shared/session/session";
import { useTitle } from "../../lib/title";
import { Button } from "../../components/button";
import { CopyAs } from "../../components/copy-as";
import { Confirm } from "../../components/dialog";
import { Export } from "../../components/export";
import { AddIcon, DeleteIcon, EditIcon, FormIcon } from "../../components/icons";
import { Pager } from "../../components/pager";
import { Badge, Bones, Empty, Failure, Find, Kept, PageHead, Tools } from "../../components/parts";
import { RowMenu } from "../../components/row-menu";
import { Rows } from "../../components/rows";
import { toast } from "../../components/toast";
import { assetPath, kindOf } from "../../lib/asset";
import { everyPage } from "../../lib/csv";
import { pageIn } from "../../lib/found";
import { lazy } from "../../lib/lazy";
import { startOf, useParameters } from "../../lib/parameters";
import { change, run } from "../../lib/request";
import { counted, numberText, shortOf } from "../../lib/text";
import { kindName } from "../../shared/properties/values";
import { allowedWords, definitionIn, places, type Definition } from "../../shared/properties/definition";
import { DefinedProperties, type DefinedPropertiesQueryVariables } from "../../shared/properties/defined.operations";
import { DeleteProperty } from "./structured-properties.operations";
import { readUses, usesAddress } from "./uses";

const EditProperty = lazy(() => import("./edit"));

const size = 50;

const inputOf = (text: string, start: number, count = size): DefinedPropertiesQueryVariables["input"] => ({ types: ["STRUCTURED_PROPERTY"], query: text || "*", start, count, searchFlags: { skipAggregates: true, skipHighlighting: true } });

async function readDefinitions(input: DefinedPropertiesQueryVariables["input"], signal?: AbortSignal) {
  return pageIn((await run(DefinedProperties, { input }, signal)).data.searchAcrossEntities, definitionIn);
}

const manyOf = (types: readonly string[]) => types.map((type) => kindOf(type).many).join(", ");

/** The structured properties page: their value types, usage and display settings. */
export default function StructuredPropertiesPage() {
  useTitle("Structured properties");
  const { may } = useSession();
  const queries = useQueryClient();
  const [get, set] = useParameters();
  const [text] = useDebouncedValue(get("find").trim(), 200);
  const start = startOf(get("page"), size);
  const [editing, setEditing] = useState<{ property: Definition | null } | null>(null);
  const [removing, setRemoving] = useState<Definition | null>(null);
  const input = inputOf(text, start);
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: ["defined-properties", text, start],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => readDefinitions(input, signal),
  });
  const { data: uses, error: uncounted } = useQuery({
    queryKey: ["property-uses", ...(data?.items ?? []).map(({ urn }) => urn)],
    enabled: data !== undefined && data.items.length > 0,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => readUses(data?.items ?? [], signal),
  });
  const changed = () => Promise.all([queries.invalidateQueries({ queryKey: ["defined-properties"] }), queries.invalidateQueries({ queryKey: ["property-definitions"] }), queries.invalidateQueries({ queryKey: ["property-uses"] })]);
  const reason = may.manageStructuredProperties ? null : "You need the privilege Manage Structured Properties. Ask an administrator to add you to a policy that has it.";
  return (
    <div className="page">
      <PageHead
        title="Structured properties"
        actions={
          <>
            <CopyAs call={{ query: DefinedProperties.toString(), variables: { input } }} />
            <Export
              name="structured-properties"
              head={["Name", "Qualified name", "Description", "Values", "Several", "Allowed values", "Applies to", "Platforms", "Values may be", "Shown", "Uses", "URN"]}
              rows={async () => {
                const all = await everyPage(
                  async (from, count) => {
                    const page = await readDefinitions(inputOf(text, from, count));
                    const counts = await readUses(page.items);
                    return { ...page, items: page.items.map((property) => ({ property, uses: counts.get(property.urn) })) };
                  },
                  { size },
                );
                return {
                  rows: all.items.map(({ property, uses: used }) => [
                    property.name,
                    property.qualifiedName,
                    property.description,
                    kindName(property.kind),
                    property.many,
                    allowedWords(property.allowed),
                    manyOf(property.carriers),
                    property.platforms.map(shortOf).join(", "),
                    manyOf(property.targets),
                    places.flatMap(({ name, short }) => (property.shown.has(name) ? [short] : [])).join(", "),
                    used,
                    property.urn,
                  ]),
                  total: all.total,
                };
              }}
            />
            <Button look="primary" icon={<AddIcon size={16} stroke={1.5} aria-hidden />} reason={reason} onClick={() => setEditing({ property: null })}>
              Create property
            </Button>
          </>
        }
      >
        What the organisation wants to know of its assets, each with the kind of its values. Definitions only widen, so that values stay right.
      </PageHead>
      <Tools>
        <Find label="Find a property" value={get("find")} onChange={(find) => set({ find, page: "" })} />
        {data && (
          <span className="muted small num" role="status">
            {counted(data.total, "property", "properties")}
          </span>
        )}
      </Tools>
      {error ? (
        <Failure what="the properties" error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Bones rows={8} what="the properties" />
      ) : data.items.length === 0 ? (
        <Empty icon={<FormIcon size={20} stroke={1.5} aria-hidden />} title={text ? "No property matches" : "No property yet"} actions={text ? <Button onClick={() => set({ find: "", page: "" })}>Show all properties</Button> : null}>
          {text ? "The name and the description are searched." : "Create one, and set its values on assets."}
        </Empty>
      ) : (
        <Kept old={isPlaceholderData}>
          <Rows
            label="Structured properties"
            head={["Property", "Values", "Applies to", "Shown", "Uses", "Actions"]}
            numbers={["Uses"]}
            items={data.items}
            keyOf={({ urn }) => urn}
            row={(property) => (
              <>
                <td>
                  <Link className="name break" href={assetPath(property.urn)} dir="auto">
                    {property.name}
                  </Link>
                  {property.description && (
                    <div className="faint small break" dir="auto">
                      {property.description.slice(0, 300)}
                    </div>
                  )}
                </td>
                <td data-label="Values">
                  {kindName(property.kind)}
                  {property.many && ", several"}
                  {property.targets.length > 0 && <div className="faint small">{manyOf(property.targets)}</div>}
                  {property.allowed.length > 0 && (
                    <div className="faint small break" dir="auto">
                      {allowedWords(property.allowed, 5)}
                    </div>
                  )}
                </td>
                <td data-label="Applies to">
                  {manyOf(property.carriers)}
                  {property.platforms.length > 0 && <div className="faint small break">on {property.platforms.map(shortOf).join(", ")} alone</div>}
                </td>
                <td data-label="Shown">
                  {property.shown.size === 0 ? <span className="faint">Properties tab</span> : <span className="row wrap">{places.flatMap(({ name, short }) => (property.shown.has(name) ? [<Badge key={name}>{short}</Badge>] : []))}</span>}
                </td>
                <td className="right num" data-label="Uses">
                  <Used property={property} uses={uses?.get(property.urn)} waits={uses === undefined && !uncounted} />
                </td>
                <td className="right">
                  <RowMenu
                    label={`More for ${property.name}`}
                    actions={[
                      { name: "Edit", icon: <EditIcon size={16} stroke={1.5} aria-hidden />, reason, onClick: () => setEditing({ property }) },
                      { name: "Delete property", icon: <DeleteIcon size={16} stroke={1.5} aria-hidden />, reason, onClick: () => setRemoving(property) },
                    ]}
                  />
                </td>
              </>
            )}
          />
          <Pager label="properties" start={start} size={size} total={data.total} onPage={(page) => set({ page: page > 1 ? String(page) : "" }, { push: true })} />
        </Kept>
      )}
      {editing && <EditProperty property={editing.property} onSaved={changed} onClose={() => setEditing(null)} />}
      {removing && <Remove property={removing} onRemoved={changed} onClose={() => setRemoving(null)} />}
    </div>
  );
}

function Used({ property, uses, waits }: { property: Definition; uses: number | undefined; waits: boolean }) {
  if (uses === undefined) {
    return <span className="faint">{waits ? "Counting" : "Not known"}</span>;
  }
  const address = usesAddress(property);
  if (uses === 0) {
    return <span className="faint">Not used</span>;
  }
  return address ? (
    <Link href={address} aria-label={counted(uses, "use")}>
      {numberText(uses)}
    </Link>
  ) : (
    numberText(uses)
  );
}

function Remove({ property, onRemoved, onClose }: { property: Definition; onRemoved: () => Promise<unknown>; onClose: () => void }) {
  const { data, error } = useQuery({ queryKey: ["property-uses", property.urn, "delete"], staleTime: 0, queryFn: async ({ signal }) => (await readUses([property], signal)).get(property.urn) ?? null });
  return (
    <Confirm
      title={`Delete ${property.name}?`}
      verb="Delete property"
      typed={property.name}
      onClose={onClose}
      onConfirm={async () => {
        await change(DeleteProperty, { urn: property.urn });
        await onRemoved();
        toast({ title: `${property.name} was deleted` });
      }}
    >
      {error ? <Failure what="its uses" error={error} /> : data === undefined ? <Bones rows={1} what="its uses" /> : <p>{data === null ? "How many assets have a value of it is not known." : data === 0 ? "No asset has a value of it." : `${counted(data, "asset")} ${data === 1 ? "has" : "have"} a value of it, which goes with it.`}</p>}
      <p>This cannot be undone.</p>
    </Confirm>
  );
}
