import { CollectionsPage } from "./collections";

/** The data products page. */
export default function DataProductsPage() {
  return <CollectionsPage kind="dataProduct" />;
}
