/**
 * Measures one room with a thousand followers and two hundred rooms with writers: the delay and
 * rate of events, whether each arrives exactly once, whether the daemon's memory grows, and the
 * fate of readers that stop reading.
 */
import { fileURLToPath } from "node:url";
import type { RoomId, StreamName } from "@hearth/protocol";
import type { Bench, Finding } from "./bench.ts";
import { type Child, startChild } from "./child.ts";
import { pause, sharedNow } from "./clock.ts";
import { type House, startHouse } from "./house.ts";
import { cpuOf, hasProc, NEEDS_PROC, ownOf } from "./machine.ts";
import { END, type ReaderOrders, type ReaderReport, toText } from "./reader.ts";
import { type Round, toFlatness, watchRound } from "./rounds.ts";
import { type Site, temporaryFolder } from "./site.ts";
import { show } from "./table.ts";
import { delayOf, joinTallies, perSecond, type Tally } from "./tally.ts";
import { openWriter, type Writer } from "./writer.ts";

const FOLLOWERS = 1000;
const ROOMS = 200;
/** Maximum subscriptions per socket. */
const ROOMS_A_SOCKET = 100;

/** Interval between messages in the first phase, in the large room and in each other room. */
const CALM_MS = 5000;
const GREAT_EVERY_MS = 50;
const ROOM_EVERY_MS = 1000;
/** Number of writers in the large room in the second phase. Each writes as fast as it gets answers. */
const FULL_WRITERS = 32;
/** Time before the equal rounds, in which caches fill and slow readers return. */
const WARM_MS = 12_000;
const ROUNDS = 6;
const ROUND_MS = 8_000;
const FULL_MS = WARM_MS + ROUNDS * ROUND_MS;

const SLOW = 8;
/** How long a slow reader stops reading: longer than the house waits for it. */
const SLEEP_MS = 13_000;
/** Additional messages for slow readers, more than the buffers hold. */
const HEAVY_COUNT = 100;
const HEAVY = "x".repeat(150_000);

const TARGET_PER_SECOND = 200_000;
/**
 * Maximum growth in MiB: three times the difference between equal halves without a leak. With a
 * million deliveries a second, it is less than a byte for each.
 */
const FLAT_MIB = 16;
const READER = fileURLToPath(new URL("reader.ts", import.meta.url));

export const followers: Bench = {
  name: "followers",
  about: "1,000 followers of one room beside 200 rooms with writers: loss, delay, events per second, memory",
  async run(site) {
    await using folder = await temporaryFolder(site);
    await using house = await startHouse(site, folder.path);
    const make = async (name: string): Promise<RoomId> => (await house.client.rooms.create({ name })).id;
    const [great, heavy] = [await make("Great"), await make("Heavy")];
    const rooms: RoomId[] = [];
    for (let index = 0; index < ROOMS; index += 1) rooms.push(await make(`Room ${index}`));
    const open = (): Promise<Writer> => openWriter(site, house);
    await using first = await open();
    for (let count = 0; count < HEAVY_COUNT; count += 1) await first.post(heavy, toText("heavy", HEAVY));

    site.say(`followers: ${FOLLOWERS} sockets connect`);
    const half = { sockets: FOLLOWERS / 2, streams: [streamOf(great)] };
    const beside = [0, ROOMS_A_SOCKET].map((from) => ({
      sockets: 1,
      streams: rooms.slice(from, from + ROOMS_A_SOCKET).map(streamOf),
    }));
    const readers = [await startReader(site, house, [half]), await startReader(site, house, [half, ...beside])];
    const slow = [{ sockets: SLOW, streams: [streamOf(great), streamOf(heavy)] }];
    const sleeper = await startReader(site, house, slow, SLEEP_MS);
    const writers = await Promise.all(Array.from({ length: FULL_WRITERS }, open));
    const besides = await Promise.all(rooms.map(async (room) => ({ room, writer: await open() })));
    const writeBeside = async (untilMs: number): Promise<void> => {
      const writing = besides.map(async ({ room, writer }, index) => {
        await pause((index * ROOM_EVERY_MS) / ROOMS);
        await writeEvenly(writer, room, ROOM_EVERY_MS, untilMs);
      });
      await Promise.all(writing);
    };

    site.say(`followers: ${CALM_MS / 1000} s at an even pace`);
    const before = hasProc ? await ownOf(house.pid) : undefined;
    const calmEndMs = sharedNow() + CALM_MS;
    await Promise.all([writeBeside(calmEndMs), writeEvenly(first, great, GREAT_EVERY_MS, calmEndMs)]);

    site.say(`followers: ${FULL_MS / 1000} s as fast as possible`);
    const fullEndMs = sharedNow() + FULL_MS;
    const cpuBefore = await cpuTimes(house, readers);
    const writeFully = async (writer: Writer): Promise<void> => {
      while (sharedNow() < fullEndMs) await writer.post(great, toText(FULL, PADDING));
    };
    const load = [writeBeside(fullEndMs), ...writers.map(writeFully)];
    const [rounds] = await Promise.all([watchMemory(house), ...load]);
    const cpuAfter = await cpuTimes(house, readers);
    for (const room of [great, heavy, ...rooms]) await first.post(room, toText(END));

    site.say("followers: waiting for the slow readers");
    const reports = await Promise.all(readers.map(reportOf));
    const slowReport = await reportOf(sleeper);
    for (const writer of [...writers, ...besides.map((follower) => follower.writer)])
      await writer[Symbol.asyncDispose]();
    return toFindings({ reports, slowReport, before, rounds, cpu: minus(cpuAfter, cpuBefore) });
  },
};

