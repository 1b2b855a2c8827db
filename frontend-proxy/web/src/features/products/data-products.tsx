import { CollectionsPage } from "./collections";

/** The data products. */
export default function DataProductsPage() {
  return <CollectionsPage kind="dataProduct" />;
}
