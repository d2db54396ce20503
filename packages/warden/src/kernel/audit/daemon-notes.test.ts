import { expect, test } from "bun:test";
import type { AgentId } from "@hearth/protocol";
import { createMemoryConfigFile } from "../config/file.ts";
import { parseConfig } from "../config/read.ts";
import { createConfigSource } from "../config/source.ts";
import { createDaemonAudit } from "./daemon-audit.ts";
import { ANNEX, HOUSE } from "./fixtures.conformance.ts";
import { setUp } from "./open.conformance.ts";

const open = async () => {
  const parts = await setUp();
  await parts.furnish();
  const text = "version = 1\n";
  const config = createConfigSource(createMemoryConfigFile(text), parseConfig(text, "hearth.toml"));
  const configVersion = () => String(config.current().providers.size);
  return { ...parts, config, notes: createDaemonAudit({ ...parts, config, configVersion, version: "1.2.3", pid: 7 }) };
};
const by = `agent_${"ana".padEnd(26, "0")}` as AgentId;

test("the daemon's starts and stops are sealed rows of the first house", async () => {
  const { audit, told, notes } = await open();
  const [before, elsewhere] = [(await told()).length, await told(ANNEX)];
  await notes.recordStart();
  await notes.recordStop(undefined);
  await notes.recordStop(by);
  expect(await told(HOUSE, before)).toEqual([
    { row: "daemon", change: "started", version: "1.2.3", pid: 7, config: "0" },
    { row: "daemon", change: "stopped", pid: 7 },
    { row: "daemon", change: "stopped", by, pid: 7 },
  ]);
  expect(await told(ANNEX)).toEqual(elsewhere);
  expect((await audit.verify(HOUSE)).findings).toEqual([]);
});

test("an edit of the config records the change, the actor and the new config; a failed edit records nothing", async () => {
  const { config, told } = await open();
  const before = (await told()).length;
  const about = { table: "providers.den", change: "added", by } as const;
  await config.edit((text) => `${text}[providers.den]\nkind = "openai"\n`, about);
  await config.edit((text) => `${text}[server]\nport = "x"\n`, about).catch(() => undefined);
  expect(await told(HOUSE, before)).toEqual([
    { row: "config", change: "added", table: "providers.den", by, config: "1" },
  ]);
});

test("a store that fails blocks neither start nor stop, and the failure is logged", async () => {
  const { below, log, notes } = await open();
  await below[Symbol.asyncDispose]();
  await notes.recordStop(by);
  expect(log.lines.join("\n")).toContain("missing in the audit log");
  await notes.recordStart();
  expect(log.lines).toHaveLength(2);
});
