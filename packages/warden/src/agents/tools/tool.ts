/** What every tool of the host is run with. */
import type { MayCarry, Records, Permissions, Rooms } from "../../people/index.ts";
import type { Egress } from "../../cells/index.ts";
import type { Budgets } from "../../policy/index.ts";
import type { Store } from "../../kernel/index.ts";
import type { AgentRecord, Label, Usage, World } from "@hearth/protocol";
import type { HostToolName, ToolDeclaration, ToolInput, ToolOutcome } from "@hearth/protocol/tools";
import type { Brains } from "../brains/brains.ts";
import type { Inbox, InboxChange } from "../inbox/inbox.ts";
import type { Forget } from "../memory/forgetting.ts";
import type { FindEarlier, Memory } from "../memory/memory.ts";
import type { WebSearch } from "../search/search.ts";
import type { HostCall } from "./call.ts";
import type { Children } from "./children.ts";
import type { OwnJobs } from "./jobs.ts";

/**
 * What a call came to. Its effect is a value that is committed with the end of the call, so that a crash leaves both or neither. When one of
 * its guards does not hold, the tool is run again: it looks anew.
 */
export interface HostOutcome extends ToolOutcome {
  readonly along?: InboxChange;
  /** Calls that others made on its behalf: they count as this activation's. */
  readonly toolCalls?: number;
  /** What models took for it: it counts as this activation's, and stays with the step. */
  readonly usage?: Usage;
  /** Where its text came from: it stays with the step. Absent: what the tool is declared to read decides. */
  readonly label?: Label;
}

export interface HostParts {
  readonly world: World;
  readonly records: Records;
  readonly brains: Pick<Brains, "open">;
  readonly recall: Memory["recall"];
  /** What was said in the turn's own talk before what it is given of it. */
  readonly earlier: FindEarlier;
  readonly forget: Forget;
  /** "2026-11-22": the day of an instant where the agent's house is. */
  readonly dayOf: (agent: AgentRecord, at: number) => Promise<string>;
  readonly inbox: Inbox;
  readonly rooms: Pick<Rooms, "compose">;
  readonly store: Pick<Store, "select">;
  readonly levelOf: Permissions["levelOf"];
  readonly egress: Pick<Egress, "fetch">;
  /** The house's engine as its config is now. Throws `search.none`. */
  readonly search: () => WebSearch;
  readonly budgets: Pick<Budgets, "report">;
  readonly children: Children;
  readonly jobs: OwnJobs;
  /** Whether one agent may speak to another: in the same house, or by a permission to write in the other's. */
  readonly mayReach: (from: AgentRecord, to: AgentRecord) => Promise<boolean>;
  readonly mayCarry: MayCarry;
  /** A model without tools that knows nothing but this. */
  readonly alone: AskAlone;
  /** Tools that do not ship. */
  readonly further: FurtherTools;
  /** How many agents may wake each other in a row. */
  readonly maxChain: number;
}

/** A tool that does not ship: declared at run time, run at a far side. */
export interface FurtherTool {
  readonly declaration: ToolDeclaration<ToolDeclaration["input"], "host">;
  /** As `RunHostTool`. `input` is what the declaration's schema gave. Without a label, what it gives counts as what its traits say. */
  readonly run: (input: Readonly<Record<string, unknown>>, call: HostCall) => Promise<HostOutcome>;
}

/** By the name that models call them by. */
export type FurtherTools = Readonly<Record<string, FurtherTool>>;

/** Asks it once; `why` there is no answer, in words for whoever made the call. With what it took, either way. */
export type AskAlone = (
  asked: { readonly system: string; readonly text: string },
  call: HostCall,
) => Promise<({ readonly text: string } | { readonly why: string }) & { readonly usage?: Usage }>;

/**
 * Run again after a crash with the same call it goes on where it was. Bounds its own time by the tool's `timeoutMs`. Throws for a disk that takes
 * nothing and for a lost lease; what the model can mend is a failed outcome, in words.
 */
export type RunHostTool<Name extends HostToolName> = (
  input: ToolInput<Name>,
  call: HostCall,
  parts: HostParts,
) => Promise<HostOutcome>;

export const failed = (text: string): HostOutcome => ({ text, failed: true });
