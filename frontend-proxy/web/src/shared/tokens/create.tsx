import { Checkbox, Radio, TextInput } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";

import { useSession } from "../session/session";
import { Button } from "../../components/button";
import { Confirm, Dialog, FormDialog } from "../../components/dialog";
import { Bones, CopyButton, Failure, Find } from "../../components/parts";
import { Cut } from "../../components/sign";
import { textIn, timeIn } from "../../lib/answer";
import { useNow } from "../../lib/now";
import { assetIn, platformIn } from "../../lib/privileges";
import { change, run } from "../../lib/request";
import { counted } from "../../lib/text";
import { dateText, weekdayText } from "../../lib/time";
import { CreateToken as Create, KnownPrivileges, TokenLifetimes } from "./create.operations";
import { lifetimesOf } from "./lifetimes";
import styles from "./create.module.css";

type Scope = "all" | "read" | "chosen";

interface Made {
  text: string;
  name: string;
  expiresAt: number | null;
}

/** A service account that receives a token. */
interface Account {
  urn: string;
  name: string;
}

/**
 * A dialog that creates a token and then shows its secret once. Without an account, the token belongs to the current
 * user.
 */
export function CreateToken({ account, onClose }: { account?: Account; onClose: () => void }) {
  const [made, setMade] = useState<Made | null>(null);
  return made ? <Created made={made} onClose={onClose} /> : <Form account={account} onMade={setMade} onClose={onClose} />;
}

function Form({ account, onMade, onClose }: { account: Account | undefined; onMade: (made: Made) => void; onClose: () => void }) {
  const session = useSession();
  const queries = useQueryClient();
  const [name, setName] = useState("");
  const [description, setDescription] = useState("");
  const [chosenLifetime, setLifetime] = useState<string | null>(null);
  const allowed = useQuery({
    queryKey: ["token-lifetimes"],
    queryFn: async ({ signal }) => lifetimesOf((await run(TokenLifetimes, {}, signal)).data.appConfig?.authConfig),
  });
  const lifetime = allowed.data?.find(({ id }) => id === chosenLifetime) ?? allowed.data?.[0];
  const [scope, setScope] = useState<Scope>("all");
  const [privileges, setPrivileges] = useState<readonly string[]>([]);
  const now = useNow();
  const ends = useId();

  const unnamed = name.trim() === "";
  const unchosen = scope === "chosen" && privileges.length === 0;
  const create = async () => {
    const { createAccessToken: token } = await change(Create, {
      input: {
        type: account ? "SERVICE_ACCOUNT" : "PERSONAL",
        actorUrn: account?.urn ?? session.urn,
        ...lifetime?.input,
        name: name.trim(),
        ...(description.trim() ? { description: description.trim() } : {}),
        ...(scope === "read" ? { scope: { readOnly: true } } : scope === "chosen" ? { scope: { privileges: [...privileges] } } : {}),
      },
    });
    const text = textIn(token?.accessToken);
    if (text === "") {
      throw new Error("The server made no token and gave no reason.");
    }
    void queries.invalidateQueries({ queryKey: ["tokens"] });
    onMade({ text, name: name.trim(), expiresAt: timeIn(token?.metadata?.expiresAt) ?? null });
  };
  return (
    <FormDialog
      title={account ? `Generate token for ${account.name}` : "Generate personal access token"}
      verb="Generate token"
      failed="No token was made"
      complete={!unnamed && !unchosen && lifetime !== undefined}
      onSubmit={create}
      onClose={onClose}
    >
      {(tried) => (
        <>
          <p className="muted">It acts as {account ? account.name : `you, ${session.name}`}. Its text is shown once, right after this.</p>
          <TextInput
            label="Name"
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            error={tried && unnamed ? "A name tells you later which program uses it." : null}
            maxLength={100}
            autoComplete="off"
            data-autofocus
          />
          <TextInput label="What is it for" value={description} onChange={(event) => setDescription(event.currentTarget.value)} maxLength={500} autoComplete="off" />
          <div>
            <label className={styles["label"]} htmlFor={ends}>
              Ends
            </label>
            {allowed.error ? (
              <Failure what="the allowed durations" error={allowed.error} onRetry={() => void allowed.refetch()} />
            ) : !lifetime ? (
              <Bones rows={1} what="the allowed durations" />
            ) : (
              <div className={styles["ends"]}>
                <select id={ends} value={lifetime.id} onChange={(event) => setLifetime(event.currentTarget.value)}>
                  {allowed.data?.map(({ id, name: text }) => (
                    <option key={id} value={id}>
                      {text}
                    </option>
                  ))}
                </select>
                <span className="muted">{lifetime.ms === null ? "It works until somebody revokes it." : weekdayText(now + lifetime.ms)}</span>
              </div>
            )}
          </div>
          <fieldset className={styles["choices"]}>
            <legend>May use</legend>
            <Radio.Group value={scope} onChange={(value) => setScope(value as Scope)} aria-label="May use">
              <div className={styles["radios"]}>
                <Radio value="all" label={account ? "Everything it may" : "Everything I may"} description={`${account ? "Its" : "Your"} rights as they are at the moment of each call.`} />
                <Radio value="read" label="Read only" description={`See what ${account ? "it" : "you"} may see. Every change is refused.`} />
                <Radio value="chosen" label="Chosen privileges" description={`Only those ticked, and only while ${account ? "it has them itself" : "you have them yourself"}.`} />
              </div>
            </Radio.Group>
            {scope === "chosen" && <Privileges chosen={privileges} onChange={setPrivileges} />}
            {tried && unchosen && <p className="bad small">Tick one privilege at least.</p>}
          </fieldset>
        </>
      )}
    </FormDialog>
  );
}

