import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";

import { Button } from "../components/button";
import { WarnIcon } from "../components/icons";
import { useConnection } from "../lib/connection";
import { useNow } from "../lib/now";
import { send } from "../lib/request";
import { agoText } from "../lib/time";
import styles from "./shell.module.css";

/** How often a catalog that is away is asked whether it is back, in ms. */
const interval = 5000;

const knock = () => send("/api/graphql", { method: "POST", body: { query: "{ __typename }" } }).catch(() => undefined);

/**
 * Says while the catalog cannot be reached what still holds, and reads everything anew when it is back. A page that is
 * blank, because nothing was read before, holds nothing.
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
