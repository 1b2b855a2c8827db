import { useState } from "react";

import { Button } from "../../components/button";
import { Dialog } from "../../components/dialog";
import { HistoryIcon } from "../../components/icons";
import { Bones } from "../../components/parts";
import { Fallback, lazy } from "../../lib/lazy";
import styles from "./schema.module.css";

const Compare = lazy(() => import("./compare"));

/** Leads to the versions of a schema, and to what two of them differ in. */
export function Versions({ urn }: { urn: string }) {
  const [open, setOpen] = useState(false);
  return (
    <span className={styles["versions"]}>
      <Button size="small" look="quiet" icon={<HistoryIcon size={14} stroke={1.5} aria-hidden />} onClick={() => setOpen(true)}>
        Versions
      </Button>
      {open && (
        <Dialog title="Versions of the schema" size={640} onClose={() => setOpen(false)} actions={<Button onClick={() => setOpen(false)}>Close</Button>}>
          <Fallback show={<Bones rows={4} what="the versions" />}>
            <Compare urn={urn} />
          </Fallback>
        </Dialog>
      )}
    </span>
  );
}