const CALM = "calm";
const FULL = "full";
const PADDING = "x".repeat(100);

const streamOf = (room: RoomId): StreamName => `room:${room}`;

/** Starts a process of readers. Resolves when all have subscribed. */
const startReader = async (site: Site, house: House, groups: ReaderOrders["groups"], sleepMs = 0): Promise<Child> => {
  const orders: ReaderOrders = { url: house.url, token: house.token, groups, sleepMs };
  const child = startChild(site, {
    command: [process.execPath, "--no-install", READER, JSON.stringify(orders)],
    cwd: site.root,
  });
  await child.line("subscribed");
  return child;
};

const reportOf = async (child: Child): Promise<ReaderReport> => {
  const report = JSON.parse((await child.line("{")).text) as ReaderReport;
  await child.exited;
  return report;
};

/** Posts one message per interval, as long as the answers arrive in time. */
const writeEvenly = async (writer: Writer, room: RoomId, everyMs: number, untilMs: number): Promise<void> => {
  for (let nextMs = sharedNow(); nextMs < untilMs; nextMs += everyMs) {
    await pause(Math.max(0, nextMs - sharedNow()));
    await writer.post(room, toText(CALM, PADDING));
  }
};

/** Measures memory during the load, which starts now. */
const watchMemory = async (house: House): Promise<readonly Round[]> => {
  const rounds: Round[] = [];
  if (!hasProc) return rounds;
  await pause(WARM_MS);
  while (rounds.length < ROUNDS) rounds.push(await watchRound(() => ownOf(house.pid), ROUND_MS));
  return rounds;
};

interface CpuTimes {
  readonly atMs: number;
  readonly daemon: number;
  readonly readers: number;
  readonly writers: number;
}

const cpuTimes = async (house: House, readers: readonly Child[]): Promise<CpuTimes | undefined> => {
  if (!hasProc) return undefined;
  return {
    atMs: sharedNow(),
    daemon: await cpuOf([house.pid]),
    readers: await cpuOf(readers.map(({ pid }) => pid)),
    writers: await cpuOf([process.pid]),
  };
};

/** Fractions of one core. */
const minus = (after: CpuTimes | undefined, before: CpuTimes | undefined): Omit<CpuTimes, "atMs"> | undefined => {
  if (after === undefined || before === undefined) return undefined;
  const durationMs = after.atMs - before.atMs;
  return {
    daemon: (after.daemon - before.daemon) / durationMs,
    readers: (after.readers - before.readers) / durationMs,
    writers: (after.writers - before.writers) / durationMs,
  };
};

const toFindings = (measured: {
  readonly reports: readonly ReaderReport[];
  readonly slowReport: ReaderReport;
  readonly before: number | undefined;
  readonly rounds: readonly Round[];
  readonly cpu: Omit<CpuTimes, "atMs"> | undefined;
}): readonly Finding[] => {
  const { reports, slowReport, before, rounds, cpu } = measured;
  const all = [...reports, slowReport];
  const sum = (of: (report: ReaderReport) => number): number => all.reduce((total, report) => total + of(report), 0);
  const followed = sum(({ followers }) => followers);
  const unfinished = followed - sum(({ finished }) => finished);
  if (unfinished > 0) throw new Error(`${unfinished} of ${followed} followers did not receive the end of their room.`);
  const seen = sum(({ events }) => events);

  const calm = joinTallies(reports.flatMap(({ phases }) => phases[CALM] ?? []));
  const full = joinTallies(reports.flatMap(({ phases }) => phases[FULL] ?? []));
  const percent = (share: number): string => `${Math.round(share * 100)} %`;
  const limits =
    cpu === undefined
      ? ""
      : `; of a core: daemon ${percent(cpu.daemon)}, readers ${percent(cpu.readers)}, writers ${percent(cpu.writers)}`;
  const delay = (what: string, of: Tally): Finding => ({
    what,
    value: delayOf(of, 99),
    unit: "ms",
    samples: of.events,
    note: `p99; p50 ${show(delayOf(of, 50))}, max ${show(delayOf(of, 100))}; from sending to arrival at a follower`,
  });
  const none = { atMost: 0 };
  return [
    { what: "lost", value: sum(({ lost }) => lost), unit: "events", target: none, samples: seen },
    { what: "doubled", value: sum(({ doubled }) => doubled), unit: "events", target: none, samples: seen },
    delay(`append to seen, ${1000 / GREAT_EVERY_MS} events/s to ${FOLLOWERS}`, calm),
    delay("append to seen, as fast as possible", full),
    {
      what: `delivered to ${FOLLOWERS}`,
      value: perSecond(full),
      unit: "events/s",
      target: { atLeast: TARGET_PER_SECOND },
      samples: full.events,
      note: `${show(full.events / full.frames)} events per frame${limits}`,
    },
    ...(before === undefined
      ? [{ what: "memory", skipped: NEEDS_PROC }]
      : toFlatness(rounds, { roundMs: ROUND_MS, before, targetMiB: FLAT_MIB })),
    {
      what: "slow readers, disconnected and resumed",
      value: slowReport.cut,
      unit: "readers",
      target: { atLeast: SLOW },
      samples: SLOW,
      note: `read nothing for ${SLEEP_MS / 1000} s, then ${slowReport.resumed} events after reconnecting`,
    },
  ];
};
