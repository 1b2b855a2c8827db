import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";

import { useTitle } from "../../lib/title";
import { Asset as Chip } from "../../components/asset";
import { findEntities } from "../../shared/entities/find-entities";
import { Find, PageHead, Section } from "../../components/parts";
import { shortOf } from "../../lib/text";
import { problemOf } from "../../lib/problem";
import styles from "./missing.module.css";

// The initial search text: the part after the last dot or slash.
const lastPart = (urn: string) => shortOf(urn).split(/[./]/u).findLast(Boolean) ?? "";

const namesLike = async (query: string, signal: AbortSignal) => (await findEntities(query, [], signal)).slice(0, 10);

// Names are found by prefix. In a mistyped name, the beginning is more likely correct than the end.
async function closeTo(name: string, signal: AbortSignal) {
  const found = await namesLike(name, signal);
  const beginning = name.slice(0, Math.max(3, Math.ceil(name.length * 0.6)));
  return found.length > 0 || beginning.length >= name.length ? found : namesLike(beginning, signal);
}

/** The page for a URN without an asset. It suggests assets with similar names. */
export default function Missing({ urn }: { urn: string }) {
  const [text, setText] = useState(lastPart(urn));
  useTitle("Nothing is filed here");
  const sought = text.trim();
  const { data, error } = useQuery({
    queryKey: ["close-names", sought],
    enabled: sought.length > 1,
    queryFn: ({ signal }) => closeTo(sought, signal),
  });
  return (
    <div className="page">
      <PageHead title="Nothing is filed here">The address may be old or mistyped, or the asset was never in this catalog.</PageHead>
      <p className="faint small break">
        You asked for <code>{urn}</code>
      </p>
      <div className={styles["find"]}>
        <Find label="Search for a name" value={text} onChange={setText} />
      </div>
      {data && data.length > 0 && (
        <div className={styles["near"]}>
          <Section title="Names close to it">
            <table aria-label="Names close to it">
              <tbody>
                {data.map(([found, name]) => (
                  <tr key={found}>
                    <td>
                      <Chip urn={found} name={name} />
                    </td>
                    <td className="faint small break">{found}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </Section>
        </div>
      )}
      {data?.length === 0 && <p className={`muted ${styles["asked"]}`}>No name is close to it.</p>}
      {error && <p className={`muted ${styles["asked"]}`}>{problemOf(error).message}</p>}
      <p className={`muted ${styles["asked"]}`}>
        Or go to <Link href="/">Home</Link> or <Link href="/browse">Browse</Link>.
      </p>
    </div>
  );
}
