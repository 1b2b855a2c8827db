import { useEffect } from "react";

/** Names the document after what it shows, the most particular first. */
export function useTitle(...parts: string[]) {
  const text = [...parts.filter(Boolean), "Cartulary"].join(" · ");
  useEffect(() => {
    document.title = text;
  }, [text]);
}
