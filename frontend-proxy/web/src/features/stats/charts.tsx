import type { ReactNode } from "react";

import { Rows } from "../../components/rows";
import { When } from "../../components/parts";
import { counted, numberText } from "../../lib/text";
import { dateText } from "../../lib/time";
import { barsOf, figureText, lineOf, stepsOf, unitOf, utcDay, type Point } from "./stats";
import styles from "./stats.module.css";

const [width, height] = [300, 96];

interface LineProps {
  title: string;
  kind: "count" | "size";
  points: readonly Point[];
  table: boolean;
  none: ReactNode;
}

/** A value over time from zero, its last figure printed. The same figures are there as a table. */
export function LineChart({ title, kind, points, table, none }: LineProps) {
  const most = points.reduce((high, { value }) => Math.max(high, value), 0);
  const unit = unitOf(most, kind);
  const [first, end] = [points[0], points.at(-1)];
  return (
    <figure className={styles["chart"]}>
      <figcaption>
        <h2>{title}</h2>
        {first && <span className="faint small">{unit.name}</span>}
      </figcaption>
      {!first || !end ? (
        <p className="muted">{none}</p>
      ) : table ? (
        <Rows
          label={title}
          head={["When", unit.name ? `${title}, ${unit.name}` : title]}
          items={points.toReversed()}
          keyOf={({ at }) => String(at)}
          row={({ at, value }) => (
            <>
              <td>
                <When at={at} relative={false} />
              </td>
              <td className="num" data-label={title} title={numberText(value)}>
                {figureText(value, unit)}
              </td>
            </>
          )}
        />
      ) : (
        <Drawn points={points} most={most / unit.by} by={unit.by} last={figureText(end.value, unit)} label={`${title}${unit.name ? ` in ${unit.name}` : ""}, from ${figureText(first.value, unit)} on ${dateText(first.at)} to ${figureText(end.value, unit)} on ${dateText(end.at)}`} />
      )}
    </figure>
  );
}

function Drawn({ points, most, by, last, label }: { points: readonly Point[]; most: number; by: number; last: string; label: string }) {
  const steps = stepsOf(most);
  const top = (steps.at(-1) ?? 1) * by;
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
          {steps.map((step, index) => (
            <line key={step} x1={0} x2={width} y1={height - (index / (steps.length - 1)) * height} y2={height - (index / (steps.length - 1)) * height} />
          ))}
          <polyline points={lineOf(points, top, width, height)} />
        </svg>
        <b className="num nowrap" style={{ top: `${Math.max(0, 1 - end.value / top) * 100}%` }}>
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

/** Counts by days as bars, the most of them printed. The same figures are there as a table. */
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
        items={bars.toReversed()}
        keyOf={({ at }) => String(at)}
        row={(bar) => (
          <>
            <td>{told(bar)}</td>
            <td className="num" data-label={many}>
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
