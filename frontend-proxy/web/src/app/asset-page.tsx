import AssetPageWith from "../features/asset/asset-page";
import { tabs } from "./asset-tabs";

/** The page of an asset of any type, at /type/URN/tab. */
const AssetPage = () => <AssetPageWith tabs={tabs} />;

export default AssetPage;
