/** What a person typed after `hearth bench`. */
import { parseArgs } from "node:util";
import { resolve } from "node:path";
import type { Bench, Given } from "./bench.ts";

export type Wish =
  | {
      readonly kind: "run";
      readonly benches: readonly Bench[];
      readonly given: Given;
      readonly json: boolean;
      readonly check: boolean;
    }
  | { readonly kind: "help" }
  | { readonly kind: "wrong"; readonly message: string };

export const readArguments = (words: readonly string[], table: readonly Bench[]): Wish => {
  let parsed: ReturnType<typeof parse>;
  try {
    parsed = parse(words);
  } catch (error) {
    return { kind: "wrong", message: error instanceof Error ? error.message : String(error) };
  }
  const { values, positionals } = parsed;
  if (values.help === true) return { kind: "help" };
  const unknown = positionals.find((name) => !table.some((bench) => bench.name === name));
  if (unknown !== undefined) {
    return {
      kind: "wrong",
      message: `There is no bench "${unknown}". There are: ${table.map((bench) => bench.name).join(", ")}.`,
    };
  }
  const wanted = ({ name, isLong }: Bench): boolean =>
    positionals.length === 0 ? isLong !== true : positionals.includes(name);
  for (const name of ["kills", "seed", "rest"] as const)
    if (values[name] !== undefined && !/^\d{1,9}$/.test(values[name]))
      return { kind: "wrong", message: `--${name} takes a whole number, and got "${values[name]}".` };
  const given: Given = {
    ...(values.data === undefined ? {} : { data: resolve(values.data) }),
    ...(values.kills === undefined ? {} : { kills: Number(values.kills) }),
    ...(values.seed === undefined ? {} : { seed: Number(values.seed) }),
    ...(values.rest === undefined ? {} : { restSeconds: Number(values.rest) }),
  };
  return {
    kind: "run",
    benches: table.filter(wanted),
    given,
    json: values.json === true,
    check: values.check === true,
  };
};

const parse = (words: readonly string[]) =>
  parseArgs({
    args: [...words],
    allowPositionals: true,
    options: {
      json: { type: "boolean" },
      check: { type: "boolean" },
      data: { type: "string" },
      kills: { type: "string" },
      seed: { type: "string" },
      rest: { type: "string" },
      help: { type: "boolean", short: "h" },
    },
  });

export const toHelp = (table: readonly Bench[]): string =>
  [
    "hearth bench [NAME ...] [--json] [--check] [--data PATH] [--kills N] [--seed S] [--rest SECONDS]",
    "",
    ...table.map(({ name, about }) => `  ${name.padEnd(12)}${about}`),
    "",
    "  --json    the figures as JSON",
    "  --check   exit 1 when a target is missed",
    "  --data    the file that `injection` reads, the folder that `retrieval` reads",
    "  --kills   how often `storm` kills a process (100)",
    "  --seed    which kills `storm` makes (1)",
    "  --rest    seconds that `load` waits before it measures what is left (300)",
  ].join("\n");
