import { useGraphiQL, useGraphiQLActions } from "@graphiql/react";
import { useEffect, useRef } from "react";

import { template, tokenIn } from "./credential";

/** The time without typing after which a token counts as complete, in ms. */
const pause = 600;

/** The functions that the page around GraphiQL may call. */
export interface Handle {
  /** Opens the Headers editor with a placeholder for a token, and places the cursor there. */
  pasteToken: () => void;
  /** Requests the schema again. */
  reload: () => void;
}

/**
 * A child of GraphiQL that renders nothing. While there is no schema, it requests the schema as soon as the
 * Headers editor contains a token, so that users get completion and documentation without the reload button.
 */
export function SchemaKeeper({ onReady }: { onReady: (handle: Handle) => void }) {
  const { introspect } = useGraphiQLActions();
  const editor = useGraphiQL((state) => state.headerEditor);
  const known = useGraphiQL((state) => Boolean(state.schema));
  const tried = useRef("");

  useEffect(() => {
    onReady({
      reload: () => void introspect(),
      pasteToken() {
        // GraphiQL has no action for this, so the code clicks the button of the tab.
        document.querySelector<HTMLButtonElement>('.graphiql-editor-tools [data-name="headers"]')?.click();
        if (!editor) {
          return;
        }
        if (editor.getValue().trim() === "") {
          editor.setValue(template.text);
          editor.setPosition({ lineNumber: template.line, column: template.column });
        }
        // Hidden elements cannot take the focus, so wait until the tab is visible.
        requestAnimationFrame(() => editor.focus());
      },
    });
  }, [editor, introspect, onReady]);

  useEffect(() => {
    if (!editor || known) {
      return undefined;
    }
    let timer: ReturnType<typeof setTimeout> | undefined;
    const listening = editor.onDidChangeModelContent(() => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        const token = tokenIn(editor.getValue());
        if (token !== "" && token !== tried.current) {
          tried.current = token;
          void introspect();
        }
      }, pause);
    });
    return () => {
      clearTimeout(timer);
      listening.dispose();
    };
  }, [editor, introspect, known]);

  return null;
}
