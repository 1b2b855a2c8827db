import { expect, it } from "vitest";

import { Problem } from "../../lib/problem";
import { failureText, nameOfTarget, refusalText } from "./texts";

it("tells a wrong password from too many attempts and from a catalog that is away", () => {
  expect(refusalText(new Problem("invalid", "Invalid Credentials")).text).toBe(
    "User name and password do not match. Try again, or ask an administrator for a reset link.",
  );
  expect(refusalText(new Problem("throttled", "x", { retryAfter: 240 })).text).toBe("Too many attempts. Try again in 4 minutes.");
  expect(refusalText(new Problem("throttled", "x", { retryAfter: 20 })).text).toBe("Too many attempts. Try again in 20 seconds.");
  expect(refusalText(new Problem("away", "x")).text).toContain("not judged");
  expect(refusalText(new Problem("invalid", "Password: at least 8 characters")).text).toBe("Password: at least 8 characters");
});

it("names the page that was asked for as people do", () => {
  expect(nameOfTarget("/settings/tokens")).toBe("the settings");
  expect(nameOfTarget("/dataset/urn%3Ali%3Adataset%3A(urn%3Ali%3AdataPlatform%3Asnowflake%2Csales.mart.fct_orders%2CPROD)/Schema")).toBe("fct_orders");
  expect(nameOfTarget("/tag/urn:li:tag:pii")).toBe("pii");
  expect(nameOfTarget("/dataset/%E0%A4%A/x")).toBe("/dataset/%E0%A4%A/x");
});

it("goes by the code of a refusal, and never by a sentence of the address", () => {
  const sentences = { suspended: "This account is suspended." };
  expect(failureText(null, sentences)).toBeNull();
  expect(failureText("suspended", sentences)).toBe("This account is suspended.");
  for (const unknown of ["Call 555 to unlock", "toString", ""]) {
    expect(failureText(unknown, sentences)).toBe("Try again, and ask an administrator when it does not help.");
  }
});
