import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

import { useSession } from "../../shared/session/session";
import { useTitle } from "../../lib/title";
import { Button } from "../../components/button";
import { CopyAs } from "../../components/copy-as";
import { Confirm, Dialog } from "../../components/dialog";
import { AddIcon, PersonIcon, TickIcon } from "../../components/icons";
import { Pager } from "../../components/pager";
import { Bones, Empty, Failure, Letters, Note, PageHead, Person } from "../../components/parts";
import { PeoplePicker } from "../../shared/pickers/people-picker";
import { Rows } from "../../components/rows";
import { toast } from "../../components/toast";
import { startOf, useParameters } from "../../lib/parameters";
import { change, run } from "../../lib/request";
import { counted } from "../../lib/text";
import { few, givenOf, holdersIn, rolesIn, size, type Given, type Holder, type Role } from "./role";
import { GiveRole, RoleHolders, RolePolicies, Roles } from "./roles.operations";
import styles from "./roles.module.css";

const needsPolicies = "You need the privilege Manage Policies.";

/** The roles page: privileges and holders of each role. */
export default function RolesPage() {
  useTitle("Roles");
  const { may } = useSession();
  const [get, set] = useParameters();
  const variables = { people: few };
  const { data, error, refetch } = useQuery({
    queryKey: ["roles"],
    queryFn: async ({ signal }) => rolesIn((await run(Roles, variables, signal)).data),
  });
  const urns = (data ?? []).map(({ urn }) => urn);
  const policies = useQuery({
    queryKey: ["role-policies", urns],
    enabled: may.managePolicies === true && urns.length > 0,
    queryFn: async ({ signal }) => (await run(RolePolicies, { roles: urns }, signal)).data,
  });
  const open = data?.find(({ urn }) => urn === get("role"));
  return (
    <>
      <PageHead title="Roles" actions={<CopyAs call={{ query: Roles.toString(), variables }} />}>
        Ready sets of rights. A person has one or none; policies only add.
      </PageHead>
      {error ? (
        <Failure what="the roles" error={error} onRetry={() => void refetch()} />
      ) : data ? (
        data.length === 0 ? (
          <Empty icon={<PersonIcon size={20} stroke={1.5} aria-hidden />} title="No role here">
            Policies alone say who may do what.
          </Empty>
        ) : (
          <ul className={styles["list"]}>
            {data.map((role) => (
              <Shown key={role.urn} role={role} given={policies.data ? givenOf(policies.data, role.urn) : null} onAll={() => set({ role: role.urn, page: "" }, { push: true })} />
            ))}
          </ul>
        )
      ) : (
        <Bones rows={8} what="the roles" />
      )}
      {policies.error && (
        <Note tone="warn" title="What the roles allow could not be read">
          {policies.error.message}
        </Note>
      )}
      {open && <Holders role={open} onClose={() => set({ role: "", page: "" }, { push: true })} />}
    </>
  );
}

function Shown({ role, given, onAll }: { role: Role; given: Given | null; onAll: () => void }) {
  const { may } = useSession();
  const [adding, setAdding] = useState(false);
  const { holders: people, total } = role.held;
  return (
    <li>
      <div>
        <h2>{role.name}</h2>
        <p className={styles["words"]}>{role.description}</p>
        {given && <Privileges given={given} role={role.name} />}
      </div>
      <div>
        <h3>{total === 0 ? "Nobody has it" : counted(total, "holder")}</h3>
        {people.length > 0 && (
          <div className={styles["who"]}>
            {people.map(({ urn, name, shape }) => (
              <span key={urn} title={name}>
                <Letters name={name} shape={shape} size="large" />
                <span className="sr">{name}</span>
              </span>
            ))}
          </div>
        )}
        <div className={`row wrap ${styles["more"]}`}>
          <Button size="small" icon={<AddIcon size={14} stroke={1.5} aria-hidden />} reason={may.managePolicies ? null : needsPolicies} aria-label={`Add people to ${role.name}`} onClick={() => setAdding(true)}>
            Add people
          </Button>
          {total > 0 && (
            <Button size="small" look="quiet" aria-label={`See all ${total} who have ${role.name}`} onClick={onAll}>
              See all {total}
            </Button>
          )}
        </div>
      </div>
      {adding && <Adding role={role} people={people} onClose={() => setAdding(false)} />}
    </li>
  );
}

