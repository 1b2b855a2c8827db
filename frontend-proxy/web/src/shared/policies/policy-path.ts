/** The path of the page of a policy. */
export const policyPath = (urn: string) => `/settings/policies/${encodeURIComponent(urn)}`;
