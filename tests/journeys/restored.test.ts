import { expect, test } from "bun:test";
import { until } from "@hearth/protocol/until";
import { createHome, eventsOf, hearth, startDaemon } from "./daemon.ts";
import { createModel } from "./model.ts";
import { KEY, restoreOlderCopy, talk } from "./restored-home.ts";

test("R24: a home that an older copy replaced starts on hold, lists its work, and continues when the owner says so", async () => {
  await using model = createModel();
  using home = createHome();
  model.answer = () => ["Done."];
  await restoreOlderCopy(home.folder, model);
  await using daemon = await startDaemon(home.folder, KEY);
  expect((await daemon.ask("GET", "/api/me")).json.onHold).toBe(true);
  const texts = async (): Promise<string> => JSON.stringify(await eventsOf(daemon, "main"));
  expect(await texts()).not.toContain("after the copy");
  const run = (verb: string) => hearth(["restore", verb, "--home", home.folder]);

  const shown = await run("show");
  expect(shown.code).toBe(0);
  expect(shown.stdout).toContain("The house is on hold:");
  expect(shown.stdout).toMatch(/turn +act_/);
  const [held] = (await daemon.ask("GET", "/api/agents/main/activations")).json;
  expect(held.endedAt).toBeUndefined();

  expect((await run("continue")).code).toBe(0);
  await until(async () => (await daemon.ask("GET", `/api/activations/${held.id}`)).json.endedAt !== undefined);
  await talk(daemon, "after the restore");
  expect(await texts()).toContain("after the restore");
  expect((await daemon.ask("GET", "/api/me")).json.onHold).toBeUndefined();
  expect((await run("show")).stdout).toContain("The house is not on hold.");
}, 120_000);
