/** A house with content on every page, for tests without a mouse. */
import type { Page } from "playwright-core";
import { type Daemon, until } from "../journeys/daemon.ts";
import { welcome } from "./browser.ts";

/** Creates content for each page. */
export const furnish = async (daemon: Daemon): Promise<void> => {
  await welcome(daemon);
  const { json: main } = await daemon.ask("GET", "/api/agents/main");
  await daemon.ask("POST", "/api/agents", { content: { name: "Bob", kind: "human" } });
  await daemon.ask("POST", "/api/agents", { content: { name: "Kettle", kind: "bot" } });
  await daemon.ask("POST", "/api/keys", { name: "lamp", agent: main.id, scope: { level: "r" } });
  await daemon.ask("POST", "/api/rooms", { content: { name: "Cellar", members: [main.id] } });
  for (const name of ["news", "build"])
    await daemon.ask("POST", "/api/agents/main/jobs", { name, prompt: "What is new?", every: "1d" });
  await daemon.ask("POST", "/api/chat", { agentName: "main", message: "remember that the cat is called Felix" });
};

export const open = async (page: Page, url: string): Promise<void> => {
  await page.goto(url);
  await page.getByRole("heading", { level: 1 }).waitFor();
  await until(async () => (await page.getByRole("img", { name: "Loading" }).count()) === 0);
};
