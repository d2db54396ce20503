/** The interface of the host's tools. */
import type { CitableFile, Label, Usage } from "@hearth/protocol";
import type { HostToolName, ToolDeclaration, ToolInput, ToolOutcome } from "@hearth/protocol/tools";
import type { InboxChange } from "../inbox/inbox.ts";
import type { HostCall } from "./call.ts";

/**
 * The outcome of a call. Its effect is a value that is committed with the end of the call, so that
 * a crash leaves both or neither. If one of the effect's guards fails, the tool runs again on
 * current data.
 */
export interface HostOutcome extends ToolOutcome {
  readonly sameCommit?: InboxChange;
  /** Number of tool calls of child activations, which count for this activation. */
  readonly toolCalls?: number;
  /** Model usage of the call. It counts for this activation and is stored with the step. */
  readonly usage?: Usage;
  /** The label of the text, stored with the step. When absent, the label follows from the tool's declared traits. */
  readonly label?: Label;
  /** Files whose parts the text names, so that the reply may cite them. */
  readonly cites?: CitableFile[];
  /** Files to copy into the workspace of the turn's cell. */
  readonly files?: readonly WorkspaceCopy[];
  /** Set if the call was charged, so a commit that conflicts is repeated without a second call. */
  readonly runsOnce?: true;
}

export interface WorkspaceCopy {
  /** Path relative to the workspace that the cell sees. */
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** An external tool: declared at run time, run elsewhere. */
export interface ExternalTool {
  readonly declaration: ToolDeclaration<ToolDeclaration["input"], "host">;
  /**
   * Runs the tool as `RunHostTool` does. `input` is validated. If the outcome has no label, the
   * label follows from the tool's traits.
   */
  readonly run: (input: Readonly<Record<string, unknown>>, call: HostCall) => Promise<HostOutcome>;
}

/** The external tools by the name that models use. */
export type ExternalTools = Readonly<Record<string, ExternalTool>>;

/**
 * Makes one model call. Both results include usage. `why` is the reason of a missing answer, for
 * the caller.
 */
export type OneShotCall = (
  prompt: { readonly system: string; readonly text: string },
  call: HostCall,
) => Promise<({ readonly text: string } | { readonly why: string }) & { readonly usage?: Usage }>;

/**
 * Runs a tool with the parts that its group of tools uses. If the same call runs again after a
 * crash, it continues from its stored state. The tool limits its own time to the declared
 * `timeoutMs`. It throws when the disk takes no writes and when the lease is lost. An error that
 * the model can correct is a failed outcome.
 */
export type RunHostTool<Name extends HostToolName, Parts> = (
  input: ToolInput<Name>,
  call: HostCall,
  parts: Parts,
) => Promise<HostOutcome>;

/** Tools that have their parts, by the names that models use. */
export type BoundTools<Name extends HostToolName> = {
  readonly [Each in Name]: (input: ToolInput<Each>, call: HostCall) => Promise<HostOutcome>;
};

/** Gives the tools of a group their parts. */
export const bindTools = <Name extends HostToolName, Parts>(
  parts: Parts,
  tools: { readonly [Each in Name]: RunHostTool<Each, Parts> },
): BoundTools<Name> =>
  Object.fromEntries(
    Object.entries<RunHostTool<Name, Parts>>(tools).map(([name, run]) => [
      name,
      (input: ToolInput<Name>, call: HostCall) => run(input, call, parts),
    ]),
  ) as BoundTools<Name>;

export const failedOutcome = (text: string): HostOutcome => ({ text, failed: true });
