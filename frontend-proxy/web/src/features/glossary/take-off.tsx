import { Confirm } from "../../components/dialog";
import { toast } from "../../components/toast";
import { change } from "../../lib/request";
import type { Listed } from "../../shared/govern/read";
import type { Entry } from "./entry";
import { TakeOff as Change } from "./glossary.operations";

/** A confirmation before a term is removed from an asset. */
export default function TakeOff({ entry, asset, onChanged, onClose }: { entry: Entry; asset: Listed; onChanged: () => Promise<unknown>; onClose: () => void }) {
  return (
    <Confirm
      title={`Take ${entry.name} off ${asset.name}?`}
      verb="Take off"
      keep="Leave it"
      onClose={onClose}
      onConfirm={async () => {
        await change(Change, { input: { termUrns: [entry.urn], resources: [{ resourceUrn: asset.urn }] } });
        await onChanged();
        toast({ title: `${asset.name} no longer carries ${entry.name}` });
      }}
    >
      The asset as a whole loses the term. {asset.columns.length > 0 ? "Its columns keep it." : ""}
    </Confirm>
  );
}
