/** Why a policy is not changed here. */
export const fixed = "This policy comes with the product and is changed by the service alone.";

/** The reason why policies are not for somebody; null when they are. */
export const whyNot = (may: { managePolicies: boolean }) =>
  may.managePolicies ? null : "You need the privilege Manage Policies. Ask an administrator to add you to a policy that has it.";
