import { PasswordInput, TextInput, useMantineColorScheme } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState, type ReactNode } from "react";
import { useLocation, useSearchParams } from "wouter";

import { forgetSigningOutEverywhere, isSignedOutEverywhere } from "../../shared/session/session";
import { useTitle } from "../../lib/title";
import { Button, ButtonLink } from "../../components/button";
import { SignOnIcon } from "../../components/icons";
import { Note } from "../../components/parts";
import { Cut, Sign } from "../../components/sign";
import { toast } from "../../components/toast";
import { address, base } from "../../lib/base";
import { localPath, withoutBase } from "../../lib/local-path";
import { problemOf } from "../../lib/problem";
import { change, send } from "../../lib/request";
import { TakeRole } from "./sign-in.operations";
import { failureText, isOfServer, nameOfTarget, refusalText, type Refusal } from "./texts";
import "../../theme/password.css";
import styles from "./sign-in.module.css";

interface WaysIn {
  password: boolean;
  /** The label of the single sign-on button; null if single sign-on is not configured. */
  singleSignOn: string | null;
  /** The messages by refusal code. */
  refusals: Record<string, string>;
}

const passwordAlone: WaysIn = { password: true, singleSignOn: null, refusals: {} };

// The proxy reports the sign-in methods. The default is a password.
async function readWays(signal: AbortSignal): Promise<WaysIn> {
  const { config } = await send<{ config?: { signIn?: { password?: boolean; singleSignOn?: string | null; refusals?: Record<string, string> } } }>("/config", { signal });
  const { password = true, singleSignOn, refusals = {} } = config?.signIn ?? {};
  return { password, singleSignOn: singleSignOn || null, refusals };
}

/** The pages for sign-in, sign-up by invitation, and password reset. They share one layout. */
export default function SignInPage() {
  const [path] = useLocation();
  const [parameters] = useSearchParams();
  const { data: ways } = useQuery({ queryKey: ["ways-in"], queryFn: ({ signal }) => readWays(signal), staleTime: Infinity, retry: 1 });
  const target = localPath(withoutBase(parameters.get("redirect_uri"), base));
  const { setColorScheme, colorScheme } = useMantineColorScheme();
  return (
    <main className={styles["gate"]} id="main">
      <div className={styles["middle"]}>
        <div className={styles["column"]}>
          <p className={styles["mark"]}>
            <Sign size={30} />
            Cartulary
          </p>
          {path === "/signup" ? (
            <SignUp token={parameters.get("invite_token") ?? ""} target={target} />
          ) : path === "/reset" ? (
            <Reset token={parameters.get("reset_token") ?? ""} target={target} />
          ) : (
            <SignIn ways={ways ?? passwordAlone} target={target} refusal={parameters.get("error_code")} />
          )}
        </div>
      </div>
      <footer className={styles["foot"]}>
        <button type="button" onClick={() => setColorScheme(colorScheme === "dark" ? "light" : "dark")}>
          Light or dark
        </button>
      </footer>
    </main>
  );
}

// Continues to the requested page or the home page after sign-in.
function useEntry(target: string) {
  const [, go] = useLocation();
  const queries = useQueryClient();
  return () => {
    queries.clear();
    // Pages served directly by the server, such as the GraphQL explorer, are not part of this application.
    if (isOfServer(target)) {
      location.assign(address(target));
    } else {
      go(target, { replace: true });
    }
  };
}

function useForm(path: string, enter: () => void | Promise<void>) {
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const submit = async (body: Record<string, string>) => {
    setBusy(true);
    setRefusal(null);
    try {
      await send(path, { method: "POST", body });
      await enter();
    } catch (error) {
      setRefusal(refusalText(problemOf(error)));
      setBusy(false);
    }
  };
  return { busy, refusal, submit };
}

function SignIn({ ways, target, refusal: came }: { ways: WaysIn; target: string; refusal: string | null }) {
  useTitle("Sign in");
  const [username, setUsername] = useState("");
  const [password, setPassword] = useState("");
  const [tried, setTried] = useState(false);
  const { busy, refusal, submit } = useForm("/logIn", useEntry(target));
  const failed = failureText(came, ways.refusals);
  const [everywhere] = useState(isSignedOutEverywhere);
  useEffect(forgetSigningOutEverywhere, []);
  return (
    <>
      <div className={`${styles["half"]} ${ways.password && ways.singleSignOn ? styles["upper"] : styles["whole"]}`}>
        <h1>Sign in</h1>
        {target !== "/" && (
          <p className="muted">
            You will go on to <span className={`${styles["target"]} break`}>{nameOfTarget(target)}</span>.
          </p>
        )}
        {everywhere && (
          <div className={styles["came"]}>
            <Note tone="ok" title="You are signed out everywhere">
              Every browser that had a session of yours has to sign in again. Your access tokens go on working.
            </Note>
          </div>
        )}
        {failed && (
          <div className={styles["came"]}>
            <Note tone="bad" title="Single sign-on did not work">
              {failed}
            </Note>
          </div>
        )}
        {ways.password ? (
          <form
            noValidate
            onSubmit={(event) => {
              event.preventDefault();
              setTried(true);
              if (username.trim() && password) {
                void submit({ username: username.trim(), password });
              }
            }}
          >
            <TextInput
              size="md"
              label="User name"
              value={username}
              onChange={(event) => setUsername(event.currentTarget.value)}
              error={tried && !username.trim() ? "Say who you are." : null}
              autoComplete="username"
              autoCapitalize="none"
              spellCheck={false}
             
              autoFocus
            />
            <Password
              label="Password"
              value={password}
              onChange={setPassword}
              error={tried && username.trim() !== "" && password === "" ? "The password is empty." : (refusal?.text ?? null)}
              autoComplete="current-password"
            />
            <Button look="primary" size="large" full type="submit" busy={busy}>
              Sign in
            </Button>
          </form>
        ) : (
          <SignOn ways={ways} target={target} />
        )}
      </div>
      {ways.password && ways.singleSignOn && (
        <>
          <Cut />
          <div className={`${styles["half"]} ${styles["lower"]}`}>
            <SignOn ways={ways} target={target} />
          </div>
        </>
      )}
    </>
  );
}

