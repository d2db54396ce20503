/**
 * Measures the time that no design can avoid on this machine: an HTTP request with its answer, two
 * synced SQLite commits of 4 KB, a streamed response of the model, and a line to a process and
 * back.
 */
import { fileURLToPath } from "node:url";
import { join } from "node:path";
import type { Bench, Figure } from "./bench.ts";
import { startChild } from "./child.ts";
import { sharedNow } from "./clock.ts";
import { loopback } from "./loopback.ts";
import { cpuOf, hasProc } from "./machine.ts";
import { type Model, startModel } from "./model/model.ts";
import { MODEL } from "./model/wires.ts";
import { type Site, temporaryFolder } from "./site.ts";
import { percentile } from "./statistics.ts";

export interface Floor {
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** CPU time of a request, in both processes; Linux only. */
  readonly cpuMs?: number;
  readonly samples: number;
}

const SERVER = fileURLToPath(new URL("floor-server.ts", import.meta.url));
const LISTENING = "listening ";
const WARM_UP = 300;
const REQUESTS = 400;

export const floor: Bench = {
  name: "floor",
  about: "what no design can avoid for a turn: a request, two synced commits, a model's response, a pipe",
  async run(site) {
    await using model = await startModel(site);
    return toFigures(await measureFloor(site, model));
  },
};

const toFigures = ({ p50Ms, p99Ms, cpuMs, samples }: Floor): readonly Figure[] => [
  { what: "request", value: p50Ms, unit: "ms", samples, note: `p50; p99 ${p99Ms.toFixed(2)}` },
  ...(cpuMs === undefined ? [] : [{ what: "request: CPU", value: cpuMs, unit: "ms", samples } as const]),
];

export const measureFloor = async (site: Site, model: Model): Promise<Floor> => {
  await using folder = await temporaryFolder(site);
  const url = `${model.baseUrl("openai")}/chat/completions`;
  await using child = startChild(site, {
    command: [process.execPath, "--no-install", SERVER, join(folder.path, "floor.db"), url],
    cwd: site.root,
  });
  const { text } = await child.line(LISTENING);
  const [port, echo] = text.slice(LISTENING.length).split(" ").map(Number);
  const body = JSON.stringify({ model: MODEL, stream: true, messages: [{ role: "user", content: "turn-00000000" }] });
  const request = async (): Promise<number> => {
    const sentMs = sharedNow();
    const response = await loopback(`http://127.0.0.1:${port}/`, { method: "POST", body });
    if (!(await response.text()).includes("DONE")) throw new Error("The model's response did not arrive whole.");
    return sharedNow() - sentMs;
  };
  for (let count = 0; count < WARM_UP; count += 1) await request();
  const pids = [child.pid, echo ?? 0];
  const before = await cpuOf(pids);
  const times: number[] = [];
  for (let count = 0; count < REQUESTS; count += 1) times.push(await request());
  const cpuMs = ((await cpuOf(pids)) - before) / REQUESTS;
  return {
    p50Ms: percentile(times, 50),
    p99Ms: percentile(times, 99),
    ...(hasProc ? { cpuMs } : {}),
    samples: REQUESTS,
  };
};

/** Returns the note of a figure: its multiple of the minimum. */
export const timesFloor = (value: number, floorValue: number): string =>
  `${(value / floorValue).toFixed(2)} x the floor`;
