import { useQuery } from "@tanstack/react-query";

import { useSession } from "../../app/session";
import { useTitle } from "../../app/title";
import { Bones, Code, Failure, PageHead, Section } from "../../components/parts";
import { CopyAs } from "../../components/copy-as";
import { address } from "../../lib/base";
import { run } from "../../lib/request";
import { counted, numberText } from "../../lib/text";
import { Home } from "./home.operations";
import styles from "./home.module.css";
import { typeName } from "./types";

/** The start: what is in the catalog, and how more gets in. */
export default function HomePage() {
  useTitle("Home");
  const { title } = useSession();
  const { data, error, refetch } = useQuery({ queryKey: ["home"], queryFn: async ({ signal }) => (await run(Home, {}, signal)).data.searchAcrossEntities });
  const types = (data?.facets?.find(({ field }) => field === "_entityType" || field === "entity")?.aggregations ?? []).filter(({ count }) => count > 0).toSorted((a, b) => b.count - a.count);
  return (
    <div className="page">
      <PageHead title={title} actions={<CopyAs call={{ query: Home.toString() }} />}>
        {data ? `${counted(data.total, "asset")} in the catalog.` : "What the catalog holds."}
      </PageHead>
      {error ? (
        <Failure what="the counts" error={error} onRetry={() => void refetch()} />
      ) : data ? (
        types.length > 0 && (
          <dl className={styles["figures"]} aria-label="Assets by type">
            {types.map(({ value, count }) => (
              <div key={value}>
                <dt>{typeName(value, count)}</dt>
                <dd>{numberText(count)}</dd>
              </div>
            ))}
          </dl>
        )
      ) : (
        <Bones rows={2} what="the counts" />
      )}
      <Section title={data?.total === 0 ? "Nothing is in it yet" : "Put more in"}>
        <p className={`muted ${styles["how"]}`}>
          Recipes of the <code>datahub</code> command line work as they are: their sink is this address. A token for them is made in the settings.
        </p>
        <Code label="Where recipes send metadata" text={`sink:\n  type: datahub-rest\n  config:\n    server: ${location.origin}${address("/api/gms")}\n    token: \${CARTULARY_TOKEN}`} />
      </Section>
    </div>
  );
}
