import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useSearchParams } from "wouter";

import { useSession, type Privileges } from "../../shared/session/session";
import { useTitle } from "../../lib/title";
import { Button } from "../../components/button";
import { CopyAs } from "../../components/copy-as";
import { Confirm } from "../../components/dialog";
import { Export } from "../../components/export";
import { AddIcon, ClockIcon, KeyIcon } from "../../components/icons";
import { Badge, Bones, Empty, Failure, Find, Note, PageHead, Person, Segments, Tools, When } from "../../components/parts";
import { Rows } from "../../components/rows";
import { toast } from "../../components/toast";
import { address } from "../../lib/base";
import { timeText } from "../../lib/csv";
import { useNow } from "../../lib/now";
import { change, run } from "../../lib/request";
import { keyOf } from "../../lib/text";
import { dateText, untilText } from "../../lib/time";
import { CreateToken } from "../../shared/tokens/create";
import { chosen, stateOf, tokensIn, type Filter, type Token } from "./token";
import { RevokeToken, Tokens, type TokensQueryVariables } from "./tokens.operations";
import styles from "./tokens.module.css";
import { UseToken } from "./use";

const most = 5000;

/** The list of access tokens with their expiry. */
export default function TokensPage() {
  useTitle("Access tokens");
  const session = useSession();
  const [parameters, setParameters] = useSearchParams();
  const everyone = parameters.get("of") === "everyone" && session.may.manageTokens;
  const filter: Filter = { text: parameters.get("find") ?? "", state: (parameters.get("state") ?? "all") as Filter["state"] };
  const set = (key: string, value: string, usual: string) =>
    setParameters(
      (before) => {
        const after = new URLSearchParams(before);
        if (value === usual) {
          after.delete(key);
        } else {
          after.set(key, value);
        }
        return after;
      },
      { replace: true },
    );
  const [creating, setCreating] = useState(false);

  const variables: TokensQueryVariables = {
    input: { start: 0, count: most, ...(everyone ? {} : { filters: [{ field: "ownerUrn", values: [session.urn] }] }) },
  };
  const { data, error, refetch } = useQuery({
    queryKey: ["tokens", everyone],
    queryFn: async ({ signal }) => tokensIn((await run(Tokens, variables, signal)).data),
  });

  return (
    <>
      <PageHead
        title="Access tokens"
        actions={
          <>
            <CopyAs call={{ query: Tokens.toString(), variables }} />
            {data && data.total > 0 && (
              <Export
                name="access-tokens"
                head={["Name", "Description", "Acts as", "Made", "Last used", "Ends", "State"]}
                rows={() => Promise.resolve({ rows: chosen(data.items, filter, Date.now()).map(cellsOf) })}
              />
            )}
            {session.tokensOn && (
              <Button look="primary" icon={<AddIcon size={16} stroke={1.5} aria-hidden />} reason={whyNot(session.may)} onClick={() => setCreating(true)}>
                Generate personal access token
              </Button>
            )}
          </>
        }
      >
        A token lets a program act as you, with your rights and no more. Treat it like a password.
      </PageHead>
      {!session.tokensOn && (
        <div className={styles["off"]}>
          <Note tone="warn" title="Token based authentication is turned off here">
            Contact an administrator to turn it on. Tokens made before are kept, but each call that brings one is refused.
          </Note>
        </div>
      )}
      <Tools>
        <Find label="Find a token" value={filter.text} onChange={(text) => set("find", text, "")} />
        {session.may.manageTokens && (
          <Segments
            label="Whose tokens"
            value={everyone ? "everyone" : "mine"}
            options={[
              { value: "mine", label: "Mine" },
              { value: "everyone", label: "Everyone’s" },
            ]}
            onChange={(of) => set("of", of, "mine")}
          />
        )}
        <Segments
          label="State"
          value={filter.state}
          options={[
            { value: "all", label: "All" },
            { value: "active", label: "Active" },
            { value: "ending", label: "Ending soon" },
            { value: "ended", label: "Ended" },
          ]}
          onChange={(state) => set("state", state, "all")}
        />
      </Tools>
      {error ? (
        <Failure what="the access tokens" error={error} onRetry={() => void refetch()} />
      ) : data ? (
        <List tokens={data.items} total={data.total} filter={filter} onClear={() => setParameters(new URLSearchParams())} />
      ) : (
        <Bones rows={8} what="the access tokens" />
      )}
      <UseToken />
      <p className={`muted small ${styles["note"]}`}>
        To make a token for another person or for a service, call <code>createAccessToken</code> in the <a href={address("/api/graphiql")}>GraphQL explorer</a>. You need the
        privilege Manage All Access Tokens.
      </p>
      {creating && <CreateToken onClose={() => setCreating(false)} />}
    </>
  );
}

const cellsOf = (token: Token) => [
  token.name,
  token.description,
  token.actorUrn,
  timeText(token.createdAt),
  timeText(token.lastUsedAt),
  timeText(token.expiresAt),
  stateOf(token, Date.now()) === "ended" ? "ended" : "active",
];

