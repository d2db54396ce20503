/**
 * Measures searches in a large brain, the memory of the index, and that a house without recalls has
 * no memory process.
 */
import { rm } from "node:fs/promises";
import type { Bench, Figure, Finding } from "./bench.ts";
import { pause } from "./clock.ts";
import { startHouse, writeConfig } from "./house.ts";
import { hasProc, NEEDS_PROC, treeOf } from "./machine.ts";
import type { QueryTimes, Filled } from "./memory-scale.ts";
import { startModel } from "./model/model.ts";
import { type Site, temporaryFolder } from "./site.ts";
import { percentile } from "./statistics.ts";

interface Scale {
  readonly name: string;
  readonly count: number;
  readonly p50: number;
  readonly p99?: number;
  readonly mebibytes?: number;
}

const SCALES: readonly Scale[] = [
  { name: "100 k chunks", count: 100_000, p50: 10, p99: 25 },
  { name: "1 M chunks", count: 1_000_000, p50: 30, mebibytes: 800 },
];
const CHUNKS_PER_SECOND = 10_000;
const TEXTS_PER_SECOND = 400;
const FOUND_PERCENT = 99;

export const memory: Bench = {
  name: "memory",
  about: "searches in brains of 100 k and 1 M chunks: time, memory, accuracy",
  async run(site) {
    const findings: Finding[] = [await measureUnused(site)];
    for (const scale of SCALES) findings.push(...(await measure(site, scale)));
    return findings;
  },
};

const measure = async (site: Site, scale: Scale): Promise<readonly Figure[]> => {
  await using folder = await temporaryFolder(site);
  site.say(`memory: ${scale.name}: writing`);
  const filled = (await runScale(site, ["fill", String(scale.count), folder.path])) as Filled;
  site.say(`memory: ${scale.name}: searching`);
  const times = (await runScale(site, ["ask", String(scale.count), folder.path])) as QueryTimes;
  await rm(folder.path, { recursive: true });
  return report(scale, filled, times);
};

/** Runs the program like the memory process is run. */
const runScale = async (site: Site, words: readonly string[]): Promise<unknown> => {
  const command = [process.execPath, "--no-install", "--no-env-file", "--smol", "bench/src/memory-scale.ts", ...words];
  const child = Bun.spawn(command, { cwd: site.root, stdin: "ignore", stdout: "pipe", stderr: "inherit" });
  const end = site.own(async () => {
    child.kill();
    await child.exited;
  });
  try {
    const output = await new Response(child.stdout).text();
    if ((await child.exited) !== 0) throw new Error(`memory-scale.ts exited with ${child.exitCode}`);
    return JSON.parse(output);
  } finally {
    await end();
  }
};

export const report = (
  { name, p50, p99, mebibytes }: Scale,
  filled: Filled,
  measured: QueryTimes,
): readonly Figure[] => {
  const time = (what: string, times: readonly number[], percent: number, atMost?: number): Figure => ({
    what: `${name}: ${what}, p${percent}`,
    value: percentile(times, percent),
    unit: "ms",
    samples: times.length,
    ...(atMost === undefined ? {} : { target: { atMost } }),
  });
  return [
    time("recall", measured.recall, 50, p50),
    time("recall", measured.recall, 99, p99),
    { ...time("recall, the processor's time", measured.recallBusy, 50), note: "of all threads" },
    time("vector of the question", measured.embed, 50),
    time("by words", measured.lexical, 50),
    time("by meaning", measured.nearest, 50),
    time("words and meaning blended", measured.hybrid, 50),
    {
      what: `${name}: nearest ten found`,
      value: measured.foundPercent,
      unit: "%",
      samples: 1,
      target: { atLeast: FOUND_PERCENT },
    },
    {
      what: `${name}: resident`,
      value: measured.fullMiB,
      unit: "MiB",
      samples: 1,
      note: `model and index; ${Math.round(measured.emptyMiB)} MiB before`,
      ...(mebibytes === undefined ? {} : { target: { atMost: mebibytes } }),
    },
    { what: `${name}: opened in`, value: measured.open, unit: "ms", samples: 1 },
    {
      what: `${name}: words indexed`,
      value: filled.chunksPerSecond,
      unit: "chunks/s",
      samples: 1,
      target: { atLeast: CHUNKS_PER_SECOND },
      note: "per second of CPU",
    },
    {
      what: `${name}: short texts embedded`,
      value: filled.textsPerSecond,
      unit: "texts/s",
      samples: 1,
      target: { atLeast: TEXTS_PER_SECOND },
      note: "per second of CPU",
    },
  ];
};

const REST_MS = 1000;

/** Verifies that a house without recalls starts no memory process. */
const measureUnused = async (site: Site): Promise<Finding> => {
  const what = "processes of a house that never recalls";
  if (!hasProc) return { what, skipped: NEEDS_PROC };
  await using model = await startModel(site);
  await using folder = await temporaryFolder(site);
  await writeConfig(folder.path, { model, wire: "openai" });
  await using house = await startHouse(site, folder.path);
  await pause(REST_MS);
  const { length } = await treeOf(house.pid);
  return { what, value: length, unit: "processes", samples: 1, target: { atMost: 1 } };
};
