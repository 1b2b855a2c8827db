import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

import { Button } from "../../components/button";
import { nameOf, useNames } from "../../shared/entities/entities";
import { Note } from "../../components/parts";
import { toast } from "../../components/toast";
import { textIn, timeIn } from "../../lib/answer";
import { problemOf } from "../../lib/problem";
import { change, send } from "../../lib/request";
import { dateText } from "../../lib/time";
import { SetRemoved } from "../../shared/asset/asset.operations";
import type { Asset } from "../../shared/asset/asset";
import { entityPath } from "../../shared/asset/read";

// The aspect status with its audit stamp.
interface Status {
  auditStamp?: { time?: number | null; actor?: string | null } | null;
}

/** Shows time and actor of the removal of an asset, with a button to restore it. */
export default function Removed({ asset: { urn, name } }: { asset: Asset }) {
  const queries = useQueryClient();
  const [busy, setBusy] = useState(false);
  const { data } = useQuery({ queryKey: ["asset", urn, "status"], queryFn: ({ signal }) => send<Status | null>(`${entityPath(urn)}/status?systemMetadata=true`, { signal }) });
  const time = timeIn(data?.auditStamp?.time);
  const actor = textIn(data?.auditStamp?.actor);
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
