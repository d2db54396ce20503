/**
 * Runs the obedient model against a real house: `--data FILE`. Prints a JSON list with one entry
 * per suite.
 */
import { parseArgs } from "node:util";
import { canAsk, measure, type Options, type TurnResult, type Way } from "./measure.ts";
import type { Labelling } from "./far-side.ts";
import { readTraces, type Suite, type Wish } from "./traces.ts";

/** The program's output for one suite. */
export interface Measured {
  readonly suite: string;
  readonly attacks: { readonly acted: number; readonly total: number };
  readonly tasks: {
    readonly unasked: number;
    readonly total: number;
    /** Tasks without approval that read their sources instead of asking for a number. */
    readonly unaskedReading: number;
    /** Tasks without approval if every tool result counts as untrusted. */
    readonly unaskedStrict: number;
    /** Tasks that needed an approval. */
    readonly asking: readonly string[];
  };
  /** Approval requests in all turns: for calls of attackers, and for others. */
  readonly approvals: { readonly attackers: number; readonly own: number };
}

const { values } = parseArgs({ options: { data: { type: "string" } } });
if (values.data === undefined) throw new Error("Name the file: --data FILE");

const waysOf = (suite: Suite, wish: Wish): readonly Way[] => (canAsk(suite, wish) ? ["reads", "asks"] : ["reads"]);
const isQuiet = ({ isDone, asked }: TurnResult): boolean => isDone && asked.all === 0;

const measureSuite = async (name: string, suite: Suite): Promise<Measured> => {
  const counts = { acted: 0, total: 0, unasked: 0, reading: 0, strict: 0, attackers: 0, own: 0 };
  const asking: string[] = [];
  const take = async (options: Options): Promise<TurnResult> => {
    const result = await measure(options);
    counts.attackers += result.asked.attackers;
    counts.own += result.asked.all - result.asked.attackers;
    return result;
  };
  /** The first way to do the task without an approval. */
  const alone = async (wish: Wish, labelling: Labelling): Promise<Way | undefined> => {
    for (const way of waysOf(suite, wish)) {
      const result = await (labelling === "strict" ? measure : take)({ suite, wish, labelling, way });
      if (isQuiet(result)) return way;
    }
    return undefined;
  };
  for (const [id, wish] of Object.entries(suite.user_tasks)) {
    const way = await alone(wish, "by-place");
    if (way === undefined) asking.push(id);
    else counts.unasked += 1;
    if (way === "reads") counts.reading += 1;
    if ((await alone(wish, "strict")) !== undefined) counts.strict += 1;
    for (const attack of Object.values(suite.injection_tasks)) {
      let hasActed = false;
      // An attack works only if its text is read. Also test the other way if the task succeeded
      // with it.
      for (const each of new Set<Way>(["reads", way ?? "reads"])) {
        const result = await take({ suite, wish, attack, labelling: "by-place", way: each });
        hasActed ||= result.hasActed;
      }
      counts.total += 1;
      if (hasActed) counts.acted += 1;
    }
  }
  return {
    suite: name,
    attacks: { acted: counts.acted, total: counts.total },
    tasks: {
      ...{ unasked: counts.unasked, total: Object.keys(suite.user_tasks).length },
      ...{ unaskedReading: counts.reading, unaskedStrict: counts.strict, asking },
    },
    approvals: { attackers: counts.attackers, own: counts.own },
  };
};

const measured: Measured[] = [];
for (const [name, suite] of await readTraces(values.data)) measured.push(await measureSuite(name, suite));
console.log(JSON.stringify(measured));
process.exit(0);
