/** Parses the arguments of `hearth bench`. */
import { parseArgs } from "node:util";
import { resolve } from "node:path";
import type { Bench, BenchInput } from "./bench.ts";

export type Command =
  | {
      readonly kind: "run";
      readonly benches: readonly Bench[];
      readonly input: BenchInput;
      readonly json: boolean;
      readonly check: boolean;
    }
  | { readonly kind: "help" }
  | { readonly kind: "wrong"; readonly message: string };

export const readArguments = (words: readonly string[], table: readonly Bench[]): Command => {
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
      message: `Unknown bench "${unknown}". Use one of: ${table.map((bench) => bench.name).join(", ")}.`,
    };
  }
  const isSelected = ({ name, isLong }: Bench): boolean =>
    positionals.length === 0 ? isLong !== true : positionals.includes(name);
  for (const name of ["kills", "seed", "days", "rest"] as const)
    if (values[name] !== undefined && !/^\d{1,9}$/.test(values[name]))
      return { kind: "wrong", message: `--${name} takes a whole number, and got "${values[name]}".` };
  const input: BenchInput = {
    ...(values.data === undefined ? {} : { data: resolve(values.data) }),
    ...(values.kills === undefined ? {} : { kills: Number(values.kills) }),
    ...(values.seed === undefined ? {} : { seed: Number(values.seed) }),
    ...(values.days === undefined ? {} : { days: Number(values.days) }),
    ...(values.rest === undefined ? {} : { restSeconds: Number(values.rest) }),
  };
  return {
    kind: "run",
    benches: table.filter(isSelected),
    input,
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
      days: { type: "string" },
      rest: { type: "string" },
      help: { type: "boolean", short: "h" },
    },
  });

export const toHelp = (table: readonly Bench[]): string =>
  [
    "hearth bench [NAME ...] [--json] [--check] [--data PATH] [--kills N] [--seed S] [--days N] [--rest SECONDS]",
    "",
    ...table.map(({ name, about }) => `  ${name.padEnd(12)}${about}`),
    "",
    "  --json    print the figures as JSON",
    "  --check   exit with 1 if a target is missed",
    "  --data    the input file of `injection`, the input folder of `retrieval`, the output folder of `profile`",
    "  --kills   number of kills of `storm` (100)",
    "  --seed    seed of the kills of `storm` (1)",
    "  --days    days that `growth` simulates (365)",
    "  --rest    seconds that `load` waits before it measures the remaining memory (300)",
  ].join("\n");
