import { Link } from "wouter";

import { Note } from "../../components/parts";
import { assetPath } from "../../lib/asset";
import { counted } from "../../lib/text";
import type { Source } from "./charts";
import styles from "./dashboard.module.css";

const fewSources = 3;

/** A warning that a chart or dashboard may be wrong, with its unhealthy sources. */
export function Doubts({ title, sources }: { title: string; sources: readonly Source[] }) {
  return (
    <div className={styles["doubts"]}>
      <Note tone={sources.some(({ state }) => state?.tone === "bad") ? "bad" : "warn"} title={title}>
        <ul>
          {sources.slice(0, fewSources).map(({ urn, name, state }) => (
            <li key={urn}>
              <Link href={assetPath(urn, "Quality")}>{name}</Link>: {state?.text}
            </li>
          ))}
          {sources.length > fewSources && <li>{counted(sources.length - fewSources, "more source")}</li>}
        </ul>
      </Note>
    </div>
  );
}
