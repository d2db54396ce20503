/** Compares the vector search of memory with libraries, on vectors like those of real sentences. */
import type { Bench, Figure } from "../bench.ts";
import { type Site, temporaryFolder } from "../site.ts";
import { percentile } from "../statistics.ts";
import { show } from "../table.ts";
import { toRatios } from "./interleaved.ts";
import { installLibraries } from "./library-folder.ts";
import { runProgram } from "./run-program.ts";
import type { Asked, Built, Opened } from "./vector-libraries.ts";

const PROGRAM = "bench/src/libraries/vector-libraries.ts";
const LIBRARIES = { usearch: "2.26.2", "hnswlib-node": "3.0.0", "sqlite-vec": "0.1.9" } as const;
/** One for each index that is built. */
const ENGINES = ["ours", "usearch i8, 64", "usearch f16, 64", "hnswlib, 64", "sqlite-vec float", "sqlite-vec int8"];
const COUNTS = [10_000, 100_000];

export const vectors: Bench = {
  name: "vectors",
  about: "the vector search of memory against libraries, from the npm registry",
  isLong: true,
  async run(site) {
    await using libraries = await installLibraries(site, LIBRARIES);
    const figures: Figure[] = [];
    for (const count of COUNTS) figures.push(...(await measure(site, count, libraries.path)));
    for (const [name, size] of libraries.sizes)
      figures.push({ what: `${name}: installed`, value: size, unit: "MiB", samples: 1 });
    return figures;
  },
};

const measure = async (site: Site, count: number, libraries: string): Promise<readonly Figure[]> => {
  await using folder = await temporaryFolder(site);
  const run = (mode: string, ...rest: readonly string[]): Promise<unknown> =>
    runProgram(site, PROGRAM, [mode, String(count), libraries, folder.path, ...rest]);
  site.say(`vectors: ${count}: making them, with exact answers`);
  await run("data");
  const figures: Figure[] = [];
  for (const engine of ENGINES) {
    site.say(`vectors: ${count}: ${engine}`);
    const built = (await run("build", engine)) as Built;
    const opened = (await run("open", engine)) as Opened;
    figures.push(...reportIndex(`${count}: ${engine}`, built, opened));
  }
  site.say(`vectors: ${count}: questions to all in turn`);
  return [...figures, ...reportAnswers(String(count), (await run("ask")) as Readonly<Record<string, Asked>>)];
};

export const reportIndex = (what: string, built: Built, { readyMs, memoryMiB }: Opened): readonly Figure[] => [
  { what: `${what}: built in`, value: built.cpuSeconds, unit: "s", samples: 1, note: "CPU time" },
  { what: `${what}: on disk`, value: built.diskMiB, unit: "MiB", samples: 1 },
  { what: `${what}: from import to first answer`, value: readyMs, unit: "ms", samples: 1 },
  { what: `${what}: memory`, value: memoryMiB, unit: "MiB", samples: 1 },
];

export const reportAnswers = (what: string, asked: Readonly<Record<string, Asked>>): readonly Figure[] => {
  const timesOf = (of: (answer: Asked) => readonly number[]) =>
    Object.fromEntries(Object.entries(asked).map(([engine, answers]) => [engine, of(answers)]));
  return [
    ...Object.entries(asked).flatMap(([engine, { times, foundPercent, visibleFoundPercent }]): readonly Figure[] => [
      {
        what: `${what}: ${engine}, p50`,
        value: percentile(times, 50),
        unit: "ms",
        samples: times.length,
        note: `p95 ${show(percentile(times, 95))}`,
      },
      {
        what: `${what}: ${engine}, nearest ten found`,
        value: foundPercent,
        unit: "%",
        samples: times.length,
        note: `${show(visibleFoundPercent)} if one in ten is visible`,
      },
    ]),
    ...toRatios(
      what,
      timesOf(({ times }) => times),
    ),
    ...toRatios(
      `${what}, one in ten visible`,
      timesOf(({ visibleTimes }) => visibleTimes),
    ),
  ];
};
