/**
 * The simulation as a program: `--seeds N` runs N seeds from `--seed S`, `--enumerate` crashes at
 * every failpoint singly and in pairs. It starts one worker process per core and exits with 1 if an
 * invariant was broken.
 */
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { type Outcome, pairs, QUICK_VARIANTS, singles, VARIANTS } from "./enumeration.ts";
import { readFamilies } from "./families.ts";
import { declareKeyed } from "./house.ts";
import { shorten } from "./shorten.ts";
import { familiesOf, simulate } from "./simulation.ts";
import { showOperation } from "./workload.ts";

/** A line of a worker's output. */
type Word =
  | { readonly kind: "progress"; readonly runs: number }
  | {
      readonly kind: "failure";
      readonly name: string;
      readonly complaints: readonly string[];
      readonly lines: readonly string[];
    }
  | {
      readonly kind: "counts";
      readonly counts: Readonly<Record<string, number>>;
      readonly unknown: { calls: number; deliveries: number };
    };

/** How often each failpoint must be reached by a thousand seeds. Fewer than 400 are not judged. */
const MIN_REACHED = 50;
/** Failpoints of work that few houses do, by the name before the colon. */
const RARE: ReadonlySet<string> = new Set([
  // A reply is stopped after its first words.
  "commit.activations=stopped+room/message+agent/activation-ended",
  // Forgetting.
  ...["brain.remove", "blobs.erase", "memory.remove", "commit.steps+activations", "commit.steps+activations+approvals"],
  "commit.brain_versions+brain_bodies-gone+agent/memory-written",
  // Secrets.
  "commit.vault_keys",
  "commit.vault_keys+secrets-gone+secret_grants-gone+house/secret-changed",
  // A restored house.
  ...["commit.jobs+job_slots=passed", "commit.restore_findings", "commit.restore_findings=missing-blobs"],
]);
const MIN_REACHED_RARE = 2;
/** Failpoints that few of a thousand houses reach: job slots or the labels of a file are deleted. */
const RAREST: ReadonlySet<string> = new Set([
  "commit.job_slots-gone",
  "commit.jobs+job_slots-gone",
  "commit.files-gone",
]);
const MIN_REACHED_RAREST = 0.1;
const ENOUGH_SEEDS = 400;
/** Number of failures to print. */
const SHOWN = 5;

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "2000" },
    seed: { type: "string", default: "1" },
    enumerate: { type: "boolean", default: false },
    /** Fault families of every house, instead of those that its seed draws. See families.ts. */
    families: { type: "string" },
    /** Fault families that no house has, though its seed draws them. */
    without: { type: "string", default: "none" },
    json: { type: "boolean", default: false },
    /** Skips pairs of crashes. */
    singles: { type: "boolean", default: false },
    /** Runs only the variants that together have each channel and each queue mode. */
    quick: { type: "boolean", default: false },
    /** Ends at the first failure. */
    eager: { type: "boolean", default: false },
    workers: { type: "string", default: String(availableParallelism()) },
    /** The number of this worker, from 0. */
    worker: { type: "string" },
  },
});
const workers = Number(values.workers);

const say = (word: Word): void => void process.stdout.write(`${JSON.stringify(word)}\n`);

const work = async (worker: number): Promise<void> => {
  using _keyed = declareKeyed();
  const counts = new Map<string, number>();
  const unknown = { calls: 0, deliveries: 0 };
  let runs = 0;
  const ran = (): void => {
    runs += 1;
    if (runs % 20 === 0) say({ kind: "progress", runs: 20 });
  };
  const toFailure = ({ variant, crashes, complaints, diary }: Outcome): Word => ({
    kind: "failure",
    name: `${JSON.stringify(variant)} ended at ${crashes.map(({ point, occurrence }) => `${point} #${occurrence}`).join(", then ") || "nothing"}`,
    ...{ complaints, lines: diary },
  });
  const tell = (outcome: Outcome): boolean => {
    ran();
    unknown.calls += Math.min(1, outcome.unknown.calls);
    unknown.deliveries += Math.min(1, outcome.unknown.deliveries);
    if (outcome.complaints.length > 0) say(toFailure(outcome));
    return outcome.complaints.length > 0 && values.eager;
  };
  if (values.enumerate) {
    const isMine = (index: number): boolean => index % workers === worker;
    const variants = values.quick ? QUICK_VARIANTS : VARIANTS;
    for (const variant of variants) if (await singles(variant, isMine, tell, counts)) return;
    for (const variant of VARIANTS)
      if (!values.singles && variant.queue === "steer" && (await pairs(variant, isMine, tell, counts))) return;
  } else {
    const first = Number(values.seed);
    const forced = values.families === undefined ? undefined : readFamilies(values.families);
    const removed = readFamilies(values.without);
    for (let seed = first; seed < first + Number(values.seeds); seed += 1) {
      const run = await simulate(seed, counts, () => true, (forced ?? familiesOf(seed)).difference(removed));
      ran();
      if (run.complaints.length === 0) continue;
      const short = values.eager ? run : await shorten(run);
      const lines = [...short.operations.map(showOperation), ...short.diary];
      say({
        kind: "failure",
        name: `seed ${seed} (${[...run.families].join(", ") || "no family"})`,
        complaints: short.complaints,
        lines,
      });
      if (values.eager) break;
    }
  }
  say({ kind: "progress", runs: runs % 20 });
  say({ kind: "counts", counts: Object.fromEntries(counts), unknown });
};

