/**
 * Measures the cost of observers. Blocks of turns alternate between no observer and all observers.
 * The house follows changes of its config, so one process runs both kinds of block.
 */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Bench, Figure } from "./bench.ts";
import { pause } from "./clock.ts";
import { startHouse, writeConfig, type House } from "./house.ts";
import { cpuOf, hasProc, NEEDS_PROC } from "./machine.ts";
import { startModel } from "./model/model.ts";
import { makeRooms, shapes } from "./rooms.ts";
import { temporaryFolder } from "./site.ts";
import { percentile } from "./statistics.ts";
import { openTurnClient } from "./talk.ts";

const WARM_UP_TURNS = 200;
const PAIRS = 40;
const TURNS = 40;
const TARGET_PERCENT = 3;
const LOOK_MS = 20;

export const observers: Bench = {
  name: "observers",
  about: "what the observers log, prometheus and otlp cost a turn, against none, interleaved",
  async run(site) {
    if (!hasProc) return [{ what: "cost of the observers", skipped: NEEDS_PROC }];
    await using model = await startModel(site);
    await using folder = await temporaryFolder(site);
    await writeConfig(folder.path, { model, wire: "openai" });
    const off = await readFile(join(folder.path, "hearth.toml"), "utf8");
    const collector = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response("{}") });
    const end = site.own(() => collector.stop(true));
    try {
      const on = `${off}[observers]\nto = ["log", "prometheus", "otlp"]\notlp_endpoint = "${collector.url.origin}"\n`;
      await using house = await startHouse(site, folder.path);
      const [shape] = shapes;
      if (shape === undefined) throw new Error("There is no shape.");
      const rooms = await makeRooms(house, shape);
      await using client = await openTurnClient(site, house, rooms);
      let next = 0;
      const block = async (config: string, turns: number): Promise<Block> => {
        await writeFile(join(folder.path, "hearth.toml"), config);
        await untilFollowed(house, config === on);
        const times: number[] = [];
        const before = await cpuOf([house.pid]);
        for (let count = 0; count < turns; count += 1) {
          const room = rooms[(next += 1) % rooms.length];
          if (room === undefined) throw new Error("There is no room.");
          const { sentMs, seenMs } = await client.turn(room);
          times.push(seenMs - sentMs);
        }
        const cpuMs = (await cpuOf([house.pid])) - before;
        await model.takeStamps();
        return { times, cpuMs };
      };
      site.say("observers: warming up");
      await block(on, WARM_UP_TURNS);
      await block(off, WARM_UP_TURNS);
      const blocks: { readonly without: Block[]; readonly with: Block[] } = { without: [], with: [] };
      for (let pair = 0; pair < PAIRS; pair += 1) {
        // The order within a pair alternates, so that a drift of the machine counts for both.
        for (const kind of pair % 2 === 0 ? (["without", "with"] as const) : (["with", "without"] as const))
          blocks[kind].push(await block(kind === "with" ? on : off, TURNS));
      }
      return [
        ...toFigures("without observers", blocks.without),
        ...toFigures("with all of them", blocks.with),
        costOf(blocks),
      ];
    } finally {
      await end();
    }
  },
};

interface Block {
  readonly times: readonly number[];
  /** Processor time of the daemon, which other programs of the machine hardly change. */
  readonly cpuMs: number;
}

const cpuPerTurn = (blocks: readonly Block[]): number =>
  blocks.reduce((sum, { cpuMs }) => sum + cpuMs, 0) / (blocks.length * TURNS);

const toFigures = (what: string, blocks: readonly Block[]): readonly Figure[] => {
  const samples = blocks.length * TURNS;
  const times = blocks.flatMap((block) => block.times);
  return [
    {
      what: `${what}: turn`,
      value: percentile(times, 50),
      unit: "ms",
      samples,
      note: "p50, from the message to the reply",
    },
    {
      what: `${what}: processor time`,
      value: cpuPerTurn(blocks),
      unit: "ms",
      samples,
      note: "of the daemon, per turn",
    },
  ];
};

const costOf = (blocks: { readonly without: readonly Block[]; readonly with: readonly Block[] }): Figure => ({
  what: "cost of the observers",
  value: (cpuPerTurn(blocks.with) / cpuPerTurn(blocks.without) - 1) * 100,
  unit: "%",
  samples: blocks.with.length,
  target: { atMost: TARGET_PERCENT },
  note: "of the processor time of a turn",
});

/** Resolves when the house has applied the config. */
const untilFollowed = async ({ url, token }: House, isOn: boolean): Promise<void> => {
  const headers = { authorization: `Bearer ${token}` };
  while ((await fetch(`${url}/metrics`, { headers })).ok !== isOn) await pause(LOOK_MS);
};
