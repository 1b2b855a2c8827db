import { createContext, memo, useCallback, useContext, useEffect, useMemo, useRef, useState, type KeyboardEvent } from "react";

import { Glyph, Platform } from "../../components/asset";
import { Button } from "../../components/button";
import { AddIcon, FitIcon, LeftIcon, LessIcon, LockIcon, RefreshIcon, RemovedIcon, RightIcon, WarnIcon } from "../../components/icons";
import { counted, numberText } from "../../lib/text";
import { kindText, stateText, stepText, type Asset } from "./asset";
import { areaOf, Ground, useSize, zoomed, type Sight } from "./canvas";
import type { Column } from "../../lib/column";
import { columnName, type Columns, type Trace } from "../../shared/lineage/columns";
import { keyOf, type Graph, type Way } from "./graph";
import { Sign } from "./graph-sign";
import { firstMembers, moreMembers } from "./group";
import { columnAt, type Place, type Places } from "./layout";
import styles from "./lineage.module.css";
import { drawnOf, linesOf, nextFrom, spotsOf, taskOf, type AssetBox, type Drawn, type GroupBox, type Line } from "./picture";
import { wholeOf, withSpot } from "./sight";
import { usePlaces } from "./use-places";

interface Props {
  graph: Graph;
  assets: ReadonlyMap<string, Asset>;
  columns: Columns;
  trace: Trace | null;
  lit: ReadonlySet<string>;
  grouped: boolean;
  chosen: string;
  /** The number of hidden neighbours of an asset in one direction, and the state of their loading. */
  further: (urn: string, way: Way) => number;
  busy: ReadonlyMap<string, unknown>;
  failed: ReadonlyMap<string, string>;
  onChoose: (urn: string) => void;
  onColumn: (column: Column) => void;
  onMore: (urn: string, way: Way) => void;
  onLess: (urn: string, way: Way) => void;
  onRetry: (urn: string, way: Way) => void;
}

interface Shared extends Props {
  /** The asset in the tab order. */
  current: string;
  /** The asset that receives the focus once it is rendered. */
  toFocus: string;
  onFocus: (urn: string) => void;
  onUnfold: (id: string, count: number) => void;
}

const Context = createContext<Shared | null>(null);

function useShared(): Shared {
  const shared = useContext(Context);
  if (!shared) {
    throw new Error("an asset is drawn outside of a graph");
  }
  return shared;
}

/** The lineage graph with panning, zooming and keyboard navigation. */
export default function GraphView(props: Props) {
  const { graph, assets, columns, trace, lit, grouped, chosen } = props;
  const [unfolded, setUnfolded] = useState<ReadonlyMap<string, number>>(new Map());
  const drawn = useMemo(
    () => drawnOf(graph, { assets, columns, trace, lit, grouped, chosen, unfolded }),
    [graph, assets, columns, trace, lit, grouped, chosen, unfolded],
  );
  const task = useMemo(() => taskOf(graph, drawn, grouped), [graph, drawn, grouped]);
  const places = usePlaces(task);
  const fresh = useMemo<Picture | null>(() => places && { graph, drawn, places }, [graph, drawn, places]);
  // The previous layout stays visible until the new one is computed.
  const [kept, setKept] = useState<Picture | null>(fresh);
  if (fresh && fresh !== kept) {
    setKept(fresh);
  }
  const picture = fresh ?? kept;
  return picture ? (
    <Drawing {...props} {...picture} onUnfold={(id, count) => setUnfolded((before) => new Map([...before, [id, count]]))} />
  ) : (
    <p className={styles["placing"]} role="status">
      Placing {counted(drawn.length, "asset")}
    </p>
  );
}

interface Picture {
  graph: Graph;
  drawn: readonly Drawn[];
  places: Places;
}

// Above this number of boxes, only visible boxes are rendered.
const manyBoxes = 60;

