/** The types of commands, flags and arguments. */
import type { Client } from "@hearth/client";
import type { ExitCode } from "./exit-codes.ts";
import type { Needs } from "./needs.ts";
import type { Output } from "./show/output.ts";
import type { Terminal } from "./terminal.ts";

export type Flag = {
  readonly summary: string;
  /** The letter of the short form, as in `-m`. */
  readonly short?: string;
} & (
  | { readonly kind: "switch" }
  | { readonly kind: "text"; readonly value: string; readonly choices?: readonly string[] }
  | { readonly kind: "number"; readonly value: string; readonly min: number; readonly max: number }
);

export type Flags = { readonly [name: string]: Flag };

export type FlagValue = string | number | boolean | undefined;
type ValueOf<Of extends Flag> = Of["kind"] extends "switch"
  ? boolean
  : Of["kind"] extends "number"
    ? number | undefined
    : string | undefined;
export type FlagValues<Of extends Flags> = { readonly [Name in keyof Of]: ValueOf<Of[Name]> };

export interface Argument {
  /** The name in capitals, as the usage line shows it. */
  readonly name: string;
  readonly optional?: true;
  /** The argument takes all remaining words. */
  readonly rest?: true;
}

/** The context that every command receives. */
export interface Context {
  readonly terminal: Terminal;
  readonly output: Output;
  /** Absolute path of the home folder. */
  readonly home: string;
  /** The address of a remote house, which does not use the home folder. */
  readonly elsewhere: string | undefined;
  readonly json: boolean;
  /** Throws `house.unreachable` when no daemon of this home is running. */
  connect(): Promise<Client>;
}

/** The parts of a context that a command prints with. */
export type PrintContext = Pick<Context, "json" | "output">;

export interface ParsedArguments {
  /** The command's own flags. */
  readonly flags: Readonly<Record<string, FlagValue>>;
  readonly args: readonly string[];
}

export interface Command {
  readonly kind: "command";
  readonly summary: string;
  /** The permission that the caller needs. Shown in the help; a test compares it with the house. */
  readonly needs: Needs;
  readonly args: readonly Argument[];
  readonly flags: Flags;
  /** Sentences that `--help` adds. */
  readonly details?: string;
  readonly examples: readonly string[];
  run(context: Context, parsed: ParsedArguments): Promise<ExitCode>;
}

/** Several commands about one subject, such as `hearth agent list`. */
export interface Group {
  readonly kind: "group";
  readonly summary: string;
  readonly verbs: Readonly<Record<string, Command>>;
  /** Runs when the group is named without a verb: `hearth backup --to DIR`. */
  readonly defaultCommand?: Command;
}

export const defineCommand = <const Of extends Flags>(definition: {
  readonly summary: string;
  readonly needs: Needs;
  readonly args?: readonly Argument[];
  readonly flags: Of;
  readonly details?: string;
  readonly examples: readonly string[];
  run(context: Context, flags: FlagValues<Of>, args: readonly string[]): Promise<ExitCode>;
}): Command => ({
  args: [],
  ...definition,
  kind: "command",
  // The parser built the values from these flags.
  run: (context, { flags, args }) => definition.run(context, flags as FlagValues<Of>, args),
});
