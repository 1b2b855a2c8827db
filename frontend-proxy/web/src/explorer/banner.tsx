import type { Access } from "./access";

interface Props {
  access: Access;
  /** The address of the sign-in page with a return address, or null if there is none. */
  signIn: string | null;
  onPasteToken: () => void;
  onRetry: () => void;
}

/** Reports why the server does not grant access, and suggests an action. Empty while access is granted. */
export function Banner({ access, signIn, onPasteToken, onRetry }: Props) {
  const text = textOf(access, signIn !== null);
  return (
    <div role="status" className="banner-place">
      {text && (
        <div className="banner" data-access={access}>
          <p>{text.what}</p>
          <p className="banner-actions">
            {text.credential && signIn !== null && <a href={signIn}>Sign in</a>}
            {text.credential && (
              <button type="button" onClick={onPasteToken}>
                Paste a token
              </button>
            )}
            <button type="button" onClick={onRetry}>
              Try again
            </button>
          </p>
        </div>
      )}
    </div>
  );
}

const how = 'put an access token into the Headers editor as {"Authorization": "Bearer TOKEN"}';

function textOf(access: Access, signInPage: boolean): { what: string; credential: boolean } | null {
  switch (access) {
    case "signed-out":
      return {
        what: signInPage
          ? `You are not signed in. Sign in, or ${how}.`
          : `You are not signed in, and this server has no page to sign in: ${how}. On the machine of the service, this makes one: metadata-service token create --actor datahub --name explorer`,
        credential: true,
      };
    case "no-token":
      return { what: `The Authorization header has no token behind "Bearer". Paste one, or remove the header.`, credential: true };
    case "refused":
      return {
        what: signInPage
          ? "The token in the Headers editor was refused: it is mistyped, expired or revoked. Replace it, or remove the header to use your session."
          : "The token in the Headers editor was refused: it is mistyped, expired or revoked. Replace it.",
        credential: true,
      };
    case "absent":
      return { what: "There is no GraphQL at this address: the server, or something before it, does not know the path.", credential: false };
    case "unavailable":
      return { what: "The metadata service does not answer at the moment. It may be starting.", credential: false };
    case "unreachable":
      return { what: "The server cannot be reached.", credential: false };
    case "unknown":
    case "granted":
      return null;
  }
}
