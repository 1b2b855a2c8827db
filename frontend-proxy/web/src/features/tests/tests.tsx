import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState, type ReactNode } from "react";
import { Link, useLocation } from "wouter";

import { useSession } from "../../shared/session/session";
import { useTitle } from "../../lib/title";
import { AddIcon, TestsIcon } from "../../components/icons";
import { Bones, Empty, Failure, Find } from "../../components/parts";
import { numberIn } from "../../lib/answer";
import { Fallback, lazy } from "../../lib/lazy";
import { run } from "../../lib/request";
import { counted, numberText } from "../../lib/text";
import { shareOf, testIn, testsIn, type Listed } from "./result";
import { addressOf } from "../../shared/tests/verdict";
import styles from "./tests.module.css";
import { TestsPage as Page } from "./tests.operations";

const Editor = lazy(() => import("./editor"));
const Overview = lazy(() => import("./overview"));

const most = 1000;

function chosenIn(location: string): string {
  const part = /^\/tests\/(.+)$/.exec(location)?.[1] ?? "";
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The tests page: the list of tests with results, and the selected test. */
export default function TestsPage() {
  const [location] = useLocation();
  const chosen = chosenIn(location);
  const one = chosen !== "" && chosen !== "new";
  useEffect(() => (chosen === "" ? Overview : Editor).preload(), [chosen]);
  const variables = { list: { start: 0, count: most }, urn: one ? chosen : "urn:li:test:none", one };
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: ["tests", one ? chosen : ""],
    queryFn: async ({ signal }) => {
      const { data: all, problems } = await run(Page, variables, signal);
      return { test: testIn(all.test), tests: testsIn(all.listTests), total: numberIn(all.listTests?.total) ?? 0, refused: all.listTests ? null : (problems.find(({ details }) => details.path === "listTests")?.message ?? "The server gave no list.") };
    },
    placeholderData: keepPreviousData,
  });
  const call = { query: Page.toString(), variables };
  const list = data?.tests ?? [];
  return (
    <div className={styles["split"]} data-one={chosen !== ""}>
      <List tests={data ? list : null} total={data?.total ?? 0} refused={data ? data.refused : error ? "The tests could not be loaded." : null} chosen={chosen} />
      <div className={styles["right"]}>
        <Fallback show={<Bones rows={8} what={one ? "the test" : "the metadata tests"} />}>
          {error && !data ? (
            <Untitled>
              <Failure what="the metadata tests" error={error} onRetry={() => void refetch()} />
            </Untitled>
          ) : chosen === "new" ? (
            <Editor key="new" stored={null} tests={list} call={call} />
          ) : !data || (one && isPlaceholderData) ? (
            <Bones rows={8} what={one ? "the test" : "the metadata tests"} />
          ) : !one ? (
            <Overview tests={list} call={call} />
          ) : data.test ? (
            <Editor key={data.test.urn} stored={data.test} tests={list} call={call} />
          ) : (
            <Untitled>
              <Empty icon={<TestsIcon size={20} stroke={1.5} aria-hidden />} title="There is no such test">
                It was deleted, or never was. <Link href="/tests">All tests</Link>
              </Empty>
            </Untitled>
          )}
        </Fallback>
      </div>
    </div>
  );
}

// A wrapper with a page heading for content without a selected test.
function Untitled({ children }: { children: ReactNode }) {
  useTitle("Tests");
  return (
    <>
      <h1 className="sr">Tests</h1>
      {children}
    </>
  );
}

interface ListProps {
  tests: readonly Listed[] | null;
  total: number;
  /** The reason why the list is not available. */
  refused: string | null;
  chosen: string;
}

function List({ tests, total, refused, chosen }: ListProps) {
  const { may } = useSession();
  const [text, setText] = useState("");
  const sought = text.trim().toLowerCase();
  const shown = (tests ?? []).filter(({ name, category }) => `${name} ${category}`.toLowerCase().includes(sought));
  return (
    <nav className={styles["list"]} aria-label="Tests">
      <div className={styles["over"]}>
        <Link href="/tests" className={styles["all"] ?? ""} {...(chosen === "" ? { "aria-current": "page" as const } : {})}>
          Tests <span className="faint num">{tests && !refused ? numberText(total) : ""}</span>
        </Link>
        {may.manageTests && (
          <Link href="/tests/new" className={styles["new"] ?? ""}>
            <AddIcon size={14} stroke={1.5} aria-hidden /> New test
          </Link>
        )}
      </div>
      {(tests?.length ?? 0) > 8 && (
        <div className={styles["find"]}>
          <Find label="Find a test" value={text} onChange={setText} />
        </div>
      )}
      {refused ? (
        <p className={`${styles["none"]} muted small`}>{refused}</p>
      ) : tests === null ? (
        <div className={styles["find"]}>
          <Bones rows={6} what="the tests" />
        </div>
      ) : (
        <ul>
          {shown.map((test) => (
            <li key={test.urn}>
              <Link href={addressOf(test.urn)} {...(test.urn === chosen ? { "aria-current": "page" as const } : {})}>
                <b className="clip" title={test.name}>
                  {test.name || test.urn}
                </b>
                <Result test={test} />
              </Link>
            </li>
          ))}
          {sought !== "" && shown.length === 0 && <li className={`${styles["none"]} muted`}>No test matches.</li>}
        </ul>
      )}
      {total > (tests?.length ?? total) && <p className={`${styles["none"]} muted small`}>{`${numberText(tests?.length ?? 0)} of ${numberText(total)} are shown.`}</p>}
    </nav>
  );
}

function Result({ test: { last } }: { test: Listed }) {
  if (!last) {
    return <span className="faint small">Not run yet</span>;
  }
  if (last.invalid) {
    return <span className="bad small clip">Its definition is not valid</span>;
  }
  const { passing, failing } = last;
  return (
    <span className="row small">
      <span className={styles["passed"]} aria-hidden data-none={passing + failing === 0}>
        <span style={{ width: `${shareOf(last) * 100}%` }} />
      </span>
      {failing > 0 ? <span className="bad num">{numberText(failing)} fail</span> : passing > 0 ? <span className="ok">all pass</span> : null}
      <span className="faint num end">{counted(passing + failing, "asset")}</span>
    </span>
  );
}
