import { Radio } from "@mantine/core";
import { useId, type ReactNode } from "react";

import { Platform } from "../../components/asset";
import { Segments } from "../../components/parts";
import { typeName } from "../../lib/asset";
import { numberText } from "../../lib/text";
import type { AddressState } from "./address";
import type { Asset } from "./asset";
import { manyAssets } from "./group";
import styles from "./lineage.module.css";

interface Props {
  address: AddressState;
  assets: ReadonlyMap<string, Asset>;
  /** The distance filter of the list: 1, 2, 3+, or empty for all. */
  degree: string;
  size: number;
}

/** The filters of the lineage. */
export default function FilterChoices({ address, assets, degree, size }: Props) {
  const impact = address.view === "impact";
  return (
    <div className={styles["filters"]}>
      {impact ? (
        <Few
          label="Steps away"
          value={degree}
          options={[
            { value: "", label: "Any" },
            { value: "1", label: "1" },
            { value: "2", label: "2" },
            { value: "3+", label: "3 or more" },
          ]}
          onChange={(value) => address.set({ degree: value })}
        />
      ) : (
        <Few
          label="Steps"
          value={String(address.steps)}
          options={[1, 2, 3, 5, 10].map(String).map((steps) => ({ value: steps, label: steps }))}
          onChange={(value) => address.set({ steps: value === "1" ? "" : value, open: "" })}
        />
      )}
      {!impact && (
        <Values
          label="Platform"
          all="All platforms"
          value={address.platform}
          options={optionsOf(assets.values(), ({ platform }) => platform, (platform) => platform)}
          iconOf={(platform) => <Platform name={platform} />}
          onChange={(platform) => address.set({ platform })}
        />
      )}
      <Values label="Type" all="All types" value={address.kind} options={optionsOf(assets.values(), ({ type }) => type, (type) => typeName(type, 2))} onChange={(kind) => address.set({ kind })} />
      <Few
        label="Removed and deprecated"
        value={address.live ? "live" : ""}
        options={[
          { value: "", label: impact ? "Listed" : "Shown dashed" },
          { value: "live", label: "Left out" },
        ]}
        onChange={(state) => address.set({ state })}
      />
      {address.view === "graph" && size > manyAssets && (
        <Few
          label="Many assets"
          value={address.grouped ? "" : "off"}
          options={[
            { value: "", label: "By container" },
            { value: "off", label: "Each by itself" },
          ]}
          onChange={(group) => address.set({ group })}
        />
      )}
    </div>
  );
}

interface Option {
  value: string;
  label: string;
  count: number;
}

// The distinct values of visible assets as options with counts.
function optionsOf(assets: Iterable<Asset>, valueOf: (asset: Asset) => string, label: (value: string) => string): Option[] {
  const counts = new Map<string, number>();
  for (const value of [...assets].map(valueOf).filter(Boolean)) {
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return [...counts].map(([value, count]) => ({ value, label: label(value), count })).toSorted((a, b) => a.label.localeCompare(b.label));
}

function Few({ label, ...segments }: { label: string; value: string; options: readonly { value: string; label: string }[]; onChange: (value: string) => void }) {
  return (
    <div>
      <h3>{label}</h3>
      <Segments label={label} size="small" {...segments} />
    </div>
  );
}

interface ValuesProps {
  label: string;
  /** The label of the option for all values. */
  all: string;
  value: string;
  options: readonly Option[];
  iconOf?: (value: string) => ReactNode;
  onChange: (value: string) => void;
}

function Values({ label, all, value, options, iconOf, onChange }: ValuesProps) {
  const name = useId();
  const known = value === "" || options.some((option) => option.value === value);
  const lines = [{ value: "", label: all, count: undefined }, ...options, ...(known ? [] : [{ value, label: value, count: 0 }])];
  return (
    <fieldset>
      <legend>{label}</legend>
      <ul>
        {lines.map((line) => (
          <li key={line.value}>
            <Radio
              size="xs"
              name={name}
              value={line.value}
              checked={line.value === value}
              onChange={() => onChange(line.value)}
              classNames={{ body: styles["radio"] ?? "", labelWrapper: styles["radiolabel"] ?? "", label: styles["radiotext"] ?? "" }}
              label={
                <>
                  {line.value !== "" && iconOf?.(line.value)}
                  <span className="clip grow" title={line.label}>
                    {line.label}
                  </span>
                  {line.count !== undefined && <span className="num faint small">{numberText(line.count)}</span>}
                </>
              }
            />
          </li>
        ))}
      </ul>
    </fieldset>
  );
}
