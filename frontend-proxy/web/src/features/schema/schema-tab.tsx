import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { createPortal } from "react-dom";

import { Asset as Chip, TagPill, TermPill } from "../../components/asset";
import { Button } from "../../components/button";
import { Choose, type Choice } from "../../shared/pickers/choose";
import { Editable } from "../../components/editable";
import { Export } from "../../components/export";
import { AddIcon, CloseIcon, ColumnIcon, DownIcon, FailIcon, KeyIcon, LinkIcon, RightIcon } from "../../components/icons";
import { KeepOpen } from "../../components/open-rows";
import { Bones, Empty, Failure, Find, Meter, Segments, Tools } from "../../components/parts";
import { Rows } from "../../components/rows";
import { typeOf } from "../../lib/asset";
import { Fallback, lazy } from "../../lib/lazy";
import { updateOptimistically } from "../../lib/optimistic";
import { useParameters } from "../../lib/parameters";
import { Problem } from "../../lib/problem";
import { counted, numberText } from "../../lib/text";
import type { Asset } from "../../shared/asset/asset";
import { changedMeanwhile, changeTags, changeTerms, createTag, describe, difference, reasonOf } from "../../shared/asset/edit";
import { useAsset } from "../../shared/asset/read";
import { Pills } from "../../shared/asset/pills";
import type { Label } from "../../shared/entities/refs";
import { useSideSlot } from "../../shared/asset/slot";
import type { TabProps } from "../../shared/asset/tabs";
import { ColumnLineage } from "./column-lineage";
import { countsOf, isOpen, plainPath, saidOf, shownOf, type Column, type Kept } from "../../shared/schema/columns";
import { PastNote, Since, useVersion } from "./past";
import { schemaQuery } from "../../shared/schema/read";
import styles from "./schema.module.css";
import { VersionPicker } from "./version-picker";
import { wordOf, type PastColumn, type Version } from "../../shared/schema/versions";

const Compare = lazy(() => import("../../shared/schema/compare"));

/** The schema tab of a dataset: its columns with types, descriptions and usage. */
export default function SchemaTab({ urn }: TabProps) {
  const { data, error, refetch } = useQuery(schemaQuery(urn));
  const { asset } = useAsset(urn);
  if (error && !data) {
    return <Failure what="the schema" error={error} onRetry={() => void refetch()} />;
  }
  if (!data || !asset) {
    return <Bones rows={10} what="the schema" />;
  }
  return (
    <KeepOpen
      value={data.length > 0 ? data : undefined}
      empty={
        <Empty icon={<ColumnIcon size={20} stroke={1.5} aria-hidden />} title="No schema yet">
          Ingestion writes the columns of a dataset. What it has written otherwise stands under All facts.
        </Empty>
      }
    >
      {(columns) => <Columns urn={urn} asset={asset} newest={columns} />}
    </KeepOpen>
  );
}

