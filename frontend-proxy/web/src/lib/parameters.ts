import { useSearchParams } from "wouter";

/** What the address of a page says of its filters, and a way to change some of it. Empty texts are taken away. */
export function useParameters(): [(name: string) => string, (changes: Record<string, string>, way?: { push?: boolean }) => void] {
  const [parameters, setParameters] = useSearchParams();
  const set = (changes: Record<string, string>, { push = false } = {}) =>
    setParameters(
      (before) => {
        const after = new URLSearchParams(before);
        for (const [name, value] of Object.entries(changes)) {
          if (value === "") {
            after.delete(name);
          } else {
            after.set(name, value);
          }
        }
        return after;
      },
      { replace: !push },
    );
  return [(name) => parameters.get(name) ?? "", set];
}

/** The first of a page of a list, as an address says it. What is no number is the beginning. */
export function startOf(text: string, size: number): number {
  const page = Number(text);
  return Number.isSafeInteger(page) && page > 1 ? (page - 1) * size : 0;
}
