/**
 * Compares the HTTP/1.1 parser of the egress proxy with llhttp and `node:http`: what each accepts,
 * and time.
 */
import type { Bench, Figure } from "../bench.ts";
import { median } from "../statistics.ts";
import { toRatios } from "./interleaved.ts";
import { installLibraries } from "./library-folder.ts";
import { runProgram } from "./run-program.ts";

/** How a parser reads messages, compared with ours. */
interface Judged {
  readonly messages: number;
  readonly accepted: number;
  /** Number of messages that the parser accepts and ours refuses. */
  readonly looser: number;
  /** Number of messages that the parser refuses and ours accepts. */
  readonly stricter: number;
  /** Number of messages that both accept with different heads or bodies. */
  readonly different: number;
  readonly examples: readonly (readonly [kind: string, message: string])[];
}

interface ParserComparison {
  /** Names of the attacks that each parser accepts. */
  readonly attacksAccepted: Readonly<Record<string, readonly string[]>>;
  readonly attacks: number;
  readonly fuzz: Readonly<Record<string, Judged>>;
  /** Milliseconds of each round, by parser. In each round, all parsers run one after the other. */
  readonly headRounds: Readonly<Record<string, readonly number[]>>;
  readonly uploadRounds: Readonly<Record<string, readonly number[]>>;
  /** Milliseconds of each round of whole requests through the proxy, with fakes for the network. */
  readonly proxyRounds: readonly number[];
  readonly headsPerRound: number;
  readonly proxyPerRound: number;
}

const PROGRAM = "packages/warden/src/fixtures/parser-libraries.ts";

export const parsers: Bench = {
  name: "parsers",
  about: "the HTTP parser of the egress proxy against llhttp (from the npm registry) and node:http",
  isLong: true,
  async run(site) {
    await using folder = await installLibraries(site, { undici: "8.12.4" });
    site.say("parsers: attacks, edited messages, time");
    const compared = (await runProgram(site, PROGRAM, [folder.path])) as ParserComparison;
    return [
      ...report(compared),
      { what: "undici: installed", value: folder.sizes.get("undici") ?? 0, unit: "MiB", samples: 1 },
    ];
  },
};

export const report = (compared: ParserComparison): readonly Figure[] => {
  const { attacks, attacksAccepted, fuzz, headRounds, uploadRounds, proxyRounds, headsPerRound, proxyPerRound } =
    compared;
  const headMs = median(headRounds["ours"] ?? []) / headsPerRound;
  const proxyMs = median(proxyRounds) / proxyPerRound;
  return [
    ...Object.entries(attacksAccepted).map(([parser, names]): Figure => ({
      what: `attacks: accepted by ${parser}`,
      value: names.length,
      unit: "messages",
      samples: attacks,
      note: names.join(", "),
    })),
    ...Object.entries(fuzz).map(([parser, { messages, looser, stricter, different }]): Figure => ({
      what: `edited messages: only ${parser} accepts`,
      value: looser,
      unit: "messages",
      samples: messages,
      note: `${stricter} that only ours accepts, ${different} that both accept and read differently`,
    })),
    ...toRatios("heads", headRounds),
    ...toRatios("uploads in chunks", uploadRounds),
    {
      what: "share of the parser in a request through the proxy",
      value: (100 * headMs) / proxyMs,
      unit: "%",
      samples: proxyRounds.length,
      note: "with fakes for the network",
    },
  ];
};
