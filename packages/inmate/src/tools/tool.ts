/** What every tool of the cell is run with, and what they say alike. */
import type { ActivationId, Clock, SessionId } from "@hearth/protocol";
import type { CellToolName, ToolInput, ToolOutcome } from "@hearth/protocol/tools";
import type { Backgrounds } from "./background.ts";
import type { Files } from "./files.ts";
import type { Machine } from "./machine.ts";
import type { Spawn } from "./spawn.ts";

export interface ToolContext {
  readonly files: Files;
  readonly spawn: Spawn;
  readonly machine: Machine;
  readonly clock: Clock;
  /** Absolute path of the root of `files`: where commands start. */
  readonly workspace: string;
  /** Stop: the time is up, or nobody wants the answer. */
  readonly signal: AbortSignal;
  /** From the start of the call to the abort of `signal`. */
  readonly timeoutMs: number;
  /** The same for every attempt at the same step: for a far side that takes idempotency keys. */
  readonly key: string;
  /** Whether an earlier attempt may have taken effect: a tool that can ask the far side asks first. */
  readonly again: boolean;
  /** Whether a command begins in the workspace, wherever the last one left off: where a person was told that it does. */
  readonly atRoot: boolean;
  readonly activation: ActivationId;
  readonly session: SessionId;
  /** What commands find in their environment beside what they always do. */
  readonly environment: Readonly<Record<string, string>>;
  readonly backgrounds: Backgrounds;
  readonly places: Places;
}

/** Where the commands of each session are at the moment: absolute paths. Older sessions begin in the workspace again. */
export type Places = Map<SessionId, string>;

/** Throws `tool.*` for what the model can mend; the words reach it. */
export type RunTool<Name extends CellToolName> = (input: ToolInput<Name>, context: ToolContext) => Promise<ToolOutcome>;

export const succeeded = (text: string): ToolOutcome => ({ text, failed: false });
export const failed = (text: string): ToolOutcome => ({ text, failed: true });

/** Largest file that tools read or write. */
export const MAX_FILE_SIZE = 10 * 1024 * 1024;

/** How far `glob` and `grep` look. Folders that others fill are left out, unless they are named. */
export const WALK = { maxEntries: 20_000, maxDepth: 32, skip: new Set([".git", "node_modules"]) } as const;
