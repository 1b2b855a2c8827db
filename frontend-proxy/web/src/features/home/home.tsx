import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";

import { useSession } from "../../shared/session/session";
import { useTitle } from "../../lib/title";
import { CopyAs } from "../../components/copy-as";
import { Bones, Failure, When } from "../../components/parts";
import SearchField from "../../shared/search/search-field";
import { assetPath } from "../../lib/asset";
import { numberIn } from "../../lib/answer";
import { Fallback, lazy } from "../../lib/lazy";
import { queries, searchPath, viewed } from "../../lib/recent";
import { run } from "../../lib/request";
import { counted } from "../../lib/text";
import { Home } from "./home.operations";
import { countsOf, newestIn, variablesFor } from "./needs";
import styles from "./home.module.css";

// Loaded in parallel with the request; the search field does not wait for it.
const Contents = lazy(() => import("./contents"));
Contents.preload();
const mostQueries = 3;
const bones = <Bones rows={10} what="what the catalog holds" />;

/** The home page: search, catalog contents, own assets and open tasks. */
export default function HomePage() {
  useTitle("Home");
  const { title, urn: me, groups } = useSession();
  const [seen] = useState(() => viewed(me));
  const [asked] = useState(() => queries(me).slice(0, mostQueries));
  const variables = variablesFor(me, groups, seen.map(({ urn }) => urn));
  const { data, error, refetch } = useQuery({ queryKey: ["home", variables], queryFn: async ({ signal }) => (await run(Home, variables, signal)).data });
  const total = numberIn(data?.all?.total);
  const platforms = countsOf(data?.counts, "platform").length;
  const newest = newestIn(data?.newest);
  return (
    <div className="page">
      <section className={styles["hero"]}>
        <div className={styles["title"]}>
          <h1>{title}</h1>
          <CopyAs call={{ query: Home.toString(), variables }} />
        </div>
        <p className="muted num break">
          {total === undefined ? "What the catalog holds." : total === 0 ? "No asset is in the catalog yet." : platforms > 0 ? `${counted(total, "asset")} from ${counted(platforms, "platform")} in the catalog.` : `${counted(total, "asset")} in the catalog.`}
          {newest && (
            <>
              {" Newest entry "}
              <Link href={assetPath(newest.urn)} dir="auto">
                {newest.name}
              </Link>
              , <When at={newest.at} />.
            </>
          )}
        </p>
        <SearchField size="large" autoFocus />
        {asked.length > 0 && (
          <p className={styles["tries"]}>
            <span className="faint">Recent</span>
            {asked.map((query) => (
              <Link key={query} href={searchPath(query)} className="clip">
                {query}
              </Link>
            ))}
          </p>
        )}
      </section>
      {error ? (
        <Failure what="what the catalog holds" error={error} onRetry={() => void refetch()} />
      ) : (
        <Fallback show={bones}>{data ? <Contents data={data} seen={seen} /> : bones}</Fallback>
      )}
    </div>
  );
}
