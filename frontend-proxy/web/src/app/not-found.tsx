import { SearchIcon } from "../components/icons";
import { Empty, PageHead } from "../components/parts";
import { useTitle } from "./title";

/** Says that nothing is at an address. */
export function NotFound({ path }: { path: string }) {
  useTitle("Nothing is filed here");
  return (
    <div className="page">
      <PageHead title="Nothing is filed here">The address may be old or mistyped.</PageHead>
      <Empty icon={<SearchIcon size={20} stroke={1.5} aria-hidden />} title={<span className="break">{path}</span>}>
        There is no page with this address. The places at the left are those that there are.
      </Empty>
    </div>
  );
}
