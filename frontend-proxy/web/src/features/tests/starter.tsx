import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

import { Button } from "../../components/button";
import { Dialog } from "../../components/dialog";
import { Bones, Failure, Note } from "../../components/parts";
import { toast } from "../../components/toast";
import { problemOf } from "../../lib/problem";
import { change, run } from "../../lib/request";
import { counted } from "../../lib/text";
import { addedText, starterIn, stateText } from "./result";
import styles from "./tests.module.css";
import { InstallStarterPack, StarterPack } from "./tests.operations";

/** A dialog that lists the starter pack with its installation state and adds missing tests. */
export default function Starter({ onClose }: { onClose: () => void }) {
  const queries = useQueryClient();
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<unknown>(null);
  const { data, error, refetch } = useQuery({
    queryKey: ["starter-tests"],
    queryFn: async ({ signal }) => starterIn((await run(StarterPack, {}, signal)).data.starterTests),
    gcTime: 0, // each created test changes the installation state
    retry: false,
  });
  const missing = data?.filter(({ state }) => state === "MISSING").length ?? 0;
  const add = async () => {
    setBusy(true);
    setRefused(null);
    try {
      const { installStarterTests } = await change(InstallStarterPack, {});
      await queries.invalidateQueries({ queryKey: ["tests"] });
      toast({ title: addedText(starterIn(installStarterTests)), text: "They run about all assets soon." });
      onClose();
    } catch (failure) {
      setRefused(failure);
      setBusy(false);
    }
  };
  return (
    <Dialog
      title="Starter pack"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" busy={busy} reason={data ? (missing === 0 ? "All of its tests are there." : null) : "The pack has not been read yet."} onClick={() => void add()}>
            {missing > 0 ? `Add ${counted(missing, "test")}` : "Add tests"}
          </Button>
        </>
      }
    >
      <p className="muted">Tests that most teams want. Each is yours to change or delete once it is added; what is there already stays as it is.</p>
      {error && !data ? (
        <Failure what="the starter pack" error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Bones rows={8} what="the starter pack" />
      ) : (
        <ul className={styles["pack"]} aria-label="Tests of the starter pack">
          {data.map(({ urn, name, description, state }) => (
            <li key={urn} data-there={state !== "MISSING"}>
              <div className="row">
                <b>{name}</b>
                <span className="faint small nowrap end">{stateText(state)}</span>
              </div>
              <p className="muted small">{description}</p>
            </li>
          ))}
        </ul>
      )}
      {refused !== null && (
        <Note tone="bad" title="No test was added">
          {problemOf(refused).message}
        </Note>
      )}
    </Dialog>
  );
}