function Columns({ urn, asset, newest }: { urn: string; asset: Asset; newest: readonly Column[] }) {
  const [get, set] = useParameters();
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set());
  const slot = useSideSlot();
  const picker = useRef<HTMLButtonElement>(null);
  const toNewest = () => {
    set({ version: "" }, { push: true });
    picker.current?.focus(); // the button that triggered this disappears with the older version
  };
  const { version, past, newest: latest, columns, state } = useVersion(urn, get("version"), newest, toNewest);
  const compare = () => set({ compare: past && latest ? `${past.number}-${latest.number}` : "newest", column: "" }, { push: true });
  const text = get("find");
  const kept = (["undescribed", "tagged"].find((each) => each === get("show")) ?? "all") as Kept;
  // Filters ignore columns that were added after the visible version.
  const own = past ? columns?.filter(({ since }) => since?.kind !== "added") : columns;
  const counts = own && countsOf(own);
  const shown = shownOf((kept === "all" ? columns : own) ?? [], { text, kept, toggled });
  // The export includes fields in collapsed columns.
  const listed = (text === "" && kept === "all" ? columns : shown) ?? [];
  const chosen = columns?.find(({ path }) => path === get("column"));
  const comparing = get("compare") !== "";
  const edit = useColumnEdit(urn, asset, past);
  const toggle = (path: string) =>
    setToggled((before) => {
      const after = new Set(before);
      if (!after.delete(path)) {
        after.add(path);
      }
      return after;
    });
  return (
    <>
      <Tools>
        <Find label="Find a column" value={text} onChange={(find) => set({ find })} />
        <Segments
          label="Which columns"
          value={kept}
          options={[
            { value: "all", label: "All", count: counts?.all },
            { value: "undescribed", label: "Not described", count: counts?.undescribed },
            { value: "tagged", label: "Tagged", count: counts?.tagged },
          ]}
          onChange={(show) => set({ show: show === "all" ? "" : show })}
        />
        <span className={styles["picker"]}>
          <VersionPicker
            ref={picker}
            urn={urn}
            shown={version}
            onChoose={(one) => set({ version: one === latest ? "" : String(one.number) }, { push: true })}
            onCompare={compare}
          />
        </span>
        <Export
          name={`${asset.name}-columns`}
          head={["Column", "Type", "Description", "Terms", "Tags", "May be empty", "Key", "Queries, 30 days"]}
          reason={listed.length === 0 ? "There is no column to export." : null}
          rows={async () => ({ rows: listed.map(cellsOf) })}
        />
      </Tools>
      {past && columns && <PastNote version={past} columns={columns} onNewest={toNewest} onCompare={compare} />}
      {state ?? (
        <>
          <p className="sr" role="status">
            {counted(shown.length, "column")}
          </p>
          <KeepOpen
            key={past?.number}
            value={shown.length > 0 ? shown : undefined}
            gone={false}
            empty={
              <Empty
                icon={<ColumnIcon size={20} stroke={1.5} aria-hidden />}
                title="No column matches"
                actions={
                  <Button size="small" onClick={() => set({ find: "", show: "" })}>
                    Show all {numberText(own?.length ?? 0)}
                  </Button>
                }
              />
            }
          >
            {() => (
              <Table
                columns={shown}
                all={columns ?? []}
                flat={text !== "" || kept !== "all"}
                toggled={toggled}
                chosen={chosen}
                most={Math.max(1, ...newest.slice(0, 20_000).map(({ uses }) => uses ?? 0))}
                used={!past && newest.some(({ uses }) => uses !== undefined)}
                edit={edit}
                onToggle={toggle}
                onOpen={(column) => set({ column, compare: "" }, { push: true })}
              />
            )}
          </KeepOpen>
        </>
      )}
      {slot &&
        !comparing &&
        createPortal(
          <KeepOpen key={past?.number} value={chosen} scope={get("column")}>
            {(column) => <Detail key={column.path} urn={urn} column={column} edit={edit} onClose={() => set({ column: "" })} />}
          </KeepOpen>,
          slot,
        )}
      {slot &&
        comparing &&
        createPortal(
          <Fallback show={<Bones rows={4} what="the versions" />}>
            <Compare urn={urn} onClose={() => set({ compare: "" }, { push: true })} />
          </Fallback>,
          slot,
        )}
    </>
  );
}

const namesOf = (labels: readonly Label[]) => labels.map(({ name }) => name).join("; ");

const cellsOf = (column: Column) => [
  plainPath(column.path),
  column.type,
  saidOf(column),
  namesOf(column.terms),
  namesOf(column.tags),
  column.nullable ? "yes" : "no",
  column.key ? "yes" : "no",
  column.uses,
];

interface TableProps {
  columns: readonly PastColumn[];
  /** All columns, including those that a filter hides. */
  all: readonly PastColumn[];
  /** Shows nested fields as a flat list with full paths. */
  flat: boolean;
  toggled: ReadonlySet<string>;
  chosen: Column | undefined;
  /** The highest number of queries of a column. */
  most: number;
  used: boolean;
  edit: Edit;
  onToggle: (path: string) => void;
  /** Opens a column; an empty path closes it. */
  onOpen: (path: string) => void;
}

