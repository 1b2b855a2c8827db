import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";

import { useSession } from "../../shared/session/session";
import { useTitle } from "../../lib/title";
import { Button } from "../../components/button";
import { CopyAs } from "../../components/copy-as";
import { useNames } from "../../shared/entities/entities";
import { Export } from "../../components/export";
import { BellIcon, TickIcon } from "../../components/icons";
import { Badge, Bones, Empty, Failure, Letters, Note, PageHead } from "../../components/parts";
import { timeText } from "../../lib/csv";
import { useNow } from "../../lib/now";
import { counted, shortOf } from "../../lib/text";
import { clockText, exactText } from "../../lib/time";
import { byDay, sentenceOf, summaryOf, verbOf, type Change } from "../../shared/history/history";
import { dayTitle, Detail, Sentence, Thing } from "../../shared/history/sentence";
import history from "../../shared/history/history.module.css";
import styles from "./changes.module.css";
import { useLive } from "./live";
import { newerThan, ownedPath, readOwned, type OwnedChange } from "./owned";
import { markSeen, useSeen } from "./seen";

// More changes at one time are summarized first.
const few = 3;
// The maximum number of exported pages.
const mostPages = 20;

async function readAll() {
  const all: OwnedChange[] = [];
  let before = "";
  for (let page = 0; page < mostPages; page++) {
    // oxlint-disable-next-line no-await-in-loop -- each page says where the next one begins
    const { changes, next } = await readOwned({ before, count: 200 });
    all.push(...changes);
    before = next;
    if (!next) {
      break;
    }
  }
  return { all, more: before !== "" };
}

/** The changes of others to assets that the user owns. */
export default function ChangesPage() {
  useTitle("Changes");
  const { urn: me, name } = useSession();
  const seen = useSeen(me) ?? Number.POSITIVE_INFINITY;
  const live = useLive();
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: ["changes", "list"],
    queryFn: ({ pageParam, signal }) => readOwned({ before: pageParam }, signal),
    initialPageParam: "",
    getNextPageParam: ({ next }) => next || undefined,
  });
  const changes = data?.pages.flatMap((page) => page.changes) ?? [];
  const names = useNames(changes.flatMap((each) => [each.urn, each.actor, ...each.changes.map(({ urn }) => urn)]).filter(Boolean));
  const nameOf = (urn: string) => (urn === me ? name : (names.get(urn) ?? shortOf(urn)));
  const now = useNow();
  const fresh = newerThan(changes, seen);
  const newest = Math.max(0, ...changes.map(({ at }) => at ?? 0));
  return (
    <div className="page">
      <PageHead
        title="Changes"
        actions={
          <>
            <CopyAs call={{ path: ownedPath({}), method: "GET" }} />
            <Export
              name="changes"
              head={["time", "actor", "asset", "kind", "operation", "change", "more"]}
              rows={async () => {
                const { all, more } = await readAll();
                const rows = all.flatMap(({ at, actor, urn, changes: of }) => of.map((change) => [timeText(at), actor, urn, change.category, change.operation, `${plain(change, nameOf)} ${nameOf(urn)}`, change.detail]));
                return { rows, ...(more ? { total: rows.length + 1 } : {}) };
              }}
            />
            <Button icon={<TickIcon size={16} stroke={1.5} aria-hidden />} reason={fresh > 0 ? null : "Nothing is new."} onClick={() => markSeen(me, newest)}>
              Mark all as seen
            </Button>
          </>
        }
      >
        What others changed on what you and your groups own, the newest first. The catalog keeps a week of it.
      </PageHead>
      <div role="status">
        {live === false && (
          <Note tone="warn" title="Changes do not come in by themselves at the moment">
            This page tries to connect again. Until then it shows what was read last.
          </Note>
        )}
        <p className="sr">{data ? `${counted(changes.length, "change")}, ${fresh} new` : ""}</p>
      </div>
      {error && !data ? (
        <Failure what="the changes" error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Bones rows={8} what="the changes" />
      ) : (
        <>
          {changes.length === 0 && (
            <Empty icon={<BellIcon size={20} stroke={1.5} aria-hidden />} title={hasNextPage ? "No change among the newest of the catalog" : "Nobody else changed what you own"}>
              {hasNextPage ? "The catalog looks through its changes part by part. Look further back for older ones." : "When somebody changes an asset that you or your groups own, it is told here. You own what names you in the section Owners of its page."}
            </Empty>
          )}
          {byDay(changes).map(({ day, at, of }) => (
            <section key={day} className={history["day"]}>
              <h2>{at === undefined ? "At a time that is not known" : dayTitle(at, now)}</h2>
              <ol>
                {of.map((each) => (
                  <Line key={each.key} of={each} nameOf={nameOf} isNew={(each.at ?? 0) > seen} open={each.changes.length <= few || opened.has(each.key)} onOpen={() => setOpened((before) => new Set([...before, each.key]))} />
                ))}
              </ol>
            </section>
          ))}
          {hasNextPage && (
            <div className={styles["older"]}>
              <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
                Look further back
              </Button>
            </div>
          )}
        </>
      )}
    </div>
  );
}

