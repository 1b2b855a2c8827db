import { useState, type ReactNode } from "react";

import { Button } from "../../components/button";
import type { Label } from "../entities/refs";
import styles from "./pills.module.css";

const why = ({ name, by }: Label) => (by ? `${name}, put here by ${by}` : name);

const most = 24;

/** A list of tags or terms. Of a long list only the first ones are shown until the user expands it. */
export function Pills({ labels, none, pill, few = most }: { labels: readonly Label[]; none: string; pill: (label: Label) => ReactNode; few?: number }) {
  const [all, setAll] = useState(false);
  if (labels.length === 0) {
    return none ? <p className="faint">{none}</p> : null;
  }
  return (
    <div className={styles["pills"]}>
      {(all ? labels : labels.slice(0, few)).map((label) => (
        <span key={label.urn} title={why(label)} className={styles["pill"]}>
          {pill(label)}
        </span>
      ))}
      {labels.length > few && !all && (
        <Button size="small" look="quiet" onClick={() => setAll(true)}>
          {labels.length - few} more
        </Button>
      )}
    </div>
  );
}
