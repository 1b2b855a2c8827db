import { useQueryClient } from "@tanstack/react-query";

import type { Choice } from "../pickers/choose";
import { updateOptimistically } from "../../lib/optimistic";
import { Problem } from "../../lib/problem";
import { change } from "../../lib/request";
import type { Asset } from "./asset";
import {
  AddApplication,
  AddOwners,
  AddTags,
  AddTerms,
  CreateTag,
  Deprecate,
  Describe,
  DescribeChart,
  DescribeDashboard,
  DescribeFlow,
  DescribeJob,
  RemoveApplication,
  RemoveTags,
  RemoveTerms,
  RenameAsset,
  SetDomain,
  SetParentApplication,
  UnsetDomain,
} from "./asset.operations";
import { assetQuery } from "./read";

/**
 * Changes an asset with an optimistic update. If the service rejects the change, the update is rolled back and the
 * error is thrown.
 */
export function useEdit(urn: string): (expected: (asset: Asset) => Asset, act: () => Promise<unknown>) => Promise<void> {
  const queries = useQueryClient();
  const { queryKey } = assetQuery(urn);
  return (expected, act) => updateOptimistically<Asset>(queries, { queryKey, expected, act });
}

/** Refetches the asset and throws if a text differs from the one that the user saw. */
export function useUnchanged(urn: string): (seen: string, textOf: (asset: Asset) => string) => Promise<void> {
  const queries = useQueryClient();
  return async (seen, textOf) => {
    const now = textOf(await queries.fetchQuery({ ...assetQuery(urn), staleTime: 0 }));
    if (now.trim() !== seen.trim()) {
      throw changedMeanwhile(now);
    }
  };
}

/** The error for a text that another user changed during editing, with the current text. */
export const changedMeanwhile = (now: string) =>
  new Problem("invalid", `Somebody changed this meanwhile. It now says: “${now === "" ? "nothing" : now.length > 300 ? `${now.slice(0, 300)}…` : now}”. Save again to replace it by yours, or cancel to keep theirs.`, { now });

// The names of privileges as in policies.
const privileges: Readonly<Record<string, string>> = {
  canEditDataProducts: "Edit Data Product",
  canEditDeprecation: "Edit Deprecation",
  canEditDescription: "Edit Description",
  canEditDomains: "Edit Domain",
  canEditGlossaryTerms: "Edit Glossary Terms",
  canEditIncidents: "Edit Incidents",
  canEditLinks: "Edit Links",
  canEditOwners: "Edit Owners",
  canEditProperties: "Edit Properties",
  canEditQueries: "Edit Dataset Queries",
  canEditSchemaFieldDescription: "Edit Dataset Column Descriptions",
  canEditSchemaFieldGlossaryTerms: "Edit Dataset Column Glossary Terms",
  canEditSchemaFieldTags: "Edit Dataset Column Tags",
  canEditTags: "Edit Tags",
};

/**
 * The reason why the actor may not change a part of an asset; null if the actor may, or if only the service can
 * decide.
 */
export function reasonOf(asset: Asset, flag: string): string | null {
  if (asset.may[flag] !== false) {
    return null;
  }
  const [owner] = asset.owners;
  return `You may not change this of ${asset.name}. It needs the privilege ${privileges[flag] ?? flag}: ask ${owner ? `the owner, ${owner.name}` : "an administrator"}.`;
}

/** The input that selects a column of a dataset; empty for the asset itself. */
export const partOf = (column?: string) => (column === undefined ? {} : { subResource: column, subResourceType: "DATASET_FIELD" as const });

const urnsOf = (list: readonly { urn: string }[]) => list.map(({ urn }) => urn);

/** The added and removed items of a selection. */
export function difference(before: readonly { urn: string }[], after: readonly Choice[]): { added: string[]; dropped: string[] } {
  const was = new Set(urnsOf(before));
  const is = new Set(urnsOf(after));
  return { added: [...is].filter((urn) => !was.has(urn)), dropped: [...was].filter((urn) => !is.has(urn)) };
}

/** Adds tags to an asset or a column, and removes others. */
export async function changeTags(urn: string, { added, dropped }: { added: string[]; dropped: string[] }, column?: string) {
  if (added.length > 0) {
    await change(AddTags, { input: { tagUrns: added, resourceUrn: urn, ...partOf(column) } });
  }
  if (dropped.length > 0) {
    await change(RemoveTags, { input: { tagUrns: dropped, resources: [{ resourceUrn: urn, ...partOf(column) }] } });
  }
}

