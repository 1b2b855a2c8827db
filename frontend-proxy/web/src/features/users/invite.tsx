import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";

import { Button } from "../../components/button";
import { CloseIcon, RefreshIcon } from "../../components/icons";
import { Bones, CopyButton, Failure } from "../../components/parts";
import { toast } from "../../components/toast";
import { textIn } from "../../lib/answer";
import { address } from "../../lib/base";
import { problemOf } from "../../lib/problem";
import { change, run } from "../../lib/request";
import type { Role } from "./user";
import { Invitation, RenewInvitation } from "./users.operations";
import styles from "./users.module.css";

// The least privileged role suits most new users.
const usual = (roles: readonly Role[]) => roles.find(({ name }) => name === "Reader")?.urn ?? "";

/** An invitation link with which users sign up, and the role that it grants. */
export function Invite({ roles, onClose }: { roles: readonly Role[]; onClose: () => void }) {
  const [urn, setUrn] = useState(() => usual(roles));
  const role = roles.find((each) => each.urn === urn);
  const heading = useId();
  const field = useId();
  const linked = useId();
  const queries = useQueryClient();
  const [busy, setBusy] = useState(false);
  const key = ["invitation", urn];
  const { data: token, error, refetch } = useQuery({
    queryKey: key,
    gcTime: 0, // anybody with the link can join
    queryFn: async ({ signal }) => textIn((await run(Invitation, { role: urn || null }, signal)).data.getInviteToken?.inviteToken),
  });
  const link = token ? `${location.origin}${address("/signup")}?invite_token=${encodeURIComponent(token)}` : "";
  const renew = async () => {
    setBusy(true);
    try {
      const made = await change(RenewInvitation, { role: urn || null });
      queries.setQueryData(key, textIn(made.createInviteToken?.inviteToken));
      toast({ title: "There is a new link", text: "The one before lets nobody in any more." });
    } catch (failure) {
      toast({ tone: "bad", title: "The link was not changed", text: problemOf(failure).message });
    }
    setBusy(false);
  };
  return (
    <section className={styles["invite"]} aria-labelledby={heading}>
      <div className="row">
        <h2 id={heading}>Invite by link</h2>
        <span className="end">
          <Button size="small" look="quiet" label="Close the invitation" icon={<CloseIcon size={16} stroke={1.5} aria-hidden />} onClick={onClose} />
        </span>
      </div>
      {error ? (
        <Failure what="the link" error={error} onRetry={() => void refetch()} />
      ) : (
        <>
          <div className={styles["fields"]}>
            <div>
              <label htmlFor={field}>They join as</label>
              <select id={field} value={urn} onChange={(event) => setUrn(event.currentTarget.value)}>
                {roles.map((each) => (
                  <option key={each.urn} value={each.urn}>
                    {each.name}
                  </option>
                ))}
                <option value="">No role</option>
              </select>
            </div>
            <div>
              <label htmlFor={linked}>Link</label>
              <input id={linked} className="mono" readOnly value={link} onFocus={(event) => event.currentTarget.select()} />
            </div>
            <div className="row">
              {token === undefined ? <Bones rows={1} what="the link" /> : <CopyButton text={link} label="Copy link" size="medium" look="primary" />}
              <Button busy={busy} icon={<RefreshIcon size={16} stroke={1.5} aria-hidden />} onClick={() => void renew()}>
                New link
              </Button>
            </div>
          </div>
          <p className="muted">
            Whoever has this link can make an account {role ? `with the role ${role.name}` : "without a role"}, any number of times. It has no end of its own: a new link ends this one
            at once.
          </p>
        </>
      )}
    </section>
  );
}