function SignOn({ ways: { singleSignOn }, target }: { ways: WaysIn; target: string }) {
  if (singleSignOn === null) {
    return <Note tone="warn" title="Nobody can sign in here">No way to sign in is set up. Ask an administrator.</Note>;
  }
  return (
    <ButtonLink size="large" full href={`${address("/sso")}?redirect_uri=${encodeURIComponent(address(target))}`} icon={<SignOnIcon size={16} stroke={1.5} aria-hidden />}>
      {singleSignOn}
    </ButtonLink>
  );
}

interface PasswordProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  error?: ReactNode;
  autoComplete: string;
  description?: string;
}

function Password({ label, value, onChange, error, autoComplete, description }: PasswordProps) {
  return (
    <PasswordInput
      size="md"
      label={label}
      {...(description ? { description } : {})}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      error={error}
      autoComplete={autoComplete}
      visibilityToggleButtonProps={{ "aria-label": "Show the password" }}
    />
  );
}

// The account already exists, so a rejected role does not block the sign-in.
async function takeRole(token: string) {
  try {
    await change(TakeRole, { token });
  } catch (error) {
    toast({ tone: "bad", title: "The invitation gave you no role", text: problemOf(error).message });
  }
}

function SignUp({ token, target }: { token: string; target: string }) {
  useTitle("Sign up");
  const [fields, setFields] = useState({ fullName: "", email: "", title: "", password: "" });
  const [tried, setTried] = useState(false);
  const enter = useEntry(target);
  const { busy, refusal, submit } = useForm("/signUp", async () => {
    await takeRole(token);
    enter();
  });
  const set = (name: keyof typeof fields) => (value: string) => setFields((before) => ({ ...before, [name]: value }));
  if (!token) {
    return <NoLink title="This needs an invitation">An invitation is a link that an administrator sends you. The one you followed is incomplete.</NoLink>;
  }
  return (
    <div className={`${styles["half"]} ${styles["whole"]}`}>
      <h1>Sign up</h1>
      <p className="muted">You were invited. Your address is the name you sign in with.</p>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          setTried(true);
          if (fields.fullName.trim() && fields.email.trim() && fields.password) {
            void submit({ ...fields, fullName: fields.fullName.trim(), email: fields.email.trim(), inviteToken: token });
          }
        }}
      >
        <TextInput size="md" label="Full name" value={fields.fullName} onChange={(event) => set("fullName")(event.currentTarget.value)} error={tried && !fields.fullName.trim() ? "Say what you are called." : null} autoComplete="name" autoFocus />
        <TextInput size="md" type="email" label="Mail address" value={fields.email} onChange={(event) => set("email")(event.currentTarget.value)} error={tried && !fields.email.trim() ? "It is what you will sign in with." : null} autoComplete="email" />
        <TextInput size="md" label="Title" description="As Data analyst. It may stay empty." value={fields.title} onChange={(event) => set("title")(event.currentTarget.value)} autoComplete="organization-title" />
        <Password label="Password" value={fields.password} onChange={set("password")} error={tried && !fields.password ? "The password is empty." : (refusal?.text ?? null)} autoComplete="new-password" />
        <Button look="primary" size="large" full type="submit" busy={busy}>
          Sign up
        </Button>
      </form>
    </div>
  );
}

function Reset({ token, target }: { token: string; target: string }) {
  useTitle("Set a new password");
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const [tried, setTried] = useState(false);
  const { busy, refusal, submit } = useForm("/resetNativeUserCredentials", useEntry(target));
  if (!token) {
    return <NoLink title="This needs a reset link">A reset link is sent by an administrator. The one you followed is incomplete.</NoLink>;
  }
  return (
    <div className={`${styles["half"]} ${styles["whole"]}`}>
      <h1>Set a new password</h1>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          setTried(true);
          if (email.trim() && password) {
            void submit({ email: email.trim(), password, resetToken: token });
          }
        }}
      >
        <TextInput size="md" label="User name" value={email} onChange={(event) => setEmail(event.currentTarget.value)} error={tried && !email.trim() ? "Say who you are." : null} autoComplete="username" autoCapitalize="none" spellCheck={false} autoFocus />
        <Password label="New password" value={password} onChange={setPassword} error={tried && !password ? "The password is empty." : (refusal?.text ?? null)} autoComplete="new-password" />
        <Button look="primary" size="large" full type="submit" busy={busy}>
          Set password and sign in
        </Button>
      </form>
    </div>
  );
}

function NoLink({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className={`${styles["half"]} ${styles["whole"]}`}>
      <h1>{title}</h1>
      <p className="muted">{children}</p>
      <form>
        <ButtonLink size="large" full href={address("/login")}>
          To sign-in
        </ButtonLink>
      </form>
    </div>
  );
}
