/**
 * Measures the time that the default cell adds to a turn: almost none while the cell is open, and
 * its opening otherwise.
 */
import type { Finding } from "./bench.ts";
import { startHouse, writeConfig } from "./house.ts";
import { startModel } from "./model/model.ts";
import { makeRooms } from "./rooms.ts";
import { type Site, temporaryFolder } from "./site.ts";
import { median, percentile } from "./statistics.ts";
import { show } from "./table.ts";
import { openTurnClient, type Turn } from "./talk.ts";

/** Numbers of turns. They equal those of the bench `turn`, so that both are comparable. */
const WARM_UP_TURNS = 200;
const WARM_TURNS = 400;
const COLD_TURNS = 20;
const WARM_MS = 5;
const COLD_MS = 100;

export const timeTurns = async (site: Site): Promise<readonly Finding[]> => {
  await using model = await startModel(site);
  await using folder = await temporaryFolder(site);
  await writeConfig(folder.path, { model, wire: "openai" });
  await using house = await startHouse(site, folder.path);
  const rooms = await makeRooms(house, "rooms");
  await using turnClient = await openTurnClient(site, house, rooms);

  const turns = async (count: number, before: () => Promise<unknown>): Promise<readonly number[]> => {
    const made: Turn[] = [];
    while (made.length < count) {
      for (const room of rooms) {
        await before();
        made.push(await turnClient.turn(room));
      }
    }
    const stamps = await model.takeStamps();
    return made.map(({ mark, sentMs, seenMs }) => {
      const stamp = stamps[mark];
      if (stamp === undefined) throw new Error(`No request with ${mark} reached the model.`);
      return stamp[0] - sentMs + seenMs - stamp[1];
    });
  };

  await turns(WARM_UP_TURNS, async () => {});
  const warm = await turns(WARM_TURNS, async () => {});
  const cold = await turns(COLD_TURNS, () => house.client.cells.close("main"));
  const kinds = await house.client.cells.list();
  const kind = kinds[0]?.backend ?? "none";
  return [
    {
      what: "a turn's overhead, the default cell warm",
      value: median(warm),
      unit: "ms",
      samples: warm.length,
      target: { atMost: WARM_MS },
      note: `p50, ${kind}; p99 ${show(percentile(warm, 99))}`,
    },
    {
      what: "what a cold cell adds",
      value: median(cold) - median(warm),
      unit: "ms",
      samples: cold.length,
      ...{
        target: { atMost: COLD_MS },
        note: `p50 of ${show(median(cold))}, p99 ${show(percentile(cold, 99))}, minus the warm p50`,
      },
    },
  ];
};
