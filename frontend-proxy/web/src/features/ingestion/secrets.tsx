import { PasswordInput, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

import { useSession } from "../../shared/session/session";
import { useTitle } from "../../lib/title";
import { Button } from "../../components/button";
import { CopyAs } from "../../components/copy-as";
import { Confirm, FormDialog } from "../../components/dialog";
import { AddIcon, DeleteIcon, EditIcon, KeyIcon } from "../../components/icons";
import { Pager } from "../../components/pager";
import { Bones, Empty, Failure, Find, Kept, Note, Tools } from "../../components/parts";
import { RowMenu } from "../../components/row-menu";
import { Rows } from "../../components/rows";
import { toast } from "../../components/toast";
import { numberIn, textIn } from "../../lib/answer";
import { entitiesIn } from "../../lib/found";
import { startOf, useParameters } from "../../lib/parameters";
import { change, run } from "../../lib/request";
import { IngestionHead } from "./head";
import { CreateSecret, DeleteSecret, Secrets, UpdateSecret, type SecretsQuery } from "./secrets.operations";
import "../../theme/password.css";

interface Secret {
  urn: string;
  name: string;
  description: string;
}

const secretsIn = ({ listSecrets }: SecretsQuery): { secrets: Secret[]; total: number } => {
  const secrets = entitiesIn(listSecrets?.secrets).map(({ urn, name, description }) => ({ urn, name: textIn(name) || urn, description: textIn(description) }));
  return { secrets, total: numberIn(listSecrets?.total) ?? secrets.length };
};

const size = 25;

/** The secrets for recipes. Their values are never shown. */
export default function SecretsPage() {
  useTitle("Secrets", "Ingestion");
  const { may } = useSession();
  const queries = useQueryClient();
  const [get, set] = useParameters();
  const [text] = useDebouncedValue(get("find").trim(), 200);
  const start = startOf(get("page"), size);
  const [editing, setEditing] = useState<{ secret: Secret | null } | null>(null);
  const [removing, setRemoving] = useState<Secret | null>(null);
  const variables = { input: { start, count: size, query: text || "*" } };
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: ["secrets", text, start],
    enabled: may.manageSecrets === true,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => secretsIn((await run(Secrets, variables, signal)).data),
  });
  const changed = () => queries.invalidateQueries({ queryKey: ["secrets"] });
  const reason = may.manageSecrets ? null : "You need the privilege Manage Secrets. Ask an administrator to add you to a policy that has it.";
  const secrets = data?.secrets ?? [];
  return (
    <div className="page">
      <IngestionHead
        tab="secrets"
        lead="Passwords and keys that ingestion recipes name. A value is never shown again."
        actions={
          <>
            <CopyAs call={{ query: Secrets.toString(), variables }} />
            <Button look="primary" icon={<AddIcon size={16} stroke={1.5} aria-hidden />} reason={reason} onClick={() => setEditing({ secret: null })}>
              New secret
            </Button>
          </>
        }
      />
      {reason ? (
        <Note title="You may not see the secrets">{reason}</Note>
      ) : (
        <>
          <Tools>
            <Find label="Find a secret" value={get("find")} onChange={(find) => set({ find, page: "" })} />
          </Tools>
          {error ? (
            <Failure what="the secrets" error={error} onRetry={() => void refetch()} />
          ) : data === undefined ? (
            <Bones rows={6} what="the secrets" />
          ) : secrets.length === 0 ? (
            <Empty icon={<KeyIcon size={20} stroke={1.5} aria-hidden />} title={text ? "No secret matches" : "No secret yet"} actions={text ? <Button onClick={() => set({ find: "", page: "" })}>Show all</Button> : null}>
              {text ? "Try another name." : "Keep passwords here, and write their names in recipes."}
            </Empty>
          ) : (
            <Kept old={isPlaceholderData}>
              <Rows
                label="Secrets"
                head={["Name", "What it is for", "In a recipe", "Actions"]}
                items={secrets}
                keyOf={({ urn }) => urn}
                row={(secret) => (
                  <>
                    <td>
                      <span className="name break">{secret.name}</span>
                    </td>
                    <td className="muted break" data-label="What it is for">
                      {secret.description ? <bdi>{secret.description}</bdi> : <span className="faint">Not described</span>}
                    </td>
                    <td data-label="In a recipe">
                      <code className="muted break">{`\${${secret.name}}`}</code>
                    </td>
                    <td className="right">
                      <RowMenu
                        label={`More for ${secret.name}`}
                        actions={[
                          { name: "Replace value", icon: <EditIcon size={16} stroke={1.5} aria-hidden />, onClick: () => setEditing({ secret }) },
                          { name: "Delete secret", icon: <DeleteIcon size={16} stroke={1.5} aria-hidden />, onClick: () => setRemoving(secret) },
                        ]}
                      />
                    </td>
                  </>
                )}
              />
              <Pager label="secrets" start={start} size={size} total={data.total} onPage={(page) => set({ page: page > 1 ? String(page) : "" }, { push: true })} />
            </Kept>
          )}
        </>
      )}
      {editing && <Edit secret={editing.secret} onDone={changed} onClose={() => setEditing(null)} />}
      {removing && (
        <Confirm
          title={`Delete ${removing.name}?`}
          verb="Delete secret"
          onClose={() => setRemoving(null)}
          onConfirm={async () => {
            await change(DeleteSecret, { urn: removing.urn });
            await changed();
            toast({ title: `${removing.name} was deleted` });
          }}
        >
          Recipes that name it fail from their next run on. This cannot be undone.
        </Confirm>
      )}
    </div>
  );
}

function Edit({ secret, onDone, onClose }: { secret: Secret | null; onDone: () => Promise<unknown>; onClose: () => void }) {
  const [name, setName] = useState(secret?.name ?? "");
  const [value, setValue] = useState("");
  const [description, setDescription] = useState(secret?.description ?? "");
  const submit = async () => {
    const input = { name: name.trim(), value, description: description.trim() };
    await (secret ? change(UpdateSecret, { input: { urn: secret.urn, ...input } }) : change(CreateSecret, { input }));
    await onDone();
    toast({ title: secret ? `${secret.name} was changed` : `${name.trim()} was created` });
    onClose();
  };
  return (
    <FormDialog
      title={secret ? `Replace the value of ${secret.name}` : "New secret"}
      verb={secret ? "Save changes" : "Create secret"}
      failed={secret ? "The secret stays as it was" : "No secret was created"}
      complete={name.trim() !== "" && value !== ""}
      onSubmit={submit}
      onClose={onClose}
    >
      {(tried) => (
        <>
          {!secret && (
            <TextInput
              label="Name"
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
              error={tried && name.trim() === "" ? "Recipes need a name to refer to it." : null}
              maxLength={200}
              autoComplete="off"
              data-autofocus
            />
          )}
          <PasswordInput
            label="Value"
            value={value}
            onChange={(event) => setValue(event.currentTarget.value)}
            error={tried && value === "" ? "A secret needs a value." : null}
            autoComplete="new-password"
            {...(secret ? { "data-autofocus": true } : {})}
          />
          <TextInput label="What is it for" value={description} onChange={(event) => setDescription(event.currentTarget.value)} maxLength={1000} autoComplete="off" />
        </>
      )}
    </FormDialog>
  );
}
