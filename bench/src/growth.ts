/**
 * Measures a house after a simulated year beside an empty one: size, start, turns and stalls. A
 * real house runs some turns with five tool calls each. Their rows are copied for each turn of the
 * year, on virtual time, and real retention sweeps them. Rows that only the copied turns would have
 * caused later, such as the audit rows of erased turns, are missing.
 */
import { join } from "node:path";
import type { RoomId } from "@hearth/protocol";
import type { Bench, Figure } from "./bench.ts";
import { startChild } from "./child.ts";
import { type House, startHouse, writeConfig } from "./house.ts";
import { type Model, startModel } from "./model/model.ts";
import { orderOf } from "./model/orders.ts";
import { type Site, temporaryFolder } from "./site.ts";
import { median, percentile } from "./statistics.ts";
import { show } from "./table.ts";
import { openTurnClient } from "./talk.ts";

const PROGRAM = "packages/warden/src/fixtures/growth-year.ts";
const DAYS = 365;
const TURNS_PER_DAY = 1000;
const TOOL_CALLS = 5;
/** Turns whose rows are copied. */
const TEMPLATE_TURNS = 20;
const STARTS = 5;
const WARM_UP_TURNS = 50;
const TURNS = 200;
const MIB = 1024 * 1024;
/** Targets, the last two against an empty house. */
const AT_MOST_MIB = 2048;
const AT_MOST_STALL_MS = 20;
const AT_MOST_READY = 1.5;
const AT_MOST_TURN = 1.1;

/** The output of the program. */
interface Year {
  readonly turns: number;
  readonly erased: number;
  readonly stalls: readonly number[];
  readonly seconds: number;
  readonly report: {
    readonly totalBytes: number;
    readonly kinds: readonly { readonly kind: string; readonly bytes: number }[];
  };
}

interface Speed {
  readonly readyMs: number;
  readonly turnMs: number;
}

export const growth: Bench = {
  name: "growth",
  about: `a simulated year of ${TURNS_PER_DAY} turns a day with ${TOOL_CALLS} tool calls each, beside an empty house`,
  isLong: true,
  async run(site, { days = DAYS }) {
    await using model = await startModel(site);
    await using empty = await temporaryFolder(site);
    await using full = await temporaryFolder(site);
    for (const { path } of [empty, full]) {
      await writeConfig(path, { model, wire: "openai" });
      // An empty house has the same conversation, so that both send the model the same prompt.
      await runTemplate(site, path);
    }
    site.say(`growth: ${days} days`);
    const year = await fill(site, full.path, days);
    site.say(`growth: copied ${year.turns} turns in ${Math.round(year.seconds)} s`);
    const [before, after] = await measureSpeeds(site, model, [empty.path, full.path]);
    return report(year, before, after, days);
  },
};

const directRoom = async ({ client }: House): Promise<RoomId> => {
  const main = await client.agents.get("main");
  return (await client.agents.room(main.id)).id;
};

/** Runs the turns that are copied. */
const runTemplate = async (site: Site, home: string): Promise<void> => {
  await using house = await startHouse(site, home);
  const room = await directRoom(house);
  await using turnClient = await openTurnClient(site, house, [room]);
  const orders = Array.from({ length: TOOL_CALLS }, (_, index) =>
    orderOf("shell", { command: `seq ${index + 1} 100` }),
  ).join(" ");
  for (let turn = 0; turn < TEMPLATE_TURNS; turn += 1) await turnClient.turn(room, orders);
};

const fill = async (site: Site, home: string, days: number): Promise<Year> => {
  const command = [
    ...[process.execPath, "--no-install", join(site.root, PROGRAM)],
    ...[home, String(days), String(TURNS_PER_DAY)],
  ];
  await using child = startChild(site, { command, cwd: site.root });
  return JSON.parse((await child.line("{")).text) as Year;
};

/**
 * Times starts on two homes, and then turns without tool calls. The homes alternate, so that other
 * work on the machine slows both.
 */
const measureSpeeds = async (
  site: Site,
  model: Model,
  homes: readonly [string, string],
): Promise<readonly [Speed, Speed]> => {
  const starts: [number[], number[]] = [[], []];
  // The first start reads the home's files into the cache.
  for (let start = 0; start <= STARTS; start += 1)
    for (const which of BOTH) {
      await using house = await startHouse(site, homes[which]);
      if (start > 0) starts[which].push(house.readyMs);
    }
  await using empty = await startHouse(site, homes[0]);
  await using full = await startHouse(site, homes[1]);
  const rooms = [await directRoom(empty), await directRoom(full)] as const;
  await using emptyClient = await openTurnClient(site, empty, [rooms[0]]);
  await using fullClient = await openTurnClient(site, full, [rooms[1]]);
  const clients = [emptyClient, fullClient] as const;
  const times: [number[], number[]] = [[], []];
  for (let turn = -WARM_UP_TURNS; turn < TURNS; turn += 1) {
    if (turn === 0) await model.takeStamps();
    for (const which of BOTH) {
      const { sentMs, seenMs } = await clients[which].turn(rooms[which]);
      if (turn >= 0) times[which].push(seenMs - sentMs);
    }
  }
  const speedOf = (which: Which): Speed => ({
    readyMs: median(starts[which]),
    turnMs: percentile(times[which], 50),
  });
  return [speedOf(0), speedOf(1)];
};

/** The empty house and the full one. */
const BOTH = [0, 1] as const;
type Which = (typeof BOTH)[number];

const report = (
  { turns, erased, stalls, report: { totalBytes, kinds } }: Year,
  before: Speed,
  after: Speed,
  days: number,
): readonly Figure[] => [
  {
    ...{ what: `size after ${days} days, ${turns} turns`, value: totalBytes / MIB, unit: "MiB", samples: turns },
    ...(days === DAYS ? { target: { atMost: AT_MOST_MIB } } : {}),
    note: `${kinds
      .slice(0, 6)
      .map(({ kind, bytes }) => `${kind} ${show(bytes / MIB)}`)
      .join(", ")}; ${erased} turns were erased by age`,
  },
  {
    ...{ what: "longest stall of a sweep", value: Math.max(...stalls), unit: "ms", samples: stalls.length },
    target: { atMost: AT_MOST_STALL_MS },
    note: `p50 of the sweeps ${show(median(stalls))}; without waiting for a core`,
  },
  {
    ...{ what: "ready, beside an empty house", value: after.readyMs / before.readyMs, unit: "×", samples: STARTS },
    target: { atMost: AT_MOST_READY },
    note: `${show(after.readyMs)} ms and ${show(before.readyMs)} ms`,
  },
  {
    ...{
      what: "a turn without tools, beside an empty house",
      value: after.turnMs / before.turnMs,
      unit: "×",
      samples: TURNS,
    },
    target: { atMost: AT_MOST_TURN },
    note: `p50 ${show(after.turnMs)} ms and ${show(before.turnMs)} ms`,
  },
];
