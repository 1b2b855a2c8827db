import { useQuery, useQueryClient } from "@tanstack/react-query";

import { Button } from "../../components/button";
import { Confirm, Dialog } from "../../components/dialog";
import { Bones, Failure } from "../../components/parts";
import { toast } from "../../components/toast";
import { numberIn } from "../../lib/answer";
import { change, send } from "../../lib/request";
import { counted } from "../../lib/text";
import { RollbackIngestion } from "./ingestion.operations";

interface Props {
  /** The run id in the written metadata. */
  id: string;
  name: string;
  onClose: () => void;
}

// The answer to a rollback that changes nothing.
interface Effects {
  value?: { aspectsReverted?: number | null; entitiesDeleted?: number | null; unsafeEntitiesCount?: number | null } | null;
}

/** A confirmation for the rollback of a run, with the amount of written metadata. It then performs the rollback. */
export default function Rollback({ id, name, onClose }: Props) {
  const queries = useQueryClient();
  const { data, error, refetch } = useQuery({
    queryKey: ["ingestion", "rollback", id],
    queryFn: async ({ signal }) => {
      const answer = await send<Effects | null>("/api/gms/runs?action=rollback", { method: "POST", body: { runId: id, dryRun: true }, signal });
      const { aspectsReverted, entitiesDeleted, unsafeEntitiesCount } = answer?.value ?? {};
      return { reverted: numberIn(aspectsReverted) ?? 0, deleted: numberIn(entitiesDeleted) ?? 0, unsafe: numberIn(unsafeEntitiesCount) ?? 0 };
    },
    gcTime: 0,
  });
  const title = `Roll back this run of ${name}?`;
  if (!data || data.reverted + data.deleted === 0) {
    return (
      <Dialog title={data ? "There is nothing to roll back" : title} onClose={onClose} size={460} actions={<Button onClick={onClose}>Close</Button>}>
        {error ? <Failure what="what a rollback would change" error={error} onRetry={() => void refetch()} /> : data ? <p>The catalog holds nothing that this run was the last to write.</p> : <Bones what="what a rollback would change" />}
      </Dialog>
    );
  }
  return (
    <Confirm
      title={title}
      verb="Roll back"
      typed={name}
      onClose={onClose}
      onConfirm={async () => {
        try {
          await change(RollbackIngestion, { run: id });
        } finally {
          await queries.invalidateQueries({ queryKey: ["ingestion"] });
        }
        toast({ title: `The run of ${name} was rolled back` });
      }}
    >
      {`${counted(data.reverted, "aspect")} ${data.reverted === 1 ? "goes" : "go"} back to what ${data.reverted === 1 ? "it was" : "they were"} before this run. `}
      {data.deleted > 0 && `${counted(data.deleted, "asset")} that it created ${data.deleted === 1 ? "is" : "are"} marked as removed. `}
      {data.unsafe > 0 && `Others have written about ${counted(data.unsafe, "asset")} of these. `}
      What it wrote into time series goes, too. This cannot be undone.
    </Confirm>
  );
}
