/** An export of a working house, and its import in another folder. */
import { expect, test } from "bun:test";
import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createHome, type Daemon, eventsOf, hearth, type Json, startDaemon } from "./daemon.ts";
import { configFor, createModel } from "./model.ts";
import { talk } from "./restored-home.ts";
import { until } from "@hearth/protocol/until";

const KEY = { TEST_KEY: "key" };
const LONG = "a long message ".repeat(2000);

const turnsOf = async (daemon: Daemon): Promise<readonly Json[]> =>
  (await daemon.ask("GET", "/api/agents/main/activations")).json;
const isRunning = ({ endedAt }: Json): boolean => endedAt === undefined;
const stateHashIn = (text: string): string | undefined => /state hash ([0-9a-f]{64})/.exec(text)?.[1];

test("a house that is exported while it works, and killed, resumes its open turn in another folder", async () => {
  await using model = createModel();
  using home = createHome();
  using other = createHome();
  const to = join(other.folder, "export");
  const target = join(other.folder, "house");
  writeFileSync(join(home.folder, "hearth.toml"), configFor(model.baseUrl));
  {
    await using daemon = await startDaemon(home.folder, KEY);
    await talk(daemon, LONG);
    model.answer = async function* () {
      yield "Working";
      await new Promise(() => {});
    };
    await daemon.ask("POST", "/api/rooms/main/messages", { text: "at the export" });
    await until(async () => (await turnsOf(daemon)).some(isRunning));
    const made = await daemon.hearth("export", to);
    expect([made.code, made.stdout]).toEqual([0, expect.stringContaining("is complete and verified")]);
    const missing = await daemon.hearth("export");
    expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining("DIR")]);
    const damaged = join(to, "home/hearth.toml");
    appendFileSync(damaged, "#");
    const refused = await hearth(["import", "hearth", to, "--home", target]);
    expect([refused.code, refused.stdout]).toEqual([1, "home/hearth.toml: damaged\n"]);
    writeFileSync(damaged, configFor(model.baseUrl));
    const imported = await hearth(["import", "hearth", to, "--home", target]);
    expect([imported.code, stateHashIn(imported.stdout)]).toEqual([0, stateHashIn(made.stdout)]);
    await daemon.kill();
  }
  model.answer = () => ["Done."];

  await using daemon = await startDaemon(target, KEY);
  expect((await daemon.ask("GET", "/readyz")).json).toEqual({ status: "on hold" });
  const shown = await daemon.hearth("restore", "show");
  expect(shown.stdout).toContain(`The home was imported from the export ${to}`);
  expect((await daemon.hearth("audit", "verify")).code).toBe(0);
  const [held] = (await turnsOf(daemon)).filter(isRunning);
  expect((await daemon.hearth("restore", "continue")).code).toBe(0);
  await until(async () => (await daemon.ask("GET", `/api/activations/${held.id}`)).json.state === "replied");
  const texts = JSON.stringify(await eventsOf(daemon, "main"));
  expect([texts.includes(LONG), texts.includes("at the export"), texts.includes("Done.")]).toEqual([true, true, true]);
}, 60_000);
