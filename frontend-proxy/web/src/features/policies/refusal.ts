import type { Privileges } from "../../shared/session/session";

/** The reason why a built-in policy cannot be changed. */
export const fixed = "This policy comes with the product and is changed by the service alone.";

/** The reason why a user may not manage policies; null if allowed. */
export const whyNot = (may: Pick<Privileges, "managePolicies">) =>
  may.managePolicies ? null : "You need the privilege Manage Policies. Ask an administrator to add you to a policy that has it.";
