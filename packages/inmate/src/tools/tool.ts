/** The context of the cell's tools, and their limits. */
import { type ActivationId, type Clock, MAX_READ_FILE_BYTES, type SessionId } from "@hearth/protocol";
import type { DocumentText } from "@hearth/protocol/documents";
import type { PictureLimits, ScaledPicture } from "@hearth/protocol/picture-sizes";
import type { CellToolName, ToolInput, ToolOutcome } from "@hearth/protocol/tools";
import type { BackgroundCommands } from "./background.ts";
import type { Files } from "./files.ts";
import type { CompileGlob } from "./glob-pattern.ts";
import type { Machine } from "./machine.ts";
import type { Spawn } from "./spawn.ts";

export interface ToolContext {
  readonly files: Files;
  readonly spawn: Spawn;
  readonly machine: Machine;
  readonly compileGlob: CompileGlob;
  readonly clock: Clock;
  /** Undefined if the cell has no isolation, or no program for documents. */
  readonly documents?: ReadDocument;
  /** Undefined under the same conditions. */
  readonly pictures?: ScalePicture;
  /** Absolute path of the root of `files`, where commands start. */
  readonly workspace: string;
  /** Aborts when the time is up, or when the answer is no longer needed. */
  readonly signal: AbortSignal;
  /** Time from the start of the call to the abort of `signal`. */
  readonly timeoutMs: number;
  /** The idempotency key of the step. It is equal for every attempt. */
  readonly key: string;
  /** Whether an earlier attempt may have taken effect. A tool that can check this does so first. */
  readonly again: boolean;
  /**
   * Whether a command starts in the workspace and not in the session's folder, because a person
   * approved it for that.
   */
  readonly atRoot: boolean;
  readonly activation: ActivationId;
  readonly session: SessionId;
  /** Variables added to the environment of commands. */
  readonly environment: Readonly<Record<string, string>>;
  readonly backgroundCommands: BackgroundCommands;
  readonly sessionFolders: SessionFolders;
}

/** Converts a document of the workspace, in a separate process. `bytes` is its content. */
export type ReadDocument = (path: string, bytes: Uint8Array, signal: AbortSignal) => Promise<DocumentText>;

/** Scales a picture of the workspace down, in a separate process. */
export type ScalePicture = (path: string, limits: PictureLimits, signal: AbortSignal) => Promise<ScaledPicture>;

/**
 * The working folder of each session, as an absolute path. A session that is not listed starts in
 * the workspace.
 */
export type SessionFolders = Map<SessionId, string>;

/** Runs a tool. Throws `tool.*` for failures that the model can fix. The model reads the message. */
export type RunTool<Name extends CellToolName> = (input: ToolInput<Name>, context: ToolContext) => Promise<ToolOutcome>;

export const success = (text: string): ToolOutcome => ({ text, failed: false });
export const failure = (text: string): ToolOutcome => ({ text, failed: true });

/** Maximum size of a file that tools read or write. */
export const MAX_FILE_SIZE = MAX_READ_FILE_BYTES;

/** Limits of `glob` and `grep`. Folders in `skip` are searched only if the input names them. */
export const WALK_LIMITS = { maxEntries: 20_000, maxDepth: 32, skip: new Set([".git", "node_modules"]) } as const;
