import { useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";

import { Button } from "../../components/button";
import { Dialog } from "../../components/dialog";
import type { Names } from "../entities/entities";
import { CloseIcon } from "../../components/icons";
import { Bones, Failure, Note, Person } from "../../components/parts";
import { textIn } from "../../lib/answer";
import { typeOf } from "../../lib/asset";
import { entitiesIn } from "../../lib/found";
import { problemOf } from "../../lib/problem";
import { change, run } from "../../lib/request";
import { Pick } from "./pick";
import { ownersIn, type Owner } from "./read";
import { AddAnOwner, OwnersOf, RemoveAnOwner } from "./govern.operations";
import styles from "./govern.module.css";

interface Props {
  urn: string;
  name: string;
  /** Called after each change; the page then refetches the data that shows owners. */
  onChanged: () => void;
  onClose: () => void;
}

const usual = "urn:li:ownershipType:__system__technical_owner";

/** A dialog that lists, adds and removes owners. Each change is saved immediately. */
export default function OwnersDialog({ urn, name, onChanged, onClose }: Props) {
  const [who, setWho] = useState<Names>(none);
  const [kind, setKind] = useState(usual);
  const [busy, setBusy] = useState("");
  const [refusal, setRefusal] = useState<unknown>(null);
  const field = useId();
  const { data, error, refetch } = useQuery({
    queryKey: ["owners-of", urn],
    staleTime: 0,
    queryFn: async ({ signal }) => {
      const { entity, listOwnershipTypes } = (await run(OwnersOf, { urn }, signal)).data;
      return {
        owners: ownersIn(entity?.ownership),
        kinds: entitiesIn(listOwnershipTypes?.ownershipTypes).map(({ urn: type, info }) => ({ urn: type, name: textIn(info?.name) || type })),
      };
    },
  });
  const act = async (what: string, send: () => Promise<unknown>) => {
    setBusy(what);
    setRefusal(null);
    try {
      await send();
      await refetch();
      onChanged();
      setWho(none);
    } catch (failure) {
      setRefusal(failure);
    }
    setBusy("");
  };
  const add = (ownerUrn: string) =>
    act("add", () =>
      change(AddAnOwner, { input: { ownerUrn, ownerEntityType: typeOf(ownerUrn) === "corpGroup" ? "CORP_GROUP" : "CORP_USER", ownershipTypeUrn: kind, resourceUrn: urn } }),
    );
  const remove = (owner: Owner) =>
    act(keyOfOwner(owner), () => change(RemoveAnOwner, { input: { ownerUrn: owner.urn, resourceUrn: urn, ...(owner.kindUrn ? { ownershipTypeUrn: owner.kindUrn } : {}) } }));
  return (
    <Dialog title={`Owners of ${name}`} onClose={onClose} actions={<Button onClick={onClose}>Done</Button>}>
      {error ? (
        <Failure what="the owners" error={error} onRetry={() => void refetch()} />
      ) : data ? (
        <>
          {data.owners.length === 0 ? (
            <p className="muted">No owner yet. Owners are asked when something about it is unclear.</p>
          ) : (
            <ul className={styles["list"]} aria-label="Owners">
              {data.owners.map((owner) => (
                <li key={keyOfOwner(owner)}>
                  <Person name={owner.name} shape={owner.group ? "group" : "person"} />
                  <span className="faint small end nowrap">{owner.kind}</span>
                  <Button
                    size="small"
                    look="quiet"
                    label={`Remove ${owner.name}`}
                    busy={busy === keyOfOwner(owner)}
                    icon={<CloseIcon size={14} stroke={1.5} aria-hidden />}
                    onClick={() => void remove(owner)}
                  />
                </li>
              ))}
            </ul>
          )}
          <Pick label="Find a person or a group" types={["CORP_USER", "CORP_GROUP"]} value={who} onChange={setWho} />
          <div className={styles["fields"]}>
            <div>
              <label className={styles["label"]} htmlFor={field}>
                Owns it as
              </label>
              <select id={field} value={kind} onChange={(event) => setKind(event.currentTarget.value)}>
                {data.kinds.map((each) => (
                  <option key={each.urn} value={each.urn}>
                    {each.name}
                  </option>
                ))}
              </select>
            </div>
            <Button busy={busy === "add"} reason={who.size === 0 ? "Choose somebody first." : null} onClick={() => void add([...who.keys()][0] ?? "")}>
              Add owner
            </Button>
          </div>
        </>
      ) : (
        <Bones rows={3} what="the owners" />
      )}
      {refusal !== null && (
        <Note tone="bad" title="Nothing was changed">
          {problemOf(refusal).message}
        </Note>
      )}
    </Dialog>
  );
}

const none: Names = new Map();
const keyOfOwner = ({ urn, kindUrn }: Owner) => `${urn} ${kindUrn}`;
