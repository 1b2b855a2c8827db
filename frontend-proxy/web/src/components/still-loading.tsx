import { useIsFetching, useQueryClient, type Query } from "@tanstack/react-query";
import { useEffect, useState } from "react";

import { Button } from "./button";
import styles from "./parts.module.css";

/** How long something is being read before the page says so, in ms. */
const patience = 10_000;

// What somebody waits for: it is on the page, and there is no answer yet.
const isAwaited = (query: Query) => query.isActive() && query.state.data === undefined && query.state.fetchStatus === "fetching";

/** Says after ten seconds that something is still being read, and offers not to wait for it. */
export function StillLoading() {
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), patience);
    return () => clearTimeout(timer);
  }, []);
  return late && <Late />;
}

// Cancelling aborts the requests of all answers that the page has not got yet. Each of them then fails where it was to
// be shown, with a way to try again.
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
