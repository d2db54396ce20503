import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { startDaemon, until } from "./daemon.ts";
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
  answered,
  expectFates,
} from "./full-disk-house.ts";

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
