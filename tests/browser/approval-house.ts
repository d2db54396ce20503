/** A house whose agent asks for approval, and what a person presses to decide. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { type Daemon, type Json, startDaemon, until } from "../journeys/daemon.ts";
import { configFor, type Model, type Piece } from "../journeys/model.ts";
import { welcome } from "./browser.ts";

export const NOTE: Piece = {
  tool: "write",
  input: { path: "notes.md", content: "# Notes\n\nFelix\u202e is a cat.\n" },
};

/** Makes the model call this tool first, then report the result. */
export const wish = (model: Model, call: Piece): void => {
  model.answer = ({ messages }: Json) => (messages.at(-1).role === "tool" ? ["It is settled."] : [call]);
};

export const startHouse = async (home: string, model: Model): Promise<Daemon> => {
  const tools = ["write", "edit", "http_fetch"].map((tool) => `"${tool}"`).join(", ");
  const egress = "[egress]\nloopback = true\n";
  writeFileSync(
    join(home, "hearth.toml"),
    `${configFor(model.baseUrl)}tools = [${tools}]\nmode = "ask"\nqueue = "followup"\n${egress}`,
  );
  const daemon = await startDaemon(home, { TEST_KEY: "key" });
  await welcome(daemon);
  return daemon;
};

export const pending = async (daemon: Daemon): Promise<readonly Json[]> =>
  (await daemon.ask("GET", "/api/approvals?state=pending")).json;

/** Makes the agent request approval, and returns the request. */
export const makeAsk = async (daemon: Daemon, text = "Note it"): Promise<Json> => {
  const before = new Set((await pending(daemon)).map(({ id }) => id));
  await daemon.ask("POST", "/api/rooms/main/messages", { text });
  let asked: Json;
  await until(async () => {
    asked = (await pending(daemon)).find(({ id }) => !before.has(id));
    return asked !== undefined;
  });
  return asked;
};

export const stateOf = async (daemon: Daemon, { id }: Json): Promise<string> =>
  (await daemon.ask("GET", `/api/approvals/${id}`)).json.state;

/** From here on the test controls the page's clock. */
export const holdClock = async (page: Page): Promise<void> => {
  await page.clock.install();
  await page.reload();
};

/**
 * Presses like a person: repeats with a pause until the condition holds, because new cards ignore
 * presses.
 */
export const pressUntil = (page: Page, press: () => Promise<void>, holds: () => Promise<boolean>): Promise<void> =>
  until(async () => {
    if (await holds()) return true;
    await page.clock.runFor(600);
    await press();
    return holds();
  });
