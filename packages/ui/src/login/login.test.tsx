import { expect, test } from "bun:test";
import { HearthError } from "@hearth/protocol";
import { renderToStaticMarkup } from "react-dom/server";
import { createFakeUi } from "../house/fake-ui.tsx";
import { UiProvider } from "../house/ui.tsx";
import { parseLoginCode } from "./login-code.ts";
import { LoginPage } from "./login-page.tsx";
import { ProviderButtons } from "./provider-buttons.tsx";

test("the code is found in any pasted text", () => {
  const pasted = [
    "abc-123",
    "  abc-123\n",
    "http://127.0.0.1:4242/login?code=abc-123",
    "http://127.0.0.1:4242/login?x=1&code=abc-123#top",
    "Log in: http://localhost:4242/login?code=abc-123 (works once)",
    "code=abc-123",
    "http://localhost/login?code=abc%2D123",
  ];
  expect(pasted.map(parseLoginCode)).toEqual(pasted.map(() => "abc-123"));
});

test("other pasted text yields no code", () => {
  expect(parseLoginCode("")).toBe("");
  expect(parseLoginCode("http://localhost/login?code=")).toBe("");
});

const show = (code: "auth.missing" | "auth.invalid"): string =>
  renderToStaticMarkup(
    <UiProvider value={createFakeUi()}>
      <LoginPage error={new HearthError(code, "You are not logged in.")} />
    </UiProvider>,
  );

test("the login is a native form with a code field", () => {
  const markup = show("auth.missing");
  const [byPassword = "", byLink = ""] = markup.match(/<form.*?<\/form>/g) ?? [];
  for (const form of [byPassword, byLink]) {
    expect(form).toMatch(/^<form action="\/login" method="post"/);
    expect(form).toContain('<button type="submit"');
  }
  expect(byLink).toContain('<input type="hidden" name="code" value=""/>');
  expect(byLink.match(/ name="/g)).toHaveLength(1);
  expect(byPassword).toMatch(/<input type="text"[^>]*required=""[^>]*autoComplete="username"[^>]*name="person"/);
  expect(byPassword).toMatch(
    /<input type="password"[^>]*required=""[^>]*autoComplete="current-password"[^>]*name="password"/,
  );
});

test("without a provider there is no group of buttons", () => {
  const markup = renderToStaticMarkup(
    <UiProvider value={createFakeUi()}>
      <ProviderButtons />
    </UiProvider>,
  );
  expect(markup).toBe("");
});

test("the page explains how to get a link", () => {
  expect(show("auth.missing")).toContain("ask the person who runs the house for a new link");
});

test("a user whose session ended sees a notice", () => {
  expect(show("auth.invalid")).toContain("Your session ended");
  expect(show("auth.missing")).not.toContain("Your session ended");
});
