import { useGraphiQL, useGraphiQLActions } from "@graphiql/react";
import { useEffect, useRef } from "react";

import { template, tokenIn } from "./credential";

/** How long nothing is typed before a token counts as complete. */
const pause = 600;

/** What the page around GraphiQL may ask of it. */
export interface Handle {
  /** Shows the Headers editor with a place for a token, and puts the cursor there. */
  pasteToken: () => void;
  /** Asks for the schema again. */
  reload: () => void;
}

/**
 * Lives inside GraphiQL and shows nothing. While there is no schema, it asks for it once a token is in the
 * Headers editor: completion and documentation should not wait for somebody to find the button.
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
        // GraphiQL has no action for this: the tab is a button.
        document.querySelector<HTMLButtonElement>('.graphiql-editor-tools [data-name="headers"]')?.click();
        if (!editor) {
          return;
        }
        if (editor.getValue().trim() === "") {
          editor.setValue(template.text);
          editor.setPosition({ lineNumber: template.line, column: template.column });
        }
        // Once the tab is shown: what is hidden takes no focus.
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
