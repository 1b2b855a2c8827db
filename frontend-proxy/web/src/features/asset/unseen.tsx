import { useSession } from "../../shared/session/session";
import { useTitle } from "../../lib/title";
import { CopyButton, PageHead, Person } from "../../components/parts";
import type { Problem } from "../../lib/problem";
import { privilegeName } from "../../lib/text";
import ledger from "./facts.module.css";
import styles from "./missing.module.css";

/** The page for an asset that the actor may not view, with the missing privilege. */
export default function Unseen({ urn, problem }: { urn: string; problem: Problem | null }) {
  const { name } = useSession();
  const needed = (problem?.details.privileges ?? []).map(privilegeName).join(" or ") || "View Entity Page";
  useTitle("You may not see this asset");
  return (
    <div className="page">
      <PageHead title="You may not see this asset">
        It needs the privilege {needed}. No policy gives you that here: ask an administrator, or the owner of the asset.
      </PageHead>
      <dl className={ledger["ledger"]}>
        <dt>Asset</dt>
        <dd>
          <code>{urn}</code>
        </dd>
        <dt>Signed in as</dt>
        <dd>
          <Person name={name} />
        </dd>
      </dl>
      <p className={styles["asked"]}>
        <CopyButton label="Copy a request" text={`${name} asks for the privilege ${needed} over ${urn}, to see ${location.href}`} />
      </p>
    </div>
  );
}
