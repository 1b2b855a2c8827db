import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";

import { useSession } from "../../shared/session/session";
import { useTitle } from "../../lib/title";
import { Button } from "../../components/button";
import { CopyAs } from "../../components/copy-as";
import { Export } from "../../components/export";
import { AddIcon, RunIcon, TestsIcon } from "../../components/icons";
import { Bones, Empty, Failure, PageHead, Person, Section, When } from "../../components/parts";
import { RowMenu } from "../../components/row-menu";
import { Rows } from "../../components/rows";
import type { Call } from "../../lib/copy";
import { timeText } from "../../lib/csv";
import { Fallback, lazy } from "../../lib/lazy";
import { problemOf } from "../../lib/problem";
import { change, run } from "../../lib/request";
import { counted, numberText } from "../../lib/text";
import { durationText } from "../../lib/time";
import { toast } from "../../components/toast";
import { actorName, needsManage, runsIn, type Listed, type Run } from "./result";
import { addressOf } from "../../shared/tests/verdict";
import { RunState, StateWord } from "./run-state";
import styles from "./tests.module.css";
import { RunTests, Runs } from "./tests.operations";

// Dialogs are loaded when they open.
const Starter = lazy(() => import("./starter"));

/** The overview of all tests: an action that runs them on all assets, and recent runs. */
export default function Overview({ tests, call }: { tests: readonly Listed[]; call: Call }) {
  useTitle("Tests");
  const { may } = useSession();
  const queries = useQueryClient();
  const [busy, setBusy] = useState(false);
  const [adding, setAdding] = useState(false);
  const { data, error, refetch } = useQuery({
    queryKey: ["test-runs"],
    queryFn: async ({ signal }) => runsIn((await run(Runs, { input: { start: 0, count: 50 } }, signal)).data),
  });
  const active = data?.runs.find((each) => each.active);
  const start = () => {
    setBusy(true);
    change(RunTests, { tests: null })
      .catch((failure: unknown) => toast({ tone: "bad", title: "The tests were not run", text: problemOf(failure).message }))
      .finally(() => {
        setBusy(false);
        void queries.invalidateQueries({ queryKey: ["test-runs"] });
      });
  };
  return (
    <>
      <PageHead
        title="Tests"
        actions={
          <>
            <CopyAs call={call} />
            <RowMenu
              label="More about tests"
              actions={[{ name: "Add the starter pack", icon: <AddIcon size={16} stroke={1.5} aria-hidden />, reason: may.manageTests ? null : needsManage, onClick: () => setAdding(true) }]}
            />
            <Button look="primary" busy={busy} icon={<RunIcon size={16} stroke={1.5} aria-hidden />} reason={may.manageTests ? (tests.length === 0 ? "There is no test yet." : null) : needsManage} onClick={start}>
              Run all tests
            </Button>
          </>
        }
      >
        A test holds assets to a rule: every table has an owner, every deprecated dashboard names a replacement.
      </PageHead>
      {tests.length === 0 && (
        <Empty
          icon={<TestsIcon size={20} stroke={1.5} aria-hidden />}
          title="No test yet"
          actions={
            <>
              <Button look="plain" icon={<AddIcon size={16} stroke={1.5} aria-hidden />} reason={may.manageTests ? null : needsManage} onClick={() => setAdding(true)}>
                Add the starter pack
              </Button>
              {may.manageTests && <Link href="/tests/new">New test</Link>}
            </>
          }
        >
          Begin with your own, or with those that most teams want: owned, described, in a domain and five more.
        </Empty>
      )}
      {adding && (
        <Fallback show={null}>
          <Starter onClose={() => setAdding(false)} />
        </Fallback>
      )}
      {active && (
        <Section title="Runs now">
          <RunState id={active.id} />
        </Section>
      )}
      <Section title="Runs about all assets" tools={
          data && (
            <>
              <span className="muted small num">{counted(data.total, "run")} in the last 30 days</span>
              {data.runs.length > 0 && <Export size="small" name="test-runs" head={["Tests", "State", "Assets", "Pass", "Fail", "Began", "Ended", "By"]} rows={async () => ({ rows: data.runs.map(cellsOf), total: data.total })} />}
            </>
          )
        }
      >
        {error && !data ? (
          <Failure what="the runs" error={error} onRetry={() => void refetch()} />
        ) : !data ? (
          <Bones rows={4} what="the runs" />
        ) : data.runs.length === 0 ? (
          <p className="muted">None yet. Tests run once a day, and soon after one was written.</p>
        ) : (
          <Rows label="Runs" head={["Tests", "State", "Assets", "Pass", "Fail", "Began", "Took", "By"]} numbers={["Assets", "Pass", "Fail", "Took"]} items={data.runs} keyOf={({ id }) => id} row={(one) => <Line run={one} />} />
        )}
      </Section>
    </>
  );
}

const cellsOf = ({ tests, state, done, passing, failing, began, ended, actor }: Run) => [
  tests.length === 0 ? "All tests" : tests.map(({ name }) => name).join("; "),
  state,
  done,
  passing,
  failing,
  timeText(began),
  timeText(ended),
  actor,
];

function Line({ run: { tests, state, done, passing, failing, began, took, actor, error } }: { run: Run }) {
  const [first] = tests;
  return (
    <>
      <td>
        {first === undefined ? "All tests" : <Link href={addressOf(first.urn)}>{first.name}</Link>}
        {tests.length > 1 && <span className="muted"> and {tests.length - 1} more</span>}
        {error && <span className={`${styles["under"]} bad small break`}>{error}</span>}
      </td>
      <td data-label="State">
        <StateWord state={state} />
      </td>
      <td className="right num" data-label="Assets">
        {numberText(done)}
      </td>
      <td className="right num" data-label="Pass">
        {numberText(passing)}
      </td>
      <td className={`right num ${failing > 0 ? "bad" : ""}`} data-label="Fail">
        {numberText(failing)}
      </td>
      <td className="muted" data-label="Began">
        {began !== undefined && <When at={began} />}
      </td>
      <td className="right muted num" data-label="Took">
        {took === undefined ? "" : durationText(took)}
      </td>
      <td data-label="By">
        <Person name={actorName(actor)} />
      </td>
    </>
  );
}