function Table({ columns, all, flat, toggled, chosen, most, used, edit, onToggle, onOpen }: TableProps) {
  return (
    <div className={styles["schema"]} data-used={used}>
      <Rows
        label="Columns"
        head={used ? ["Column", "Type", "Description", "Terms and tags", "Use"] : ["Column", "Type", "Description", "Terms and tags"]}
        items={columns}
        all={all}
        keyOf={({ path }) => path}
        selected={({ path }) => path === chosen?.path}
        row={(column) => (
          <>
            <td>
              <span className={styles["name"]} style={{ paddingInlineStart: flat ? 0 : Math.min(column.depth, 12) * 20 }}>
                <Sign column={column} toggled={toggled} onToggle={() => onToggle(column.path)} />
                <span>
                  <button type="button" className={styles["open"]} aria-expanded={column.path === chosen?.path} onClick={() => onOpen(column.path === chosen?.path ? "" : column.path)}>
                    <code title={plainPath(column.path)}>{flat ? plainPath(column.path) : column.name}</code>
                  </button>
                  {column.since && <Since of={column.since} />}
                </span>
              </span>
            </td>
            <td>
              <code className="faint break" title={column.type}>
                {column.type.slice(0, 200)}
              </code>
              {column.since?.kind === "changed" && column.since.is !== undefined && (
                <p className={styles["what"]}>
                  <ins>{column.since.is.slice(0, 200)}</ins>
                </p>
              )}
            </td>
            <td>
              <Description column={column} edit={edit} cell />
            </td>
            <td>
              <Labels column={column} edit={edit} few={4} quiet />
            </td>
            {used && (
              <td>
                {column.uses !== undefined && (
                  <span title={`Read by ${counted(column.uses, "query", "queries")} in 30 days`}>
                    <Meter share={column.uses / most} />
                    <span className="sr">{counted(column.uses, "query", "queries")} in 30 days</span>
                  </span>
                )}
              </td>
            )}
          </>
        )}
      />
    </div>
  );
}

// An icon with the key facts of a column, or the button that expands its nested fields.
function Sign({ column, toggled, onToggle }: { column: Column; toggled: ReadonlySet<string>; onToggle: () => void }) {
  const open = isOpen(column, toggled);
  if (column.inside > 0) {
    return (
      <button type="button" className={styles["fold"]} aria-expanded={open} aria-label={`${open ? "Close" : "Open"} ${column.name}, ${counted(column.inside, "field")} inside`} onClick={onToggle}>
        {open ? <DownIcon size={14} stroke={1.5} aria-hidden /> : <RightIcon size={14} stroke={1.5} aria-hidden />}
      </button>
    );
  }
  const [Icon, tone, words] = column.fails
    ? [FailIcon, "bad", "A check on this column fails"]
    : column.key
      ? [KeyIcon, "warn", "Part of the key"]
      : column.foreign
        ? [LinkIcon, "faint", `Points to ${column.foreign.name}`]
        : [null, "", ""];
  return (
    <span className={styles["sign"]} title={words}>
      {Icon && <Icon size={14} stroke={1.5} className={tone} aria-hidden />}
      {words && <span className="sr">{words}</span>}
    </span>
  );
}

interface Edit {
  describeReason: string | null;
  labelReason: string | null;
  onDescribe: (column: Column, text: string, seen: string) => Promise<unknown>;
  onLabel: (column: Column, after: Choice[]) => Promise<unknown>;
  /** The storage key of a draft; undefined for a version that cannot be edited. */
  keep: (column: Column) => string | undefined;
}

function useColumnEdit(urn: string, asset: Asset, past: Version | undefined): Edit {
  const queries = useQueryClient();
  const { queryKey } = schemaQuery(urn);
  const change = (path: string, expected: (column: Column) => Column, act: () => Promise<unknown>) =>
    updateOptimistically<Column[]>(queries, { queryKey, expected: (all) => all.map((column) => (column.path === path ? expected(column) : column)), act });
  const pastReason = past ? `This is version ${past.name} as it was. Go back to the newest to edit.` : null;
  return {
    describeReason: pastReason ?? reasonOf(asset, "canEditSchemaFieldDescription"),
    labelReason: pastReason ?? reasonOf(asset, "canEditSchemaFieldTags") ?? reasonOf(asset, "canEditSchemaFieldGlossaryTerms"),
    keep: ({ path }) => (past ? undefined : `${urn} column ${path}`),
    onDescribe: async ({ path }, text, seen) => {
      const now = (await queries.fetchQuery({ ...schemaQuery(urn), staleTime: 0 })).find((column) => column.path === path);
      if (!now) {
        throw new Problem("invalid", "The column was removed meanwhile.");
      }
      if (saidOf(now).trim() !== seen.trim()) {
        throw changedMeanwhile(saidOf(now));
      }
      await change(
        path,
        (column) => ({ ...column, edited: text }),
        () => describe(asset, text, path),
      );
    },
    onLabel: ({ path, tags, terms }, after) => {
      const terms2 = after.filter((each) => typeOf(each.urn) === "glossaryTerm");
      const tags2 = after.filter((each) => typeOf(each.urn) === "tag");
      return change(
        path,
        (column) => ({ ...column, tags: tags2.map((tag) => tags.find(({ urn: known }) => known === tag.urn) ?? tag), terms: terms2 }),
        async () => {
          await changeTags(urn, difference(tags, tags2), path);
          await changeTerms(urn, difference(terms, terms2), path);
        },
      );
    },
  };
}

