import { expect, it } from "vitest";

import { Problem } from "../../lib/problem";
import { failureText, isOfServer, nameOfTarget, refusalText } from "./texts";

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

it("tells pages of the server from its own", () => {
  for (const path of ["/api/graphiql", "/openapi/swagger-ui/index.html?x=1", "/gms/config", "/openapi"]) {
    expect([path, isOfServer(path)]).toEqual([path, true]);
  }
  for (const path of ["/", "/apiary", "/search?query=/api/", "/openapi-notes", "/dataset/urn"]) {
    expect([path, isOfServer(path)]).toEqual([path, false]);
  }
  expect(nameOfTarget("/api/graphiql")).toBe("the GraphQL explorer");
  expect(nameOfTarget("/openapi/swagger-ui")).toBe("the OpenAPI documents");
  expect(nameOfTarget("/openapi/v3/api-docs")).toBe("/openapi/v3/api-docs");
});

it("goes by the code of a refusal, and never by a sentence of the address", () => {
  const sentences = { suspended: "This account is suspended." };
  expect(failureText(null, sentences)).toBeNull();
  expect(failureText("suspended", sentences)).toBe("This account is suspended.");
  for (const unknown of ["Call 555 to unlock", "toString", ""]) {
    expect(failureText(unknown, sentences)).toBe("Try again, and ask an administrator when it does not help.");
  }
});
