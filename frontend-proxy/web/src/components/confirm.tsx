// A module of its own, so that pages load the confirmation dialog only when they open it.
export { Confirm as default } from "./dialog";
