import type { Asset } from "./asset";

/** The upstream types by asset type that the server supports. */
export const sources: Readonly<Record<string, readonly string[]>> = {
  DATASET: ["DATASET", "DATA_JOB"],
  DATA_JOB: ["DATASET", "DATA_JOB"],
  CHART: ["DATASET", "CHART"],
  DASHBOARD: ["DATASET", "CHART"],
};

/** The reason why the user cannot edit the lineage of an asset; null if the user can. */
export function whyNotEdit(asset: Asset | undefined, mayEdit: boolean): string | null {
  if (!asset) {
    return "The asset is not there yet.";
  }
  if (!sources[asset.type]) {
    return `The lineage of this asset cannot be edited by hand. It comes with ingestion.`;
  }
  return mayEdit ? null : `You may not edit the lineage of ${asset.name}. It needs the privilege Edit Lineage: ask ${asset.owners[0] ? `the owner, ${asset.owners[0].name}` : "an administrator"}.`;
}
