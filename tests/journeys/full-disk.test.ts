import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Daemon, hearth, type Json, startDaemon, until } from "./daemon.ts";
import { configFor, createModel } from "./model.ts";
import { createSmallDisk, whyNoSmallDisk } from "./small-disk.ts";

const env = { TEST_KEY: "key" };
const TIMEOUT_MS = 300_000;
const DISK_MB = 40;
const SHORT = "hi";
const LONG = "a long text ".repeat(10_000);
const why = whyNoSmallDisk();
const title = (fact: string): string => (why === undefined ? fact : `${fact} (skipped: ${why})`);

const post = (house: Daemon, text: string) => house.ask("POST", "/api/rooms/main/messages", { text });
const isReady = async (house: Daemon): Promise<boolean> => (await fetch(`${house.url}/readyz`)).ok;
const events = async (house: Daemon): Promise<Json[]> =>
  (await house.ask("GET", "/api/rooms/main/events?limit=1000")).json.events;
/** The answered messages, each as often as it was answered. */
const answered = async (house: Daemon): Promise<readonly string[]> =>
  (await events(house)).flatMap(({ causes }) => causes);

/** Expects that no activation failed, and that each of these messages is answered exactly once. */
const expectFates = async (house: Daemon, ids: readonly string[]): Promise<void> => {
  const activations = async (): Promise<Json[]> => (await house.ask("GET", "/api/agents/main/activations")).json;
  await until(async () => (await activations()).every(({ endedAt }) => endedAt !== undefined));
  const all = await activations();
  const replies = await answered(house);
  expect(new Set(replies).size).toBe(replies.length);
  expect(replies.every((id) => ids.includes(id))).toBe(true);
  expect(all.filter(({ state }) => state === "failed")).toEqual([]);
  expect(replies.toSorted()).toEqual(ids.toSorted());
};

test.skipIf(why !== undefined)(
  title("while the disk is full, new messages are refused with a reason and the house reports that it is not ready"),
  async () => {
    await using model = createModel();
    using disk = createSmallDisk(DISK_MB);
    writeFileSync(join(disk.home, "hearth.toml"), configFor(model.baseUrl));
    await using house = await startDaemon(disk.home, env);
    const accepted: string[] = [];
    for (const left of [17, 8, 1, 0, 17, 0]) {
      disk.free();
      disk.fill(left * 1024 * 1024);
      // The house measures free space at each request, but retries a failed write once a second.
      await until(async () => (await isReady(house)) === left > 16);
      for (const text of [SHORT, LONG]) {
        const { status, json } = await post(house, text);
        if (left > 16) {
          expect(status).toBe(201);
          accepted.push(json.id);
        } else {
          expect([status, json.error.code]).toEqual([503, "store.unavailable"]);
          expect(json.error.message).toMatch(/no new work.*disk/);
          const { code, stdout } = await house.hearth("doctor");
          expect([code, stdout]).toEqual([
            1,
            expect.stringMatching(new RegExp(`disk: ${left === 0 ? 0 : left - 1}|disk: ${left} MiB left`)),
          ]);
        }
      }
      if (left > 16) await until(async () => (await answered(house)).length === accepted.length);
    }
    disk.free();
    await until(() => isReady(house));
    accepted.push((await post(house, LONG)).json.id);
    await until(async () => (await answered(house)).length === accepted.length);
    expect((await answered(house)).toSorted()).toEqual(accepted.toSorted());
  },
  TIMEOUT_MS,
);

test.skipIf(why !== undefined)(
  title("the same daemon stores the fate of a message after a full disk has space again, and continues its log"),
  async () => {
    await using model = createModel();
    using disk = createSmallDisk(DISK_MB);
    writeFileSync(join(disk.home, "hearth.toml"), configFor(model.baseUrl));
    const asked = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    model.answer = async function* () {
      asked.resolve();
      await gate.promise;
      yield LONG;
    };
    const log = (): string => readFileSync(join(disk.home, "logs/hearth.log"), "utf8");
    await using house = await startDaemon(disk.home, env);
    const { id } = (await post(house, SHORT)).json;
    await asked.promise;
    disk.fill(0);
    gate.resolve();
    // The daemon retries the refused write. Only check that nothing was stored and that it runs.
    await until(async () => (await post(house, SHORT)).status === 503);
    expect(await answered(house)).toEqual([]);
    expect((await house.ask("GET", "/api/status")).status).toBe(200);
    disk.free();
    await expectFates(house, [id]);
    await until(() => isReady(house));
    const stop = await house.stop();
    expect(stop.code).toBe(0);
    const lines = log().trim().split("\n");
    expect(JSON.parse(lines.at(-1) ?? "").message).toBe("stopped");
  },
  TIMEOUT_MS,
);

test.skipIf(why !== undefined)(
  title("a house that starts on a full disk refuses new messages, and finishes accepted ones once there is space"),
  async () => {
    await using model = createModel();
    using disk = createSmallDisk(DISK_MB);
    writeFileSync(join(disk.home, "hearth.toml"), configFor(model.baseUrl));
    const asked = Promise.withResolvers<void>();
    model.answer = async function* () {
      asked.resolve();
      await new Promise(() => {});
      yield "never";
    };
    const before = await startDaemon(disk.home, env);
    const ids = [(await post(before, SHORT)).json.id, (await post(before, LONG)).json.id];
    await asked.promise;
    disk.fill(0);
    await before.kill();
    model.answer = () => ["here"];
    await using house = await startDaemon(disk.home, env);
    expect(await isReady(house)).toBe(false);
    expect((await post(house, SHORT)).status).toBe(503);
    disk.free();
    await expectFates(house, ids);
  },
  TIMEOUT_MS,
);

test.skipIf(why !== undefined)(
  title("a house does not start on a full disk after a clean stop, exits with 15, and starts once there is space"),
  async () => {
    await using model = createModel();
    using disk = createSmallDisk(DISK_MB);
    writeFileSync(join(disk.home, "hearth.toml"), configFor(model.baseUrl));
    const before = await startDaemon(disk.home, env);
    await post(before, SHORT);
    expect((await before.stop()).code).toBe(0);
    disk.fill(0);
    const failed = await hearth(["up", "--port", "0", "--home", disk.home], env);
    expect([failed.code, failed.stderr]).toEqual([15, expect.stringContaining("is full")]);
    expect(failed.stderr).not.toContain("    at ");
    disk.free();
    await using house = await startDaemon(disk.home, env);
    expect(await events(house)).not.toEqual([]);
  },
  TIMEOUT_MS,
);
