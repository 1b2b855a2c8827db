import { Link } from "wouter";

import { SearchIcon } from "./icons";
import { Empty, PageHead } from "./parts";
import { searchPath } from "../lib/recent";
import { useTitle } from "../lib/title";

// The last segment of a path, decoded for display.
function lastPart(path: string) {
  const last = path.split("/").findLast(Boolean) ?? "";
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}

/** The page for an address without content. */
export function NotFound({ path }: { path: string }) {
  useTitle("Nothing is filed here");
  const sought = lastPart(path);
  return (
    <div className="page">
      <PageHead title="Nothing is filed here">The address may be old or mistyped.</PageHead>
      <Empty
        icon={<SearchIcon size={20} stroke={1.5} aria-hidden />}
        title={<span className="break">{path}</span>}
        actions={
          <>
            {sought && <Link href={searchPath(sought)}>Search for “{sought}”</Link>}
            <Link href="/">Home</Link>
          </>
        }
      >
        There is no page with this address. The places at the left are those that there are.
      </Empty>
    </div>
  );
}
