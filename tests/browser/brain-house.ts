/** The files of an agent's brain, as journeys write and read them. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import type { Daemon } from "../journeys/daemon.ts";

export const BRAIN = "/api/agents/main/brain";

/** The folder of the agent `main`. */
export const folderOf = async (daemon: Daemon): Promise<string> => {
  const { json } = await daemon.ask("GET", "/api/agents/main");
  const name = readdirSync(join(daemon.home, "brains")).find((name) => name === json.id || name === json.handle);
  return join(daemon.home, "brains", name ?? "");
};

export const put = async (daemon: Daemon, path: string, text: string): Promise<void> => {
  const { status } = await daemon.ask("PUT", `${BRAIN}/file?path=${encodeURIComponent(path)}`, { text });
  if (status !== 200) throw new Error(`${status} for ${JSON.stringify(path)}`);
};

export const textOf = async (daemon: Daemon, path: string): Promise<string | undefined> =>
  (await daemon.ask("GET", `${BRAIN}/file?path=${encodeURIComponent(path)}`)).json.text;

export const fieldOf = (page: Page, path: string): Locator => page.getByRole("textbox", { name: path, exact: true });

/** Opens the editor of the Markdown file that is shown rendered. */
export const edit = (page: Page): Promise<void> => page.getByRole("button", { name: "Edit", exact: true }).click();
