import { useQuery } from "@tanstack/react-query";
import { useState } from "react";

import { Button } from "../../components/button";
import { Dialog } from "../../components/dialog";
import { useNames } from "../../shared/entities/entities";
import { EntityField } from "../../shared/pickers/entity-picker";
import { Bones, Failure } from "../../components/parts";
import { textsIn } from "../../lib/answer";
import { run } from "../../lib/request";
import { counted } from "../../lib/text";
import { titles, useChoices } from "./choices";
import { Granted } from "./policies.operations";
import styles from "./policies.module.css";

/** Lists all platform privileges of a user. */
export default function GrantedDialog({ onClose }: { onClose: () => void }) {
  const [person, setPerson] = useState<string | null>(null);
  const names = useNames([]);
  return (
    <Dialog title="What may a person do" onClose={onClose} actions={<Button onClick={onClose}>Close</Button>}>
      <EntityField label="Person" placeholder="Find a person" types={["CORP_USER"]} names={names} value={person} onChange={setPerson} />
      {person === null ? <p className="muted">Choose a person to see what policies allow in the catalog as a whole. For one asset, use Try it within a policy.</p> : <Privileges person={person} />}
    </Dialog>
  );
}

function Privileges({ person }: { person: string }) {
  const choices = useChoices();
  const { data, error, refetch } = useQuery({
    queryKey: ["policies", "granted", person],
    queryFn: async ({ signal }) => textsIn((await run(Granted, { input: { actorUrn: person } }, signal)).data.getGrantedPrivileges?.privileges),
  });
  if (error) {
    return <Failure what="what the person may do" error={error} onRetry={() => void refetch()} />;
  }
  if (!data) {
    return <Bones rows={4} what="what the person may do" />;
  }
  const known = titles([...(choices.data?.platform ?? []), ...(choices.data?.asset ?? [])]);
  return (
    <div>
      <p className="muted" role="status">
        {data.length === 0 ? "No policy allows anything in the catalog as a whole. Some may allow something on particular assets." : `Policies allow ${counted(data.length, "thing")}.`}
      </p>
      <ul className={styles["granted"]}>
        {data.map((privilege) => (
          <li key={privilege} title={privilege}>
            {known.get(privilege) ?? privilege}
          </li>
        ))}
      </ul>
    </div>
  );
}
