import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";

import { useSession } from "../../shared/session/session";
import { Button } from "../../components/button";
import { RunIcon } from "../../components/icons";
import { When } from "../../components/parts";
import { toast } from "../../components/toast";
import { textIn } from "../../lib/answer";
import { problemOf } from "../../lib/problem";
import { change, run } from "../../lib/request";
import { counted, numberText } from "../../lib/text";
import { actorName, needsManage, runsIn, searchFor, triggerText, type Stored } from "./result";
import { RunState } from "./run-state";
import { RunTests, Runs } from "./tests.operations";
import styles from "./tests.module.css";

/** The results of past runs on all assets, with an action that starts a new run. */
export default function History({ stored, dirty }: { stored: Stored | null; dirty: boolean }) {
  const { may } = useSession();
  const queries = useQueryClient();
  const [started, setStarted] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const urn = stored?.urn ?? "";
  const active = useQuery({
    queryKey: ["test-runs", urn],
    queryFn: async ({ signal }) => runsIn((await run(Runs, { input: { testUrn: urn, states: ["QUEUED", "RUNNING"], count: 1 } }, signal)).data).runs.find((each) => each.active)?.id ?? null,
    enabled: stored !== null,
  });
  if (!stored) {
    return <p className="muted">It runs about all assets soon after it was created, and then each day.</p>;
  }
  const start = () => {
    setBusy(true);
    change(RunTests, { tests: [urn] })
      .then(
        ({ runTest }) => setStarted(textIn(runTest?.run?.id) || null),
        (failure: unknown) => toast({ tone: "bad", title: "The test was not run", text: problemOf(failure).message }),
      )
      .finally(() => {
        setBusy(false);
        void queries.invalidateQueries({ queryKey: ["test-runs"] });
      });
  };
  const now = started ?? active.data;
  const { events, last } = stored;
  return (
    <section aria-label="Runs" className={styles["preview"]}>
      <div className="row">
        <h2>Runs</h2>
        <span className="end">
          <Button size="small" busy={busy} icon={<RunIcon size={14} stroke={1.5} aria-hidden />} reason={may.manageTests ? null : needsManage} onClick={start}>
            Run on all assets
          </Button>
        </span>
      </div>
      {last && !last.invalid && (
        <p className="row wrap">
          <Link href={searchFor(urn, "failing")}>Search failing assets</Link>
          <Link href={searchFor(urn, "passing")}>Search passing assets</Link>
        </p>
      )}
      <p className="muted small">A run keeps its results and carries out actions.{dirty && " It uses the definition that is saved."}</p>
      {now && <RunState key={now} id={now} />}
      {events.length === 0 ? (
        <p className="muted">No run has come to its end yet.</p>
      ) : (
        <ul className={styles["events"]}>
          {events.map((event) => (
            <li key={`${event.run} ${event.time}`}>
              <div className="row">
                {event.time !== undefined && <When at={event.time} />}
                {event.invalid ? (
                  <span className="bad end">not valid</span>
                ) : (
                  <span className="end num nowrap">
                    {numberText(event.passing)} pass, <span className={event.failing > 0 ? "bad" : "ok"}>{numberText(event.failing)} fail</span>
                  </span>
                )}
              </div>
              <p className="faint small">
                {triggerText(event.trigger)} by {actorName(event.actor)}
                {event.changed > 0 && `, ${counted(event.changed, "result")} changed`}
              </p>
              {event.error && <p className="bad small break">{event.error}</p>}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
