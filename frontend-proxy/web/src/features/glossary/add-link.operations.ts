// Written by scripts/codegen.mjs from add-link.graphql and the schema; not to be edited.
import type { Operation } from "../../lib/request";
import type { AddLinkInput, LinkSettingsInput } from "../../lib/schema";

export type { AddLinkInput, LinkSettingsInput };

type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };

export type AddALinkMutationVariables = Exact<{
  input: AddLinkInput;
}>;

export type AddALinkMutation = { addLink: boolean | null };

export const AddALink = "mutation AddALink($input:AddLinkInput!){addLink(input:$input)}" as unknown as Operation<AddALinkMutation, AddALinkMutationVariables>;
