/** ID tokens, discoveries and answers of a provider that lies. None of them logs a person in. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { CLIENT, type Forger, startForger } from "@hearth/testing/oidc";
import { setUp, table } from "./fixtures/browsers.ts";

let forger: Forger;
beforeEach(async () => {
  forger = await startForger(CLIENT.id, CLIENT.secret);
});
afterEach(() => forger[Symbol.asyncDispose]());

const now = () => Math.floor(Date.now() / 1000);

/** One login in a house that creates an account for everyone whom the provider confirms. */
const logIn = async (more = "") => {
  const { browse } = await setUp(table("acme", forger.issuer, `create_accounts = true\n${more}`));
  const browser = browse();
  const started = await browser.open("/api/login/oidc/acme");
  const answer = started.location === undefined ? started : await browser.comeBack(forger.callbackOf(started.location));
  return {
    code: answer.error?.code,
    message: answer.error?.message ?? "",
    hint: answer.error?.hint ?? "",
    isIn: browser.isIn(),
  };
};

test("an honest answer logs in, so that each refusal below has one reason", async () => {
  expect(await logIn()).toMatchObject({ code: undefined, isIn: true });
});

describe("A50: an ID token is refused", () => {
  test.each([
    ["for another client", { aud: "another-client" }],
    ["for several clients without this one as its party", { aud: [CLIENT.id, "another"], azp: "another" }],
    ["of another issuer", { iss: "https://evil.example" }],
    ["of another login", { nonce: "another" }],
    ["without a nonce", { nonce: undefined }],
    ["that has expired", { exp: now() - 300, iat: now() - 600 }],
    ["that never expires", { exp: undefined }],
    ["without a subject", { sub: undefined }],
  ])("%s", async (_name, lie) => {
    forger.claim(lie);
    expect(await logIn()).toMatchObject({ code: "auth.sso", isIn: false });
  });

  test.each(["other-key", "none", "client-secret"] as const)("that is signed by: %s", async (how) => {
    forger.sign(how);
    expect(await logIn()).toMatchObject({ code: "auth.sso", isIn: false });
  });

  test("if the answer has none", async () => {
    forger.answerTokens(() => Response.json({ access_token: "a", token_type: "bearer" }));
    expect(await logIn()).toMatchObject({ code: "auth.sso", isIn: false });
  });
});

describe("A48: a code goes to no other provider", () => {
  test.each([
    ["names another issuer", (url: URL) => url.searchParams.set("iss", "https://evil.example")],
    ["names no issuer", (url: URL) => url.searchParams.delete("iss")],
    ["has two states", (url: URL) => url.searchParams.append("state", "x")],
  ])("if the response %s", async (_name, change) => {
    const { browse } = await setUp(table("acme", forger.issuer, "create_accounts = true"));
    const browser = browse();
    const callback = new URL(forger.callbackOf(await browser.begin()));
    change(callback);
    const { error } = await browser.comeBack(callback.href);
    expect(["auth.sso", "request.invalid", "auth.invalid"]).toContain(error?.code ?? "");
    expect([browser.isIn(), forger.requests.includes("/token")]).toEqual([false, false]);
  });
});

describe("A51: the provider cannot lead the house or a browser elsewhere", () => {
  test.each(["authorization_endpoint", "token_endpoint", "jwks_uri"])("by %s", async (field) => {
    forger.describe({ [field]: "https://inner.example/x" });
    expect(await logIn()).toMatchObject({
      code: "auth.sso",
      message: "The provider uses the host inner.example, which is not allowed.",
      hint: expect.stringContaining('hosts = ["inner.example"]'),
      isIn: false,
    });
  });

  test("by the issuer that its discovery names", async () => {
    forger.describe({ issuer: "https://evil.example" });
    expect(await logIn()).toMatchObject({ code: "auth.sso", isIn: false });
  });

  test("by a redirect of a request that carries the code and the client's secret", async () => {
    forger.answerTokens(() => Response.redirect(`${forger.issuer}/elsewhere`, 307));
    expect(await logIn()).toMatchObject({
      code: "auth.sso",
      message: expect.stringContaining("redirected"),
      isIn: false,
    });
    expect(forger.requests).not.toContain("/elsewhere");
  });
});

test("texts of the provider appear shortened and without markup", async () => {
  const error = `<script>alert(1)</script>${"x".repeat(500)}`;
  forger.answerTokens(() => Response.json({ error }, { status: 400 }));
  const { message, isIn } = await logIn();
  expect(isIn).toBe(false);
  expect(message).not.toMatch(/[<>]/);
  expect(message.length).toBeLessThan(200);
});

test("the client's secret is in no message and no line of the log", async () => {
  const { browse, house } = await setUp(table("acme", forger.issuer));
  forger.answerTokens(() => Response.json({ error: "invalid_client" }, { status: 401 }));
  const browser = browse();
  const answer = await browser.comeBack(forger.callbackOf(await browser.begin()));
  expect(answer.error?.message).toContain("invalid_client");
  expect(answer.text + house.lines.join("\n")).not.toContain(CLIENT.secret);
});

test("a secret that is missing is named with its key of the config", async () => {
  const { browse } = await setUp(table("acme", forger.issuer).replace("env:OIDC", "env:MISSING"));
  const { error } = await browse().open("/api/login/oidc/acme");
  expect(error?.code).toBe("auth.sso");
  expect(error?.message).toContain("login.oidc.acme.client_secret");
});
