import { useEffect, useMemo, useState } from "react";

import { Button } from "../../components/button";
import { CopyAs } from "../../components/copy-as";
import { FailIcon, LineageIcon } from "../../components/icons";
import { Bones, Empty, Failure, Note } from "../../components/parts";
import { Fallback, lazy } from "../../lib/lazy";
import { useParameters } from "../../lib/parameters";
import { problemOf } from "../../lib/problem";
import { counted, numberText, shortOf } from "../../lib/text";
import { firstNeighbours, useAddress, utmost, type AddressState } from "./address";
import { Bar, shownText } from "./bar";
import { columnName, type Trace } from "../../shared/lineage/columns";
import { between, furtherOf, keyOf, openKey, without, type Way } from "./graph";
import { groupsOf, manyAssets } from "./group";
import { LineageImpact } from "./lineage.operations";
import styles from "./lineage.module.css";
import { impactInput, startCall, type Paths } from "./read";
import { whyNotEdit } from "./sources";
import { useLineage, type Lineage } from "./use-lineage";

// Rarely used parts are loaded on demand.
const GraphView = lazy(() => import("./graph-view"));
const Impact = lazy(() => import("./impact"));
const EditLineage = lazy(() => import("./edit"));
const Panel = lazy(() => import("./panel"));
const LineageTable = lazy(() => import("./table"));

/** The lineage tab: upstream and downstream assets as a graph, as a table, or as a list of all transitive ones. */
export default function LineageTab({ urn }: { urn: string; type: string }) {
  const address = useAddress(urn);
  const [get] = useParameters();
  const degree = ["1", "2", "3+"].find((each) => each === get("degree")) ?? "";
  const lineage = useLineage(urn, address);
  const [editing, setEditing] = useState(false);
  const { start, read, columns } = lineage;
  const root = read.assets.get(urn);

  const impact = address.view === "impact";
  if (start.error && !start.data) {
    return <Failure what="the lineage" error={start.error} onRetry={() => void start.refetch()} />;
  }
  if (!impact && (!start.data || !root)) {
    return <Bones rows={8} what="the lineage" />;
  }
  const edit = root && start.data && { whyNot: whyNotEdit(root, start.data.mayEdit), open: () => setEditing(true) };
  const bar = (count: React.ReactNode, size: number) => (
    <Bar root={urn} address={address} assets={read.assets} columns={columns.columns} degree={degree} size={size} edit={edit} count={count}>
      <CopyAs call={impact ? { query: LineageImpact.toString(), variables: { input: { ...impactInput(urn, address, degree), count: 50 } } } : startCall(urn, firstNeighbours)} urn={urn} />
    </Bar>
  );
  return (
    <>
      {impact ? (
        <div className={styles["flat"]}>
          {bar(null, 0)}
          <div className={styles["list"]}>
            <Fallback show={<Bones rows={8} what="what is reached" />}>
              <Impact root={urn} name={root?.name ?? shortOf(urn)} address={address} degree={degree} />
            </Fallback>
          </div>
        </div>
      ) : (
        <Around urn={urn} address={address} lineage={lineage} total={start.data?.total ?? 1} partial={start.data?.partial ?? false} bar={bar} />
      )}
      {editing && root && (
        <Fallback show={null}>
          <EditLineage asset={root} read={read} onChanged={lineage.again} onClose={() => setEditing(false)} />
        </Fallback>
      )}
    </>
  );
}

interface AroundProps {
  urn: string;
  address: AddressState;
  lineage: Lineage;
  total: number;
  partial: boolean;
  bar: (count: React.ReactNode, size: number) => React.ReactNode;
}

const none: ReadonlySet<string> = new Set();

// The visible part of the lineage, after the filters of the address.
function useShown(urn: string, address: AddressState, lineage: Lineage) {
  const { graph: all, read, columns, paths } = lineage;
  const { column, platform, kind, live, only, chosen, to } = address;
  const graph = useMemo(() => {
    const kept = only && chosen ? between(all.edges, urn, chosen) : none;
    return without(all, (each) => {
      const asset = read.assets.get(each);
      if (!asset) {
        return true;
      }
      return (
        (platform !== "" && asset.platform !== platform) || (kind !== "" && asset.type !== kind) || (live && (asset.removed || asset.deprecated || asset.unknown)) || (kept.size > 0 && !kept.has(each))
      );
    });
  }, [all, read.assets, urn, platform, kind, live, only, chosen]);
  const trace = useMemo<Trace | null>(() => (column ? columns.columns.trace(column) : null), [column, columns.columns]);
  const lit = useMemo(() => (to && paths.data ? new Set(paths.data.paths.flat()) : none), [to, paths.data]);
  return { graph, trace, lit };
}

