/**
 * Compares the matchers of `glob` and `grep` with libraries: results, time on usual and on hostile
 * patterns, and size.
 */
import { join } from "node:path";
import type { Bench, Figure, Finding } from "../bench.ts";
import type { Site } from "../site.ts";
import { toRatios } from "./interleaved.ts";
import { installLibraries } from "./library-folder.ts";
import { runProgram } from "./run-program.ts";

/** The output of the program: results of one engine against the reference. */
interface Agreement {
  readonly engine: string;
  /** Patterns that the engine does not accept. */
  readonly refused: number;
  readonly different: number;
  readonly total: number;
  /** Some pairs with another result: pattern, text, result. */
  readonly examples: readonly (readonly [string, string, boolean])[];
}

interface Comparison {
  readonly regexAgreement: readonly Agreement[];
  readonly globAgreement: readonly Agreement[];
  /** Milliseconds of each round, by engine. In each round, all engines run one after the other. */
  readonly regexRounds: Readonly<Record<string, readonly number[]>>;
  readonly globRounds: Readonly<Record<string, readonly number[]>>;
  readonly grepRounds: Readonly<Record<string, readonly number[]>>;
  readonly firstUseMs: Readonly<Record<string, number>>;
  readonly lines: number;
  readonly paths: number;
}

interface HostileTime {
  readonly pattern: string;
  readonly ms: number;
}

const PROGRAM = "packages/inmate/src/fixtures/pattern-libraries.ts";
const LIBRARIES = { re2js: "2.10.0", "re2-wasm": "1.0.2", picomatch: "4.0.7", "@vscode/ripgrep": "1.18.0" } as const;
const ENGINES = ["ours", "re2js", "re2-wasm", "native", "picomatch", "Bun.Glob"];
/** Maximum time of an engine for all hostile patterns together. */
const HOSTILE_MS = 30_000;

export const patterns: Bench = {
  name: "patterns",
  about: "the matchers of glob and grep against libraries, from the npm registry",
  isLong: true,
  async run(site) {
    await using folder = await installLibraries(site, LIBRARIES);
    site.say("patterns: results and time");
    const words = ["compare", folder.path, site.root];
    const compared = (await runProgram(site, PROGRAM, words)) as Comparison;
    const findings: Finding[] = [...report(compared)];
    for (const engine of ENGINES) {
      site.say(`patterns: hostile patterns: ${engine}`);
      findings.push(reportHostile(engine, await runHostile(site, engine, folder.path)));
    }
    for (const [name, size] of folder.sizes)
      findings.push({ what: `${name}: installed`, value: size, unit: "MiB", samples: 1 });
    return findings;
  },
};

const agreement = (what: string, { engine, different, refused, total, examples }: Agreement): Figure => ({
  what: `${what}: ${engine}, other results`,
  value: different,
  unit: "pairs",
  samples: total,
  note: `${refused} patterns refused; ${examples.map(([pattern, text]) => `${pattern} on ${JSON.stringify(text)}`).join("; ")}`,
});

export const report = (compared: Comparison): readonly Figure[] => [
  ...compared.regexAgreement.map((row) => agreement("regular expressions", row)),
  ...compared.globAgreement.map((row) => agreement("globs", row)),
  ...toRatios(`${compared.lines} lines, 8 patterns`, compared.regexRounds),
  ...toRatios(`${compared.paths} paths, 5 globs`, compared.globRounds),
  ...toRatios("grep of a whole tree", compared.grepRounds),
  ...Object.entries(compared.firstUseMs).map(([engine, value]): Figure => ({
    what: `${engine}: first use in a new process`,
    value,
    unit: "ms",
    samples: 1,
  })),
];

interface HostileRun {
  readonly times: readonly HostileTime[];
  readonly isEnded: boolean;
}

const runHostile = async (site: Site, engine: string, folder: string): Promise<HostileRun> => {
  const command = [process.execPath, "--no-install", join(site.root, PROGRAM), "hostile", engine, folder];
  const child = Bun.spawn(command, { stdin: "ignore", stdout: "pipe", stderr: "inherit", timeout: HOSTILE_MS });
  const end = site.own(async () => {
    child.kill();
    await child.exited;
  });
  try {
    const lines = (await new Response(child.stdout).text()).trim().split("\n");
    const isEnded = (await child.exited) !== 0;
    return { times: lines.filter((line) => line !== "").map((line) => JSON.parse(line) as HostileTime), isEnded };
  } finally {
    await end();
  }
};

export const reportHostile = (engine: string, { times, isEnded }: HostileRun): Figure => {
  const slowest = times.reduce((worst, timing) => (timing.ms > worst.ms ? timing : worst), { pattern: "", ms: 0 });
  return {
    what: `${engine}: slowest hostile pattern`,
    value: isEnded ? HOSTILE_MS : slowest.ms,
    unit: "ms",
    samples: times.length,
    note: isEnded ? `ended during pattern ${times.length + 1}` : slowest.pattern,
  };
};