const word = ({ noun, operation }: Change) => (noun === "" ? "" : operation === "ADD" ? "to" : operation === "REMOVE" ? "from" : "of");

// The text before the entity: "added the tag pii to", "removed".
const plain = (change: Change, nameOf: (urn: string) => string) => (change.noun === "" ? change.said || verbOf(change) : `${sentenceOf(change, nameOf)} ${joint(change)}`);

// The preposition before the entity. After a column, the entity is the asset with that column.
const joint = (change: Change) => (change.column && change.category !== "TECHNICAL_SCHEMA" ? "of" : change.noun === "description" ? "of" : word(change));

// A summary of many changes, before the entity.
function allOf(changes: readonly Change[]): string {
  const [told, summed] = [changes.filter(({ noun }) => noun === ""), changes.filter(({ noun }) => noun !== "")];
  const said = [...new Set(told.map((each) => each.said || verbOf(each)))];
  return `${[...said, summed.length > 0 ? summaryOf(summed) : ""].filter(Boolean).join(", ")}${summed.length > 0 ? " on" : ""}`;
}

function Line({ of: { urn, at, actor, changes, more }, nameOf, isNew, open, onOpen }: { of: OwnedChange; nameOf: (urn: string) => string; isNew: boolean; open: boolean; onOpen: () => void }) {
  const who = actor ? nameOf(actor) : "Somebody";
  const [first] = changes;
  const alone = changes.length === 1 && more === 0 ? first : undefined;
  const thing = <Thing urn={urn} name={nameOf(urn)} />;
  return (
    <li className={history["line"]}>
      <time className="faint num" {...(at === undefined ? {} : { dateTime: new Date(at).toISOString(), title: exactText(at) })}>
        {at === undefined ? "" : clockText(at)}
      </time>
      <Letters name={who} />
      <div className={history["told"]}>
        <div>
          <b className="break" dir="auto">
            {who}
          </b>{" "}
          <span className="muted">
            {!alone ? <>{allOf(changes)} </> : alone.noun === "" ? <>{plain(alone, nameOf)} </> : <><Sentence change={alone} nameOf={nameOf} /> {joint(alone)} </>}
          </span>
          {thing}
        </div>
        {alone && <Detail change={alone} />}
        {!alone && open && (
          <ul>
            {changes.map((change, index) => (
              // oxlint-disable-next-line react/no-array-index-key -- changes are told apart by their place
              <li key={index}>
                <Sentence change={change} nameOf={nameOf} />
                <Detail change={change} />
              </li>
            ))}
            {more > 0 && <li className="faint">and {counted(more, "more change")}, which the history of the asset tells</li>}
          </ul>
        )}
        {!alone && !open && (
          <Button size="small" look="quiet" onClick={onOpen}>
            Show the {counted(changes.length, "change")}
          </Button>
        )}
      </div>
      {isNew ? <Badge tone="info">New</Badge> : <span />}
    </li>
  );
}
