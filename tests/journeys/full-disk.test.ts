import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hearth, startDaemon, until } from "./daemon.ts";
import { configFor, createModel } from "./model.ts";
import { createSmallDisk } from "./small-disk.ts";
import {
  env,
  TIMEOUT_MS,
  DISK_MB,
  SHORT,
  LONG,
  why,
  title,
  post,
  isReady,
  events,
  answered,
  expectFates,
} from "./full-disk-house.ts";

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
