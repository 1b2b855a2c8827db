import { Confirm } from "../../components/dialog";
import { change } from "../../lib/request";
import { leaveAfterSigningOutEverywhere, useSession } from "./session";
import { EndSessions } from "./sign-out.operations";

/** A confirmation before all sessions of the current user end. The sign-in page then shows a message. */
export function SignOutEverywhere({ onClose }: { onClose: () => void }) {
  const { urn } = useSession();
  return (
    <Confirm
      title="Sign out everywhere?"
      verb="Sign out everywhere"
      keep="Stay signed in"
      onClose={onClose}
      onConfirm={async () => {
        await change(EndSessions, { urn });
        leaveAfterSigningOutEverywhere();
      }}
    >
      Every browser in which you are signed in is signed out at once, this one too. Your access tokens stay valid: programs go on working, and tokens are revoked on their own
      page.
    </Confirm>
  );
}
