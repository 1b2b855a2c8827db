import { TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";

import { useSession } from "../../shared/session/session";
import { useTitle } from "../../lib/title";
import { Button } from "../../components/button";
import { CopyAs } from "../../components/copy-as";
import { Confirm, Dialog, FormDialog } from "../../components/dialog";
import { Export } from "../../components/export";
import { AddIcon, DeleteIcon, KeyIcon } from "../../components/icons";
import { Pager } from "../../components/pager";
import { Bones, CopyButton, Empty, Failure, Find, Kept, Letters, PageHead, Tools, When } from "../../components/parts";
import { RowMenu } from "../../components/row-menu";
import { Rows } from "../../components/rows";
import { toast } from "../../components/toast";
import { numberIn, textIn, timeIn } from "../../lib/answer";
import { everyPage, timeText } from "../../lib/csv";
import { entitiesIn } from "../../lib/found";
import { startOf, useParameters } from "../../lib/parameters";
import { change, run } from "../../lib/request";
import { keyOf } from "../../lib/text";
import { CreateToken } from "../../shared/tokens/create";
import { CreateServiceAccount, DeleteServiceAccount, ServiceAccounts, type ServiceAccountsQuery } from "./service-accounts.operations";
import styles from "./service-accounts.module.css";

interface Account {
  urn: string;
  name: string;
  description: string;
  /** The URN of the creator; empty if unknown. */
  createdBy: string;
  createdAt: number | undefined;
}

const size = 25;

function accountsIn({ listServiceAccounts: page }: ServiceAccountsQuery): { items: Account[]; total: number } {
  const items = entitiesIn(page?.serviceAccounts).map(({ urn, name, displayName, description, createdBy, createdAt }) => ({
    urn,
    name: textIn(displayName) || textIn(name) || keyOf(urn),
    description: textIn(description),
    createdBy: textIn(createdBy),
    createdAt: timeIn(createdAt),
  }));
  return { items, total: numberIn(page?.total) ?? 0 };
}

/** The service accounts and their tokens. */
export default function ServiceAccountsPage() {
  useTitle("Service accounts");
  const { tokensOn, may } = useSession();
  const [get, set] = useParameters();
  const [text] = useDebouncedValue(get("find").trim(), 200);
  const start = startOf(get("page"), size);
  const [creating, setCreating] = useState(false);
  const [act, setAct] = useState<{ what: "token" | "delete"; account: Account } | null>(null);
  const variables = { input: { start, count: size, query: text } };
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: ["service-accounts", text, start],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => accountsIn((await run(ServiceAccounts, variables, signal)).data),
  });
  const refused = may.manageServiceAccounts ? null : "You need the privilege Manage Service Accounts.";
  return (
    <>
      <PageHead
        title="Service accounts"
        actions={
          <>
            <CopyAs call={{ query: ServiceAccounts.toString(), variables }} />
            <Export name="service-accounts" head={["Name", "User name", "Made by", "Made", "URN"]} rows={() => everyAccount(text)} />
            <Button look="primary" icon={<AddIcon size={16} stroke={1.5} aria-hidden />} reason={refused} onClick={() => setCreating(true)}>
              Create service account
            </Button>
          </>
        }
      >
        Accounts of programs, with rights of their own. They act by tokens and never sign in.
      </PageHead>
      <Tools>
        <Find label="Find a service account" value={get("find")} onChange={(find) => set({ find, page: "" })} />
      </Tools>
      {error ? (
        <Failure what="the service accounts" error={error} onRetry={() => void refetch()} />
      ) : data ? (
        data.items.length === 0 ? (
          <Empty
            icon={<KeyIcon size={20} stroke={1.5} aria-hidden />}
            title={text ? "No service account matches" : "No service account yet"}
            actions={text ? <Button onClick={() => set({ find: "", page: "" })}>Show all</Button> : null}
          >
            {text ? "The name and the id are searched." : "Create one for each program that works with the catalog, so that its rights and tokens do not hang on a person."}
          </Empty>
        ) : (
          <Kept old={isPlaceholderData}>
            <Rows
              label="Service accounts"
              head={["Name", "User name", "Made by", "Made", "Actions"]}
              items={data.items}
              keyOf={({ urn }) => urn}
              row={(account) => <Line account={account} tokensOn={tokensOn} onAct={(what) => setAct({ what, account })} />}
            />
            <Pager label="service accounts" start={start} size={size} total={data.total} onPage={(page) => set({ page: page > 1 ? String(page) : "" }, { push: true })} />
          </Kept>
        )
      ) : (
        <Bones rows={6} what="the service accounts" />
      )}
      <p className="muted small">
        A new account may do what policies for everybody allow. Name it in a policy, or give it a role, for more.{" "}
        {may.manageTokens && <Link href="/settings/tokens?of=everyone">Its tokens are among everyone’s.</Link>}
      </p>
      {creating && <Create onClose={() => setCreating(false)} />}
      {act?.what === "token" && <CreateToken account={{ urn: act.account.urn, name: act.account.name }} onClose={() => setAct(null)} />}
      {act?.what === "delete" && <Delete account={act.account} onClose={() => setAct(null)} />}
    </>
  );
}

