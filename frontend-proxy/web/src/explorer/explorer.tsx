import { GraphiQL } from "graphiql";
import { useCallback, useRef, useState, useSyncExternalStore } from "react";

import { AccessLog } from "./access";
import { Banner } from "./banner";
import { Bar } from "./bar";
import { newFetcher } from "./fetcher";
import { SchemaKeeper, type Handle } from "./schema-keeper";
import { withoutHeaders } from "./storage";

const firstQuery = `# Ctrl+Space completes, Ctrl+Enter runs.
# The book on the left shows the schema.
query me {
  me {
    corpUser {
      urn
      username
    }
  }
}
`;

interface Props {
  /** The GraphQL endpoint. */
  address: URL;
  /** The address of the sign-in page with a return address, or null if there is none. */
  signIn: string | null;
}

/** The whole page: the banner with access problems, the bar, and GraphiQL. */
export function Explorer({ address, signIn }: Props) {
  const [access] = useState(() => new AccessLog());
  const [fetcher] = useState(() => newFetcher(address, access));
  const [storage] = useState(() => withoutHeaders(localStorage));
  const handle = useRef<Handle | null>(null);
  const onReady = useCallback((ready: Handle) => {
    handle.current = ready;
  }, []);

  const now = useSyncExternalStore(access.watch, access.current);
  const credential = useSyncExternalStore(access.watch, access.credential);
  return (
    <>
      <Bar address={address} home={signIn === null ? null : new URL("../", address).href} access={now} credential={credential} />
      <Banner
        access={now}
        signIn={signIn}
        onPasteToken={() => handle.current?.pasteToken()}
        onRetry={() => handle.current?.reload()}
      />
      <main>
        <GraphiQL fetcher={fetcher} storage={storage} defaultQuery={firstQuery} shouldPersistHeaders={false} showPersistHeadersSettings={false}>
          <GraphiQL.Logo>{null}</GraphiQL.Logo>
          <SchemaKeeper onReady={onReady} />
        </GraphiQL>
      </main>
    </>
  );
}
