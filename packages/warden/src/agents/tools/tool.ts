/** The interface of the host's tools. */
import type { MayCarry, Records, Permissions, Rooms, Uploads } from "../../people/index.ts";
import type { Documents, Egress } from "../../cells/index.ts";
import type { Pictures } from "../../models/index.ts";
import type { Budgets, LeakScan, Policy } from "../../policy/index.ts";
import type { Store } from "../../kernel/index.ts";
import type { AgentRecord, CitableFile, Label, Usage, World } from "@hearth/protocol";
import type { HostToolName, ToolDeclaration, ToolInput, ToolOutcome } from "@hearth/protocol/tools";
import type { Brains } from "../brains/brains.ts";
import type { Inbox, InboxChange } from "../inbox/inbox.ts";
import type { Forget } from "../memory/forgetting.ts";
import type { FindEarlier, Memory } from "../memory/house-memory.ts";
import type { Passages } from "../passages/passages.ts";
import type { WebSearch } from "../search/search.ts";
import type { HostCall } from "./call.ts";
import type { Children } from "./children.ts";
import type { OwnJobs } from "./jobs.ts";

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
  /**
   * The label of the text, stored with the step. Absent: the label follows from the tool's
   * declared traits.
   */
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

export interface HostParts {
  readonly world: World;
  readonly records: Records;
  readonly brains: Pick<Brains, "open">;
  readonly recall: Memory["recall"];
  /** Searches attachments that the turn may read. */
  readonly passages: Pick<Passages, "recall">;
  /** Searches the turn's own conversation before the prompt's range. */
  readonly findEarlier: FindEarlier;
  readonly forget: Forget;
  /** Returns the day of an instant in the zone of the agent's house, as "2026-11-22". */
  readonly dayOf: (agent: AgentRecord, at: number) => Promise<string>;
  readonly inbox: Inbox;
  readonly rooms: Pick<Rooms, "compose">;
  readonly uploads: Pick<Uploads, "storeFile" | "attachmentsOf" | "planMessage" | "cancel" | "find" | "open">;
  readonly chokePoint: { readonly leakScan: Pick<LeakScan, "scanFile"> };
  readonly store: Pick<Store, "select">;
  readonly levelOf: Permissions["levelOf"];
  readonly egress: Pick<Egress, "fetch">;
  /** Draws charts. */
  readonly documents: Pick<Documents, "draw">;
  readonly pictures: Pick<Pictures, "prepare" | "check">;
  readonly admitAgentCost: Policy["admitAgentCost"];
  /** Returns the configured search engine. Throws `search.none`. */
  readonly search: () => WebSearch;
  readonly budgets: Pick<Budgets, "report">;
  readonly children: Children;
  readonly jobs: OwnJobs;
  /**
   * Whether one agent may contact another: both are in the same house, or the first has write
   * permission in the other's house.
   */
  readonly mayReach: (from: AgentRecord, to: AgentRecord) => Promise<boolean>;
  readonly mayCarry: MayCarry;
  /** Calls a model without tools that sees only this prompt. */
  readonly oneShotCall: OneShotCall;
  /** External tools. */
  readonly externalTools: ExternalTools;
  /** Returns the maximum number of agents that may wake each other in a row. */
  readonly maxChain: () => number;
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
  asked: { readonly system: string; readonly text: string },
  call: HostCall,
) => Promise<({ readonly text: string } | { readonly why: string }) & { readonly usage?: Usage }>;

/**
 * Runs a tool. If the same call runs again after a crash, it continues from its stored state. The
 * tool limits its own time to the declared `timeoutMs`. It throws when the disk takes no writes and
 * when the lease is lost; an error that the model can correct is a failed outcome.
 */
export type RunHostTool<Name extends HostToolName> = (
  input: ToolInput<Name>,
  call: HostCall,
  parts: HostParts,
) => Promise<HostOutcome>;

export const failedOutcome = (text: string): HostOutcome => ({ text, failed: true });
