import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";

import { Button } from "../components/button";
import { WarnIcon } from "../components/icons";
import { useConnection } from "../lib/connection";
import { useNow } from "../lib/now";
import { send } from "../lib/request";
import { agoText } from "../lib/time";
import styles from "./shell.module.css";

/** The interval between attempts to reach an unavailable catalog, in ms. */
const interval = 5000;

const knock = () => send("/api/graphql", { method: "POST", body: { query: "{ __typename }" } }).catch(() => undefined);

/**
 * Reports that the catalog is unavailable and how old the displayed data is. Invalidates all queries when the
 * connection returns. A blank page, which never received data, promises instead to open by itself.
 */
export function ConnectionLine({ blank = false }: { blank?: boolean }) {
  const { state, heard } = useConnection();
  const queries = useQueryClient();
  const now = useNow();
  const [asking, setAsking] = useState(false);
  const down = state !== "up";
  useEffect(() => {
    if (!down) {
      return;
    }
    const timer = setInterval(() => {
      if (state === "away") {
        void knock();
      }
    }, interval);
    return () => {
      clearInterval(timer);
      void queries.invalidateQueries();
    };
  }, [down, state, queries]);
  return (
    <div role="status">
      {down && (
        <div className={styles["line"]}>
          <WarnIcon size={16} stroke={1.5} aria-hidden />
          <span>
            <b>{state === "offline" ? "You are offline." : "The catalog does not answer."}</b>{" "}
            {blank ? "This page opens by itself as soon as " : `What you see was read ${agoText(heard, now)}. Changes wait until `}
            {state === "offline" ? "you are" : "it is"} back.
          </span>
          <Button
            size="small"
            busy={asking}
            onClick={() => {
              setAsking(true);
              void knock().finally(() => setAsking(false));
            }}
          >
            Try now
          </Button>
        </div>
      )}
    </div>
  );
}