function Privileges({ chosen, onChange }: { chosen: readonly string[]; onChange: (chosen: readonly string[]) => void }) {
  const [text, setText] = useState("");
  const { data, error, refetch } = useQuery({
    queryKey: ["privileges"],
    staleTime: Infinity,
    queryFn: async ({ signal }) => {
      const offered = (await run(KnownPrivileges, {}, signal)).data.appConfig?.policiesConfig;
      const named = new Map([...platformIn(offered), ...assetIn(offered)].map((each) => [each.type, each]));
      return [...named.values()].toSorted((a, b) => a.name.localeCompare(b.name));
    },
  });
  if (error) {
    return <Failure what="the privileges" error={error} onRetry={() => void refetch()} />;
  }
  if (!data) {
    return <Bones rows={3} what="the privileges" />;
  }
  const sought = text.trim().toLowerCase();
  const shown = data.filter(({ name, type }) => `${name} ${type}`.toLowerCase().includes(sought));
  return (
    <div className={styles["chosen"]}>
      <div className="row">
        <Find label="Find a privilege" value={text} onChange={setText} />
        <span className="muted small num end" role="status">
          {chosen.length} of {data.length} chosen
        </span>
      </div>
      <div className={styles["privileges"]} role="group" aria-label="Privileges" tabIndex={-1}>
        {shown.map(({ type, name }) => (
          <Checkbox
            key={type}
            size="xs"
            label={name}
            checked={chosen.includes(type)}
            onChange={(event) => onChange(event.currentTarget.checked ? [...chosen, type] : chosen.filter((each) => each !== type))}
          />
        ))}
        {shown.length === 0 && <span className="muted">No privilege matches.</span>}
      </div>
    </div>
  );
}

// Only this component holds the secret, and it is lost on unmount.
function Created({ made, onClose }: { made: Made; onClose: () => void }) {
  const [saved, setSaved] = useState(false);
  const [asking, setAsking] = useState(false);
  const leave = () => (saved ? onClose() : setAsking(true));
  if (asking) {
    return (
      <Confirm title="Leave without the token?" verb="Leave" keep="Back to the token" onConfirm={() => Promise.resolve().then(onClose)} onClose={() => setAsking(false)}>
        Its text cannot be shown again. If you did not save it, revoke {made.name} and generate another.
      </Confirm>
    );
  }
  return (
    <Dialog
      title="Copy your token now"
      onClose={leave}
      actions={
        <Button look="primary" reason={saved ? null : "Tick that you have saved the token first."} onClick={onClose}>
          Done
        </Button>
      }
    >
      <p className="muted">This is the only time its text is shown. Nobody can look it up later, not even an administrator.</p>
      <div>
        <div className={styles["slip"]}>
          <code data-token>{made.text}</code>
          <CopyButton text={made.text} label="Copy token" />
        </div>
        <Cut />
        <div className={styles["stub"]}>
          <dl>
            <dt>Name</dt>
            <dd className="break">{made.name}</dd>
            <dt>Ends</dt>
            <dd>{made.expiresAt === null ? "No end" : dateText(made.expiresAt)}</dd>
            <dt>Length</dt>
            <dd>{counted(made.text.length, "character")}</dd>
          </dl>
        </div>
      </div>
      <Checkbox label="I have saved the token" checked={saved} onChange={(event) => setSaved(event.currentTarget.checked)} />
    </Dialog>
  );
}
