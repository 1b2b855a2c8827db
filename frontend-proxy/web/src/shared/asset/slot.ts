import { createContext, useContext } from "react";

/** The place at the head of the side panel where a tab shows what somebody chose in it. */
export const SideSlot = createContext<HTMLElement | null>(null);

export const useSideSlot = () => useContext(SideSlot);
