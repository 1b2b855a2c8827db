import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";

import { useSession } from "../../shared/session/session";
import { SignOutEverywhere } from "../../shared/session/sign-out";
import { useTitle } from "../../lib/title";
import { Button } from "../../components/button";
import { CopyAs } from "../../components/copy-as";
import { Export } from "../../components/export";
import { DeleteIcon, FailIcon, InfoIcon, KeyIcon, LinkIcon, LockIcon, PassIcon, PersonIcon, SignOutIcon } from "../../components/icons";
import { Pager } from "../../components/pager";
import { Badge, Bones, Empty, Failure, Find, Kept, Letters, PageHead, Segments, Tools } from "../../components/parts";
import { RowMenu } from "../../components/row-menu";
import { Rows } from "../../components/rows";
import { everyPage } from "../../lib/csv";
import { startOf, useParameters } from "../../lib/parameters";
import { run } from "../../lib/request";
import { Remove, ResetLink, SetState, SignOut } from "./acts";
import { Invite } from "./invite";
import { RolePicker } from "./role-picker";
import { foundIn, hindrancesOf, plainIn, questionOf, roleNamesIn, size, stateOf, type Found, type Role, type State, type User } from "./user";
import { RoleNames, Users, UsersToReset } from "./users.operations";
import styles from "./users.module.css";

async function everyUser(text: string, state: State, filtered: boolean) {
  const { items, total } = await everyPage(async (start, count) => {
    const question = questionOf(text, state, start);
    const { users, total: all } = filtered
      ? foundIn((await run(Users, { ...question, page: { ...question.page, count } })).data)
      : plainIn((await run(UsersToReset, { input: { start, count, query: text } })).data);
    return { items: users, total: all };
  });
  return {
    rows: items.map((user) => [
      user.name,
      user.username,
      user.roles.map(({ name }) => name).join(", "),
      user.groups.names.join(", "),
      user.status === "SUSPENDED" ? "suspended" : "active",
      user.urn,
    ]),
    total,
  };
}

/** The list of users with their roles. */
export default function UsersPage() {
  useTitle("Users");
  const { may } = useSession();
  const [get, set] = useParameters();
  const [inviting, setInviting] = useState(false);
  const state = may.manageIdentities ? stateOf(get("state")) : "all";
  const [text] = useDebouncedValue(get("find").trim(), 200);
  const start = startOf(get("page"), size);
  const question = questionOf(text, state, start);
  const plain = { input: { start, count: size, query: text } };
  // Filters require the privilege to manage users. Users with only the privilege to reset passwords get the plain
  // list.
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: ["users", may.manageIdentities, text, state, start],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => (may.manageIdentities ? foundIn((await run(Users, question, signal)).data) : plainIn((await run(UsersToReset, plain, signal)).data)),
  });
  const { data: roles = [] } = useQuery({
    queryKey: ["role-names"],
    staleTime: 5 * 60_000,
    queryFn: async ({ signal }) => roleNamesIn((await run(RoleNames, {}, signal)).data),
  });
  return (
    <>
      <PageHead
        title="Users"
        actions={
          <>
            <CopyAs call={may.manageIdentities ? { query: Users.toString(), variables: question } : { query: UsersToReset.toString(), variables: plain }} />
            <Export name="users" head={["Name", "User name", "Role", "Groups", "State", "URN"]} rows={() => everyUser(text, state, may.manageIdentities === true)} />
            <Button
              icon={<LinkIcon size={16} stroke={1.5} aria-hidden />}
              reason={may.manageUserCredentials ? null : "You need the privilege Manage User Credentials."}
              aria-expanded={inviting}
              onClick={() => setInviting(!inviting)}
            >
              Invite
            </Button>
          </>
        }
      >
        Everyone who can sign in, and the role that gives them their first rights.
      </PageHead>
      {inviting && <Invite roles={roles} onClose={() => setInviting(false)} />}
      <Tools>
        <Find label="Find a person" value={get("find")} onChange={(find) => set({ find, page: "" })} />
        {may.manageIdentities && (
          <Segments
            label="State"
            value={state}
            options={[
              { value: "all", label: "All", count: data?.counts?.all },
              { value: "active", label: "Active", count: data?.counts?.active },
              { value: "suspended", label: "Suspended", count: data?.counts?.suspended },
            ]}
            onChange={(value) => set({ state: value === "all" ? "" : value, page: "" })}
          />
        )}
      </Tools>
      {error ? (
        <Failure what="the users" error={error} onRetry={() => void refetch()} />
      ) : data ? (
        <Kept old={isPlaceholderData}>
          <List found={data} start={start} roles={roles} onPage={(page) => set({ page: page > 1 ? String(page) : "" }, { push: true })} onClear={() => set({ find: "", state: "", page: "" })} />
        </Kept>
      ) : (
        <Bones rows={10} what="the users" />
      )}
    </>
  );
}

