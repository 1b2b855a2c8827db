import { useSearchParams } from "wouter";

/** The query parameters of the address, and a function that changes some of them. Empty values are removed. */
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

/** The index of the first item of a page, given the page number in the address. Invalid numbers yield 0. */
export function startOf(text: string, size: number): number {
  const page = Number(text);
  return Number.isSafeInteger(page) && page > 1 ? (page - 1) * size : 0;
}
