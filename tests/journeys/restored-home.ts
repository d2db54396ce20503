/** A home whose database is older than its audit anchor: a copy was put back after more work. */
import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Daemon, eventsOf, type Json, startDaemon } from "./daemon.ts";
import { configFor, type Model } from "./model.ts";
import { until } from "@hearth/protocol/until";

export const KEY = { TEST_KEY: "key" };

const turns = async (daemon: Daemon): Promise<readonly Json[]> =>
  (await daemon.ask("GET", "/api/agents/main/activations")).json;
const areOver = async (daemon: Daemon): Promise<boolean> =>
  (await turns(daemon)).every(({ endedAt }) => endedAt !== undefined);

/** Posts a message, and waits until it is answered and every turn has ended. */
export const talk = async (daemon: Daemon, text: string): Promise<void> => {
  const { id } = (await daemon.ask("POST", "/api/rooms/main/messages", { text })).json;
  await until(async () => (await eventsOf(daemon, "main")).some(({ causes }) => causes?.includes(id)));
  await until(() => areOver(daemon));
};

/**
 * Kills the daemon during a turn and copies the database. Then starts it, posts more, stops it, and
 * puts the copy back.
 */
export const restoreOlderCopy = async (
  home: string,
  model: Model,
  prepare: (daemon: Daemon) => Promise<void> = async () => {},
): Promise<void> => {
  const aside = join(home, "..", `${home.split("/").at(-1)}-aside`);
  const files = (): readonly string[] => readdirSync(home).filter((name) => name.startsWith("hearth.db"));
  const copy = (from: string, to: string, names: readonly string[]): void => {
    for (const name of names) cpSync(join(from, name), join(to, name));
  };
  writeFileSync(join(home, "hearth.toml"), configFor(model.baseUrl));
  mkdirSync(aside);
  try {
    {
      await using first = await startDaemon(home, KEY);
      await prepare(first);
      await talk(first, "before the copy");
      const answer = model.answer;
      model.answer = async function* () {
        yield "Working";
        await new Promise(() => {});
      };
      await first.ask("POST", "/api/rooms/main/messages", { text: "at the copy" });
      await until(async () => (await turns(first)).some(({ state }) => state === "running"));
      await first.kill();
      model.answer = answer;
    }
    copy(home, aside, files());
    {
      await using second = await startDaemon(home, KEY);
      await until(() => areOver(second));
      await talk(second, "after the copy");
    }
    for (const name of files()) rmSync(join(home, name));
    copy(aside, home, readdirSync(aside));
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
};
