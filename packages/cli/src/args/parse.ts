/** Parses the words of a command line into flags and arguments. Throws `UsageError`. */
import type { Argument, Flag, FlagValue, FlagValues, Flags, ParsedArguments } from "../command.ts";
import { nearest } from "@hearth/protocol/nearest";
import { UsageError, didYouMean } from "./usage-error.ts";

/** Flags of every command. */
export const globalFlags = {
  home: { kind: "text", value: "DIR", summary: "the home folder (default: $HEARTH_HOME or ~/.hearth)" },
  json: { kind: "switch", summary: "print JSON" },
  help: { kind: "switch", short: "h", summary: "show help for this command" },
} as const satisfies Flags;

export interface ParsedLine extends ParsedArguments {
  readonly global: FlagValues<typeof globalFlags>;
}

export const parse = (
  words: readonly string[],
  spec: { readonly flags: Flags; readonly args: readonly Argument[] },
): ParsedLine => {
  const flags: Flags = { ...spec.flags, ...globalFlags };
  const values: Record<string, FlagValue> = {};
  const args: string[] = [];
  const queue = [...words];
  for (let word = queue.shift(); word !== undefined; word = queue.shift()) {
    if (word === "--") {
      args.push(...queue.splice(0));
    } else if (word.startsWith("--")) {
      const [name, inlineValue] = splitOnce(word.slice(2), "=");
      const flag = Object.hasOwn(flags, name) ? flags[name] : undefined;
      if (flag === undefined) throw unknownFlagError(word, Object.keys(flags));
      setFlag(values, name, `--${name}`, flag, inlineValue, queue);
    } else if (word.startsWith("-") && word.length > 1) {
      const [name, flag] = Object.entries(flags).find(([, { short }]) => short === word.slice(1)) ?? [];
      if (name === undefined || flag === undefined) throw unknownFlagError(word, Object.keys(flags));
      setFlag(values, name, word, flag, undefined, queue);
    } else {
      args.push(word);
    }
  }
  for (const [name, flag] of Object.entries(flags)) {
    if (flag.kind === "switch") values[name] ??= false;
  }
  const { home, json, help, ...commandFlags } = values;
  if (help !== true) checkArguments(args, spec.args);
  return {
    flags: commandFlags,
    args,
    global: { home: home as string | undefined, json: json === true, help: help === true },
  };
};

const setFlag = (
  values: Record<string, FlagValue>,
  name: string,
  writtenFlag: string,
  flag: Flag,
  inlineValue: string | undefined,
  queue: string[],
): void => {
  if (values[name] !== undefined) throw new UsageError(`${writtenFlag} is given twice.`);
  if (flag.kind === "switch") {
    if (inlineValue !== undefined) throw new UsageError(`${writtenFlag} takes no value.`);
    values[name] = true;
    return;
  }
  const value = inlineValue ?? queue.shift();
  // A value may begin with a dash, but a word that looks like a flag means the value was forgotten.
  if (value === undefined || (inlineValue === undefined && /^--[a-z][a-z-]*(=|$)/.test(value))) {
    throw new UsageError(
      `${writtenFlag} needs a value: ${writtenFlag} ${flag.value}`,
      value === undefined ? undefined : `If ${value} is the value: --${name}=${value}`,
    );
  }
  values[name] = flag.kind === "number" ? toNumber(writtenFlag, value, flag) : toText(writtenFlag, value, flag.choices);
};

const toNumber = (
  writtenFlag: string,
  value: string,
  { min, max }: { readonly min: number; readonly max: number },
): number => {
  const number = /^\d+$/.test(value) ? Number(value) : Number.NaN;
  if (number >= min && number <= max) return number;
  throw new UsageError(`${writtenFlag} takes a whole number from ${min} to ${max}, not "${value}".`);
};

const toText = (writtenFlag: string, value: string, choices: readonly string[] | undefined): string => {
  if (choices === undefined || choices.includes(value)) return value;
  throw new UsageError(
    `${writtenFlag} takes ${choices.join(", ")}, not "${value}".${didYouMean(nearest(value, choices))}`,
  );
};

const checkArguments = (args: readonly string[], specs: readonly Argument[]): void => {
  const missingArgument = specs.find((argument, index) => argument.optional !== true && args[index] === undefined);
  if (missingArgument !== undefined) throw new UsageError(`${missingArgument.name} is missing.`);
  if (args.includes("")) throw new UsageError("An argument is empty.");
  const extraArgument = specs.some(({ rest }) => rest === true) ? undefined : args[specs.length];
  if (extraArgument !== undefined)
    throw new UsageError(
      `Too many arguments: "${extraArgument}" is not expected.`,
      "Put text of several words in quotes.",
    );
};

const unknownFlagError = (word: string, names: readonly string[]): UsageError => {
  const [name] = splitOnce(word.replace(/^-+/, ""), "=");
  const nearestName = nearest(name, names);
  return new UsageError(
    `Unknown flag ${word.split("=")[0]}.${didYouMean(nearestName === undefined ? undefined : `--${nearestName}`)}`,
  );
};

const splitOnce = (text: string, separator: string): readonly [string, string | undefined] => {
  const index = text.indexOf(separator);
  return index === -1 ? [text, undefined] : [text.slice(0, index), text.slice(index + 1)];
};
