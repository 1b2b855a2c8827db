import styles from "./sign.module.css";

/** The logo: a sheet that was cut in two. */
export function Sign({ size = 20 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 20 20" aria-hidden>
      <path className={styles["upper"]} d="M3 1h14v8.1c-1.17 1.9-2.33 1.9-3.5 0s-2.33-1.9-3.5 0-2.33 1.9-3.5 0-2.33-1.9-3.5 0z" />
      <path className={styles["lower"]} d="M17 11.9c-1.17 1.9-2.33 1.9-3.5 0s-2.33-1.9-3.5 0-2.33 1.9-3.5 0-2.33-1.9-3.5 0V19h14z" />
    </svg>
  );
}

const wave = (y: number) => `M0 ${y} ${"q10.5 -6.8 21 0 q10.5 6.8 21 0 ".repeat(12)}`;

/** The wavy cut of the logo, as a divider: the edge along which the two halves of a deed were parted. */
export function Cut() {
  return (
    <svg className={styles["cut"]} viewBox="0 0 504 14" preserveAspectRatio="none" aria-hidden>
      <path className={styles["sheet"]} d={`${wave(4)}V0 H0Z`} />
      <path className={styles["sheet"]} d={`${wave(10)}V14 H0Z`} />
      <path className={styles["edge"]} d={wave(4)} />
      <path className={styles["edge"]} d={wave(10)} />
    </svg>
  );
}