type Act = "state" | "reset" | "sign-out" | "remove";

function List({ found: { users, total }, start, roles, onPage, onClear }: { found: Found; start: number; roles: readonly Role[]; onPage: (page: number) => void; onClear: () => void }) {
  const [act, setAct] = useState<{ what: Act; user: User } | null>(null);
  const { urn } = useSession();
  const close = () => setAct(null);
  if (users.length === 0) {
    return (
      <Empty icon={<PersonIcon size={20} stroke={1.5} aria-hidden />} title="Nobody is found" actions={<Button onClick={onClear}>Show everybody</Button>}>
        The name, the user name and the mail address are searched.
      </Empty>
    );
  }
  return (
    <>
      <div className={styles["users"]}>
        <Rows
          label="Users"
          head={["Person", "User name", "Role", "Groups", "State", "Actions"]}
          items={users}
          keyOf={(user) => user.urn}
          row={(user) => <Line user={user} roles={roles} onAct={(what) => setAct({ what, user })} />}
        />
      </div>
      <Pager label="users" start={start} size={size} total={total} onPage={onPage} />
      <p className="muted small">A person has one role or none. What policies add comes on top.</p>
      {act?.what === "state" && <SetState user={act.user} onClose={close} />}
      {act?.what === "reset" && <ResetLink user={act.user} onClose={close} />}
      {act?.what === "sign-out" && (act.user.urn === urn ? <SignOutEverywhere onClose={close} /> : <SignOut user={act.user} onClose={close} />)}
      {act?.what === "remove" && <Remove user={act.user} onClose={close} />}
    </>
  );
}

function Line({ user, roles, onAct }: { user: User; roles: readonly Role[]; onAct: (what: Act) => void }) {
  const { urn, may } = useSession();
  const { name, groups: { names, more } } = user;
  const hindered = hindrancesOf(user, urn, may);
  const suspended = user.status === "SUSPENDED";
  return (
    <>
      <td>
        <span className="row">
          <Letters name={name} size="large" />
          <span className={suspended ? "name break faint" : "name break"}>{name}</span>
          {user.urn === urn && <Badge>you</Badge>}
        </span>
      </td>
      <td data-label="User name">
        <code className="muted break">{user.username}</code>
      </td>
      <td data-label="Role">
        <RolePicker user={user} roles={roles} reason={hindered.role} />
      </td>
      <td className="muted break" data-label="Groups">
        {names.length === 0 ? <span className="faint">None</span> : `${names.join(", ")}${more > 0 ? ` and ${more} more` : ""}`}
      </td>
      <td className="nowrap" data-label="State">
        <StateOf status={user.status} />
      </td>
      <td className="right">
        <RowMenu
          label={`More for ${name}`}
          actions={[
            { name: "Link for a new password", icon: <KeyIcon size={16} stroke={1.5} aria-hidden />, onClick: () => onAct("reset"), reason: hindered.reset },
            { name: "Sign out everywhere", icon: <SignOutIcon size={16} stroke={1.5} aria-hidden />, onClick: () => onAct("sign-out"), reason: hindered.signOut },
            { name: suspended ? "Activate" : "Suspend", icon: suspended ? <PassIcon size={16} stroke={1.5} aria-hidden /> : <LockIcon size={16} stroke={1.5} aria-hidden />, onClick: () => onAct("state"), reason: hindered.suspend },
            { name: "Delete user", icon: <DeleteIcon size={16} stroke={1.5} aria-hidden />, onClick: () => onAct("remove"), reason: hindered.remove },
          ]}
        />
      </td>
    </>
  );
}

// Users who were never suspended have no state. An unknown state is shown by its name.
function StateOf({ status }: { status: string }) {
  switch (status) {
    case "":
    case "ACTIVE":
      return (
        <span className={styles["state"]}>
          <PassIcon size={16} stroke={1.5} className="ok" aria-hidden />
          <span className="muted">Active</span>
        </span>
      );
    case "SUSPENDED":
      return (
        <span className={`${styles["state"]} bad`}>
          <FailIcon size={16} stroke={1.5} aria-hidden />
          Suspended
        </span>
      );
    default:
      return (
        <span className={styles["state"]}>
          <InfoIcon size={16} stroke={1.5} aria-hidden />
          {status}
        </span>
      );
  }
}
