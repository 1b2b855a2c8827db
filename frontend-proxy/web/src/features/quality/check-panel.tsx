import { useQuery } from "@tanstack/react-query";

import { Button } from "../../components/button";
import { CopyAs } from "../../components/copy-as";
import { CloseIcon, LeaveIcon } from "../../components/icons";
import { Bones, Code, Failure, When } from "../../components/parts";
import { run } from "../../lib/request";
import { numberText, words } from "../../lib/text";
import { exactText, momentText } from "../../lib/time";
import { isSafeLink } from "../../lib/safe-link";
import { sinceOf, stateOf, stateWords, type Check, type Pair, type Run } from "../../shared/quality/quality";
import { detailIn } from "./detail";
import { CheckRuns } from "./quality.operations";
import { OutcomeSign } from "../../shared/quality/state";
import styles from "./quality.module.css";

/** The side panel of a check: its definition and its latest runs. */
export default function CheckPanel({ check, onClose }: { check: Check; onClose: () => void }) {
  const { urn, name, kind, columns, source } = check;
  const { data, error, refetch } = useQuery({ queryKey: ["check", urn], queryFn: async ({ signal }) => detailIn((await run(CheckRuns, { urn }, signal)).data) });
  const since = sinceOf(check);
  const state = stateOf(check);
  const facts: Pair[] = [{ key: "Kind", value: kind }, { key: columns.length > 1 ? "Columns" : "Column", value: columns.join(", ") }, { key: "Source", value: source }, ...(data?.facts ?? [])];
  return (
    <section className={styles["detail"]} aria-label={`Check ${name}`}>
      <header>
        <h2 dir="auto">{name}</h2>
        <Button size="small" look="quiet" label="Close the check" icon={<CloseIcon size={16} stroke={1.5} aria-hidden />} onClick={onClose} />
      </header>
      <p className={state === "failed" ? "bad" : state === "error" ? "warn" : "muted"}>
        {stateWords[state]}
        {since !== undefined && state !== "open" && ` since ${momentText(since)}`}.
      </p>
      <dl>
        {facts.filter(({ value }) => value).slice(0, 40).map(({ key, value }) => (
          <Fact key={key} name={key} value={value} />
        ))}
      </dl>
      {data?.note && (
        <p className="muted break" dir="auto">
          {data.note.slice(0, 2000)}
        </p>
      )}
      <div className="row wrap">
        {data && isSafeLink(data.link) && (
          <a className="row" href={data.link} target="_blank" rel="noreferrer noopener">
            Open in {source || "its tool"}
            <LeaveIcon size={14} stroke={1.5} aria-hidden />
          </a>
        )}
        <CopyAs call={{ query: CheckRuns.toString(), variables: { urn } }} urn={urn} />
      </div>
      {data?.logic && (
        <>
          <h3>How it looks</h3>
          <Code text={data.logic.slice(0, 20_000)} label="The logic of the check" />
        </>
      )}
      <h3>Runs</h3>
      {error ? (
        <Failure what="the runs" error={error} onRetry={() => void refetch()} />
      ) : data ? (
        <Runs runs={data.runs} total={data.total} />
      ) : (
        <Bones rows={4} what="the runs" />
      )}
    </section>
  );
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <>
      <dt>{/^[a-z]\w*$/u.test(name) ? words(name) : name}</dt>
      <dd dir="auto">{value.slice(0, 1000)}</dd>
    </>
  );
}

function Runs({ runs, total }: { runs: readonly Run[]; total: number }) {
  if (runs.length === 0) {
    return <p className="muted">Not run yet.</p>;
  }
  return (
    <>
      <ol className={styles["runs"]} aria-label="Runs, newest first">
        {runs.map((one, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- runs are told apart by their place
          <li key={index}>
            <OneRun run={one} />
          </li>
        ))}
      </ol>
      {total > runs.length && (
        <p className="faint small num">
          The last {numberText(runs.length)} of {numberText(total)}.
        </p>
      )}
    </>
  );
}

function OneRun({ run: { at, outcome, word, found, reason, severity, details, link } }: { run: Run }) {
  return (
    <>
      <div>
        <OutcomeSign outcome={outcome} size={14} />
        <span>{[word, severity && words(severity).toLowerCase()].filter(Boolean).join(", ")}</span>
        <span className="faint small" title={at === undefined ? "" : exactText(at)}>
          {at !== undefined && <When at={at} />}
        </span>
      </div>
      {reason && (
        <p className="small warn break" dir="auto">
          {reason.slice(0, 500)}
        </p>
      )}
      {found && details.length === 0 && <p className="small muted break">{found}</p>}
      {details.length > 0 && (
        <dl>
          {details.slice(0, 12).map(({ key, value }) => (
            <div key={key}>
              <dt>{words(key)}</dt>
              <dd className="num">{/^-?\d{4,15}$/u.test(value) ? numberText(Number(value)) : value.slice(0, 300)}</dd>
            </div>
          ))}
          {outcome === "failed" && found && !details.some(({ value }) => found.startsWith(value)) && (
            <div>
              <dt>Found</dt>
              <dd className="bad">{found}</dd>
            </div>
          )}
        </dl>
      )}
      {isSafeLink(link) && (
        <a className="small" href={link} target="_blank" rel="noreferrer noopener">
          The run in its tool
        </a>
      )}
    </>
  );
}
