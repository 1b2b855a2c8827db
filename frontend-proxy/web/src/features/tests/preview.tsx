import { useState } from "react";
import { Link } from "wouter";

import { Bones, Empty, Failure, Note, Segments } from "../../components/parts";
import { TestsIcon, LockIcon } from "../../components/icons";
import { counted, numberText } from "../../lib/text";
import type { Check, PreviewOf } from "./check";
import { failureText, reasonsIn } from "../../shared/tests/reason";
import { searchFor } from "./result";
import styles from "./tests.module.css";

/**
 * A preview of the results for all assets before the test is saved. kept is the URN of a test whose stored results
 * belong to this definition.
 */
export function Preview({ check, may, kept }: { check: Check; may: boolean; kept: string | null }) {
  if (!may) {
    return (
      <Empty icon={<LockIcon size={20} stroke={1.5} aria-hidden />} title="Who may change tests sees a preview">
        It needs the privilege Manage Tests. Runs show what the test has found.
      </Empty>
    );
  }
  if (check.error && !check.preview) {
    return <Failure what="the preview" error={check.error} onRetry={check.retry} />;
  }
  return (
    <section aria-label="Preview" className={styles["preview"]} data-waits={check.waits}>
      <div className="row">
        <h2>Preview</h2>
        <span className="faint small end">Nothing is kept</span>
      </div>
      {check.problems.length > 0 ? <Problems check={check} /> : check.preview ? <Counts preview={check.preview} kept={kept} /> : <Bones rows={5} what="the preview" />}
      {check.warnings.map(({ message }) => (
        <Note key={message} tone="warn">
          {message}
        </Note>
      ))}
    </section>
  );
}

/** The problems of a definition with their paths. */
export function Problems({ check }: { check: Check }) {
  return (
    <div role="status">
      <Note tone="warn" title={counted(check.problems.length, "problem")}>
        The test cannot run like this.
      </Note>
      <ul className={styles["problems"]}>
        {check.problems.map(({ path, message }) => (
          <li key={`${path} ${message}`}>
            <code className="break">{path}</code>
            <p className="bad small break">{message}</p>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Counts({ preview, kept }: { preview: PreviewOf; kept: string | null }) {
  const [shown, setShown] = useState<"failing" | "passing">("failing");
  const { selected, passing, failing, complete } = preview;
  if (selected === 0) {
    return (
      <Empty icon={<TestsIcon size={20} stroke={1.5} aria-hidden />} title="No asset is looked at">
        There is none of these types that meets the conditions.
      </Empty>
    );
  }
  const examples = preview.examples[shown];
  const count = shown === "failing" ? failing : passing;
  return (
    <>
      <div role="status">
        <p className={styles["big"]}>
          {numberText(passing)} <span>of {numberText(selected)} pass</span>
        </p>
        {!complete && <p className="muted small">These are the first 20,000 assets. A run looks at all.</p>}
      </div>
      <div className={styles["stack"]} aria-hidden>
        {passing > 0 && <span style={{ flexGrow: passing }} />}
        {failing > 0 && <span data-bad style={{ flexGrow: failing }} />}
      </div>
      <Reasons preview={preview} />
      <div className={styles["which"]}>
        <Segments
          label="Assets"
          size="small"
          value={shown}
          options={[
            { value: "failing", label: "Failing", count: failing },
            { value: "passing", label: "Passing", count: passing },
          ]}
          onChange={setShown}
        />
        {kept && (
          <Link href={searchFor(kept, shown)} title="What the last run found">
            Open as search
          </Link>
        )}
      </div>
      <ul className={styles["examples"]}>
        {examples.map((asset) => (
          <li key={asset.urn}>
            <div className="row" title={asset.urn}>
              <span className="clip">{asset.name}</span>
              <span className="faint small nowrap end">{asset.type}</span>
            </div>
            {shown === "failing" &&
              preview.findings.get(asset.urn)?.map((finding) => (
                <p key={finding.condition.path} className="muted small break">
                  {failureText(finding)}
                </p>
              ))}
          </li>
        ))}
      </ul>
      {examples.length === 0 && <p className="muted small">{count === 0 ? "None." : "None of those that you may see."}</p>}
      {count > examples.length && examples.length > 0 && <p className="faint small">{`${numberText(count - examples.length)} more.`}</p>}
    </>
  );
}

// The maximum number of listed reasons. Each reason covers many assets.
const mostReasons = 8;

function Reasons({ preview: { reasons, explained, failing } }: { preview: PreviewOf }) {
  const list = reasonsIn(reasons);
  if (list.length === 0) {
    return null;
  }
  const several = list.reduce((sum, { count }) => sum + count, 0) > explained;
  return (
    <div>
      <ul className={styles["reasons"]} aria-label="Reasons">
        {list.slice(0, mostReasons).map(({ key, text, count }) => (
          <li key={key}>
            <span className="break">{text}</span>
            <b className="num">{numberText(count)}</b>
          </li>
        ))}
      </ul>
      <p className="faint small">
        {[
          list.length > mostReasons ? `${numberText(list.length - mostReasons)} more reasons.` : "",
          several ? "Some fail more than one rule." : "",
          explained < failing ? `Counted of the first ${numberText(explained)} that fail.` : "",
        ]
          .filter(Boolean)
          .join(" ")}
      </p>
    </div>
  );
}
