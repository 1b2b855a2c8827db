import styles from "./bars.module.css";

/** The height of a bar: what passed is low, what warns in the middle, what failed tall, what did not run or has no verdict flat. */
export type Shape = "low" | "middle" | "tall" | "flat";

export interface Bar {
  shape: Shape;
  /** What it stands for, for who points at it. */
  title: string;
}

/** The last runs of something as small bars, the newest at the right. What they say together is in the label. */
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