async function everyAccount(query: string) {
  const { items, total } = await everyPage(async (start, count) => accountsIn((await run(ServiceAccounts, { input: { start, count, query } })).data));
  return { rows: items.map((account) => [account.name, keyOf(account.urn), account.createdBy, timeText(account.createdAt), account.urn]), total };
}

function Line({ account, tokensOn, onAct }: { account: Account; tokensOn: boolean; onAct: (what: "token" | "delete") => void }) {
  const { name } = account;
  return (
    <>
      <td>
        <span className="row">
          <Letters name={name} shape="group" size="large" />
          <span>
            <span className="name break">{name}</span>
            {account.description && <span className={styles["about"]}>{account.description}</span>}
          </span>
        </span>
      </td>
      <td data-label="User name">
        <code className="muted break">{keyOf(account.urn)}</code>
      </td>
      <td className="muted" data-label="Made by">
        {account.createdBy ? keyOf(account.createdBy) : <span className="faint">Not recorded</span>}
      </td>
      <td className="muted" data-label="Made">
        {account.createdAt === undefined ? <span className="faint">Not recorded</span> : <When at={account.createdAt} relative={false} />}
      </td>
      <td className="right">
        <span className={styles["acts"]}>
          <Button size="small" reason={tokensOn ? null : "Token based authentication is turned off here."} aria-label={`Generate token for ${name}`} onClick={() => onAct("token")}>
            Generate token
          </Button>
          <RowMenu label={`More for ${name}`} actions={[{ name: "Delete service account", icon: <DeleteIcon size={16} stroke={1.5} aria-hidden />, onClick: () => onAct("delete") }]} />
        </span>
      </td>
    </>
  );
}

function Create({ onClose }: { onClose: () => void }) {
  const queries = useQueryClient();
  const [made, setMade] = useState<string | null>(null);
  const [name, setName] = useState("");
  const [description, setDescription] = useState("");
  const create = async () => {
    const { createServiceAccount: account } = await change(CreateServiceAccount, {
      input: { displayName: name.trim(), ...(description.trim() ? { description: description.trim() } : {}) },
    });
    await queries.invalidateQueries({ queryKey: ["service-accounts"] });
    toast({ title: `${name.trim()} was created` });
    setMade(textIn(account?.urn));
  };
  if (made !== null) {
    return (
      <Dialog
        title={`${name.trim()} is there`}
        onClose={onClose}
        actions={
          <Button look="primary" onClick={onClose}>
            Done
          </Button>
        }
      >
        <p className="muted">Policies name it by its URN. Generate a token for it from the list.</p>
        <div className="row">
          <code className="break grow">{made}</code>
          <CopyButton text={made} label="Copy URN" />
        </div>
      </Dialog>
    );
  }
  return (
    <FormDialog title="Create service account" verb="Create account" failed="No account was created" complete={name.trim() !== ""} onSubmit={create} onClose={onClose}>
      {(tried) => (
        <>
            <TextInput
              label="Name"
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
              error={tried && name.trim() === "" ? "A name tells which program it is." : null}
              maxLength={200}
              autoComplete="off"
              data-autofocus
            />
            <TextInput label="What is it for" value={description} onChange={(event) => setDescription(event.currentTarget.value)} maxLength={1000} autoComplete="off" />
        </>
      )}
    </FormDialog>
  );
}

function Delete({ account, onClose }: { account: Account; onClose: () => void }) {
  const queries = useQueryClient();
  const { name } = account;
  return (
    <Confirm
      title={`Delete ${name}?`}
      verb="Delete account"
      typed={name}
      onClose={onClose}
      onConfirm={async () => {
        await change(DeleteServiceAccount, { urn: account.urn });
        await queries.invalidateQueries({ queryKey: ["service-accounts"] });
        toast({ title: `${name} was deleted` });
      }}
    >
      Its tokens are refused from now on, and programs that use them stop. It leaves the policies and groups that name it. This cannot be undone.
    </Confirm>
  );
}
