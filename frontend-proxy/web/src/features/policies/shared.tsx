import { useQueryClient } from "@tanstack/react-query";

import { Confirm } from "../../components/dialog";
import { toast } from "../../components/toast";
import { deletePolicy } from "./stored";

/** Where a policy is shown. */
export const policyPath = (urn: string) => `/settings/policies/${encodeURIComponent(urn)}`;

/** Why a policy is not changed here. */
export const fixed = "This policy comes with the product and is changed by the service alone.";

/** The reason why policies are not for somebody; null when they are. */
export const whyNot = (may: { managePolicies: boolean }) =>
  may.managePolicies ? null : "You need the privilege Manage Policies. Ask an administrator to add you to a policy that has it.";

/** Asks before a policy is deleted. */
export function Delete({ policy: { urn, name }, onDone, onClose }: { policy: { urn: string; name: string }; onDone?: () => void; onClose: () => void }) {
  const queries = useQueryClient();
  return (
    <Confirm
      title={`Delete ${name}?`}
      verb="Delete policy"
      onClose={onClose}
      onConfirm={async () => {
        await deletePolicy(urn);
        await queries.invalidateQueries({ queryKey: ["policies"] });
        toast({ title: `${name} was deleted` });
        onDone?.();
      }}
    >
      What it alone allows is refused from the next request on. This cannot be undone; to try it first, turn the policy off.
    </Confirm>
  );
}