function Drawing(props: Props & Picture & { onUnfold: (id: string, count: number) => void }) {
  const { graph, drawn, places, trace, lit, grouped, onChoose, onMore, onLess, further } = props;
  const [current, setCurrent] = useState(props.chosen && graph.urns.includes(props.chosen) ? props.chosen : graph.root);
  const [toFocus, setToFocus] = useState("");
  const lines = useMemo(() => linesOf(graph, drawn, places, trace, lit), [graph, drawn, places, trace, lit]);
  const spots = useMemo(() => spotsOf(drawn, places), [drawn, places]);
  const seen = spots.has(current) ? current : graph.root;
  const [ground, window] = useSize();
  const view = useSight(graph.root, drawn, places, seen, window);

  const onKey = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) {
      return;
    }
    const step = graph.steps.get(seen) ?? 0;
    const outward = (["up", "down"] as const).filter((way) => (way === "up" ? step <= 0 : step >= 0));
    if (event.key === "+" || event.key === "-") {
      event.preventDefault();
      for (const way of outward) {
        if (event.key === "-") {
          onLess(seen, way);
        } else if (further(seen, way) > 0) {
          onMore(seen, way);
        }
      }
    } else if (event.key.startsWith("Arrow")) {
      event.preventDefault();
      const next = nextFrom(graph, spots, seen, event.key);
      if (next !== null) {
        setToFocus(next);
        setCurrent(next);
        view.show(spots.get(next));
      }
    }
  };

  const shared: Shared = {
    ...props,
    current: seen,
    toFocus,
    onFocus: (urn) => {
      setCurrent(urn);
      setToFocus("");
    },
    onChoose: (urn) => {
      setCurrent(urn);
      onChoose(urn);
    },
  };
  const area = drawn.length > manyBoxes ? areaOf(view.sight, window, 200) : null;
  const inSight = (box: Drawn, { x, y }: Place) =>
    area === null || seen === box.id || (x + box.width > area.left && x < area.right && y + box.height > area.top && y < area.bottom);
  return (
    // oxlint-disable-next-line react/jsx-no-constructed-context-values -- what is drawn changes with each of its parts
    <Context value={shared}>
      <Ground
        ground={ground}
        sight={view.sight}
        smooth={view.smooth}
        onSight={view.change}
        onKeyDown={onKey}
        onTouch={view.touch}
        beside={
          <>
            <div className={styles["zoom"]}>
              <Button size="small" icon={<AddIcon size={16} stroke={1.5} aria-hidden />} label="Zoom in" onClick={() => view.zoom(1.25)} />
              <Button size="small" icon={<LessIcon size={16} stroke={1.5} aria-hidden />} label="Zoom out" onClick={() => view.zoom(0.8)} />
              <Button size="small" icon={<FitIcon size={16} stroke={1.5} aria-hidden />} label="Fit to window" onClick={view.fit} />
            </div>
            <p className="sr" id="lineage-keys">
              Arrow keys lead from asset to asset, Enter shows one in the panel, plus shows more around it and minus less.
            </p>
          </>
        }
      >
        <Lines lines={lines} />
        {grouped && <Steps drawn={drawn} places={places} />}
        {drawn.map((box) => {
          const place = places.get(box.id) ?? { x: 0, y: 0 };
          return inSight(box, place) ? (
            <div key={box.id} className={styles["box"]} style={{ left: place.x, top: place.y, width: box.width, height: box.height }}>
              {box.kind === "asset" ? <AssetNode box={box} /> : <GroupNode box={box} />}
            </div>
          ) : null;
        })}
      </Ground>
    </Context>
  );
}

// The viewport. It fits the whole graph until the user interacts with it. From then on the current asset keeps its
// position when the graph grows.
function useSight(root: string, drawn: readonly Drawn[], places: Places, current: string, { width, height }: { width: number; height: number }) {
  const [state, setState] = useState<{ sight: Sight; smooth: boolean; touched: boolean; placed: Places | null; spot: Place | undefined; at: string; width: number }>({
    sight: { x: 0, y: 0, zoom: 1 },
    smooth: false,
    touched: false,
    placed: null,
    spot: undefined,
    at: "",
    width: 0,
  });
  const all = (): Sight => wholeOf(current, root, drawn, places, { width, height });
  if (width > 0 && height > 0 && (state.placed !== places || state.at !== current || state.width !== width)) {
    const spot = spotsOf(drawn, places).get(current);
    const before = state.at === current ? state.spot : undefined;
    const { x, y, zoom } = state.sight;
    const moved = spot && before ? { x: x + (before.x - spot.x) * zoom, y: y + (before.y - spot.y) * zoom, zoom } : state.sight;
    const stays = state.placed !== null && (state.touched || (state.placed === places && state.width === width));
    // An opening panel must not cover the current asset.
    const sight = !stays ? all() : width < state.width ? withSpot(moved, spot, { width, height }) : moved;
    setState((was) => ({ ...was, sight, smooth: state.placed === places && was.smooth, placed: places, spot, at: current, width }));
  }
  const change = useCallback((next: (before: Sight) => Sight) => setState((before) => ({ ...before, sight: next(before.sight), smooth: false })), []);
  const glide = (next: (before: Sight) => Sight) => setState((before) => ({ ...before, sight: next(before.sight), smooth: true }));
  return {
    sight: state.sight,
    smooth: state.smooth,
    change,
    touch: () => setState((before) => (before.touched ? before : { ...before, touched: true })),
    fit: () => glide(all),
    zoom: (by: number) => glide((before) => zoomed(before, by, { x: width / 2, y: height / 2 })),
    /** Moves the viewport until a place is visible. */
    show: (to: Place | undefined) => glide((before) => withSpot(before, to, { width, height })),
  };
}

