/** Backups that a running house makes: at their interval, again after a failure, and reported when late. */
import { afterAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { generateIdentity, identityToRecipient } from "age-encryption";
import { until } from "@hearth/protocol/until";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { startS3Server } from "@hearth/testing/s3";
import { createHomes } from "../../../fixtures/home-on-disk.ts";
import { createFakeLog } from "../../../kernel/log/log.ts";
import { listBackups } from "./backup-folder.ts";
import { askBackupProcess } from "./backup-request.ts";
import { backupDefaults } from "./index.ts";
import { createBackupSchedule, type LastBackup } from "./schedule.ts";

const HOUR_MS = 60 * 60_000;
const CONFIG = { to: "/backups", everyMs: 12 * HOUR_MS, keep: 2, recipients: [] };

const start = (answers: (LastBackup | Error)[]) => {
  const { clock, advance } = createFakeWorld({ hash: () => "" });
  const log = createFakeLog();
  const life = new AbortController();
  let tries = 0;
  const schedule = createBackupSchedule({
    ...{ home: "/home", config: CONFIG, log, clock },
    ask: async () => {
      tries += 1;
      const answer = answers.shift() ?? { number: tries, at: clock.now(), isNew: true };
      if (answer instanceof Error) throw answer;
      return answer;
    },
  });
  const ended = schedule.run(life.signal);
  return { clock, advance, log, life, schedule, ended, tries: () => tries };
};

describe("scheduled backups", () => {
  test("are made a minute after the start, then at each interval", async () => {
    const { advance, tries, schedule, life, ended } = start([]);
    await advance(59_000);
    expect(tries()).toBe(0);
    await advance(1000);
    expect(tries()).toBe(1);
    expect(schedule.state()).toMatchObject({ isLate: false, last: { number: 1 }, to: "/backups", keep: 2 });
    await advance(12 * HOUR_MS - 1000);
    expect(tries()).toBe(1);
    await advance(1000);
    expect(tries()).toBe(2);
    life.abort();
    await ended;
    await advance(48 * HOUR_MS);
    expect(tries()).toBe(2);
  });

  test("wait for the interval since a backup before the start", async () => {
    const { advance, tries, clock } = start([{ number: 7, at: 0, isNew: false }]);
    await advance(60_000);
    expect(tries()).toBe(1);
    await advance(Math.max(0, 12 * HOUR_MS - clock.now()) + 1000);
    expect(tries()).toBe(2);
  });

  test("are tried again ten minutes after a failure, and keep its reason", async () => {
    const { advance, tries, schedule, log } = start([new Error("the disk is gone")]);
    await advance(60_000);
    expect(schedule.state()).toMatchObject({ problem: "the disk is gone" });
    expect(log.lines.join("\n")).toContain("a backup failed");
    await advance(10 * 60_000);
    expect([tries(), schedule.state().problem]).toEqual([2, undefined]);
  });

  test("can be asked for at any time, and one at a time", async () => {
    const intervals: number[] = [];
    const { clock, advance } = createFakeWorld({ hash: () => "" });
    const schedule = createBackupSchedule({
      ...{ home: "/home", target: "nas", config: CONFIG, log: createFakeLog(), clock },
      async ask(request) {
        if (request.verb === "back-up") intervals.push(request.everyMs);
        await clock.sleep(5000);
        return { number: intervals.length, at: clock.now(), isNew: true };
      },
    });
    const life = new AbortController();
    const ended = schedule.run(life.signal);
    expect(schedule.start()).toBe(true);
    expect([schedule.start(), schedule.state()]).toMatchObject([false, { target: "nas", isRunning: true }]);
    await advance(0);
    await advance(4000);
    // Ignores how young the last one is.
    expect([intervals, schedule.start()]).toEqual([[0], false]);
    await advance(1000);
    expect(schedule.state()).toMatchObject({
      isRunning: false,
      last: { number: 1 },
      nextAt: clock.now() + 12 * HOUR_MS,
    });
    await advance(12 * HOUR_MS);
    expect(intervals).toEqual([0, 12 * HOUR_MS]);
    life.abort();
    await advance(5000);
    await ended;
  });

  test("are late when two intervals have passed without one", async () => {
    const { clock, advance } = createFakeWorld({ hash: () => "" });
    const schedule = createBackupSchedule({
      ...{ home: "/home", config: CONFIG, log: createFakeLog(), clock },
      ask: () => new Promise(() => {}),
    });
    const running = schedule.run(new AbortController().signal);
    expect(running).toBeInstanceOf(Promise);
    await advance(24 * HOUR_MS);
    expect(schedule.state()).toMatchObject({ isLate: false, isRunning: true });
    await advance(1000);
    expect(schedule.state().isLate).toBe(true);
  });
});

describe("the process of a scheduled backup", () => {
  const homes = createHomes();
  afterAll(() => homes[Symbol.dispose]());

  test("makes a backup, skips one that is not due, and keeps as many as it is asked to", async () => {
    using box = await homes.copy();
    const run = (everyMs: number, ...recipients: string[]): Promise<unknown> =>
      askBackupProcess(
        { verb: "back-up", home: box.home, to: box.backups, keep: 1, everyMs, recipients },
        new AbortController().signal,
      );
    expect(await run(HOUR_MS)).toMatchObject({ number: 1, isNew: true });
    expect(await run(HOUR_MS)).toMatchObject({ number: 1, isNew: false });
    expect(await run(0)).toMatchObject({ number: 2, isNew: true });
    expect((await listBackups(box.backups)).map(({ number }) => number)).toEqual([2]);
    const recipient = await identityToRecipient(await generateIdentity());
    expect(await run(0, recipient)).toMatchObject({ number: 3, isNew: true });
    expect((await listBackups(box.backups)).at(-1)?.manifest?.encrypted).toBeDefined();
    expect(await run(HOUR_MS, recipient)).toMatchObject({ number: 3, isNew: false });
  });

  test("makes a backup in a target elsewhere when it is due, with the references of its address alone", async () => {
    using box = await homes.copy();
    await using server = await startS3Server();
    await Bun.write(join(box.folder, "id"), server.accessKeyId);
    await Bun.write(join(box.folder, "secret"), server.secretAccessKey);
    const keys = `access_key_id=file:${box.folder}/id&secret_access_key=file:${box.folder}/secret`;
    const { clock, advance } = createFakeWorld({ hash: () => "" });
    const schedule = createBackupSchedule({
      home: box.home,
      target: "offsite",
      config: {
        to: `s3://backups/home?endpoint=${server.endpoint}&region=${server.region}&${keys}`,
        everyMs: 12 * HOUR_MS,
        keep: 2,
        recipients: [],
      },
      log: createFakeLog(),
      clock,
      ask: askBackupProcess,
    });
    const life = new AbortController();
    const ended = schedule.run(life.signal);
    await advance(60_000);
    await until(() => schedule.state().last?.number === 1);
    // Without the parameters, which name the files of the keys.
    expect(schedule.state()).toMatchObject({ target: "offsite", to: "s3://backups/home", isLate: false });
    expect([...server.objects.keys()]).toContain("home/backup-000001.json");
    life.abort();
    await ended;
  });

  test("`hearth backup` uses the folder of the config", async () => {
    using box = await homes.copy();
    expect(await backupDefaults(box.home)).toEqual({ to: `${box.home}-backups`, recipients: [] });
    await Bun.write(join(box.home, "hearth.toml"), 'version = 1\n[backup]\nto = "/mnt/disk"\n');
    expect(await backupDefaults(box.home)).toEqual({ to: "/mnt/disk", recipients: [] });
  });
});
