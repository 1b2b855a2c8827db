/** The address of the page of a policy. */
export const policyPath = (urn: string) => `/settings/policies/${encodeURIComponent(urn)}`;
