import { useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";

import { EndSessions } from "../../shared/session/sign-out.operations";
import { Button } from "../../components/button";
import { Confirm, Dialog } from "../../components/dialog";
import { CopyButton, Note } from "../../components/parts";
import { toast } from "../../components/toast";
import { textIn } from "../../lib/answer";
import { address } from "../../lib/base";
import { problemOf } from "../../lib/problem";
import { change } from "../../lib/request";
import type { User } from "./user";
import { MakeResetLink, RemoveUser, SetUserStatus } from "./users.operations";
import styles from "./users.module.css";

interface Props {
  user: User;
  onClose: () => void;
}

/** A confirmation before a user is suspended or reactivated. */
export function SetState({ user, onClose }: Props) {
  const queries = useQueryClient();
  const { name } = user;
  const suspended = user.status === "SUSPENDED";
  return (
    <Confirm
      title={`${suspended ? "Activate" : "Suspend"} ${name}?`}
      verb={suspended ? "Activate" : "Suspend"}
      keep="Leave it"
      danger={!suspended}
      onClose={onClose}
      onConfirm={async () => {
        await change(SetUserStatus, { urn: user.urn, status: suspended ? "ACTIVE" : "SUSPENDED" });
        await queries.invalidateQueries({ queryKey: ["users"] });
        toast({ title: `${name} ${suspended ? "may sign in again" : "is suspended"}` });
      }}
    >
      {suspended
        ? "They may sign in again. Access tokens and sessions from before that have not ended work again, too."
        : "They cannot sign in any more, and their open sessions and access tokens stop at once. What they own and wrote stays. You can activate them later."}
    </Confirm>
  );
}

/** A confirmation before all sessions of a user end. */
export function SignOut({ user, onClose }: Props) {
  const { name } = user;
  return (
    <Confirm
      title={`Sign ${name} out everywhere?`}
      verb="Sign out everywhere"
      keep="Leave it"
      onClose={onClose}
      onConfirm={async () => {
        await change(EndSessions, { urn: user.urn });
        toast({ title: `${name} is signed out everywhere` });
      }}
    >
      Every browser in which they are signed in has to sign in again. Their access tokens stay valid, and they may sign in at once. To keep them out, suspend them.
    </Confirm>
  );
}

/** A confirmation before a user is permanently deleted. */
export function Remove({ user, onClose }: Props) {
  const queries = useQueryClient();
  const { name } = user;
  return (
    <Confirm
      title={`Delete ${name}?`}
      verb="Delete user"
      typed={user.username}
      onClose={onClose}
      onConfirm={async () => {
        await change(RemoveUser, { urn: user.urn });
        await queries.invalidateQueries({ queryKey: ["users"] });
        toast({ title: `${name} was deleted` });
      }}
    >
      The account, its access tokens and its place among owners and members go for good. To keep somebody out for a while, suspend them instead.
    </Confirm>
  );
}

/** Creates a link for a password reset. Only this component holds the link. */
export function ResetLink({ user, onClose }: Props) {
  const { name } = user;
  const field = useId();
  const [link, setLink] = useState("");
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<unknown>(null);
  const make = async () => {
    setBusy(true);
    setRefusal(null);
    try {
      const token = textIn((await change(MakeResetLink, { urn: user.urn })).createNativeUserResetToken?.resetToken);
      setLink(`${location.origin}${address("/reset")}?reset_token=${encodeURIComponent(token)}`);
    } catch (failure) {
      setRefusal(failure);
    }
    setBusy(false);
  };
  return (
    <Dialog
      title={`New password for ${name}`}
      onClose={onClose}
      actions={
        link ? (
          <Button look="primary" onClick={onClose}>
            Done
          </Button>
        ) : (
          <>
            <Button onClick={onClose}>Cancel</Button>
            <Button look="primary" busy={busy} onClick={() => void make()}>
              Make link
            </Button>
          </>
        )
      }
    >
      <p className="muted">
        Whoever has the link sets a new password for <code>{user.username}</code>, which ends the open sessions. It works once, within 24 hours. A new link ends the one before.
      </p>
      {link && (
        <div className={styles["reset"]}>
          <label htmlFor={field}>Link</label>
          <div className="row">
            <input id={field} className="mono" readOnly value={link} onFocus={(event) => event.currentTarget.select()} data-autofocus />
            <CopyButton text={link} label="Copy link" size="medium" />
          </div>
          <p className="faint small">Send it to {name} alone. It is not shown again.</p>
        </div>
      )}
      {refusal !== null && (
        <Note tone="bad" title="No link was made">
          {problemOf(refusal).message}
        </Note>
      )}
    </Dialog>
  );
}
