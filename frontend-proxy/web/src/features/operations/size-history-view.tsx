import { useQuery } from "@tanstack/react-query";
import { useSearchParams } from "wouter";

import { FilterMenu } from "../../components/filters";
import { Bones, Failure, Section, Segments, When } from "../../components/parts";
import { Rows } from "../../components/rows";
import { send } from "../../lib/request";
import { dateText } from "../../lib/time";
import { seriesWords } from "./series";
import { readSizeHistory, lineOf, totalOf, type HistoryReply, type Point } from "./size-history";
import { sizeText, sizeWithUnit, stepsTo, unitOf, type Unit } from "./sizes";
import styles from "./operations.module.css";

const path = "/api/gms/operations?action=getIndexSizeHistory";

/** The disk usage of time series over time, in total or for one of them. */
export function SizeHistory() {
  const [parameters, setParameters] = useSearchParams();
  const { data, error, refetch } = useQuery({
    queryKey: ["index-size-history"],
    queryFn: async ({ signal }) => readSizeHistory(await send<HistoryReply | null>(path, { method: "POST", signal })),
  });
  const set = (key: string, value: string) =>
    setParameters((before) => {
      const after = new URLSearchParams(before);
      if (value === "") {
        after.delete(key);
      } else {
        after.set(key, value);
      }
      return after;
    });
  const all = data ?? [];
  const chosen = all.find(({ index }) => index === parameters.get("index"));
  const points = chosen?.points ?? totalOf(all);
  const view = parameters.get("history") === "table" ? "table" : "chart";
  const unit = unitOf(Math.max(0, ...points.map(({ mb }) => mb)));
  return (
    <Section
      title="Size over time"
      tools={
        all.length > 0 && (
          <>
            <FilterMenu
              label={chosen ? seriesWords(chosen.aspect) : "All together"}
              value={chosen?.index ?? ""}
              options={[{ value: "", name: "All together" }, ...all.map(({ index, aspect }) => ({ value: index, name: seriesWords(aspect) }))]}
              onChange={(value) => set("index", value)}
            />
            <Segments
              label="History shown as"
              value={view}
              options={[
                { value: "chart", label: "Chart" },
                { value: "table", label: "Table" },
              ]}
              onChange={(value) => set("history", value === "table" ? value : "")}
            />
          </>
        )
      }
    >
      {error && !data ? (
        <Failure what="the history of the sizes" error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Bones rows={4} what="the history of the sizes" />
      ) : points.length === 0 ? (
        <p className="muted">None yet. Sizes are written down a minute after the start, each day, and before and after a truncation.</p>
      ) : view === "table" ? (
        <Rows
          label="Size over time"
          head={["When", `Size, ${unit.name}`]}
          numbers={[`Size, ${unit.name}`]}
          items={points.toReversed()}
          keyOf={({ at }) => String(at)}
          row={({ at, mb }) => (
            <>
              <td>
                <When at={at} relative={false} />
              </td>
              <td className="right num" data-label={`Size, ${unit.name}`}>
                {sizeText(mb, unit)}
              </td>
            </>
          )}
        />
      ) : (
        <Line points={points} unit={unit} />
      )}
    </Section>
  );
}

const [width, height] = [800, 120];

// The drawing is stretched to the available width, so labels are placed beside it.
function Line({ points, unit }: { points: readonly Point[]; unit: Unit }) {
  const steps = stepsTo(Math.max(...points.map(({ mb }) => mb)) / unit.mb);
  const last = steps.at(-1) ?? 1;
  const [first, end] = [points[0] as Point, points.at(-1) as Point];
  const line = lineOf(points, last * unit.mb, width, height);
  const [now, nowUnit] = sizeWithUnit(end.mb);
  const label = `From ${dateText(first.at)} to ${dateText(end.at)}: ${sizeText(first.mb, unit)} to ${sizeText(end.mb, unit)} ${unit.name}`;
  return (
    <figure className={styles["over-time"]}>
      <div className={styles["plot"]}>
        <div className={styles["steps"]} aria-hidden>
          {steps.toReversed().map((step, at) => (
            <span key={step}>{at === 0 ? `${step} ${unit.name}` : step}</span>
          ))}
        </div>
        <svg role="img" aria-label={label} viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none">
          {steps.map((step) => (
            <line key={step} x1={0} x2={width} y1={height - (step / last) * height} y2={height - (step / last) * height} />
          ))}
          <polyline points={points.length === 1 ? `0.0,${line.split(",")[1]} ${line}` : line} />
        </svg>
        <b className="num nowrap">
          {now} {nowUnit}
        </b>
      </div>
      <figcaption className="faint small row">
        <span>{dateText(first.at)}</span>
        <span className="end">{dateText(end.at)}</span>
      </figcaption>
    </figure>
  );
}