const Lines = memo(function Lines({ lines }: { lines: readonly Line[] }) {
  return (
    <svg className={styles["lines"]} width="1" height="1" aria-hidden>
      {lines.map(({ id, d, look }) => (
        <path key={id} d={d} data-look={look} />
      ))}
    </svg>
  );
});

function Steps({ drawn, places }: { drawn: readonly Drawn[]; places: Places }) {
  const width = Math.max(...drawn.map((box) => box.width));
  const top = Math.min(...drawn.map((box) => places.get(box.id)?.y ?? 0));
  return [...new Set(drawn.map(({ step }) => step))].map((step) => (
    <span key={step} className={styles["step"]} style={{ left: columnAt(step, width), top: top - 34, width }}>
      {stepText(step)}
    </span>
  ));
}

// The focusable element of an asset, with a roving tabindex: only one asset is in the tab order.
function useSpot(urn: string) {
  const { current, toFocus, onFocus } = useShared();
  const element = useRef<HTMLButtonElement>(null);
  const wanted = toFocus === urn;
  useEffect(() => {
    if (wanted) {
      element.current?.focus({ preventScroll: true });
    }
  }, [wanted]);
  return { ref: element, tabIndex: current === urn ? 0 : -1, onFocus: () => onFocus(urn), "data-urn": urn, "aria-describedby": "lineage-keys" } as const;
}

const picture = (asset: Asset) =>
  asset.restricted ? <LockIcon size={16} stroke={1.5} aria-hidden /> : asset.removed || asset.unknown ? <RemovedIcon size={16} stroke={1.5} aria-hidden /> : <Glyph type={asset.type} subType={asset.subType} />;

function AssetNode({ box }: { box: AssetBox }) {
  const { assets, graph, trace, lit, chosen, current, onChoose, onColumn, onUnfold } = useShared();
  const spot = useSpot(box.id);
  const asset = assets.get(box.id);
  if (!asset) {
    return null;
  }
  const state = stateText(asset);
  const hot = new Set(trace?.in(box.id));
  const self = graph.root === box.id;
  return (
    <article
      className={styles["node"]}
      data-self={self || undefined}
      data-chosen={chosen === box.id || undefined}
      data-through={trace?.touches(box.id) === true || lit.has(box.id) || undefined}
      data-dashed={state !== "" || undefined}
    >
      <button type="button" {...spot} className={styles["head"]} aria-current={chosen === box.id || undefined} onClick={() => onChoose(box.id)}>
        <span className={styles["name"]}>
          {picture(asset)}
          <b className="clip" title={asset.name}>
            {asset.name}
          </b>
          <Sign {...asset} />
        </span>
        <span className={styles["where"]}>
          {asset.platform && <Platform name={asset.platform} />}
          <span className="clip" title={[...asset.path, state].filter(Boolean).join(" / ")}>
            {state || asset.path.slice(-2).join(" / ") || kindText(asset)}
          </span>
        </span>
        <span className="sr">
          , {kindText(asset)}, {stepText(graph.steps.get(box.id) ?? 0)}
        </span>
      </button>
      {(box.columns.length > 0 || box.more > 0) && (
        <ul className={styles["columns"]}>
          {box.columns.map((path) => (
            <li key={path}>
              <button
                type="button"
                tabIndex={current === box.id ? 0 : -1}
                data-hot={hot.has(path) || undefined}
                aria-pressed={trace?.column.urn === box.id && trace.column.path === path}
                title={columnName(path)}
                onClick={() => onColumn({ urn: box.id, path })}
              >
                <code className="clip">{columnName(path)}</code>
              </button>
            </li>
          ))}
          {box.more > 0 && (
            <li>
              <button type="button" tabIndex={current === box.id ? 0 : -1} className={styles["rest"]} onClick={() => onUnfold(box.id, box.columns.length + 20)}>
                {numberText(box.more)} more columns
              </button>
            </li>
          )}
        </ul>
      )}
      <More urn={box.id} way="up" />
      <More urn={box.id} way="down" />
    </article>
  );
}

