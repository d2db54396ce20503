/**
 * Measures the response time of `/healthz` under load, requested every few milliseconds by another
 * process. This approximates stalls of the daemon's event loop, but includes waiting for a core and
 * for the socket.
 */
import { fileURLToPath } from "node:url";
import type { Bench, Figure } from "./bench.ts";
import { startChild } from "./child.ts";
import { type House, startHouse } from "./house.ts";
import { runLoad } from "./load.ts";
import { describeShape, shapes } from "./rooms.ts";
import { type Site, temporaryFolder } from "./site.ts";
import { percentile } from "./statistics.ts";
import { show } from "./table.ts";

const EVERY_MS = 5;
const CALM_MS = 2000;
const PROBE = fileURLToPath(new URL("probe.ts", import.meta.url));

export const stall: Bench = {
  name: "stall",
  about: "response time of /healthz while `rate` runs, a proxy for stalls of the event loop",
  async run(site) {
    site.say("stall: without load");
    const figures: Figure[] = [toFigure("no load", await probeCalm(site), "")];
    for (const shape of shapes) {
      site.say(`stall: ${describeShape(shape)}`);
      const { load, beside } = await runLoad(site, shape, (house, periodMs) => probe(site, house, periodMs));
      figures.push(
        toFigure(
          describeShape(shape),
          beside,
          `, at ${show(load.turnTimes.length / (load.durationMs / 1000))} turns/s`,
        ),
      );
    }
    return figures;
  },
};

const probeCalm = async (site: Site): Promise<readonly number[]> => {
  await using folder = await temporaryFolder(site);
  await using house = await startHouse(site, folder.path);
  return await probe(site, house, CALM_MS);
};

const probe = async (site: Site, house: House, durationMs: number): Promise<readonly number[]> => {
  const command = [
    process.execPath,
    "--no-install",
    PROBE,
    `${house.url}/healthz`,
    String(EVERY_MS),
    String(durationMs),
  ];
  await using child = startChild(site, { command, cwd: site.root });
  return JSON.parse((await child.line("[")).text) as readonly number[];
};

const toFigure = (what: string, times: readonly number[], more: string): Figure => ({
  what,
  value: percentile(times, 99),
  unit: "ms",
  samples: times.length,
  note: `p99; p50 ${show(percentile(times, 50))}, max ${show(percentile(times, 100))}${more}; includes waiting for a core and the socket`,
});