/** Adds terms to an asset or a column, and removes others. */
export async function changeTerms(urn: string, { added, dropped }: { added: string[]; dropped: string[] }, column?: string) {
  if (added.length > 0) {
    await change(AddTerms, { input: { termUrns: added, resourceUrn: urn, ...partOf(column) } });
  }
  if (dropped.length > 0) {
    await change(RemoveTerms, { input: { termUrns: dropped, resources: [{ resourceUrn: urn, ...partOf(column) }] } });
  }
}

/** Creates a tag. If the name is a valid id, it becomes the id of the URN. */
export async function createTag(name: string): Promise<Choice> {
  const { createTag: urn } = await change(CreateTag, { input: { name, ...(/^[\w.-]{1,100}$/u.test(name) ? { id: name } : {}) } });
  return { urn: urn ?? "", name };
}

/** Adds owners with one ownership type. */
export const addOwners = (urn: string, owners: readonly { urn: string; group: boolean }[], role: string) =>
  change(AddOwners, { input: { resourceUrn: urn, owners: owners.map((owner) => ({ ownerUrn: owner.urn, ownerEntityType: owner.group ? ("CORP_GROUP" as const) : ("CORP_USER" as const), ownershipTypeUrn: role })) } });

/** Adds an asset to applications and removes it from others. Other memberships are unchanged. */
export async function changeApplications(urn: string, { added, dropped }: { added: string[]; dropped: string[] }) {
  await Promise.all(added.map((applicationUrn) => change(AddApplication, { input: { applicationUrn, resourceUrns: [urn] } })));
  await Promise.all(dropped.map((applicationUrn) => change(RemoveApplication, { input: { applicationUrn, resourceUrns: [urn] } })));
}

// The types supported by updateName.
const named: ReadonlySet<string> = new Set(["application", "businessAttribute", "corpGroup", "dataProduct", "dataset", "domain"]);

/** Reports whether entities of a type can be renamed in the UI. */
export const isNamable = (type: string) => named.has(type);

/** Renames an asset. */
export const rename = (urn: string, name: string) => change(RenameAsset, { input: { urn, name } });

/** Deprecates an asset with an optional successor, or removes the deprecation. */
export const deprecate = (urn: string, deprecation: Asset["deprecation"]) =>
  change(Deprecate, {
    input: deprecation
      ? { urn, deprecated: true, note: deprecation.note, ...(deprecation.until === undefined ? {} : { decommissionTime: deprecation.until }), ...(deprecation.successor ? { replacement: deprecation.successor } : {}) }
      : { urn, deprecated: false },
  });

/** Sets the domain of an asset, or removes it. */
export const setDomain = (urn: string, domain: string | undefined): Promise<unknown> => (domain ? change(SetDomain, { urn, domain }) : change(UnsetDomain, { urn }));

/** Moves an application below a parent or to the top level. */
export const setParentApplication = (urn: string, parent: string | undefined): Promise<unknown> => change(SetParentApplication, { urn, parent: parent ?? "" });

// Mutations of the types that updateDescription does not support.
const others: Readonly<Record<string, (urn: string, description: string) => Promise<unknown>>> = {
  chart: (urn, description) => change(DescribeChart, { urn, input: { editableProperties: { description } } }),
  dashboard: (urn, description) => change(DescribeDashboard, { urn, input: { editableProperties: { description } } }),
  dataFlow: (urn, description) => change(DescribeFlow, { urn, input: { editableProperties: { description } } }),
  dataJob: (urn, description) => change(DescribeJob, { urn, input: { editableProperties: { description } } }),
};

/** Writes the description of an asset or of one of its columns. */
export function describe({ urn, type }: { urn: string; type: string }, description: string, column?: string): Promise<unknown> {
  const other = Object.hasOwn(others, type) ? others[type] : undefined;
  return other ? other(urn, description) : change(Describe, { input: { description, resourceUrn: urn, ...partOf(column) } });
}

/** A copy of an asset with another description. */
export const withText = (asset: Asset, text: string): Asset => ({ ...asset, edited: text });
