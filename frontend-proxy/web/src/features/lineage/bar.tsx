import { Popover } from "@mantine/core";
import { useState, type ReactNode } from "react";

import { Button } from "../../components/button";
import { CloseIcon, EditIcon, FilterIcon, WayIcon } from "../../components/icons";
import { Segments } from "../../components/parts";
import { typeName } from "../../lib/asset";
import { Fallback, lazy } from "../../lib/lazy";
import { counted, numberText } from "../../lib/text";
import type { AddressState, Direction, View } from "./address";
import type { Asset } from "./asset";
import { ColumnMenu } from "./column-choice";
import { columnName, type Columns } from "./columns";
import { manyAssets } from "./group";
import styles from "./lineage.module.css";

interface Props {
  root: string;
  address: AddressState;
  assets: ReadonlyMap<string, Asset>;
  columns: Columns;
  /** How far away the assets of the list are: 1, 2, 3+ or all of them. */
  degree: string;
  size: number;
  /** Opens what edits the lineage, or says why that is not allowed. */
  edit: { whyNot: string | null; open: () => void } | undefined;
  children: ReactNode;
}

/** What is shown of the lineage and how. */
export function Bar({ root, address, assets, columns, degree, size, edit, children }: Props) {
  const impact = address.view === "impact";
  return (
    <div className={styles["bar"]}>
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
        <Button icon={<EditIcon size={16} stroke={1.5} aria-hidden />} reason={edit.whyNot} onClick={edit.open} aria-label="Edit lineage">
          Edit
        </Button>
      )}
      <span className="row wrap">{children}</span>
    </div>
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
  const impact = address.view === "impact";
  const { platforms, kinds } = optionsOf(assets.values());
  const set = [address.platform, address.kind, address.live ? "live" : "", impact ? degree : ""].filter(Boolean).length;
  return (
    <Popover trapFocus returnFocus position="bottom-start" shadow="md">
      <Popover.Target>
        <Button icon={<FilterIcon size={16} stroke={1.5} aria-hidden />}>{set > 0 ? `Filters, ${set}` : "Filters"}</Button>
      </Popover.Target>
      <Popover.Dropdown>
        <div className={styles["filters"]}>
          {impact ? (
            <Choice label="Steps away" value={degree} onChange={(value) => address.set({ degree: value })} all="Any" options={[{ value: "1", label: "1 step" }, { value: "2", label: "2 steps" }, { value: "3+", label: "3 steps or more" }]} />
          ) : (
            <Choice
              label="Steps"
              value={String(address.steps)}
              onChange={(value) => address.set({ steps: value === "1" ? "" : value, open: "" })}
              options={[1, 2, 3, 5, 10].map((steps) => ({ value: String(steps), label: counted(steps, "step") }))}
            />
          )}
          {!impact && <Choice label="Platform" value={address.platform} onChange={(platform) => address.set({ platform })} all="All platforms" options={platforms} />}
          <Choice label="Type" value={address.kind} onChange={(kind) => address.set({ kind })} all="All types" options={kinds} />
          <Choice
            label="Removed and deprecated"
            value={address.live ? "live" : ""}
            onChange={(state) => address.set({ state })}
            options={[
              { value: "", label: "Shown dashed" },
              { value: "live", label: "Left out" },
            ]}
          />
          {address.view === "graph" && size > manyAssets && (
            <Choice
              label="Many assets"
              value={address.grouped ? "" : "off"}
              onChange={(group) => address.set({ group })}
              options={[
                { value: "", label: "By container" },
                { value: "off", label: "Each by itself" },
              ]}
            />
          )}
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}

interface Option {
  value: string;
  label: string;
}

const sorted = (values: Set<string>, label: (value: string) => string): Option[] => [...values].map((value) => ({ value, label: label(value) })).toSorted((a, b) => a.label.localeCompare(b.label));

// The platforms and types of what is shown.
function optionsOf(assets: Iterable<{ platform: string; type: string }>): { platforms: Option[]; kinds: Option[] } {
  const platforms = new Set<string>();
  const kinds = new Set<string>();
  for (const { platform, type } of assets) {
    if (platform) {
      platforms.add(platform);
    }
    kinds.add(type);
  }
  return { platforms: sorted(platforms, (value) => value), kinds: sorted(kinds, (value) => typeName(value, 2)) };
}

interface ChoiceProps {
  label: string;
  value: string;
  /** What the choice of all is called. */
  all?: string;
  options: readonly { value: string; label: string }[];
  onChange: (value: string) => void;
}

function Choice({ label, value, all, options, onChange }: ChoiceProps) {
  return (
    <label>
      {label}
      <select className={styles["select"]} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {all !== undefined && <option value="">{all}</option>}
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
        {value !== "" && !options.some((option) => option.value === value) && <option value={value}>{value}</option>}
      </select>
    </label>
  );
}

const PathTo = lazy(() => import("./path-to"));

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
      <Button icon={<WayIcon size={16} stroke={1.5} aria-hidden />} onClick={() => setAsking(true)}>
        Path to
      </Button>
      {asking && (
        <Fallback show={null}>
          <PathTo root={root} name={assets.get(root)?.name ?? "this asset"} onClose={() => setAsking(false)} onPath={(to) => address.set({ to })} />
        </Fallback>
      )}
    </>
  );
}

/** How much of the lineage is shown, as "9 of 23 assets shown". */
export function shownText(shown: number, total: number, partial: boolean, groups: number): string {
  const most = Math.max(shown, total);
  const inGroups = groups > 0 ? `, in ${counted(groups, "group")}` : " shown";
  return `${numberText(shown)} of ${numberText(most)}${partial ? " or more" : ""} ${most === 1 ? "asset" : "assets"}${inGroups}`;
}