const wayText = { up: "upstream", down: "downstream" } as const;

// A button that loads more neighbours on one side of an asset, or the error of the last attempt.
function More({ urn, way }: { urn: string; way: Way }) {
  const { assets, graph, further, busy, failed, current, grouped, onMore, onRetry } = useShared();
  const key = keyOf(urn, way);
  const step = graph.steps.get(urn) ?? 0;
  const outward = way === "up" ? step <= 0 : step >= 0;
  const left = outward ? further(urn, way) : 0;
  const name = assets.get(urn)?.name ?? "";
  const why = failed.get(key);
  const common = { type: "button", tabIndex: current === urn ? 0 : -1, className: styles["more"], "data-way": way, "data-below": grouped || undefined } as const;
  if (why !== undefined) {
    return (
      <button {...common} data-failed title={why} aria-label={`What is ${wayText[way]} of ${name} could not be read: ${why} Try again`} onClick={() => onRetry(urn, way)}>
        <RefreshIcon size={12} stroke={2} aria-hidden />
        Retry
      </button>
    );
  }
  if (busy.has(key)) {
    return (
      <span className={styles["more"]} data-way={way} data-below={grouped || undefined} role="status">
        <span className={styles["spin"]} aria-hidden />
        <span className="sr">Reading what is {wayText[way]} of {name}</span>
      </span>
    );
  }
  if (left === 0) {
    return null;
  }
  return (
    <button {...common} aria-label={`Show ${numberText(left)} more ${wayText[way]} of ${name}`} onClick={() => onMore(urn, way)}>
      {way === "up" && <LeftIcon size={12} stroke={2} aria-hidden />}
      {numberText(left)}
      {way === "down" && <RightIcon size={12} stroke={2} aria-hidden />}
    </button>
  );
}

function GroupNode({ box: { group, members } }: { box: GroupBox }) {
  const { trace, lit, onUnfold } = useShared();
  const touched = group.urns.some((urn) => trace?.touches(urn) === true || lit.has(urn));
  const rest = group.urns.length - members.length;
  return (
    <article className={styles["group"]} data-through={touched || undefined} aria-label={`${group.name}, ${stepText(group.step)}`}>
      <div className={styles["holder"]}>
        {group.platform && <Platform name={group.platform} />}
        <b className="clip" title={group.name}>
          {group.name}
        </b>
        <span className="num faint small">{numberText(group.urns.length)}</span>
      </div>
      <ul>
        {members.map((urn) => (
          <Member key={urn} urn={urn} />
        ))}
        {rest > 0 && (
          <li>
            <button type="button" className={styles["rest"]} onClick={() => onUnfold(group.id, members.length === firstMembers ? moreMembers : members.length + moreMembers)}>
              {numberText(rest)} more
            </button>
          </li>
        )}
      </ul>
    </article>
  );
}

function Member({ urn }: { urn: string }) {
  const { assets, trace, lit, chosen, onChoose, failed } = useShared();
  const spot = useSpot(urn);
  const asset = assets.get(urn);
  if (!asset) {
    return null;
  }
  const state = stateText(asset);
  const problem = failed.get(keyOf(urn, "up")) ?? failed.get(keyOf(urn, "down"));
  return (
    <li>
      <button
        type="button"
        {...spot}
        className={styles["member"]}
        data-hot={trace?.touches(urn) === true || lit.has(urn) || undefined}
        data-chosen={chosen === urn || undefined}
        data-dashed={state !== "" || undefined}
        aria-current={chosen === urn || undefined}
        title={[asset.name, state, problem].filter(Boolean).join(": ")}
        onClick={() => onChoose(urn)}
      >
        {picture(asset)}
        <span className="clip grow">{asset.name}</span>
        {state && <span className="sr">, {state}</span>}
        {problem ? <WarnIcon size={14} stroke={1.5} className="warn" aria-label={problem} role="img" /> : asset.health === "fail" || asset.health === "warn" ? <Sign {...asset} /> : null}
      </button>
    </li>
  );
}
