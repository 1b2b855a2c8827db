import { createContext, useContext } from "react";

/** The element at the top of the side panel where a tab shows the details of its selection. */
export const SideSlot = createContext<HTMLElement | null>(null);

export const useSideSlot = () => useContext(SideSlot);
