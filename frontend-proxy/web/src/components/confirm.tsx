// A page that asks before something rare loads what that takes when it asks.
export { Confirm as default } from "./dialog";
