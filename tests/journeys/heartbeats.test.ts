/** F1: heartbeats of the real daemon, across a kill. */
import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createHome, type Daemon, type Json, startDaemon, until } from "./daemon.ts";
import { configFor, createModel } from "./model.ts";

const env = { TEST_KEY: "key" };
const SILENT = "fired: The agent checked and had nothing to report.";
const NOTHING_NEW = "skipped: Nothing changed since the last heartbeat.";

/** The fates of its slots, oldest first. */
const fatesOf = async (daemon: Daemon): Promise<readonly string[]> =>
  (await daemon.ask("GET", "/api/agents/main/jobs/heartbeat/slots")).json
    .filter(({ endedAt }: Json) => endedAt !== undefined)
    .map(({ fate, reason }: Json) => `${fate}: ${reason}`)
    .toReversed();

/** Waits until the slots include this fate. Returns the slots that fired, without skipped ones. */
const untilCome = async (daemon: Daemon, fate: string): Promise<readonly string[]> => {
  let fates: readonly string[] = [];
  await until(async () => {
    fates = await fatesOf(daemon);
    return fates.includes(fate);
  });
  return fates.filter((fate) => fate.startsWith("fired"));
};

test("F1: a heartbeat is silent, survives a kill, reports once, and calls no model when its list is empty", async () => {
  await using model = createModel();
  using home = createHome();
  writeFileSync(join(home.folder, "hearth.toml"), configFor(model.baseUrl));
  let post = "HEARTBEAT_OK";
  const isBeat = ({ messages }: Json): boolean => JSON.stringify(messages.at(-1)).includes("A heartbeat:");
  model.answer = (request) => [isBeat(request) ? post : "I will."];
  const beats = (): number => model.requests.filter(isBeat).length;
  const before = await startDaemon(home.folder, env);

  // The initial list is empty.
  const list = await before.ask("GET", "/api/agents/main/brain/file?path=HEARTBEAT.md");
  expect(list.json.text).toContain("<!--");
  const text = `${list.json.text}\n- Report when the post is here.\n`;
  await before.ask("PUT", "/api/agents/main/brain/file?path=HEARTBEAT.md", { text });
  const edited = await before.hearth("agent", "edit", "main", "--heartbeat", "10s", "--heartbeat-budget", "1000000t");
  expect([edited.code, edited.stderr]).toEqual([0, ""]);
  expect(edited.stdout).toContain("every 10s, at most 1000000 tokens a day");
  expect(await untilCome(before, SILENT)).toEqual([SILENT]);
  await before.kill();

  await using after = await startDaemon(home.folder, env);
  expect(await untilCome(after, NOTHING_NEW)).toEqual([SILENT]);
  expect(beats()).toBe(1);
  post = "The post is here.";
  await after.ask("POST", "/api/rooms/main/messages", { text: "Look out for the post." });
  await until(async () => (await fatesOf(after)).includes("fired: On time."));
  const { json } = await after.ask("GET", "/api/rooms/main/events?limit=100");
  const said = json.events.flatMap(({ job, body }: Json) => (job === undefined ? [body.text] : []));
  expect(said).toEqual(["Look out for the post.", "I will.", "The post is here."]);
  expect(beats()).toBe(2);
  expect(JSON.stringify(model.requests.filter(isBeat).at(-1))).toContain("- Report when the post is here.");

  const slots = await after.hearth("job", "slots", "main", "heartbeat");
  expect(slots.stdout).toMatch(/fired +On time\./);
  expect(slots.stdout).toMatch(/skipped +Nothing changed since the last heartbeat\./);
  expect((await after.hearth("job", "list", "main")).stdout).toMatch(/main +heartbeat +every 10s +active/);
  expect((await after.hearth("agent", "edit", "main", "--heartbeat", "")).code).toBe(0);
  expect((await after.hearth("job", "list", "main")).stdout).not.toContain("heartbeat");
}, 300_000);
