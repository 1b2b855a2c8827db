import { Popover } from "@mantine/core";
import { useState, type ComponentProps, type ReactNode } from "react";

import { Button } from "../../components/button";
import { CloseIcon, EditIcon, FilterIcon, WayIcon } from "../../components/icons";
import { Bones, Segments } from "../../components/parts";
import { Fallback, lazy } from "../../lib/lazy";
import { counted, numberText } from "../../lib/text";
import type { AddressState, Direction, View } from "./address";
import type { Asset } from "./asset";
import { ColumnMenu } from "../../shared/lineage/column-choice";
import { columnName, type Columns } from "../../shared/lineage/columns";
import { manyAssets } from "./group";
import styles from "./lineage.module.css";

// Rarely used dialogs are loaded on demand.
const FilterChoices = lazy(() => import("./filter-choices"));
const PathTo = lazy(() => import("./path-to"));

interface Props {
  root: string;
  address: AddressState;
  assets: ReadonlyMap<string, Asset>;
  columns: Columns;
  /** The distance filter of the list: 1, 2, 3+, or empty for all. */
  degree: string;
  size: number;
  /** Opens the lineage editor, or states why editing is not allowed. */
  edit: { whyNot: string | null; open: () => void } | undefined;
  /** The number of visible assets. */
  count: ReactNode;
  /** Further content at the end of the bar. */
  children: ReactNode;
}

/** The toolbar of the lineage page: views and filters. */
export function Bar({ root, address, assets, columns, degree, size, edit, count, children }: Props) {
  const impact = address.view === "impact";
  // Buttons with only an icon leave space for the names of the selection.
  const tight = address.column !== null || address.to !== "" || size > manyAssets;
  return (
    <div className={styles["bar"]} data-tight={tight || undefined}>
      <div className={styles["tools"]}>
        <Segments<View>
          label="View"
          value={address.view}
          options={[
            { value: "graph", label: "Graph" },
            { value: "table", label: "Table" },
            { value: "impact", label: "Impact" },
          ]}
          onChange={(view) => address.set({ view })}
        />
        <Segments<Direction>
          label="Direction"
          value={impact && address.direction === "both" ? "down" : address.direction}
          options={[
            ...(impact ? [] : [{ value: "both" as const, label: "Both ways" }]),
            { value: "up", label: "Upstream" },
            { value: "down", label: "Downstream" },
          ]}
          onChange={(direction) => address.set({ direction: direction === "both" ? "" : direction })}
        />
        {!impact && <ColumnChoice root={root} address={address} assets={assets} columns={columns} />}
        <Filters address={address} assets={assets} degree={degree} size={size} />
        {!impact && <PathChoice root={root} address={address} assets={assets} />}
        {edit && !impact && (
          <Tool icon={<EditIcon size={16} stroke={1.5} aria-hidden />} reason={edit.whyNot} onClick={edit.open} aria-label="Edit lineage" word="Edit" />
        )}
      </div>
      {count}
      {children}
    </div>
  );
}

// A button that hides its label if space is limited.
function Tool({ word, ...button }: Omit<ComponentProps<typeof Button>, "children" | "label"> & { word: string }) {
  return (
    <Button {...button} title={word}>
      <span className={styles["word"]}>{word}</span>
    </Button>
  );
}

function Chip({ label, children, onRemove }: { label: string; children: ReactNode; onRemove: () => void }) {
  return (
    <span className={styles["chip"]}>
      <span className="clip">{children}</span>
      <button type="button" aria-label={label} onClick={onRemove}>
        <CloseIcon size={13} stroke={1.8} aria-hidden />
      </button>
    </span>
  );
}

function ColumnChoice({ root, address, assets, columns }: Pick<Props, "root" | "address" | "assets" | "columns">) {
  const { column } = address;
  if (column) {
    return (
      <Chip label="No column" onRemove={() => address.chooseColumn(null)}>
        Column <code>{columnName(column.path)}</code>
        {column.urn !== root && ` of ${assets.get(column.urn)?.name ?? "another asset"}`}
      </Chip>
    );
  }
  const known = columns.of(root);
  return known.length === 0 ? null : (
    <ColumnMenu columns={known} onChoose={(path) => address.chooseColumn({ urn: root, path })} />
  );
}

function Filters({ address, assets, degree, size }: Pick<Props, "address" | "assets" | "degree" | "size">) {
  const set = [address.platform, address.kind, address.live ? "live" : "", address.view === "impact" ? degree : ""].filter(Boolean).length;
  return (
    <Popover trapFocus returnFocus position="bottom-start" shadow="md">
      <Popover.Target>
        <Tool icon={<FilterIcon size={16} stroke={1.5} aria-hidden />} word={set > 0 ? `Filters, ${set}` : "Filters"} />
      </Popover.Target>
      <Popover.Dropdown aria-label="Filters">
        <Fallback show={<Bones rows={4} what="the filters" />}>
          <FilterChoices address={address} assets={assets} degree={degree} size={size} />
        </Fallback>
      </Popover.Dropdown>
    </Popover>
  );
}

function PathChoice({ root, address, assets }: Pick<Props, "root" | "address" | "assets">) {
  const [asking, setAsking] = useState(false);
  if (address.to) {
    return (
      <Chip label="No path" onRemove={() => address.set({ to: "" })}>
        Path to <b>{assets.get(address.to)?.name ?? "another asset"}</b>
      </Chip>
    );
  }
  return (
    <>
      <Tool icon={<WayIcon size={16} stroke={1.5} aria-hidden />} onClick={() => setAsking(true)} word="Path to" />
      {asking && (
        <Fallback show={null}>
          <PathTo root={root} name={assets.get(root)?.name ?? "this asset"} onClose={() => setAsking(false)} onPath={(to) => address.set({ to })} />
        </Fallback>
      )}
    </>
  );
}

/** The number of visible assets, as "9 of 23 assets shown". */
export function shownText(shown: number, total: number, partial: boolean, groups: number): string {
  const most = Math.max(shown, total);
  const inGroups = groups > 0 ? `, in ${counted(groups, "group")}` : " shown";
  return `${numberText(shown)} of ${numberText(most)}${partial ? " or more" : ""} ${most === 1 ? "asset" : "assets"}${inGroups}`;
}
