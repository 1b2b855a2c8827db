import { useState } from "react";

import { Button } from "../../components/button";
import { Dialog } from "../../components/dialog";
import { EntityField } from "../../shared/pickers/entity-picker";

const anything = ["DATASET", "DASHBOARD", "CHART", "DATA_JOB", "MLMODEL", "MLFEATURE", "MLFEATURE_TABLE", "MLMODEL_GROUP", "MLPRIMARY_KEY"];

/** A dialog that selects the target asset of a path. */
export default function PathTo({ root, name, onPath, onClose }: { root: string; name: string; onPath: (urn: string) => void; onClose: () => void }) {
  const [to, setTo] = useState<string | null>(null);
  const reason = to === null ? "Choose an asset first." : to === root ? "Choose another asset than this one." : null;
  return (
    <Dialog
      title={`How ${name} and another asset are linked`}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            look="primary"
            reason={reason}
            onClick={() => {
              onPath(to ?? "");
              onClose();
            }}
          >
            Show path
          </Button>
        </>
      }
    >
      <EntityField label="The other asset" placeholder="Find by name" types={anything} names={noNames} value={to} onChange={setTo} />
    </Dialog>
  );
}

const noNames = new Map<string, string>();
