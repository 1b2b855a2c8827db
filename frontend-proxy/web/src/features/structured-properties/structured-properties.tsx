import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";

import { useSession } from "../../app/session";
import { useTitle } from "../../app/title";
import { Button } from "../../components/button";
import { CopyAs } from "../../components/copy-as";
import { Confirm } from "../../components/dialog";
import { AddIcon, DeleteIcon, EditIcon, FormIcon } from "../../components/icons";
import { Pager } from "../../components/pager";
import { Badge, Bones, Empty, Failure, Find, Kept, PageHead, Tools } from "../../components/parts";
import { RowMenu } from "../../components/row-menu";
import { Rows } from "../../components/rows";
import { toast } from "../../components/toast";
import { assetPath, kindOf } from "../../lib/asset";
import { lazy } from "../../lib/lazy";
import { startOf, useParameters } from "../../lib/parameters";
import { change, run } from "../../lib/request";
import { counted } from "../../lib/text";
import { kindName } from "../properties/values";
import { definitionIn, places, type Definition } from "./definition";
import { DefinedProperties, DeleteProperty, PropertyUses, type DefinedPropertiesQueryVariables } from "./structured-properties.operations";

const EditProperty = lazy(() => import("./edit"));

const size = 50;

const inputOf = (text: string, start: number): DefinedPropertiesQueryVariables["input"] => ({ types: ["STRUCTURED_PROPERTY"], query: text || "*", start, count: size, searchFlags: { skipAggregates: true, skipHighlighting: true } });

/** The structured properties: which there are, what they hold, and where they are shown. */
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
    queryFn: async ({ signal }) => {
      const found = (await run(DefinedProperties, { input }, signal)).data.searchAcrossEntities;
      return { items: (found?.searchResults ?? []).flatMap(({ entity }) => definitionIn(entity)), total: found?.total ?? 0 };
    },
  });
  const changed = () => Promise.all([queries.invalidateQueries({ queryKey: ["defined-properties"] }), queries.invalidateQueries({ queryKey: ["property-definitions"] })]);
  const reason = may.manageStructuredProperties ? null : "You need the privilege Manage Structured Properties. Ask an administrator to add you to a policy that has it.";
  return (
    <div className="page">
      <PageHead
        title="Structured properties"
        actions={
          <>
            <CopyAs call={{ query: DefinedProperties.toString(), variables: { input } }} />
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
            head={["Property", "Values", "Applies to", "Shown", "Actions"]}
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
                  {property.allowed.length > 0 && <div className="faint small break">{property.allowed.slice(0, 5).map(({ value }) => value).join(", ")}{property.allowed.length > 5 && ` and ${property.allowed.length - 5} more`}</div>}
                </td>
                <td data-label="Applies to">{property.carriers.map((type) => kindOf(type).many).join(", ")}</td>
                <td data-label="Shown">
                  {property.shown.size === 0 ? <span className="faint">Properties tab</span> : <span className="row wrap">{places.flatMap(({ name, short }) => (property.shown.has(name) ? [<Badge key={name}>{short}</Badge>] : []))}</span>}
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

function Remove({ property, onRemoved, onClose }: { property: Definition; onRemoved: () => Promise<unknown>; onClose: () => void }) {
  const { data, error } = useQuery({
    queryKey: ["property-uses", property.urn],
    staleTime: 0,
    queryFn: async ({ signal }) =>
      (await run(PropertyUses, { input: { query: "*", start: 0, count: 0, orFilters: [{ and: [{ field: `structuredProperties.${property.qualifiedName}`, condition: "EXISTS" }] }] } }, signal)).data.searchAcrossEntities?.total ?? 0,
  });
  return (
    <Confirm
      title={`Delete ${property.name}?`}
      verb="Delete property"
      typed={property.name}
      onClose={onClose}
      onConfirm={async () => {
        await change(DeleteProperty, { input: { urn: property.urn } });
        await onRemoved();
        toast({ title: `${property.name} was deleted` });
      }}
    >
      {error ? <Failure what="its uses" error={error} /> : data === undefined ? <Bones rows={1} what="its uses" /> : <p>{data === 0 ? "No asset has a value of it." : `${counted(data, "asset")} ${data === 1 ? "has" : "have"} a value of it, which goes with it.`}</p>}
      <p>This cannot be undone.</p>
    </Confirm>
  );
}
