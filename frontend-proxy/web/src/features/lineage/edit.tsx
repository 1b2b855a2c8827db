import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

import { Glyph } from "../../components/asset";
import { Button } from "../../components/button";
import { Dialog } from "../../components/dialog";
import { EntityField } from "../../shared/pickers/entity-picker";
import { AddIcon } from "../../components/icons";
import { Badge, Note } from "../../components/parts";
import { toast } from "../../components/toast";
import { problemOf } from "../../lib/problem";
import { change } from "../../lib/request";
import { stateText, type Asset } from "./asset";
import { keyOf, type Read } from "./graph";
import { UpdateLineage } from "./lineage.operations";
import styles from "./lineage.module.css";
import { sources } from "./sources";

/** A dialog that adds and removes direct upstream assets manually. */
export default function EditLineage({ asset, read, onChanged, onClose }: { asset: Asset; read: Read; onChanged: () => Promise<unknown>; onClose: () => void }) {
  const queries = useQueryClient();
  const [adding, setAdding] = useState<string | null>(null);
  const [busy, setBusy] = useState("");
  const [error, setError] = useState<unknown>(null);
  const known = read.neighbours.get(keyOf(asset.urn, "up"));
  const rows = known?.rows ?? [];
  const update = async (upstream: string, add: boolean) => {
    const edge = [{ upstreamUrn: upstream, downstreamUrn: asset.urn }];
    setBusy(upstream);
    setError(null);
    try {
      await change(UpdateLineage, { input: { edgesToAdd: add ? edge : [], edgesToRemove: add ? [] : edge } });
      await onChanged();
      await queries.invalidateQueries({ queryKey: ["asset"] });
      setAdding(null);
      toast({ title: add ? `${asset.name} has one more upstream asset` : `${read.assets.get(upstream)?.name ?? "The asset"} is no longer upstream of ${asset.name}` });
    } catch (failure) {
      setError(failure);
    }
    setBusy("");
  };
  const already = adding !== null && rows.some(({ urn }) => urn === adding);
  const reason = adding === null ? "Choose an asset first." : adding === asset.urn ? "An asset is not made from itself." : already ? "It is upstream already." : null;
  return (
    <Dialog title={`What ${asset.name} is made from`} onClose={onClose} actions={<Button onClick={onClose}>Done</Button>}>
      <p className="muted">Each change is saved at once. What ingestion wrote comes back with its next run if it is removed here.</p>
      {rows.length === 0 ? (
        <p className="faint">Nothing is upstream yet.</p>
      ) : (
        <ul className={styles["edges"]} aria-label="Upstream assets">
          {rows.map(({ urn, manual }) => {
            const other = read.assets.get(urn);
            return (
              <li key={urn}>
                <Glyph type={other?.type ?? ""} subType={other?.subType ?? null} />
                <span className="clip grow" title={urn}>
                  {other?.name ?? urn}
                </span>
                {other && stateText(other) && <span className="faint small">{stateText(other)}</span>}
                {manual && <Badge>by hand</Badge>}
                <Button
                  size="small"
                  look="careful"
                  busy={busy === urn}
                  aria-label={`Remove ${other?.name ?? urn}`}
                  reason={other?.restricted ? "You may not view it, and so not remove it." : null}
                  onClick={() => void update(urn, false)}
                >
                  Remove
                </Button>
              </li>
            );
          })}
        </ul>
      )}
      {known && known.total > rows.length && <p className="faint small">{known.total - rows.length} more are not listed.</p>}
      <EntityField label="Add an upstream asset" placeholder="Find by name" types={sources[asset.type] ?? []} names={noNames} value={adding} onChange={setAdding} />
      <div>
        <Button icon={<AddIcon size={16} stroke={1.5} aria-hidden />} reason={reason} busy={adding !== null && busy === adding} onClick={() => adding !== null && void update(adding, true)}>
          Add upstream asset
        </Button>
      </div>
      {error !== null && (
        <Note tone="bad" title="Nothing was changed">
          {problemOf(error).message}
        </Note>
      )}
    </Dialog>
  );
}

const noNames = new Map<string, string>();
