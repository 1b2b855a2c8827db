import { Tooltip } from "@mantine/core";

import { Bars, type Shape } from "../../components/bars";
import { exactText, momentText } from "../../lib/time";
import { counted } from "../../lib/text";
import { tallyText, type Day, type Outcome, type Run } from "./quality";
import styles from "./runs-strip.module.css";

const shapes: Readonly<Record<Outcome, Shape>> = { passed: "low", failed: "tall", error: "middle", open: "flat" };

/** The latest runs of a check as small bars, newest on the right. The label contains the same information. */
export function RunBars({ runs, most = 14 }: { runs: readonly Run[]; most?: number }) {
  const shown = runs.slice(0, most).toReversed();
  const tally = { failed: 0, error: 0, passed: 0, open: 0 };
  for (const { outcome } of shown) {
    tally[outcome]++;
  }
  if (shown.length === 0) {
    return <span className="faint small">None yet</span>;
  }
  return (
    <Bars
      label={`Last ${counted(shown.length, "run")}: ${tallyText(tally)}`}
      bars={shown.map(({ at, outcome, word }) => ({ shape: shapes[outcome], title: `${at === undefined ? "" : `${exactText(at)}: `}${word}` }))}
    />
  );
}

/** The days with runs of checks as bars. Each bar shows its results on focus. */
export function DayStrip({ days }: { days: readonly Day[] }) {
  const [first, last] = [days[0], days.at(-1)];
  if (!first || !last || days.length < 2) {
    return null;
  }
  return (
    <figure className={styles["strip"]}>
      <ol aria-label="Runs by day" style={{ gridTemplateColumns: `repeat(${days.length}, minmax(0, 1fr))` }}>
        {days.map((day) => {
          const text = `${momentText(day.at)}: ${tallyText(day)}`;
          return (
            <li key={day.at}>
              <Tooltip label={text}>
                <button type="button" data-shape={shapes[day.outcome]} aria-label={text} />
              </Tooltip>
            </li>
          );
        })}
      </ol>
      <figcaption className="faint small num">
        <span>{momentText(first.at)}</span>
        <span className={styles["key"]} aria-hidden>
          <span>
            <i data-shape="low" />
            all pass
          </span>
          {days.some(({ outcome }) => outcome === "error") && (
            <span>
              <i data-shape="middle" />a check could not run
            </span>
          )}
          <span>
            <i data-shape="tall" />a check fails
          </span>
        </span>
        <span>{momentText(last.at)}</span>
      </figcaption>
    </figure>
  );
}
