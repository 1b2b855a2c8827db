import "./workers";
// The single style sheets instead of the bundled one: half of that is fonts, and the editor has its own
// styles.
import "@graphiql/react/style.css";
import "@graphiql/plugin-doc-explorer/style.css";
import "@graphiql/plugin-history/style.css";
import "graphiql/graphiql.css";
import "../theme/tokens.css";
import "./explorer.css";

import { StrictMode } from "react";
import { createRoot } from "react-dom/client";

import { Explorer } from "./explorer";
import { graphqlAddress, signInAddress } from "./page";
import { followScheme } from "./scheme";

followScheme(document);

const root = document.getElementById("root");
if (!root) {
  throw new Error("the page has no root element");
}
createRoot(root).render(
  <StrictMode>
    <Explorer address={graphqlAddress(document.baseURI)} signIn={signInAddress(document)} />
  </StrictMode>,
);