function Adding({ role, people, onClose }: { role: Role; people: readonly Holder[]; onClose: () => void }) {
  const queries = useQueryClient();
  return (
    <PeoplePicker
      title={`Make people ${role.name}`}
      verb={`Give the role ${role.name}`}
      taken={new Set(people.map(({ urn }) => urn))}
      onClose={onClose}
      onPick={async (actors) => {
        await change(GiveRole, { input: { roleUrn: role.urn, actors } });
        await Promise.all([queries.invalidateQueries({ queryKey: ["roles"] }), queries.invalidateQueries({ queryKey: ["users"] })]);
        toast({ title: `${counted(actors.length, "person", "people")} ${actors.length === 1 ? "has" : "have"} the role ${role.name}` });
      }}
    >
      It takes the place of the role that they have now.
    </PeoplePicker>
  );
}

// The number of initially visible privileges of a role.
const inSight = 8;

function Privileges({ given: { policies, privileges }, role }: { given: Given; role: string }) {
  const [all, setAll] = useState(false);
  const shown = all ? privileges : privileges.slice(0, inSight);
  if (policies.length === 0) {
    return <p className="faint small">No policy in force names it, so it allows nothing by itself.</p>;
  }
  return (
    <>
      <ul className={styles["given"]} aria-label={`What ${role} may do`}>
        {shown.map((name) => (
          <li key={name}>
            <TickIcon size={14} stroke={1.5} aria-hidden />
            <span className="break">{name}</span>
          </li>
        ))}
      </ul>
      <p className={`small muted ${styles["more"]}`}>
        From {counted(policies.length, "policy", "policies")}: {policies.join(", ")}.
      </p>
      {privileges.length > inSight && (
        <Button size="small" look="quiet" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? "Show fewer" : `Show all ${privileges.length} privileges`}
        </Button>
      )}
    </>
  );
}

function Holders({ role, onClose }: { role: Role; onClose: () => void }) {
  const { may } = useSession();
  const queries = useQueryClient();
  const [get, set] = useParameters();
  const [leaving, setLeaving] = useState<Holder | null>(null);
  const start = startOf(get("page"), size);
  const { data, error, refetch } = useQuery({
    queryKey: ["roles", role.urn, start],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const { entity } = (await run(RoleHolders, { urn: role.urn, start, count: size }, signal)).data;
      return holdersIn(entity?.members);
    },
  });
  if (leaving) {
    return (
      <Confirm
        title={`Take the role ${role.name} from ${leaving.name}?`}
        verb="Take it away"
        onClose={() => setLeaving(null)}
        onConfirm={async () => {
          await change(GiveRole, { input: { roleUrn: null, actors: [leaving.urn] } });
          await Promise.all([queries.invalidateQueries({ queryKey: ["roles"] }), queries.invalidateQueries({ queryKey: ["users"] })]);
          toast({ title: `${leaving.name} has no role` });
        }}
      >
        From their next request on they may do what policies allow them without it.
      </Confirm>
    );
  }
  return (
    <Dialog title={`Who has the role ${role.name}`} size={620} onClose={onClose} actions={<Button onClick={onClose}>Close</Button>}>
      {error ? (
        <Failure what="who has the role" error={error} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <Bones rows={6} what="who has the role" />
      ) : data.holders.length === 0 ? (
        <Empty icon={<PersonIcon size={20} stroke={1.5} aria-hidden />} title="Nobody has it" />
      ) : (
        <div>
          <Rows
            label={`Who has the role ${role.name}`}
            head={["Name", "Actions"]}
            items={data.holders}
            keyOf={({ urn }) => urn}
            row={(holder) => (
              <>
                <td>
                  <Person name={holder.name} shape={holder.shape} />
                </td>
                <td className="right">
                  <Button size="small" look="careful" reason={may.managePolicies ? null : needsPolicies} aria-label={`Take away the role from ${holder.name}`} onClick={() => setLeaving(holder)}>
                    Take away
                  </Button>
                </td>
              </>
            )}
          />
          <Pager label="holders" start={start} size={size} total={data.total} onPage={(page) => set({ page: page > 1 ? String(page) : "" }, { push: true })} />
        </div>
      )}
    </Dialog>
  );
}
