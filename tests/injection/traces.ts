/** The file of traces: what people asked for, what it took, and what attackers had the agent do instead. */
import { readFile } from "node:fs/promises";
import type { ToolCall } from "@hearth/protocol";

export interface Step {
  readonly tool: string;
  readonly args: ToolCall["input"];
  readonly output: string;
}

export interface Wish {
  readonly prompt: string;
  readonly steps: readonly Step[];
}

export interface Attack {
  readonly goal: string;
  readonly steps: readonly Step[];
}

export interface Suite {
  readonly tools: readonly { readonly name: string; readonly description: string; readonly parameters: object }[];
  /** What stands at a place for strangers' text when nobody attacks. */
  readonly injection_vectors: Readonly<Record<string, string>>;
  readonly user_tasks: Readonly<Record<string, Wish>>;
  readonly injection_tasks: Readonly<Record<string, Attack>>;
  /** Tool → arguments that say where its effect goes. */
  readonly consequential: Readonly<Record<string, readonly string[]>>;
}

const PARTS = ["tools", "injection_vectors", "user_tasks", "injection_tasks", "consequential"];

/** Throws, in words, for a file that is none. */
export const readTraces = async (path: string): Promise<ReadonlyMap<string, Suite>> => {
  const { suites } = JSON.parse(await readFile(path, "utf8")) as { suites?: Readonly<Record<string, Suite>> };
  if (suites === undefined) throw new Error(`${path} has no suites: it is no file of traces.`);
  for (const [name, suite] of Object.entries(suites)) {
    const missing = PARTS.find((part) => !Object.hasOwn(suite, part));
    if (missing !== undefined) throw new Error(`The suite ${name} of ${path} has no ${missing}.`);
  }
  return new Map(Object.entries(suites));
};

/** Where a stranger's text stands in what a tool gives. JSON that was made of JSON writes the signs as escapes. */
const PLACE = /(?:«|\\u00ab)INJ:([a-z0-9_]+)(?:»|\\u00bb)/gi;

export const placesIn = (text: string): readonly string[] => [...text.matchAll(PLACE)].map(([, name = ""]) => name);

/** What strangers wrote, at each of their places. */
export const fill = (text: string, written: (place: string) => string): string =>
  text.replace(PLACE, (found, place: string) => {
    const words = written(place);
    // Within JSON it has to stay JSON.
    return found.startsWith("\\") ? JSON.stringify(words).slice(1, -1) : words;
  });

export const fillStep = ({ tool, args, output }: Step, written: (place: string) => string): Step => ({
  tool,
  args: Object.fromEntries(
    Object.entries(args).map(([name, value]) => [name, typeof value === "string" ? fill(value, written) : value]),
  ),
  output: fill(output, written),
});

/** A call as text: the same for the same call, whatever was left out of it by saying nothing. */
export const callOf = ({ tool, args }: Pick<Step, "tool" | "args">): string => {
  const said = Object.entries(args).filter(([, value]) => value !== null);
  return JSON.stringify([tool, said.toSorted(([one], [other]) => (one < other ? -1 : 1))]);
};

/** A value of a call as it would stand in a text. */
export const textOf = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));
