/** Houses that log people in at a real OpenID Connect provider on this machine. */
import { afterAll, beforeAll } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { CLIENT, startProvider, type TestProvider } from "@hearth/testing/oidc";
import type { Page } from "playwright-core";
import { createHome } from "../journeys/daemon.ts";

/**
 * Expected complaints: answers 401 before the login, and requests of the provider's page, whose
 * font is on another site.
 */
export const EXPECTED = /401|ERR_FAILED|^foreign: http:\/\/127\.0\.0\.1:|^foreign: https:\/\/fonts\.googleapis\.com\//;

/** Runs the provider while the tests of a file run. The result returns it. */
export const useProvider = (): (() => TestProvider) => {
  let provider: TestProvider | undefined;
  beforeAll(async () => {
    provider = await startProvider({
      ada: { name: "Ada Vidal", email: "ada@example.org" },
      ben: { name: "Ben", email: "ben@example.org" },
    });
  });
  afterAll(() => provider?.[Symbol.asyncDispose]());
  return () => {
    if (provider === undefined) throw new Error("the provider has not started");
    return provider;
  };
};

export const createConfiguredHome = ({ issuer }: TestProvider, more = "") => {
  const home = createHome();
  writeFileSync(
    join(home.folder, "hearth.toml"),
    `version = 1\n[login.oidc.acme]\nissuer = "${issuer}"\nclient_id = "${CLIENT.id}"\nclient_secret = "env:OIDC"\nlabel = "Example"\n${more}`,
  );
  return home;
};

export const ENVIRONMENT = { OIDC: CLIENT.secret };

/** Fills the provider's login page, and confirms its question. */
export const logInAtProvider = async (page: Page, { issuer }: TestProvider, login: string): Promise<void> => {
  await page.waitForURL(`${issuer}/**`);
  await page.getByPlaceholder("Enter any login").fill(login);
  await page.getByPlaceholder("and password").fill("x");
  await page.getByRole("button", { name: "Sign-in" }).click();
  await page.getByRole("button", { name: "Continue" }).click();
};

export const stayHere = (page: Page) =>
  page.context().route("https://fonts.googleapis.com/**", (route) => route.abort());

/** Keeps a picture for a person who looks at this journey. */
export const picture = async (page: Page, name: string): Promise<void> => {
  const folder = process.env["HEARTH_PICTURES"];
  if (folder !== undefined) await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
};
