import styles from "./bars.module.css";

/**
 * The height of a bar: low for a passed run, middle for a warning, tall for a failure, flat for a run that
 * was skipped or has no verdict.
 */
export type Shape = "low" | "middle" | "tall" | "flat";

export interface Bar {
  shape: Shape;
  /** The description of the run, shown as a tooltip. */
  title: string;
}

/** The last runs as small bars, the newest at the right. The label summarises them for screen readers. */
export function Bars({ label, bars }: { label: string; bars: readonly Bar[] }) {
  return (
    <span className={styles["bars"]} role="img" aria-label={label}>
      {bars.map(({ shape, title }, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- runs are told apart by their place
        <i key={index} data-shape={shape} title={title} />
      ))}
    </span>
  );
}
