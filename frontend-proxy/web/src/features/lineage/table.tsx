import { useState } from "react";

import { Asset as AssetLink, Path } from "../../components/asset";
import { Button } from "../../components/button";
import { LockIcon, RemovedIcon, RightIcon } from "../../components/icons";
import { Person } from "../../components/parts";
import { counted, numberText } from "../../lib/text";
import { stateText, stepText, type Asset } from "./asset";
import { columnName, type Trace } from "../../shared/lineage/columns";
import type { Graph, Way } from "./graph";
import { Sign } from "./graph-sign";
import styles from "./lineage.module.css";

interface Props {
  graph: Graph;
  assets: ReadonlyMap<string, Asset>;
  trace: Trace | null;
  further: (urn: string, way: Way) => number;
  busy: (urn: string, way: Way) => boolean;
  problem: (urn: string, way: Way) => string | undefined;
  /** The number of transitive assets that are not in the table. */
  beyond: number;
  onMore: (urn: string, way: Way) => void;
  onRetry: (urn: string, way: Way) => void;
  onImpact: () => void;
}

/** The initial number of listed assets per distance. */
const atOnce = 100;

/** The content of the graph as a table, grouped by distance. */
export default function LineageTable(props: Props) {
  const { graph, assets, trace, beyond, onImpact } = props;
  const bands = [...new Set(graph.steps.values())]
    .toSorted((a, b) => a - b)
    .map((step) => [step, graph.urns.filter((urn) => (graph.steps.get(urn) ?? 0) === step)] as const)
    .filter(([, urns]) => urns.length > 0);
  const carrying = trace ? graph.urns.filter((urn) => urn !== graph.root && trace.touches(urn)).length : 0;
  return (
    <>
      <table className={styles["table"]} aria-label={`Lineage of ${assets.get(graph.root)?.name ?? "this asset"}`}>
        <thead>
          <tr>
            <th scope="col">Asset</th>
            <th scope="col" className={styles["second"]}>
              Where
            </th>
            {trace && <th scope="col">Column</th>}
            <th scope="col" className={styles["second"]}>
              Owner
            </th>
            <th scope="col">Health</th>
            <th scope="col" className="right">
              Further on
            </th>
          </tr>
        </thead>
        {bands.map(([step, urns]) => (
          <Band key={step} {...props} step={step} urns={urns} />
        ))}
      </table>
      <p className={`${styles["foot"]} muted small num`}>
        {trace && <span>{counted(carrying, "other asset")} shown {carrying === 1 ? "carries" : "carry"} {columnName(trace.column.path)}.</span>}
        {beyond > 0 && <span>{counted(beyond, "more asset")} {beyond === 1 ? "is" : "are"} further on.</span>}
        {beyond > 0 && (
          <Button size="small" look="quiet" onClick={onImpact}>
            List them all
          </Button>
        )}
      </p>
    </>
  );
}

function Band({ step, urns, ...props }: Props & { step: number; urns: readonly string[] }) {
  const [count, setCount] = useState(atOnce);
  const columns = props.trace ? 6 : 5;
  return (
    <tbody>
      <tr className={styles["band"]}>
        <th colSpan={columns} scope="rowgroup">
          {stepText(step)}
          {step !== 0 && <span className="num">{numberText(urns.length)}</span>}
        </th>
      </tr>
      {urns.slice(0, count).map((urn) => {
        const asset = props.assets.get(urn);
        return asset && <Row key={urn} {...props} asset={asset} step={step} />;
      })}
      {urns.length > count && (
        <tr>
          <td colSpan={columns}>
            <Button size="small" look="quiet" onClick={() => setCount(count + atOnce)}>
              Show {numberText(Math.min(atOnce, urns.length - count))} more of this step
            </Button>
          </td>
        </tr>
      )}
    </tbody>
  );
}

function Row({ asset, step, trace, further, busy, problem, onMore, onRetry }: Props & { asset: Asset; step: number }) {
  const columns = trace?.in(asset.urn) ?? [];
  const outward = (["up", "down"] as const).filter((way) => (way === "up" ? step <= 0 : step >= 0));
  return (
    <tr className={step === 0 ? styles["self"] : undefined}>
      <td>
        <Named asset={asset} />
      </td>
      <td className={styles["second"]}>
        <Path platform={asset.platform || undefined} steps={asset.path.length > 0 ? asset.path.slice(-2) : asset.platform ? [asset.platform] : []} />
      </td>
      {trace && (
        <td>
          {columns.length > 0 ? (
            <code className={styles["hot"]}>{columns.slice(0, 3).map(columnName).join(", ")}{columns.length > 3 && `, ${columns.length - 3} more`}</code>
          ) : (
            <span className="faint">{trace.touches(asset.urn) ? "passes through" : "not used"}</span>
          )}
        </td>
      )}
      <td className={styles["second"]}>
        <Owner asset={asset} />
      </td>
      <td>
        <HealthText asset={asset} />
      </td>
      <td className="right nowrap">
        {outward.map((way) => {
          const left = further(asset.urn, way);
          const why = problem(asset.urn, way);
          if (why !== undefined) {
            return (
              <Button key={way} size="small" look="careful" title={why} aria-label={`${asset.name}: ${why} Try again`} onClick={() => onRetry(asset.urn, way)}>
                Retry
              </Button>
            );
          }
          return left > 0 || busy(asset.urn, way) ? (
            <Button
              key={way}
              size="small"
              look="quiet"
              busy={busy(asset.urn, way)}
              aria-label={`Show ${numberText(left)} more ${way === "up" ? "upstream" : "downstream"} of ${asset.name}`}
              onClick={() => onMore(asset.urn, way)}
            >
              {numberText(left)} {step === 0 ? (way === "up" ? "up" : "down") : "more"}
              <RightIcon size={14} stroke={1.5} aria-hidden />
            </Button>
          ) : null;
        })}
      </td>
    </tr>
  );
}

/** The name of an asset, with a link to its page if the actor may view it. */
export function Named({ asset }: { asset: Asset }) {
  const state = stateText(asset);
  if (asset.restricted) {
    return (
      <span className="row faint">
        <LockIcon size={16} stroke={1.5} aria-hidden />
        {asset.name}
        <span className="small nowrap">{state}</span>
      </span>
    );
  }
  return (
    <span className="row">
      <AssetLink urn={asset.urn} name={state ? <span className={styles["dashed"]}>{asset.name}</span> : asset.name} type={asset.type} subType={asset.subType || null} />
      {state && <span className="faint small nowrap">{state}</span>}
    </span>
  );
}

/** The first owner of an asset. */
export function Owner({ asset }: { asset: Asset }) {
  const [first] = asset.owners;
  return first ? (
    <span className="row">
      <Person name={first.name} shape={first.group ? "group" : "person"} />
      {asset.owners.length > 1 && <span className="faint small nowrap">and {asset.owners.length - 1} more</span>}
    </span>
  ) : (
    <span className="faint">{asset.restricted ? "" : "No owner yet"}</span>
  );
}

/** The health of an asset as text. */
export function HealthText({ asset }: { asset: Asset }) {
  return asset.restricted ? null : (
    <span className={`${styles["state"]} ${asset.health === "fail" ? "bad" : asset.health === "none" ? "faint" : "muted"}`}>
      <span aria-hidden>
        {asset.health === "none" ? <RemovedIcon size={14} stroke={1.5} /> : <Sign {...asset} />}
      </span>
      {asset.healthText}
    </span>
  );
}
