import { Button } from "./button";
import { numberText } from "../lib/text";
import styles from "./people.module.css";

interface Props {
  start: number;
  size: number;
  total: number;
  /** The name of the list, for screen readers. */
  label: string;
  onPage: (page: number) => void;
}

/** Shows the displayed range of a list, with buttons for the previous and next page. */
export function Pager({ start, size, total, label, onPage }: Props) {
  const page = Math.floor(start / size) + 1;
  const last = Math.max(1, Math.ceil(total / size));
  if (total === 0) {
    return null;
  }
  return (
    <nav className={styles["pager"]} aria-label={`Pages of ${label}`}>
      <span className="muted small num" role="status">
        {numberText(Math.min(start + 1, total))} to {numberText(Math.min(start + size, total))} of {numberText(total)}
      </span>
      {last > 1 && (
        <span className="row end">
          <Button size="small" reason={page <= 1 ? "This is the first page." : null} onClick={() => onPage(page - 1)}>
            Previous
          </Button>
          <Button size="small" reason={page >= last ? "This is the last page." : null} onClick={() => onPage(page + 1)}>
            Next
          </Button>
        </span>
      )}
    </nav>
  );
}