// The message contains the privilege as spelled in policies.
const whyNot = (may: Privileges) =>
  may.generatePersonalAccessTokens || may.manageTokens
    ? null
    : "You need the privilege Generate Personal Access Tokens. Ask an administrator to add you to a policy that has it.";

function List({ tokens, total, filter, onClear }: { tokens: readonly Token[]; total: number; filter: Filter; onClear: () => void }) {
  const now = useNow();
  const [revoking, setRevoking] = useState<Token | null>(null);
  const shown = chosen(tokens, filter, now);
  if (tokens.length === 0) {
    return (
      <Empty icon={<KeyIcon size={20} stroke={1.5} aria-hidden />} title="No token yet">
        Generate one for a program that reads or writes the catalog.
      </Empty>
    );
  }
  return (
    <>
      <p className="sr" role="status">
        {shown.length} of {tokens.length} tokens
      </p>
      {shown.length === 0 ? (
        <Empty
          icon={<KeyIcon size={20} stroke={1.5} aria-hidden />}
          title="No token matches"
          actions={
            <Button size="small" onClick={onClear}>
              Show all {tokens.length}
            </Button>
          }
        />
      ) : (
        <Rows
          label="Access tokens"
          head={["Name", "Acts as", "Made", "Last used", "Ends", "Actions"]}
          items={shown}
          keyOf={(token) => token.urn}
          row={(token) => <Line token={token} now={now} onRevoke={() => setRevoking(token)} />}
        />
      )}
      {total > tokens.length && (
        <p className="muted small">
          {tokens.length} of {total} tokens are shown.
        </p>
      )}
      {revoking && <Revoke token={revoking} ended={stateOf(revoking, now) === "ended"} onClose={() => setRevoking(null)} />}
    </>
  );
}

function Line({ token, now, onRevoke }: { token: Token; now: number; onRevoke: () => void }) {
  const { tokensOn } = useSession();
  const state = stateOf(token, now);
  return (
    <>
      <td>
        <span className="row">
          <KeyIcon size={16} stroke={1.5} className="faint" aria-hidden />
          <span className={state === "ended" ? "faint" : ""}>
            <span className="name break">{token.name}</span>
            {token.scope && <span className={styles["scope"]}>{scopeText(token.scope)}</span>}
            {token.description && <span className={styles["about"]}>{token.description}</span>}
          </span>
        </span>
      </td>
      <td data-label="Acts as">
        <Person name={keyOf(token.actorUrn)} />
      </td>
      <td className="muted" data-label="Made">
        {token.createdAt === undefined ? "Unknown" : <When at={token.createdAt} relative={false} />}
      </td>
      <td className="muted" data-label="Last used">
        {token.lastUsedAt === undefined ? "Never" : <When at={token.lastUsedAt} />}
      </td>
      <td className="nowrap num" data-label="Ends">
        <span className="muted">{token.expiresAt === undefined ? "No end" : dateText(token.expiresAt)}</span> <Ending token={token} now={now} tokensOn={tokensOn} />
      </td>
      <td className="right">
        <Button size="small" look={state === "ended" ? "quiet" : "careful"} onClick={onRevoke} aria-label={`${state === "ended" ? "Remove" : "Revoke"} ${token.name}`}>
          {state === "ended" ? "Remove" : "Revoke"}
        </Button>
      </td>
    </>
  );
}

function Ending({ token, now, tokensOn }: { token: Token; now: number; tokensOn: boolean }) {
  if (!tokensOn) {
    return <Badge tone="warn">refused for now</Badge>;
  }
  switch (stateOf(token, now)) {
    case "ended":
      return <Badge>ended</Badge>;
    case "ending":
      return (
        <Badge tone="warn" icon={<ClockIcon size={13} stroke={1.5} aria-hidden />}>
          {untilText(token.expiresAt ?? now, now)}
        </Badge>
      );
    case "active":
      return token.expiresAt === undefined ? null : <span className="faint small">{untilText(token.expiresAt, now)}</span>;
  }
}

function scopeText({ readOnly, privileges }: NonNullable<Token["scope"]>): string {
  const parts = [readOnly && "read only", privileges.length > 0 && `${privileges.length} privileges`].filter(Boolean);
  return parts.length > 0 ? parts.join(", ") : "narrowed";
}

function Revoke({ token, ended, onClose }: { token: Token; ended: boolean; onClose: () => void }) {
  const queries = useQueryClient();
  return (
    <Confirm
      title={`${ended ? "Remove" : "Revoke"} ${token.name}?`}
      verb={ended ? "Remove token" : "Revoke token"}
      onClose={onClose}
      onConfirm={async () => {
        await change(RevokeToken, { id: token.id });
        await queries.invalidateQueries({ queryKey: ["tokens"] });
        toast({ title: `${token.name} was ${ended ? "removed" : "revoked"}` });
      }}
    >
      {ended ? "It has ended and is refused already. It leaves the list." : "Programs that use it are refused from now on. This cannot be undone."}
    </Confirm>
  );
}
