import { setNonce } from "get-nonce";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";

import { styleNonce } from "../lib/base";
import "../theme/mantine.css";
import "../theme/tokens.css";
import "../theme/base.css";
import { App } from "./app";

setNonce(styleNonce); // for the styles that dialogs insert to prevent scrolling of the page behind them

const root = document.getElementById("root");
if (root) {
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}
