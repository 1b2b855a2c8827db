import { useIsFetching, useQueryClient, type Query } from "@tanstack/react-query";
import { useEffect, useState } from "react";

import { Button } from "./button";
import styles from "./parts.module.css";

/** The loading time after which the page reports a delay, in ms. */
const patience = 10_000;

// Whether a mounted component waits for the first response of the query.
const isAwaited = (query: Query) => query.isActive() && query.state.data === undefined && query.state.fetchStatus === "fetching";

/** Reports after ten seconds that loading takes longer, and offers to cancel. */
export function StillLoading() {
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), patience);
    return () => clearTimeout(timer);
  }, []);
  return late && <Late />;
}

// Cancelling aborts the requests of all queries that have no data yet. Each of them then shows an error with
// a retry button in its place.
function Late() {
  const queries = useQueryClient();
  const awaited = useIsFetching({ predicate: isAwaited });
  return (
    <p className={styles["late"]}>
      <span>Still loading. {awaited > 0 ? "Wait, or cancel." : "The page itself has not come yet."}</span>
      {awaited > 0 && (
        <Button size="small" onClick={() => void queries.cancelQueries({ predicate: isAwaited }, { revert: false })}>
          Cancel
        </Button>
      )}
    </p>
  );
}
