import { Checkbox } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";

import { numberIn, textIn } from "../../lib/answer";
import { entitiesIn } from "../../lib/found";
import { nameIn } from "../../lib/name";
import { problemOf } from "../../lib/problem";
import { run } from "../../lib/request";
import { counted } from "../../lib/text";
import { Button } from "../../components/button";
import { Dialog } from "../../components/dialog";
import { PeopleToPick } from "./people-picker.operations";
import { Bones, Failure, Find, Note } from "../../components/parts";
import styles from "../../components/people.module.css";

const most = 50;

interface Props {
  title: string;
  children?: ReactNode;
  verb: string;
  /** People who are already members. */
  taken?: ReadonlySet<string>;
  onPick: (urns: string[]) => Promise<unknown>;
  onClose: () => void;
}

/** A dialog that selects people. If the action fails, it stays open and shows the reason. */
export function PeoplePicker({ title, children, verb, taken, onPick, onClose }: Props) {
  const [text, setText] = useState("");
  const [sought] = useDebouncedValue(text.trim(), 200);
  const [chosen, setChosen] = useState<ReadonlyMap<string, string>>(new Map());
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<unknown>(null);
  const { data, error, refetch } = useQuery({
    queryKey: ["people-to-pick", sought],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const found = (await run(PeopleToPick, { input: { start: 0, count: most, query: sought } }, signal)).data.listUsers;
      const users = entitiesIn(found?.users).map((user) => ({ urn: user.urn, username: textIn(user.username), name: nameIn(user) }));
      return { users, total: numberIn(found?.total) ?? 0 };
    },
  });
  const pick = async () => {
    setBusy(true);
    setRefusal(null);
    try {
      await onPick([...chosen.keys()]);
      onClose();
    } catch (failure) {
      setRefusal(failure);
      setBusy(false);
    }
  };
  const toggle = (urn: string, name: string) => {
    const after = new Map(chosen);
    if (!after.delete(urn)) {
      after.set(urn, name);
    }
    setChosen(after);
  };
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" busy={busy} reason={chosen.size === 0 ? "Tick somebody first." : null} onClick={() => void pick()}>
            {verb}
          </Button>
        </>
      }
    >
      {children && <p className="muted">{children}</p>}
      <div className={styles["pick"]}>
        <div className="row">
          <Find label="Find a person" value={text} onChange={setText} />
          <span className="muted small num end" role="status">
            {counted(chosen.size, "person", "people")} chosen
          </span>
        </div>
        {error ? (
          <Failure what="the people" error={error} onRetry={() => void refetch()} />
        ) : data ? (
          data.users.length === 0 ? (
            <p className="muted">Nobody is found. The name, the user name and the mail address are searched.</p>
          ) : (
            <ul aria-label="People">
              {data.users.map(({ urn, username, name }) => {
                const is = taken?.has(urn) ?? false;
                return (
                  <li key={urn}>
                    <Checkbox
                      size="xs"
                      label={`${name}, ${username}`}
                      checked={is || chosen.has(urn)}
                      disabled={is}
                      onChange={() => toggle(urn, name)}
                    />
                  </li>
                );
              })}
            </ul>
          )
        ) : (
          <Bones rows={4} what="the people" />
        )}
        {data && data.total > data.users.length && (
          <p className="muted small num">
            {data.users.length} of {counted(data.total, "person", "people")} are shown. Type a name to find others.
          </p>
        )}
      </div>
      {refusal !== null && (
        <Note tone="bad" title="Nothing was changed">
          {problemOf(refusal).message}
        </Note>
      )}
    </Dialog>
  );
}
