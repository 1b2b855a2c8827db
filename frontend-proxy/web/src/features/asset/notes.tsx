import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

import { Asset as Chip } from "../../components/asset";
import { Button } from "../../components/button";
import { nameOf, useNames } from "../../components/entities";
import { Note } from "../../components/parts";
import { toast } from "../../components/toast";
import { kindOf, typeOf } from "../../lib/asset";
import { at, textIn, timeIn } from "../../lib/loose";
import { problemOf } from "../../lib/problem";
import { change, send } from "../../lib/request";
import { dateText } from "../../lib/time";
import { SetRemoved } from "./asset.operations";
import { isBare, type Asset } from "./asset";
import styles from "./asset.module.css";
import { entityPath } from "./read";

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
