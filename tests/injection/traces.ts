/**
 * Reads the file of traces: tasks of people with the calls that they need, and attacks with theirs.
 */
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
  /** The text at each place for strangers' text when there is no attack. */
  readonly injection_vectors: Readonly<Record<string, string>>;
  readonly user_tasks: Readonly<Record<string, Wish>>;
  readonly injection_tasks: Readonly<Record<string, Attack>>;
  /** Tool → the arguments that decide where its effect goes. */
  readonly consequential: Readonly<Record<string, readonly string[]>>;
}

const PARTS = ["tools", "injection_vectors", "user_tasks", "injection_tasks", "consequential"];

/** Throws with the reason if the file has another format. */
export const readTraces = async (path: string): Promise<ReadonlyMap<string, Suite>> => {
  const { suites } = JSON.parse(await readFile(path, "utf8")) as { suites?: Readonly<Record<string, Suite>> };
  if (suites === undefined) throw new Error(`${path} has no suites, so it is not a file of traces.`);
  for (const [name, suite] of Object.entries(suites)) {
    const missing = PARTS.find((part) => !Object.hasOwn(suite, part));
    if (missing !== undefined) throw new Error(`The suite ${name} of ${path} has no ${missing}.`);
  }
  return new Map(Object.entries(suites));
};

/**
 * The placeholder for a stranger's text in a tool's result. Nested JSON contains it with escapes.
 */
const PLACE = /(?:«|\\u00ab)INJ:([a-z0-9_]+)(?:»|\\u00bb)/gi;

export const placesIn = (text: string): readonly string[] => [...text.matchAll(PLACE)].map(([, name = ""]) => name);

/** Replaces each placeholder by the text of its place. */
export const fill = (text: string, written: (place: string) => string): string =>
  text.replace(PLACE, (found, place: string) => {
    const words = written(place);
    // Keep nested JSON valid.
    return found.startsWith("\\") ? JSON.stringify(words).slice(1, -1) : words;
  });

export const fillStep = ({ tool, args, output }: Step, written: (place: string) => string): Step => ({
  tool,
  args: Object.fromEntries(
    Object.entries(args).map(([name, value]) => [name, typeof value === "string" ? fill(value, written) : value]),
  ),
  output: fill(output, written),
});

/** A canonical text of a call, without arguments that are null. */
export const callOf = ({ tool, args }: Pick<Step, "tool" | "args">): string => {
  const said = Object.entries(args).filter(([, value]) => value !== null);
  return JSON.stringify([tool, said.toSorted(([a], [b]) => (a < b ? -1 : 1))]);
};

/** The text form of an argument. */
export const textOf = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));
