/** What every tool of the cell is run with, and what they say alike. */
import type { Clock } from "@hearth/protocol";
import type { ToolInput, ToolName, ToolOutcome } from "@hearth/protocol/tools";
import type { Files } from "./files.ts";
import type { Spawn } from "./spawn.ts";

export interface ToolContext {
  readonly files: Files;
  readonly spawn: Spawn;
  readonly clock: Clock;
  /** Absolute path of the root of `files`: where commands start. */
  readonly workspace: string;
  /** Stop: the time is up, or nobody wants the answer. */
  readonly signal: AbortSignal;
  /** From the start of the call to the abort of `signal`. */
  readonly timeoutMs: number;
}

/** Throws `tool.*` for what the model can mend; the words reach it. */
export type RunTool<Name extends ToolName> = (input: ToolInput<Name>, context: ToolContext) => Promise<ToolOutcome>;

export const succeeded = (text: string): ToolOutcome => ({ text, failed: false });
export const failed = (text: string): ToolOutcome => ({ text, failed: true });

/** Largest file that tools read or write. */
export const MAX_FILE_SIZE = 10 * 1024 * 1024;

/** How far `glob` and `grep` look. Folders that others fill are left out, unless they are named. */
export const WALK = { maxEntries: 20_000, maxDepth: 32, skip: new Set([".git", "node_modules"]) } as const;