function Around({ urn, address, lineage, total, partial, bar }: AroundProps) {
  const { read, busy, failed, held, columns } = lineage;
  const stable = useStableColumn(address);
  const { graph, trace, lit } = useShown(urn, stable, lineage);
  const shown = useMemo(() => new Set(lineage.graph.urns), [lineage.graph]);
  const far = (of: string) => Math.abs(lineage.graph.steps.get(of) ?? 0);
  const further = (of: string, way: Way) => (lineage.shown.includes(way) && !read.assets.get(of)?.restricted ? (furtherOf(read, shown, of, way, lineage.wanted(of, way, far(of))) ?? 0) : 0);
  const more = (of: string, way: Way) => {
    const now = Math.min(lineage.wanted(of, way, far(of)), read.neighbours.get(keyOf(of, way))?.rows.length ?? 0);
    address.setOpen(of, way, now + firstNeighbours);
  };
  const less = (of: string, way: Way) => address.open.has(openKey(of, way)) && address.setOpen(of, way, 0);
  const grouped = address.grouped && graph.urns.length > manyAssets;
  const groups = useMemo(() => (grouped ? groupsOf(graph, read.assets, () => false).length : 0), [grouped, graph, read.assets]);
  const choose = (of: string) => address.choose(of);
  const chosen = address.chosen && graph.urns.includes(address.chosen) ? read.assets.get(address.chosen) : undefined;
  const count = (
    <>
      <span className={styles["count"]}>
        <span className={`${styles["shown"]} num`} role="status">
          {shownText(graph.urns.length, total, partial, address.view === "graph" ? groups : 0)}
        </span>
      </span>
      {address.to && lineage.paths.data && lineage.paths.data.paths.length > 0 && (
        <span className={styles["beneath"]}>
          <span className={styles["shown"]} role="status">
            {pathsText(lineage.paths.data, read.assets.get(address.to)?.name ?? "the other asset")}
          </span>
        </span>
      )}
    </>
  );
  const notes = <Notes address={address} lineage={lineage} trace={trace} />;

  if (address.view === "table") {
    return (
      <div className={styles["flat"]}>
        {bar(count, graph.urns.length)}
        <div className={styles["list"]}>
          {notes}
          {graph.urns.length === 1 ? (
            <Alone filtered={lineage.graph.urns.length > 1} onClear={() => address.set({ platform: "", kind: "", state: "", only: "" })} />
          ) : (
            <Fallback show={<Bones rows={8} what="the table" />}>
              <LineageTable
                graph={graph}
                assets={read.assets}
                trace={trace}
                further={further}
                busy={(of, way) => busy.has(keyOf(of, way))}
                problem={(of, way) => failed.get(keyOf(of, way))}
                beyond={Math.max(0, total - lineage.graph.urns.length)}
                onMore={more}
                onRetry={lineage.retry}
                onImpact={() => address.set({ view: "impact" })}
              />
            </Fallback>
          )}
          <Held lineage={lineage} held={held} address={address} />
        </div>
      </div>
    );
  }
  return (
    <div className={`${styles["lineage"]} ${address.chosen ? styles["withPanel"] : ""}`}>
      <div className={styles["main"]}>
        {notes}
        <section className={styles["stage"]} aria-label={`Lineage graph of ${read.assets.get(urn)?.name ?? "this asset"}`}>
          {bar(count, graph.urns.length)}
          <Fallback show={<p className={styles["placing"]}>Loading the graph</p>}>
            <GraphView
              graph={graph}
              assets={read.assets}
              columns={columns.columns}
              trace={trace}
              lit={lit}
              grouped={grouped}
              chosen={address.chosen}
              further={further}
              busy={busy}
              failed={failed}
              onChoose={choose}
              onColumn={address.chooseColumn}
              onMore={more}
              onLess={less}
              onRetry={lineage.retry}
            />
          </Fallback>
          <Held lineage={lineage} held={held} address={address} />
          <Legend trace={trace} lit={lit.size > 0} failing={graph.urns.some((each) => read.assets.get(each)?.health === "fail")} edges={graph.edges} />
        </section>
      </div>
      {address.chosen &&
        (chosen ? (
          <Fallback show={<aside className={styles["side"]} aria-label="Chosen asset" />}>
            <Panel
              key={chosen.urn}
              asset={chosen}
              root={urn}
              assets={read.assets}
              trace={trace}
              only={address.only}
              further={further}
              links={{ feeds: graph.edges.filter(({ from }) => from === chosen.urn).length, fedBy: graph.edges.filter(({ to }) => to === chosen.urn).length }}
              columns={columns.columns.of(chosen.urn)}
              onMore={more}
              onOnly={(only) => address.set({ only: only ? "1" : "" })}
              onChoose={choose}
              onColumn={address.chooseColumn}
              onPath={(to) => address.set({ to })}
              onClose={() => address.choose("")}
            />
          </Fallback>
        ) : (
          <NotShown onClose={() => address.choose("")} />
        ))}
    </div>
  );
}

const pathsText = ({ paths, way }: Paths, name: string) => `${counted(paths.length, "path")} ${way} to ${name}, the shortest of ${counted((paths[0]?.length ?? 1) - 1, "step")}`;

// useAddress returns a new object on each render. This hook keeps the column object stable while its content is
// unchanged.
function useStableColumn(address: AddressState): AddressState {
  const urn = address.column?.urn ?? "";
  const path = address.column?.path ?? "";
  const column = useMemo(() => (path ? { urn, path } : null), [urn, path]);
  return { ...address, column };
}

