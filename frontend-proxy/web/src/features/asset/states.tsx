import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";

import { useSession } from "../../app/session";
import { useTitle } from "../../app/title";
import { Asset as Chip } from "../../components/asset";
import { Button } from "../../components/button";
import { nameIn, nameOf, shortOf, useNames } from "../../components/entities";
import { EntitiesByText } from "../../components/entities.operations";
import { CopyButton, Find, Note, PageHead, Person, Section } from "../../components/parts";
import { toast } from "../../components/toast";
import { kindOf, typeOf } from "../../lib/asset";
import { at, textIn, timeIn } from "../../lib/loose";
import { problemOf, type Problem } from "../../lib/problem";
import { change, run, send } from "../../lib/request";
import { privilegeName } from "../../lib/text";
import { dateText } from "../../lib/time";
import { SetRemoved } from "./asset.operations";
import { isBare, type Asset } from "./asset";
import styles from "./asset.module.css";
import { entityPath } from "./read";

// The part of a name that is searched for first: behind its last dot or slash.
const lastPart = (urn: string) => shortOf(urn).split(/[./]/u).findLast(Boolean) ?? "";

/** Says that no asset has a URN, and what has a name close to it. */
export function Missing({ urn }: { urn: string }) {
  const [text, setText] = useState(lastPart(urn));
  useTitle("Nothing is filed here");
  const sought = text.trim();
  const { data, error } = useQuery({
    queryKey: ["close-names", sought],
    enabled: sought.length > 1,
    queryFn: async ({ signal }) => {
      const { data: answer } = await run(EntitiesByText, { input: { query: sought, limit: 10 } }, signal);
      return (answer.autoCompleteForMultiple?.suggestions ?? []).flatMap(({ entities }) => entities).slice(0, 10);
    },
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
                {data.map((entity) => (
                  <tr key={entity.urn}>
                    <td>
                      <Chip urn={entity.urn} name={nameIn(entity)} />
                    </td>
                    <td className="faint small break">{entity.urn}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </Section>
        </div>
      )}
      {data?.length === 0 && <p className="muted">No name is close to it.</p>}
      {error && <p className="muted">{problemOf(error).message}</p>}
      <p className={`muted ${styles["asked"]}`}>
        Or go to <Link href="/">Home</Link>.
      </p>
    </div>
  );
}

/** Says that somebody may not see an asset, and what they would need. */
export function Unseen({ urn, problem }: { urn: string; problem: Problem | null }) {
  const { name } = useSession();
  const needed = (problem?.details.privileges ?? []).map(privilegeName).join(" or ") || "View Entity Page";
  useTitle("You may not see this asset");
  return (
    <div className="page">
      <PageHead title="You may not see this asset">
        It needs the privilege {needed}. No policy gives you that here: ask an administrator, or the owner of the asset.
      </PageHead>
      <dl className={styles["ledger"]}>
        <dt>Asset</dt>
        <dd>
          <code>{urn}</code>
        </dd>
        <dt>Signed in as</dt>
        <dd>
          <Person name={name} />
        </dd>
      </dl>
      <p className={styles["asked"]}>
        <CopyButton label="Copy a request" text={`${name} asks for the privilege ${needed} over ${urn}, to see ${location.href}`} />
      </p>
    </div>
  );
}

/** What is to be known of an asset before all else. */
export function Notes({ asset }: { asset: Asset }) {
  if (!asset.removed && !asset.deprecation && !isBare(asset)) {
    return null;
  }
  return (
    <div className={styles["notes"]}>
      {asset.removed && <Removed asset={asset} />}
      {asset.deprecation && <Deprecated deprecation={asset.deprecation} />}
      {isBare(asset) && (
        <Note title="Only its name is known">Something refers to this {kindOf(asset.type).one}, or its key was written, but nothing else has been. What you add here is kept.</Note>
      )}
    </div>
  );
}

function Removed({ asset: { urn, name } }: { asset: Asset }) {
  const queries = useQueryClient();
  const [busy, setBusy] = useState(false);
  const { data } = useQuery({ queryKey: ["asset", urn, "status"], queryFn: ({ signal }) => send(`${entityPath(urn)}/status?systemMetadata=true`, { signal }) });
  const time = timeIn(at(data, "auditStamp", "time"));
  const actor = textIn(at(data, "auditStamp", "actor"));
  const names = useNames(actor ? [actor] : []);
  const restore = async () => {
    setBusy(true);
    try {
      await change(SetRemoved, { input: { urns: [urn], deleted: false } });
      await queries.invalidateQueries({ queryKey: ["asset", urn] });
      toast({ title: `${name} is back` });
    } catch (error) {
      toast({ tone: "bad", title: `${name} was not brought back`, text: problemOf(error).message });
    }
    setBusy(false);
  };
  return (
    <Note
      tone="warn"
      title={`${name} was removed`}
      actions={
        <Button size="small" busy={busy} onClick={() => void restore()}>
          Bring it back
        </Button>
      }
    >
      {time !== undefined ? `On ${dateText(time)}` : "Earlier"}
      {actor && `, by ${nameOf(names, actor)}`}. Searches leave it out; what was written about it is kept.
    </Note>
  );
}

function Deprecated({ deprecation: { note, until, by, successor } }: { deprecation: NonNullable<Asset["deprecation"]> }) {
  const names = useNames(successor ? [successor] : []);
  return (
    <Note tone="warn" title={until === undefined ? "Deprecated" : `Deprecated, goes on ${dateText(until)}`}>
      <span dir="auto">{note || "No reason was given."}</span>
      {by && ` Marked by ${by}.`}
      {successor && (
        <>
          {" "}
          Use <Chip urn={successor} name={nameOf(names, successor)} type={typeOf(successor)} /> instead.
        </>
      )}
    </Note>
  );
}
