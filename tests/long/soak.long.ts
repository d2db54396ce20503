/**
 * Twenty thousand turns of one warm daemon must not increase its memory. Takes minutes; `npm run
 * test:long`.
 */
import { expect, test } from "bun:test";
import { readFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createHome, type Daemon, startDaemon } from "../journeys/daemon.ts";
import { configFor, createModel } from "../journeys/model.ts";

/** Turns after which caches are full and code is compiled. */
const WARM = 20_000;
const TURNS = Number(process.env["HEARTH_TURNS"] ?? 20_000);
const ROOMS = 20;
/**
 * Turns between two samples of memory. Garbage collection moves it by megabytes, so the minimum of
 * each stretch counts, which a leak increases.
 */
const LOOK = 100;
const STRETCH = 1000;
const MAX_SLOPE = 1024;

/** Anonymous memory of the process. Shared memory and pages of files cannot leak. */
const memoryOf = async (pid: number): Promise<number> => {
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, "utf8");
  return Number(/^Anonymous:\s+(\d+) kB$/m.exec(rollup)?.[1]) * 1024;
};
const handlesOf = async (pid: number): Promise<number> => (await readdir(`/proc/${pid}/fd`)).length;

/** The slope of the least-squares line through the points. */
const slopeOf = (points: readonly (readonly [number, number])[]): number => {
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [x, y] = [mean(points.map(([at]) => at)), mean(points.map(([, value]) => value))];
  const over = points.reduce((sum, [at, value]) => sum + (at - x) * (value - y), 0);
  return over / points.reduce((sum, [at]) => sum + (at - x) ** 2, 0);
};

const say = async (daemon: Daemon, room: string, text: string): Promise<void> => {
  const { json } = await daemon.ask("POST", `/api/rooms/${room}/messages`, { text });
  const { json: page } = await daemon.ask("GET", `/api/rooms/${room}/events?after=${json.offset}&limit=1&wait=30000`);
  expect(page.events[0]?.causes).toEqual([json.id]);
};

test.skipIf(process.platform !== "linux")(
  `R28: over ${TURNS} turns memory grows by less than a kilobyte a turn once it is warm, and handles do not`,
  async () => {
    using home = createHome();
    await using model = createModel();
    model.answer = () => ["ok"];
    await writeFile(join(home.folder, "hearth.toml"), configFor(model.baseUrl));
    await using daemon = await startDaemon(home.folder, { TEST_KEY: "k" });
    const main = (await daemon.ask("GET", "/api/agents/main")).json;
    const owner = (await daemon.ask("GET", "/api/agents/owner")).json;
    const rooms: string[] = [];
    for (let index = 0; index < ROOMS; index += 1) {
      const content = { name: `Room ${index}`, kind: "direct", members: [owner.id, main.id] };
      rooms.push((await daemon.ask("POST", "/api/rooms", { content })).json.id);
    }
    const least = new Map<number, number>();
    let handles = 0;
    for (let turn = 0; turn < WARM + TURNS; turn += ROOMS) {
      await Promise.all(rooms.map((room) => say(daemon, room, `turn ${turn}`)));
      // The fake model stores all requests.
      (model.requests as unknown[]).length = 0;
      if (turn === WARM) handles = await handlesOf(daemon.pid);
      if (turn >= WARM && turn % LOOK === 0) {
        const stretch = turn - (turn % STRETCH);
        least.set(stretch, Math.min(least.get(stretch) ?? Infinity, await memoryOf(daemon.pid)));
      }
      if (turn % 2000 === 0) console.error(`${turn} turns, ${Math.round((await memoryOf(daemon.pid)) / 2 ** 20)} MiB`);
    }
    const slope = slopeOf([...least]);
    console.error(`${Math.round(slope)} bytes a turn over ${TURNS} turns after ${WARM}`);
    expect(slope).toBeLessThan(MAX_SLOPE);
    expect(await handlesOf(daemon.pid)).toBeLessThanOrEqual(handles + 5);
  },
  30 * 60_000,
);
