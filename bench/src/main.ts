/**
 * `hearth bench`: measures the published figures with real processes, real sockets and new homes.
 */
import { cpus } from "node:os";
import { fileURLToPath } from "node:url";
import { afterLoad } from "./after-load.ts";
import { readArguments, toHelp } from "./arguments.ts";
import { type Bench, type BenchInput, isSkipped } from "./bench.ts";
import { cells } from "./cells.ts";
import { documents } from "./documents.ts";
import { durability } from "./durability.ts";
import { floor } from "./floor.ts";
import { followers } from "./followers.ts";
import { growth } from "./growth.ts";
import { idle } from "./idle.ts";
import { injection } from "./injection.ts";
import { install } from "./install.ts";
import { observers } from "./observers.ts";
import { onboard } from "./onboard.ts";
import { parsers } from "./libraries/parsers.ts";
import { patterns } from "./libraries/patterns.ts";
import { streamCode } from "./libraries/stream-code.ts";
import { vectors } from "./libraries/vectors.ts";
import { describeMachine, hasProc, readWork, shareOfOthers } from "./machine.ts";
import { profile } from "./profile.ts";
import { policy } from "./policy.ts";
import { media } from "./media.ts";
import { memory } from "./memory.ts";
import { rate } from "./rate.ts";
import { ready } from "./ready.ts";
import { retrieval } from "./retrieval.ts";
import { schedule } from "./schedule.ts";
import { search } from "./search.ts";
import { createSite, type Site } from "./site.ts";
import { stall } from "./stall.ts";
import { storm } from "./storm.ts";
import { countMissed, type Disturbance, type Named, toDisturbance, toJson, toTable } from "./table.ts";
import { tokens } from "./tokens.ts";
import { turn } from "./turn.ts";
import { ui } from "./ui.ts";

const table: readonly Bench[] = [
  ready,
  idle,
  floor,
  turn,
  cells,
  rate,
  observers,
  profile,
  stall,
  followers,
  durability,
  policy,
  schedule,
  search,
  tokens,
  ui,
  install,
  onboard,
  injection,
  memory,
  documents,
  media,
  retrieval,
  growth,
  storm,
  afterLoad,
  streamCode,
  vectors,
  parsers,
  patterns,
];

const DONE = 0;
const FAILED = 1;
const USAGE = 2;

const main = async (words: readonly string[]): Promise<number> => {
  const command = readArguments(words, table);
  if (command.kind === "help") {
    console.log(toHelp(table));
    return DONE;
  }
  if (command.kind === "wrong") {
    console.error(`${command.message}\n\n${toHelp(table)}`);
    return USAGE;
  }

  await using site = createSite({
    root: fileURLToPath(new URL("../..", import.meta.url)),
    say: (text) => console.error(text),
  });
  endOnSignals(site);
  const machine = describeMachine();
  const { rows, others, broken } = await runAll(site, command.benches, command.input);
  if (site.isClosed()) return await new Promise<never>(() => {});

  const record = command.benches.length === 1 ? recordIn(rows) : undefined;
  if (command.json) console.log(record === undefined ? toJson(machine, rows, others) : JSON.stringify(record, null, 2));
  else {
    const disturbed = others.size === 0 ? "" : `\n\nCPU share of other processes meanwhile: ${toDisturbance(others)}`;
    console.log(`${machine}\n\n${toTable(rows)}${disturbed}`);
  }
  const missed = countMissed(rows);
  if (missed > 0) console.error(`${missed} ${missed === 1 ? "target was" : "targets were"} missed.`);
  if (broken > 0) console.error(`${broken} ${broken === 1 ? "bench" : "benches"} failed: see above.`);
  return broken > 0 || (command.check && missed > 0) ? FAILED : DONE;
};

const recordIn = (rows: readonly Named[]): object | undefined =>
  rows.flatMap(({ finding }) => (isSkipped(finding) ? [] : (finding.record ?? [])))[0];

interface Report {
  readonly rows: readonly Named[];
  readonly others: Disturbance;
  readonly broken: number;
}

/** Runs benches one after the other. A failing bench loses only its own figures. */
const runAll = async (site: Site, benches: readonly Bench[], input: BenchInput): Promise<Report> => {
  const rows: Named[] = [];
  const others = new Map<string, number>();
  let broken = 0;
  for (const { name, run } of benches) {
    if (site.isClosed()) break;
    const begin = hasProc ? await readWork() : undefined;
    try {
      rows.push(...(await run(site, input)).map((finding) => ({ bench: name, finding })));
      if (begin !== undefined) others.set(name, shareOfOthers(begin, await readWork(), cpus().length));
    } catch (error) {
      if (site.isClosed()) break;
      broken += 1;
      site.say(`${name} failed: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return { rows, others, broken };
};

/** Ends all processes and removes all folders on a signal. */
const endOnSignals = (site: Site): void => {
  const end = async (code: number): Promise<void> => {
    // A terminal signals the whole group and `hearth` forwards the signal, so it can arrive twice.
    if (site.isClosed()) return;
    site.say("Stopping all processes ...");
    await site[Symbol.asyncDispose]();
    process.exit(code);
  };
  process.on("SIGINT", () => void end(130));
  process.on("SIGTERM", () => void end(143));
  process.on("SIGHUP", () => void end(129));
};

process.exit(await main(process.argv.slice(2)));
