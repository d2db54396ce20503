import { expect, test } from "bun:test";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createMemoryConfigFile } from "../../../kernel/config/file.ts";
import { parseConfig } from "../../../kernel/config/read.ts";
import { createConfigSource } from "../../../kernel/config/source.ts";
import { createFakeLog } from "../../../kernel/log/log.ts";
import { createBackupSchedules } from "./schedules.ts";

const FOLDER = '[backup]\nto = "/mnt/a"\n';
const NAS = '[backup.targets.nas]\nto = "file:///mnt/nas"\nevery = "1h"\n';

const start = (text: string) => {
  const { clock, advance } = createFakeWorld({ hash: () => "" });
  const file = createMemoryConfigFile(text);
  const config = createConfigSource(file, parseConfig(text, file.name));
  const made: string[] = [];
  const ended: string[] = [];
  const life = new AbortController();
  const schedules = createBackupSchedules({
    ...{ home: "/home", config, log: createFakeLog(), clock },
    async ask(request, signal) {
      if (request.verb !== "back-up") throw new Error(`unexpected request ${request.verb}`);
      made.push(request.to);
      await clock.sleep(10_000, signal);
      if (signal.aborted) ended.push(request.to);
      return { number: made.length, at: clock.now(), isNew: true };
    },
  });
  const running = schedules.run(life.signal);
  const change = (next: string) => config.edit(() => next);
  return { advance, schedules, made, ended, life, running, change };
};

test("each place of the config has a schedule, in the order of the config", async () => {
  const { schedules, made, advance, life, running } = start(`version = 1\n${FOLDER}${NAS}`);
  expect(schedules.list()).toMatchObject([
    { to: "/mnt/a", everyMs: 24 * 3_600_000 },
    { target: "nas", everyMs: 3_600_000 },
  ]);
  await advance(60_000);
  expect(made).toEqual(["/mnt/a", "file:///mnt/nas"]);
  life.abort();
  await running;
});

test("an unexpected failure of a schedule ends the reader, which starts that schedule again", async () => {
  const text = `version = 1\n${FOLDER}${NAS}`;
  const { clock } = createFakeWorld({ hash: () => "" });
  const file = createMemoryConfigFile(text);
  const config = createConfigSource(file, parseConfig(text, file.name));
  const life = new AbortController();
  let sleeps = 0;
  const schedules = createBackupSchedules({
    ...{ home: "/home", config, log: createFakeLog() },
    ask: () => new Promise(() => {}),
    clock: {
      now: clock.now,
      async sleep(_ms, signal) {
        sleeps += 1;
        if (sleeps === 1) throw new Error("a defect");
        await new Promise((resolve) => signal?.addEventListener("abort", resolve));
      },
    },
  });
  expect(await schedules.run(life.signal).catch((error: Error) => error.message)).toBe("a defect");
  const again = schedules.run(life.signal);
  // The first schedule sleeps again. The other one continues its sleep.
  expect(sleeps).toBe(3);
  life.abort();
  await again;
});

test("a place that is added, changed or removed is followed, and the others keep their schedules", async () => {
  const { schedules, made, ended, advance, life, running, change } = start("version = 1\n");
  await advance(60_000);
  expect([schedules.list(), made, schedules.start(undefined)]).toEqual([[], [], false]);
  await change(`version = 1\n${FOLDER}`);
  await advance(75_000);
  expect(made).toEqual(["/mnt/a"]);
  await change(`version = 1\n${FOLDER}${NAS}`);
  await advance(60_000);
  // The folder's backup is not made again, and the target's is under way.
  expect([made, schedules.list()]).toMatchObject([
    ["/mnt/a", "file:///mnt/nas"],
    [{ last: { number: 1 } }, { target: "nas", isRunning: true }],
  ]);
  await change('version = 1\n[backup]\nto = "/mnt/b"\n');
  await advance(1000);
  expect(ended).toEqual(["file:///mnt/nas"]);
  expect(schedules.start(undefined)).toBe(true);
  expect(schedules.start("nas")).toBe(false);
  await advance(1000);
  expect([made.at(-1), schedules.list()]).toMatchObject(["/mnt/b", [{ to: "/mnt/b", isRunning: true }]]);
  life.abort();
  await running;
});