/** Arguments that assign each worker its part of the enumeration or of the seeds. */
const toShares = (): string[][] => {
  const isOwn = (worker: number): string => `--worker=${worker}`;
  if (values.enumerate) return Array.from({ length: workers }, (_, worker) => [isOwn(worker)]);
  const [first, count] = [Number(values.seed), Number(values.seeds)];
  const size = Math.ceil(count / workers);
  return Array.from({ length: Math.ceil(count / size) }, (_, worker) => [
    `--seed=${first + worker * size}`,
    `--seeds=${Math.min(size, count - worker * size)}`,
    isOwn(worker),
  ]);
};

/** The counts of few seeds vary by chance, so half is enough there. */
const isMany = Number(values.seeds) >= 10_000;
const leastOf = (failpoint: string): number => {
  const name = failpoint.slice(0, failpoint.lastIndexOf(":"));
  const least = RAREST.has(name) ? MIN_REACHED_RAREST : RARE.has(name) ? MIN_REACHED_RARE : MIN_REACHED;
  return least * (isMany ? 1 : 0.5);
};

const lead = async (): Promise<number> => {
  const began = performance.now();
  const counts = new Map<string, number>();
  const unknown = { calls: 0, deliveries: 0 };
  const failures: Extract<Word, { kind: "failure" }>[] = [];
  let runs = 0;
  const isShown = !values.json && process.stderr.isTTY;
  const hear = (word: Word): void => {
    switch (word.kind) {
      case "progress":
        runs += word.runs;
        if (isShown) process.stderr.write(`\r${runs} runs, ${failures.length} failures `);
        break;
      case "failure":
        failures.push(word);
        break;
      case "counts":
        for (const [name, count] of Object.entries(word.counts)) counts.set(name, (counts.get(name) ?? 0) + count);
        unknown.calls += word.unknown.calls;
        unknown.deliveries += word.unknown.deliveries;
    }
  };
  const isOver = (): boolean => values.eager && failures.length > 0;
  const running = new Set<Bun.Subprocess>();
  const follow = async (share: readonly string[]): Promise<void> => {
    const child = Bun.spawn([process.execPath, "--no-install", import.meta.path, ...process.argv.slice(2), ...share], {
      stdin: "ignore",
      stdout: "pipe",
      stderr: "inherit",
    });
    running.add(child);
    let rest = "";
    for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) hear(JSON.parse(line) as Word);
      if (isOver()) for (const each of running) each.kill();
    }
    const code = await child.exited;
    running.delete(child);
    if (code !== 0 && !isOver())
      failures.push({ kind: "failure", name: "a worker", complaints: [`it ended with ${code}`], lines: [] });
  };
  await Promise.all(toShares().map(follow));
  if (isShown) process.stderr.write("\n");
  const seconds = Math.round((performance.now() - began) / 100) / 10;
  const isLarge = !values.enumerate && Number(values.seeds) >= ENOUGH_SEEDS;
  const thousands = Number(values.seeds) / 1000;
  const seldom = isLarge ? [...counts].filter(([name, count]) => count < leastOf(name) * thousands) : [];
  const isWell = failures.length === 0 && seldom.length === 0;
  if (values.json) {
    const failpoints = Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)));
    // The process exits right after this, and a pipe takes only its first 64 KiB at once.
    await Bun.write(
      Bun.stdout,
      `${JSON.stringify({ ok: isWell, runs, seconds, unknown, failpoints, seldom, failures })}\n`,
    );
  } else {
    for (const { name, complaints, lines } of failures.slice(0, SHOWN))
      process.stdout.write(
        `${name}:\n${complaints.map((line) => `  ${line}\n`).join("")}${lines.map((line) => `    ${line}\n`).join("")}\n`,
      );
    for (const [name, count] of seldom)
      process.stdout.write(`${name} was reached ${count} times, fewer than ${leastOf(name) * thousands}\n`);
    process.stdout.write(`${runs} runs in ${seconds} s over ${counts.size} failpoints, ${failures.length} failures\n`);
    if (values.enumerate)
      process.stdout.write(
        `runs with unknown calls: ${unknown.calls}, with unknown deliveries: ${unknown.deliveries}\n`,
      );
  }
  return isWell ? 0 : 1;
};

if (values.worker === undefined) process.exit(await lead());
else await work(Number(values.worker));
