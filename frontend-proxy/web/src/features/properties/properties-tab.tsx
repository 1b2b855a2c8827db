import { useQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";

import { Asset as Chip } from "../../components/asset";
import { Button } from "../../components/button";
import { Editable } from "../../components/editable";
import { Export } from "../../components/export";
import { AddIcon, DeleteIcon, EditIcon, FormIcon } from "../../components/icons";
import { KeepOpen } from "../../components/open-rows";
import { Badge, Bones, Empty, Failure, Find, Section, Tools, When } from "../../components/parts";
import { Rows } from "../../components/rows";
import { toast } from "../../components/toast";
import { timeText } from "../../lib/csv";
import { rowEntitiesIn } from "../../lib/found";
import { Fallback, lazy } from "../../lib/lazy";
import { useParameters } from "../../lib/parameters";
import { problemOf } from "../../lib/problem";
import { change, run, send } from "../../lib/request";
import { counted, shortOf } from "../../lib/text";
import type { Asset } from "../../shared/asset/asset";
import { propertyIn, type Property } from "../../shared/properties/property";
import { RemoveProperties, SetProperties } from "../../shared/asset/asset.operations";
import { reasonOf, useEdit, useUnchanged } from "../../shared/asset/edit";
import { entityPath, useAsset } from "../../shared/asset/read";
import type { TabProps } from "../../shared/asset/tabs";
import { ValueEditor } from "../../shared/properties/editor";
import { PropertiesFor } from "./properties.operations";
import styles from "./properties.module.css";
import { customAspects, customPatch, isEditable, kindName, plainValue, provenanceIn, type Provenance, type Stamp, type Value } from "../../shared/properties/values";

const Markdown = lazy(() => import("../../components/markdown"));

// The maximum number of definitions on the page. The filter of the management page finds the others.
const most = 500;

async function readDefinitions(type: string, signal: AbortSignal): Promise<Property[]> {
  const input = {
    types: ["STRUCTURED_PROPERTY" as const],
    query: "*",
    start: 0,
    count: most,
    orFilters: [{ and: [{ field: "entityTypes", values: [`urn:li:entityType:datahub.${type}`] }] }],
    searchFlags: { skipAggregates: true, skipHighlighting: true },
  };
  const { data } = await run(PropertiesFor, { input }, signal);
  return rowEntitiesIn(data.searchAcrossEntities?.searchResults).flatMap((entity) => propertyIn(entity) ?? []);
}

const readProvenance = async (urn: string, type: string, signal: AbortSignal): Promise<Provenance> => {
  const names = ["structuredProperties", ...customAspects(type)].map((name) => `&aspects=${encodeURIComponent(name)}`).join("");
  return provenanceIn(type, await send(`${entityPath(urn)}?systemMetadata=true${names}`, { signal }));
};

/** The properties of an asset: structured properties and custom properties. */
export default function PropertiesTab({ urn, type }: TabProps) {
  const { asset } = useAsset(urn);
  const [get, set] = useParameters();
  const definitions = useQuery({ queryKey: ["property-definitions", type], staleTime: 60_000, queryFn: ({ signal }) => readDefinitions(type, signal) });
  const provenance = useQuery({ queryKey: ["asset", urn, "provenance"], queryFn: ({ signal }) => readProvenance(urn, type, signal) });
  if (definitions.error) {
    return <Failure what="the properties" error={definitions.error} onRetry={() => void definitions.refetch()} />;
  }
  if (!asset || !definitions.data || (!provenance.data && !provenance.error)) {
    return <Bones rows={8} what="the properties" />;
  }
  const sought = get("find").trim().toLowerCase();
  const matches = (...texts: readonly (string | number)[]) => sought === "" || texts.join(" ").toLowerCase().includes(sought);
  const structured = listed(asset, definitions.data).filter(({ name, urn: property, description, values, refs }) => matches(name, property, description, ...values, ...refs.map((ref) => ref.name)));
  const custom = asset.custom.filter(({ key, value }) => matches(key, value));
  const from = provenance.data;
  const nothing = structured.length + custom.length === 0;
  return (
    <>
      <Tools>
        <Find label="Find a property" value={get("find")} onChange={(find) => set({ find })} />
        <span className="muted small num" role="status">
          {counted(structured.filter(({ values }) => values.length > 0).length + custom.length, "property", "properties")}
        </span>
        <span className="end">
          <Export
            name="properties"
            head={["Property", "Value", "Kind", "Set by", "Set at", "URN"]}
            reason={nothing ? "There is nothing to export." : null}
            rows={async () => ({
              rows: [
                ...structured.map(({ urn: property, name, values, kind }) => [name, values.join(", "), kindName(kind), from?.stamps.get(property)?.by, timeText(from?.stamps.get(property)?.time), property]),
                ...custom.map(({ key, value }) => [key, value, "Custom", from?.custom.by, timeText(from?.custom.time), ""]),
              ],
            })}
          />
        </span>
      </Tools>
      {nothing && sought !== "" && (
        <Empty icon={<FormIcon size={20} stroke={1.5} aria-hidden />} title="No property matches" actions={<Button onClick={() => set({ find: "" })}>Show all properties</Button>}>
          Names, descriptions and values are searched.
        </Empty>
      )}
      {asset.has.has("structuredProperties") && (structured.length > 0 || sought === "") && <Structured asset={asset} items={structured} stamps={from?.stamps} />}
      <KeepOpen value={custom.length > 0 || (sought === "" && from?.aspect !== undefined) ? custom : undefined} gone={false}>
        {() => <Custom asset={asset} items={custom} from={from} />}
      </KeepOpen>
    </>
  );
}

const sorted = (list: readonly Property[]) => list.filter(({ hidden }) => !hidden).toSorted((a, b) => a.name.localeCompare(b.name));

// Properties with values, sorted by name, followed by properties that the asset can have.
function listed(asset: Asset, definitions: readonly Property[]): Property[] {
  const mine = new Map(asset.properties.map((property) => [property.urn, property]));
  const platform = asset.platform?.urn ?? "";
  const others = definitions.filter(({ urn, platforms }) => !mine.has(urn) && (platforms.length === 0 || platforms.includes(platform)));
  return [...sorted([...mine.values()]), ...sorted(others)];
}

function Structured({ asset, items, stamps }: { asset: Asset; items: readonly Property[]; stamps: ReadonlyMap<string, Stamp> | undefined }) {
  // Several editors can be open: an editor stays open during the save request.
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const close = (urn: string) => setOpen((before) => new Set([...before].filter((each) => each !== urn)));
  const edit = useEdit(asset.urn);
  const save = (property: Property, values: readonly Value[]) => {
    const after = { ...property, values: values.map(plainValue) };
    const others = (before: Asset) => before.properties.filter(({ urn }) => urn !== property.urn);
    return values.length === 0
      ? edit(
          (before) => ({ ...before, properties: others(before) }),
          () => change(RemoveProperties, { input: { assetUrn: asset.urn, structuredPropertyUrns: [property.urn] } }),
        )
      : edit(
          (before) => ({ ...before, properties: before.properties.some(({ urn }) => urn === property.urn) ? before.properties.map((each) => (each.urn === property.urn ? after : each)) : [...before.properties, after] }),
          () => change(SetProperties, { input: { assetUrn: asset.urn, structuredPropertyInputParams: [{ structuredPropertyUrn: property.urn, values: [...values] }] } }),
        );
  };
  return (
    <Section title="Structured properties">
      {items.length === 0 ? (
        <p className="faint">No structured property is defined for assets of this type.</p>
      ) : (
        <Rows
          label="Structured properties"
          head={["Property", "Value", "Set", "Actions"]}
          items={items}
          keyOf={({ urn }) => urn}
          row={(property) => (
            <>
              <td className={styles["what"]}>
                <Chip urn={property.urn} name={property.name} />
                {property.description && <span className={styles["about"]}>{property.description.slice(0, 300)}</span>}
              </td>
              <td data-label="Value">
                {open.has(property.urn) ? (
                  <ValueEditor property={property} onSave={(values) => save(property, values)} onClose={() => close(property.urn)} />
                ) : (
                  <Values property={property} />
                )}
              </td>
              <td data-label="Set">{property.values.length > 0 ? <Written stamp={stamps?.get(property.urn)} /> : <span className="faint">Not set</span>}</td>
              <td className="right">
                {!open.has(property.urn) && (
                  <Button
                    size="small"
                    look="quiet"
                    label={property.values.length > 0 ? `Edit ${property.name}` : `Set ${property.name}`}
                    icon={property.values.length > 0 ? <EditIcon size={14} stroke={1.5} aria-hidden /> : <AddIcon size={14} stroke={1.5} aria-hidden />}
                    reason={reasonFor(asset, property)}
                    onClick={() => setOpen(new Set([...open, property.urn]))}
                  />
                )}
              </td>
            </>
          )}
        />
      )}
    </Section>
  );
}

function reasonFor(asset: Asset, { kind, immutable, values, name }: Property): string | null {
  if (immutable && values.length > 0) {
    return `${name} cannot be changed once it is set.`;
  }
  return isEditable(kind) ? reasonOf(asset, "canEditProperties") : `Values of the kind ${kindName(kind).toLowerCase()} are not edited here.`;
}

function Values({ property: { values, kind, refs, allowed } }: { property: Property }) {
  if (values.length === 0) {
    return <span className="faint">None</span>;
  }
  return (
    <ul className={styles["values"]} data-kind={kind}>
      {values.map((value) => (
        <li key={value} dir="auto">
          {shown(kind, value, refs, allowed.find((each) => each.value === value)?.description)}
        </li>
      ))}
    </ul>
  );
}

const longest = 2000;

function shown(kind: string, value: string | number, refs: Property["refs"], about = ""): ReactNode {
  if (kind === "urn" && typeof value === "string") {
    return <Chip urn={value} name={refs.find(({ urn }) => urn === value)?.name ?? shortOf(value)} />;
  }
  if (kind === "rich_text") {
    return (
      <Fallback show={<span className="break">{String(value).slice(0, longest)}</span>}>
        <Markdown text={String(value)} />
      </Fallback>
    );
  }
  return (
    <>
      <span className="break num">{String(value).slice(0, longest)}</span>
      {about && <span className={styles["about"]}>{about.slice(0, 300)}</span>}
    </>
  );
}

function Written({ stamp }: { stamp: Stamp | undefined }) {
  if (!stamp || (!stamp.by && stamp.time === undefined)) {
    return <span className="faint">Not known</span>;
  }
  return (
    <span className={styles["stamp"]}>
      {stamp.time !== undefined && <When at={stamp.time} />}
      {stamp.by && <span className={styles["about"]} title={stamp.by}>{`by ${shortOf(stamp.by)}`}</span>}
    </span>
  );
}

const keyOfCustom = ({ key }: Asset["custom"][number]) => key;

const valueOf = (key: string) => (now: Asset) => now.custom.find((each) => each.key === key)?.value ?? "";

function Custom({ asset, items, from }: { asset: Asset; items: Asset["custom"]; from: Provenance | undefined }) {
  const { urn } = asset;
  const [adding, setAdding] = useState(false);
  const edit = useEdit(urn);
  const unchanged = useUnchanged(urn);
  const aspect = from?.aspect;
  const reason = aspect === undefined ? "Where they are kept could not be read." : reasonOf(asset, "canEditProperties");
  const write = (key: string, value: string | null) =>
    edit(
      (before) => ({
        ...before,
        custom: value === null ? before.custom.filter((each) => each.key !== key) : before.custom.some((each) => each.key === key) ? before.custom.map((each) => (each.key === key ? { key, value } : each)) : [...before.custom, { key, value }],
      }),
      () => send(`${entityPath(urn)}/${encodeURIComponent(aspect ?? "")}`, { method: "PATCH", body: customPatch(key, value) }),
    );
  return (
    <Section
      title="Custom properties"
      tools={
        <Button size="small" icon={<AddIcon size={14} stroke={1.5} aria-hidden />} reason={reason} onClick={() => setAdding(true)}>
          New custom property
        </Button>
      }
    >
      <p className={`muted small ${styles["hint"] ?? ""}`}>
        Names and texts as {asset.platform?.name ?? "the source"} tells them. Ingestion may write them anew.{" "}
        {from?.custom.time !== undefined && (
          <>
            Last written <When at={from.custom.time} />
            {from.custom.by && ` by ${shortOf(from.custom.by)}`}.
          </>
        )}
      </p>
      {adding && (
        <NewCustom
          taken={(key) => asset.custom.some((each) => each.key === key)}
          onSave={async (key, value) => {
            await write(key, value);
            setAdding(false);
          }}
          onClose={() => setAdding(false)}
        />
      )}
      <KeepOpen value={items.length > 0 ? items : undefined} gone={false} empty={!adding && <Badge>None</Badge>}>
        {() => (
          <Rows
            label="Custom properties"
            head={["Property", "Value", "Actions"]}
            items={items}
            all={asset.custom}
            keyOf={keyOfCustom}
            row={({ key, value }) => (
              <>
                <td className={styles["what"]}>
                  <span className="name break" dir="auto">
                    {key}
                  </span>
                </td>
                <td data-label="Value">
                  <Editable
                    label={`value of ${key}`}
                    value={value}
                    empty="Empty"
                    long={value.length > 80}
                    most={20_000}
                    cell
                    shown={value.length > longest ? `${value.slice(0, longest)}…` : undefined}
                    reason={reason}
                    onSave={async (after, seen) => {
                      await unchanged(seen, valueOf(key));
                      await write(key, after);
                    }}
                    onSaveAnew={(after) => write(key, after)}
                  />
                </td>
                <td className="right">
                  <Button
                    size="small"
                    look="quiet"
                    label={`Delete ${key}`}
                    icon={<DeleteIcon size={14} stroke={1.5} aria-hidden />}
                    reason={reason}
                    onClick={() => void write(key, null).catch((error: unknown) => toast({ tone: "bad", title: `${key} stays`, text: problemOf(error).message }))}
                  />
                </td>
              </>
            )}
          />
        )}
      </KeepOpen>
    </Section>
  );
}

function NewCustom({ taken, onSave, onClose }: { taken: (key: string) => boolean; onSave: (key: string, value: string) => Promise<unknown>; onClose: () => void }) {
  const [key, setKey] = useState("");
  const [value, setValue] = useState("");
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState("");
  const save = async () => {
    const name = key.trim();
    if (name === "" || taken(name)) {
      setRefusal(name === "" ? "A property needs a name." : `${name} is there already. Change its value below.`);
      return;
    }
    setBusy(true);
    setRefusal("");
    try {
      await onSave(name, value.trim());
    } catch (error) {
      setRefusal(problemOf(error).message);
      setBusy(false);
    }
  };
  return (
    <form
      className={styles["new"]}
      aria-label="New custom property"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- the field is what was asked for */}
      <input aria-label="Name" placeholder="Name" value={key} maxLength={200} autoFocus onChange={(event) => setKey(event.currentTarget.value)} />
      <input aria-label="Value" placeholder="Value" value={value} maxLength={20_000} onChange={(event) => setValue(event.currentTarget.value)} />
      <span className="row">
        <Button size="small" look="primary" type="submit" busy={busy}>
          Save
        </Button>
        <Button size="small" onClick={onClose}>
          Cancel
        </Button>
      </span>
      {refusal && (
        <p className="bad small break" role="alert">
          {refusal}
        </p>
      )}
    </form>
  );
}
