import type { ReactNode } from "react";

import { Rows } from "../../components/rows";
import { FailIcon } from "../../components/icons";
import { When } from "../../components/parts";
import { counted, numberText } from "../../lib/text";
import { dateText } from "../../lib/time";
import { axisOf, barsOf, figureText, lineOf, unitOf, utcDay, type Point } from "./stats";
import styles from "./charts.module.css";

const [width, height] = [300, 96];

interface LineProps {
  title: string;
  /** The visible title, if it is more than text. */
  heading?: ReactNode;
  /** Controls of the chart: below a drawing, so that charts in a row align, and above a table. */
  tools?: ReactNode;
  kind: "count" | "size" | "share";
  /** The unit noun for counts. */
  noun?: string;
  points: readonly Point[];
  table: boolean;
  none: ReactNode;
  /** A problem with the latest value. */
  trouble?: string;
}

/**
 * A line chart of a value over time, with an axis that includes zero. It prints the latest value. A table shows the
 * same values.
 */
export function LineChart({ title, heading = title, tools, kind, noun = "", points, table, none, trouble = "" }: LineProps) {
  const [least, most] = points.reduce(([low, high], { value }) => [Math.min(low, value), Math.max(high, value)], [0, 0]);
  const unit = unitOf(Math.max(most, -least), kind);
  const [first, end] = [points[0], points.at(-1)];
  return (
    <figure className={styles["chart"]}>
      <figcaption>
        <h2>{heading}</h2>
        {first && <span className="faint small">{[unit.name, noun].filter(Boolean).join(" ")}</span>}
        {table && tools && <span className="row end">{tools}</span>}
      </figcaption>
      {!first || !end ? (
        <p className="muted">{none}</p>
      ) : table ? (
        <Rows
          label={title}
          head={["When", unit.name ? `${title}, ${unit.name}` : title]}
          numbers={[unit.name ? `${title}, ${unit.name}` : title]}
          items={points.toReversed()}
          keyOf={({ at }) => String(at)}
          row={({ at, value }) => (
            <>
              <td>
                <When at={at} relative={false} />
              </td>
              <td className="right num" data-label={title} title={numberText(value)}>
                {figureText(value, unit)}
              </td>
            </>
          )}
        />
      ) : (
        <Drawn
          points={points}
          steps={axisOf(least / unit.by, most / unit.by)}
          by={unit.by}
          last={figureText(end.value, unit)}
          bad={trouble !== ""}
          label={`${title}${unit.name ? ` in ${unit.name}` : ""}, from ${figureText(first.value, unit)} on ${dateText(first.at)} to ${figureText(end.value, unit)} on ${dateText(end.at)}`}
        />
      )}
      {trouble !== "" && (
        <p className={`bad small ${styles["trouble"]}`}>
          <FailIcon size={14} stroke={1.5} aria-hidden />
          {trouble}
        </p>
      )}
      {!table && tools && <div className={`row wrap ${styles["tools"]}`}>{tools}</div>}
    </figure>
  );
}

function Drawn({ points, steps, by, last, bad, label }: { points: readonly Point[]; steps: readonly number[]; by: number; last: string; bad: boolean; label: string }) {
  const [bottom, top] = [(steps[0] ?? 0) * by, (steps.at(-1) ?? 1) * by];
  const heightOf = (value: number) => (value - bottom) / (top - bottom);
  const [first, end] = [points[0] as Point, points.at(-1) as Point];
  return (
    <>
      <div className={styles["plot"]}>
        <div className={styles["steps"]} aria-hidden>
          {steps.toReversed().map((step) => (
            <span key={step}>{numberText(step)}</span>
          ))}
        </div>
        <svg role="img" aria-label={label} viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none">
          {steps.map((step) => (
            <line key={step} x1={0} x2={width} y1={height - heightOf(step * by) * height} y2={height - heightOf(step * by) * height} />
          ))}
          <polyline points={lineOf(points, top, width, height, bottom)} />
        </svg>
        <b className="num nowrap" data-bad={bad} style={{ top: `${(1 - heightOf(end.value)) * 100}%` }}>
          {last}
        </b>
      </div>
      <div className={`${styles["ends"]} faint small num`}>
        <span>{dateText(first.at)}</span>
        <span>{points.length > 1 && dateText(end.at)}</span>
      </div>
    </>
  );
}

interface BarProps {
  label: string;
  noun: string;
  many: string;
  points: readonly Point[];
  from: number;
  days: number;
  table: boolean;
}

const told = (bar: { at: number; days: number }) => (bar.days > 1 ? `${counted(bar.days, "day")} from ${utcDay(bar.at)}` : utcDay(bar.at));

/** A bar chart of counts by day. It prints the highest count. A table shows the same values. */
export function BarChart({ label, noun, many, points, from, days, table }: BarProps) {
  const bars = barsOf(points, from, days);
  const most = bars.reduce((high, { value }) => Math.max(high, value), 0);
  const peak = bars.findLast(({ value }) => value === most);
  const [first, end] = [bars[0], bars.at(-1)];
  if (table) {
    return (
      <Rows
        label={label}
        head={["When", many.charAt(0).toUpperCase() + many.slice(1)]}
        numbers={[many.charAt(0).toUpperCase() + many.slice(1)]}
        items={bars.toReversed()}
        keyOf={({ at }) => String(at)}
        row={(bar) => (
          <>
            <td>{told(bar)}</td>
            <td className="right num" data-label={many}>
              {numberText(bar.value)}
            </td>
          </>
        )}
      />
    );
  }
  return (
    <>
      <div className={styles["bars"]} role="img" aria-label={`${label}: ${peak && most > 0 ? `most on ${told(peak)}, ${counted(most, noun, many)}` : `no ${noun}`}`} style={{ gap: bars.length > 60 ? 1 : 4 }}>
        {bars.map((bar) => (
          <i key={bar.at} data-peak={bar === peak && most > 0} style={{ height: `${most > 0 ? Math.max(bar.value > 0 ? 3 : 0, (bar.value / most) * 100) : 0}%` }} title={`${told(bar)}: ${counted(bar.value, noun, many)}`}>
            {bar === peak && most > 0 && <span className="num">{numberText(most)}</span>}
          </i>
        ))}
      </div>
      <div className={`${styles["under"]} faint small num`}>
        <span>{first && utcDay(first.at)}</span>
        <span>{end && utcDay(end.at + (end.days - 1) * 86_400_000)}</span>
      </div>
    </>
  );
}
