/** What a command is: what it takes, what it says of itself, and what it does. */
import type { Client } from "@hearth/client";
import type { ExitCode } from "./exit-codes.ts";
import type { Needs } from "./needs.ts";
import type { Output } from "./output.ts";
import type { Terminal } from "./terminal.ts";

export type Flag = {
  readonly summary: string;
  /** One letter: `-m`. */
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
  /** In capitals, as the usage line has it. */
  readonly name: string;
  readonly optional?: true;
  /** Takes all that are left. */
  readonly rest?: true;
}

/** What every command is given. */
export interface Context {
  readonly terminal: Terminal;
  readonly output: Output;
  /** Absolute path of the home folder. */
  readonly home: string;
  /** The house is at this address, and the home folder is not its. */
  readonly elsewhere: string | undefined;
  readonly json: boolean;
  /** Throws `house.unreachable` when no daemon of this home is running. */
  connect(): Promise<Client>;
}

export interface Parsed {
  /** The command's own. */
  readonly flags: Readonly<Record<string, FlagValue>>;
  readonly args: readonly string[];
}

export interface Command {
  readonly kind: "command";
  readonly summary: string;
  /** What whoever runs it must be allowed. Shown in its help; a test holds it against the house. */
  readonly needs: Needs;
  readonly args: readonly Argument[];
  readonly flags: Flags;
  /** What `--help` adds: whole sentences. */
  readonly details?: string;
  readonly examples: readonly string[];
  run(context: Context, parsed: Parsed): Promise<ExitCode>;
}

/** Several commands about one thing: `hearth agent list`. */
export interface Group {
  readonly kind: "group";
  readonly summary: string;
  readonly verbs: Readonly<Record<string, Command>>;
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
  // The parser has made the values by these very flags.
  run: (context, { flags, args }) => definition.run(context, flags as FlagValues<Of>, args),
});
