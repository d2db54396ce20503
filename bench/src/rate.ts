/** Measures complete turns per second with twenty conversations at once and an instant model. */
import type { Bench, Finding } from "./bench.ts";
import { type Floor, measureFloor, timesFloor } from "./floor.ts";
import { type Load, runLoad } from "./load.ts";
import { NEEDS_PROC } from "./machine.ts";
import { startModel } from "./model/model.ts";
import { describeShape, type Shape, shapes } from "./rooms.ts";
import { percentile } from "./statistics.ts";
import { show } from "./table.ts";

const TARGET_PER_SECOND = 300;

export const rate: Bench = {
  name: "rate",
  about: "whole turns per second with an instant model, twenty conversations at once",
  async run(site) {
    const findings: Finding[] = [];
    for (const shape of shapes) {
      site.say(`rate: ${describeShape(shape)}`);
      const { load } = await runLoad(site, shape, async () => {});
      await using model = await startModel(site);
      findings.push(...toFindings(shape, load, await measureFloor(site, model)));
    }
    return findings;
  },
};

const toFindings = (shape: Shape, { turnTimes, durationMs, cpu }: Load, floor: Floor): readonly Finding[] => {
  const where = describeShape(shape);
  const samples = turnTimes.length;
  if (samples === 0) throw new Error("No turn was completed.");
  const cost = `${where}: CPU per turn`;
  const p50 = percentile(turnTimes, 50);
  return [
    {
      what: where,
      value: samples / (durationMs / 1000),
      unit: "turns/s",
      target: { atLeast: TARGET_PER_SECOND },
      samples,
      note: [
        `over ${show(durationMs / 1000)} s`,
        `${show(durationMs / samples / floor.p50Ms)} x the floor's time per request`,
        `turn duration p50 ${show(p50)} ms (${timesFloor(p50, floor.p50Ms)}), p99 ${show(percentile(turnTimes, 99))} ms`,
      ].join("; "),
    },
    cpu === undefined || floor.cpuMs === undefined
      ? { what: cost, skipped: NEEDS_PROC }
      : {
          what: cost,
          value: cpu.daemon / samples,
          unit: "ms",
          samples,
          note: [
            `of the daemon; in addition: cells ${show(cpu.cells / samples)}, model ${show(cpu.model / samples)}, load ${show(cpu.load / samples)}`,
            `daemon and cells ${timesFloor((cpu.daemon + cpu.cells) / samples, floor.cpuMs)}`,
          ].join("; "),
        },
  ];
};
