import { Tooltip } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { Link } from "wouter";

import { keepAssets } from "../../shared/session/answers";
import { useSession } from "../../shared/session/session";
import { BellIcon } from "../../components/icons";
import { connect } from "./connect";
import { setLive, useLive } from "./live";
import { newerThan, readOwned } from "./owned";
import { Refresher } from "./refresher";
import { markSeen, seenUntil, useSeen } from "./seen";
import styles from "./changes.module.css";

/** The maximum count of new changes. */
const most = 50;

/** The stale time of asset data while the change stream is connected, in ms. */
const fresh = 5 * 60_000;

/** The minimum interval between reads of the change list while the stream is connected, in ms. */
const between = 3000;

// Changes before the first visit of a user do not count as new.
async function readNew(person: string, signal: AbortSignal) {
  const seen = seenUntil(person);
  if (seen === undefined) {
    const { changes } = await readOwned({ count: 1 }, signal);
    markSeen(person, changes[0]?.at ?? Date.now());
    return 0;
  }
  const { changes, next } = await readOwned({ since: seen + 1, count: most }, signal);
  return next && changes.length >= most ? most + 1 : newerThan(changes, seen);
}

// Keeps the data of the page in sync with the catalog while the page is open.
function useChanges(me: string) {
  const queries = useQueryClient();
  useEffect(() => {
    const refresher = new Refresher(queries, me);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const readList = () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        void queries.invalidateQueries({ queryKey: ["changes"] });
      }, between / 2);
    };
    const stop = connect(me, (message) => {
      switch (message.kind) {
        case "notice":
          refresher.note(message.notice);
          if (message.notice.owned && message.notice.actor !== me) {
            readList();
          }
          break;
        case "reset":
          refresher.reset();
          readList();
          break;
        case "state":
          setLive(message.up);
          keepAssets(message.up ? fresh : undefined);
      }
    });
    return () => {
      clearTimeout(timer);
      stop();
      refresher.stop();
      keepAssets(undefined);
    };
  }, [queries, me]);
}

const countText = (count: number) => (count > most ? `more than ${most} new` : `${count} new`);

/** The number of new changes to assets that the user owns, with a link to them. */
export default function Bell() {
  const { urn: me } = useSession();
  useChanges(me);
  const live = useLive();
  const seen = useSeen(me);
  const { data: count = 0 } = useQuery({ queryKey: ["changes", "new", me, seen], queryFn: ({ signal }) => readNew(me, signal) });
  const label = `Changes on what you own${count > 0 ? `, ${countText(count)}` : ""}${live === false ? ", cut off" : ""}`;
  return (
    <Tooltip label={label}>
      <Link href="/changes" className={styles["bell"]} aria-label={label} data-live={live}>
        <BellIcon size={16} stroke={1.5} aria-hidden />
        {count > 0 && (
          <span className={styles["count"]} aria-hidden>
            {count > most ? `${most}+` : count}
          </span>
        )}
      </Link>
    </Tooltip>
  );
}
