import { useEffect } from "react";

/** Sets the document title, the most specific part first. */
export function useTitle(...parts: string[]) {
  const text = [...parts.filter(Boolean), "Cartulary"].join(" · ");
  useEffect(() => {
    document.title = text;
  }, [text]);
}