// Warnings about the visible lineage.
function Notes({ address, lineage, trace }: { address: AddressState; lineage: Lineage; trace: Trace | null }) {
  const { columns, paths, busy } = lineage;
  const late = useLate(busy.size > 0);
  const notes: React.ReactNode[] = [];
  if (columns.error !== null) {
    notes.push(
      <Note key="columns" tone="bad" title="Column lineage could not be read" actions={<Button size="small" onClick={columns.retry}>Try again</Button>}>
        {problemOf(columns.error).message}
      </Note>,
    );
  } else if (trace && trace.links.length === 0) {
    notes.push(
      <Note key="column" title={`No lineage is known of the column ${columnName(trace.column.path)}`}>
        What is shown is the lineage of the asset as a whole.
      </Note>,
    );
  }
  if (address.to && paths.error) {
    notes.push(<Failure key="path" what="the path" error={paths.error} onRetry={() => void paths.refetch()} />);
  } else if (address.to && paths.data) {
    if (paths.data.paths.length === 0) {
      notes.push(
        <Note key="path" title="No path is known between the two">
          Neither is made from the other, as far as the catalog knows.
        </Note>,
      );
    }
  }
  if (late) {
    notes.push(
      <Note key="late" title="Still loading" actions={<Button size="small" onClick={lineage.cancel}>Cancel</Button>}>
        The catalog has not answered yet. Wait, or cancel.
      </Note>,
    );
  }
  return notes.length === 0 ? null : <div className={styles["notes"]}>{notes}</div>;
}

// Reports whether an operation has taken ten seconds.
function useLate(busy: boolean): boolean {
  const [late, setLate] = useState(false);
  useEffect(() => {
    if (!busy) {
      return;
    }
    const timer = setTimeout(() => setLate(true), 10_000);
    return () => {
      clearTimeout(timer);
      setLate(false);
    };
  }, [busy]);
  return late;
}

// A prompt before the graph becomes too large for easy reading.
function Held({ lineage, held, address }: { lineage: Lineage; held: Lineage["held"]; address: AddressState }) {
  const key = held.map(({ urn, way }) => keyOf(urn, way)).join(" ");
  const [declined, setDeclined] = useState("");
  const count = held.reduce((sum, each) => sum + each.count, 0);
  if (count === 0 || declined === key) {
    return null;
  }
  const shown = lineage.graph.urns.length;
  if (shown >= utmost || lineage.enough <= address.most) {
    return (
      <div className={styles["ask"]} role="status">
        <span className="muted">A graph shows at most {numberText(utmost)} assets. The impact list has all of them.</span>
        <Button size="small" onClick={() => address.set({ view: "impact" })}>
          Open the impact list
        </Button>
      </div>
    );
  }
  return (
    <div className={styles["ask"]} role="status">
      <span>
        <b className="num">{counted(count, "asset")}</b> <span className="muted">would come to the {numberText(shown)} shown.</span>
      </span>
      <Button size="small" onClick={() => address.set({ most: String(lineage.enough) })}>
        Show {numberText(count)} more?
      </Button>
      <Button size="small" look="quiet" onClick={() => setDeclined(key)}>
        Not now
      </Button>
    </div>
  );
}

function Legend({ trace, lit, failing, edges }: { trace: Trace | null; lit: boolean; failing: boolean; edges: readonly { manual: boolean; through?: boolean }[] }) {
  return (
    <p className={styles["legend"]}>
      <span>
        <i />
        Feeds
      </span>
      {trace && (
        <span>
          <i data-look="hot" />
          Column {columnName(trace.column.path)}
        </span>
      )}
      {lit && (
        <span>
          <i data-look="hot" />
          Path
        </span>
      )}
      {edges.some(({ manual }) => manual) && (
        <span>
          <i data-look="manual" />
          Drawn by hand
        </span>
      )}
      {edges.some(({ through }) => through) && (
        <span>
          <i data-look="through" />
          Through what is left out
        </span>
      )}
      {failing && (
        <span>
          <FailIcon size={14} stroke={1.5} className="bad" aria-hidden />A check fails
        </span>
      )}
    </p>
  );
}

function Alone({ filtered, onClear }: { filtered: boolean; onClear: () => void }) {
  return filtered ? (
    <Empty icon={<LineageIcon size={20} stroke={1.5} aria-hidden />} title="The filters leave nothing but this asset" actions={<Button size="small" onClick={onClear}>Show all</Button>} />
  ) : (
    <Empty icon={<LineageIcon size={20} stroke={1.5} aria-hidden />} title="No lineage is known">
      Lineage comes with ingestion, or is added by hand with Edit.
    </Empty>
  );
}

// A notice that the asset in the address is not visible.
function NotShown({ onClose }: { onClose: () => void }) {
  return (
    <aside className={styles["side"]} aria-label="Chosen asset">
      <section>
        <Note title="The chosen asset is not in sight" actions={<Button size="small" onClick={onClose}>Close panel</Button>}>
          It is further on than the graph reaches now, or a filter leaves it out.
        </Note>
      </section>
    </aside>
  );
}
