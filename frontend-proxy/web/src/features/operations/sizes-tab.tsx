import { useQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { useSearchParams } from "wouter";

import { Button } from "../../components/button";
import { CopyAs } from "../../components/copy-as";
import { OperationsIcon, RefreshIcon } from "../../components/icons";
import { Bones, Code, Empty, Failure, Note, Segments, When } from "../../components/parts";
import { Rows } from "../../components/rows";
import { send } from "../../lib/request";
import { counted, numberText } from "../../lib/text";
import styles from "./operations.module.css";
import { seriesName, seriesWords } from "./series";
import { SizeHistory } from "./size-history-view";
import { readSizes, sizeText, sizeWithUnit, stepsTo, unitOf, type Size, type Unit } from "./sizes";
import { Truncate } from "./truncate";

/** Renders the page header with the actions of the tab. */
export interface TabProps {
  head: (actions: ReactNode) => ReactNode;
}

const sizesPath = "/api/gms/operations?action=getIndexSizes";

// The maximum number of bars. The remaining series are too small for useful bars.
const drawn = 12;

/** The disk usage of time series, with an action that removes old data. */
export function SizesTab({ head }: TabProps) {
  const [parameters, setParameters] = useSearchParams();
  const { data, error, refetch, isFetching, dataUpdatedAt } = useQuery({
    queryKey: ["index-sizes"],
    queryFn: async ({ signal }) => readSizes(await send<unknown>(sizesPath, { method: "POST", signal })),
  });
  const set = (key: string, value: string | null) =>
    setParameters((before) => {
      const after = new URLSearchParams(before);
      if (value === null) {
        after.delete(key);
      } else {
        after.set(key, value);
      }
      return after;
    });
  const chosen = data?.sizes?.find(({ index }) => index === parameters.get("truncate"));
  return (
    <>
      {head(
        <>
          <CopyAs call={{ path: sizesPath, method: "POST" }} />
          <Button icon={<RefreshIcon size={16} stroke={1.5} aria-hidden />} busy={isFetching && data !== undefined} onClick={() => void refetch()}>
            Refresh
          </Button>
        </>,
      )}
      {error ? (
        <Failure what="the index sizes" error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Bones rows={8} what="the index sizes" />
      ) : data.sizes === null ? (
        <Unreadable text={data.text} />
      ) : data.sizes.length === 0 ? (
        <Empty icon={<OperationsIcon size={20} stroke={1.5} aria-hidden />} title="No time series yet">
          Profiles, usage and run results are kept over time. Their sizes stand here once the first of them has been written.
        </Empty>
      ) : (
        <div className={styles["split"]} data-open={chosen !== undefined}>
          <div>
            <Sizes
              sizes={data.sizes}
              names={data.names}
              readAt={dataUpdatedAt}
              chosen={chosen}
              view={parameters.get("view") === "table" ? "table" : "chart"}
              onView={(view) => set("view", view === "table" ? view : null)}
              onChoose={({ index }) => set("truncate", index)}
            />
            <SizeHistory />
          </div>
          {chosen && <Truncate key={chosen.index} size={chosen} onClose={() => set("truncate", null)} />}
        </div>
      )}
    </>
  );
}

function Unreadable({ text }: { text: string }) {
  return (
    <div className="stack">
      <Note tone="warn" title="The sizes could not be read">
        The server answered in a form that this page does not know. This is its reply as it came.
      </Note>
      <Code text={text === "" ? "(empty)" : text} label="Reply of the server" />
    </div>
  );
}

interface SizesProps {
  sizes: readonly Size[];
  names: readonly string[];
  readAt: number;
  chosen: Size | undefined;
  view: "chart" | "table";
  onView: (view: "chart" | "table") => void;
  onChoose: (size: Size) => void;
}

function Sizes({ sizes, names, readAt, chosen, view, onView, onChoose }: SizesProps) {
  const told = sizes.flatMap(({ mb }) => (mb === null ? [] : [mb]));
  const total = told.reduce((sum, mb) => sum + mb, 0);
  const largest = sizes[0];
  const unit = unitOf(largest?.mb ?? 0);
  const [value, totalUnit] = sizeWithUnit(total);
  return (
    <section aria-label="Index sizes">
      <dl className={styles["figures"]}>
        <div>
          <dt>Total</dt>
          <dd>
            {value} <span>{totalUnit}</span>
          </dd>
        </div>
        <div>
          <dt>Largest</dt>
          <dd>
            {total > 0 ? Math.round(((largest?.mb ?? 0) / total) * 100) : 0} % <span className="break">{seriesWords(largest?.aspect ?? "")}</span>
          </dd>
        </div>
        <div>
          <dt>Indices</dt>
          <dd>{numberText(sizes.length)}</dd>
        </div>
        <div>
          <dt>Read</dt>
          <dd>
            <When at={readAt} />
          </dd>
        </div>
      </dl>
      <div className={`row ${styles["over"]}`}>
        <h2>Size by aspect</h2>
        <span className="faint small">{unit.name}, largest first</span>
        <span className="end">
          <Segments
            label="Shown as"
            value={view}
            options={[
              { value: "chart", label: "Chart" },
              { value: "table", label: "Table" },
            ]}
            onChange={onView}
          />
        </span>
      </div>
      {view === "table" ? (
        <Table sizes={sizes} names={names} unit={unit} chosen={chosen} onChoose={onChoose} />
      ) : (
        <Chart sizes={sizes} unit={unit} chosen={chosen} onChoose={onChoose} />
      )}
      {told.length < sizes.length && <p className="muted small">The server does not tell the size of {counted(sizes.length - told.length, "index", "indices")}. The total is without them.</p>}
    </section>
  );
}

interface ListProps {
  sizes: readonly Size[];
  unit: Unit;
  chosen: Size | undefined;
  onChoose: (size: Size) => void;
}

const valueText = ({ mb }: Size, unit: Unit) => (mb === null ? "not told" : sizeText(mb, unit));

function Chart({ sizes, unit, chosen, onChoose }: ListProps) {
  const [all, setAll] = useState(false);
  const shown = all ? sizes : sizes.slice(0, drawn);
  const rest = sizes.slice(shown.length);
  const steps = stepsTo((sizes[0]?.mb ?? 0) / unit.mb);
  const last = steps.at(-1) ?? 1;
  const [restValue, restUnit] = sizeWithUnit(rest.reduce((sum, { mb }) => sum + (mb ?? 0), 0));
  return (
    <figure className={styles["chart"]} aria-label={`Index sizes in ${unit.name}`}>
      <ul>
        {shown.map((size) => (
          <li key={size.index} data-chosen={size === chosen}>
            <button type="button" onClick={() => onChoose(size)} aria-pressed={size === chosen} title={`${seriesName(size.aspect)}: choose to truncate`}>
              <span className="clip">{seriesWords(size.aspect) || size.index}</span>
              <code className="faint clip">{seriesName(size.aspect)}</code>
              <span className={styles["bar"]} aria-hidden>
                <span style={{ width: `${((size.mb ?? 0) / unit.mb / last) * 100}%` }} />
              </span>
              <span className="num right">{valueText(size, unit)}</span>
            </button>
          </li>
        ))}
      </ul>
      <div className={styles["axis"]} aria-hidden>
        {steps.map((step) => (
          <span key={step} style={{ left: `${(step / last) * 100}%` }}>
            {numberText(step)}
          </span>
        ))}
      </div>
      {rest.length > 0 && (
        <figcaption className="muted small row">
          {counted(rest.length, "smaller index is", "smaller indices are")} not drawn, {restValue} {restUnit} together.
          <Button size="small" look="quiet" onClick={() => setAll(true)}>
            Show them
          </Button>
        </figcaption>
      )}
    </figure>
  );
}

function Table({ sizes, names, unit, chosen, onChoose }: ListProps & { names: readonly string[] }) {
  return (
    <div className="scroll-x">
      <Rows
        label="Index sizes"
        head={["Aspect", "Entity type", "Index", `Size, ${unit.name}`, ...names, "Actions"]}
        numbers={[`Size, ${unit.name}`]}
        items={sizes}
        keyOf={({ index, aspect }) => index || aspect}
        selected={(size) => size === chosen}
        row={(size) => (
          <>
            <td>
              <span className="name">{seriesWords(size.aspect)}</span>
              <code className={`${styles["id"]} faint break`}>{seriesName(size.aspect)}</code>
            </td>
            <td className="muted" data-label="Entity type">
              {size.entity}
            </td>
            <td className="muted break" data-label="Index">
              <code>{size.index}</code>
            </td>
            <td className="right num" data-label={`Size, ${unit.name}`}>
              {valueText(size, unit)}
            </td>
            {names.map((name) => (
              <td key={name} className="muted break" data-label={name}>
                {size.more[name] ?? ""}
              </td>
            ))}
            <td className="right">
              <Button size="small" look="careful" aria-label={`Truncate ${seriesName(size.aspect)}`} onClick={() => onChoose(size)}>
                Truncate
              </Button>
            </td>
          </>
        )}
      />
    </div>
  );
}
