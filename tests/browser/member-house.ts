/** Requests of the owner, and logins of other people. */
import type { Page } from "playwright-core";
import type { Daemon } from "../journeys/daemon.ts";

export const PASSWORD = "correct horse battery";

/** Sends a request as the owner, which must succeed. */
export const ask = async (daemon: Daemon, method: string, path: string, body?: unknown) => {
  const { status, json } = await daemon.ask(method, path, body);
  if (status >= 300) throw new Error(`${method} ${path} answered ${status}: ${JSON.stringify(json)}`);
  return json;
};

export const logIn = async (page: Page, person: string): Promise<void> => {
  await page.getByLabel("Name", { exact: true }).fill(person);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Log in", exact: true }).click();
};