function Description({ column, edit, cell = false }: { column: Column; edit: Edit; cell?: boolean }) {
  const keep = edit.keep(column);
  return (
    <Editable
      label={`description of ${column.name}`}
      value={saidOf(column)}
      empty="Add a description"
      long
      most={20_000}
      cell={cell}
      shown={cell && saidOf(column).length > 300 ? `${saidOf(column).slice(0, 300)}…` : undefined}
      reason={edit.describeReason}
      {...(keep === undefined ? {} : { keep })}
      onSave={(text, seen) => edit.onDescribe(column, text, seen)}
    />
  );
}

// A lock icon in each row would be distracting. The details of a column state the reason.
function Labels({ column, edit, few, quiet = false }: { column: Column; edit: Edit; few: number; quiet?: boolean }) {
  const labels = [...column.terms, ...column.tags];
  return (
    <div className={styles["labels"]}>
      <Pills
        labels={labels}
        none=""
        few={few}
        pill={(label) => (typeOf(label.urn) === "glossaryTerm" ? <TermPill name={label.name} urn={label.urn} /> : <TagPill name={label.name} urn={label.urn} colour={label.colour} />)}
      />
      {(!quiet || edit.labelReason === null) && <Choose
        label={`Choose terms and tags of ${column.name}`}
        icon={<AddIcon size={14} stroke={1.5} aria-hidden />}
        types={["GLOSSARY_TERM", "TAG"]}
        chosen={labels}
        reason={edit.labelReason}
        onCreate={createTag}
        createVerb="Create tag"
        onSave={(after) => edit.onLabel(column, after)}
      />}
    </div>
  );
}

function Detail({ urn, column, edit, onClose }: { urn: string; column: PastColumn; edit: Edit; onClose: () => void }) {
  return (
    <section className={styles["detail"]} aria-label={`Column ${plainPath(column.path)}`}>
      <header>
        <h2>
          <code className="break">{plainPath(column.path)}</code>
        </h2>
        <Button size="small" look="quiet" label="Close the column" icon={<CloseIcon size={16} stroke={1.5} aria-hidden />} onClick={onClose} />
      </header>
      <dl>
        <dt>Type</dt>
        <dd>
          <code className="break">{column.type || "Not known"}</code>
        </dd>
        {column.since && (
          <>
            <dt>Since then</dt>
            <dd>
              {wordOf(column.since)} {column.since.kind === "changed" && column.since.is !== undefined && <code className="break">{column.since.is}</code>} {column.since.text}
            </dd>
          </>
        )}
        <dt>May be empty</dt>
        <dd>{column.nullable ? "Yes" : "No"}</dd>
        {(column.key || column.partition) && (
          <>
            <dt>Key</dt>
            <dd>{[column.key && "Part of the key", column.partition && "Partitions the data"].filter(Boolean).join(", ")}</dd>
          </>
        )}
        {column.foreign && (
          <>
            <dt>Points to</dt>
            <dd>
              <Chip urn={column.foreign.urn} name={column.foreign.name} />
            </dd>
          </>
        )}
        {column.uses !== undefined && (
          <>
            <dt>Read by</dt>
            <dd className="num">{counted(column.uses, "query", "queries")}, 30 days</dd>
          </>
        )}
        {column.fails && (
          <>
            <dt>Checks</dt>
            <dd className="bad">A check on this column fails</dd>
          </>
        )}
      </dl>
      <h3>Description</h3>
      <Description column={column} edit={edit} />
      {column.edited && column.description && column.edited !== column.description && (
        <p className="faint small" dir="auto">
          Its platform says: {column.description.slice(0, 1000)}
        </p>
      )}
      <h3>Terms and tags</h3>
      <Labels column={column} edit={edit} few={40} />
      <ColumnLineage urn={urn} path={column.path} />
    </section>
  );
}
