/** The parts of the house that each group of tools uses. */
import type { MayCarry, MayReach, Permissions, Records, Rooms, Uploads } from "../../people/index.ts";
import type { Documents, Egress } from "../../cells/index.ts";
import type { Pictures } from "../../models/index.ts";
import type { Budgets, LeakScan, Policy } from "../../policy/index.ts";
import type { Store } from "../../kernel/index.ts";
import type { AgentRecord, World } from "@hearth/protocol";
import type { Brains } from "../brains/brains.ts";
import type { Inbox } from "../inbox/inbox.ts";
import type { Forget } from "../memory/forgetting.ts";
import type { FindEarlier, Memory } from "../memory/house-memory.ts";
import type { Passages } from "../passages/passages.ts";
import type { WebSearch } from "../search/search.ts";
import type { Children } from "./other-agents/children.ts";
import type { OwnJobs } from "./schedule/jobs.ts";
import type { ExternalTools, OneShotCall } from "./tool.ts";

/** The parts for tools that attach files to the turn's reply. */
export interface ReplyFileParts {
  readonly world: World;
  readonly uploads: Pick<Uploads, "storeFile" | "attachmentsOf" | "planMessage" | "cancel" | "find" | "open">;
  readonly brains: Pick<Brains, "open">;
  readonly leakScan: Pick<LeakScan, "scanFile">;
  /** Draws charts. */
  readonly documents: Pick<Documents, "draw">;
  readonly pictures: Pick<Pictures, "prepare" | "check">;
  readonly admitAgentCost: Policy["admitAgentCost"];
}

/** The parts for tools that read the web and other sources by strangers. */
export interface WebParts {
  readonly egress: Pick<Egress, "fetch">;
  readonly leakScan: Pick<LeakScan, "scanFile">;
  /** Returns the configured search engine. Throws `search.none`. */
  readonly search: () => WebSearch;
  /** Calls a model without tools that sees only this prompt. */
  readonly oneShotCall: OneShotCall;
  readonly externalTools: ExternalTools;
  readonly levelOf: Permissions["levelOf"];
}

/** The parts for tools that read and change the agent's brain. */
export interface MemoryParts {
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
}

/** The parts for tools that read the house's records and write in other rooms. */
export interface RoomParts {
  readonly world: World;
  readonly store: Pick<Store, "select">;
  readonly records: Records;
  readonly rooms: Pick<Rooms, "compose">;
  readonly levelOf: Permissions["levelOf"];
  readonly mayCarry: MayCarry;
  readonly budgets: Pick<Budgets, "report">;
}

/** The parts for tools that contact other agents. */
export interface OtherAgentParts {
  readonly world: World;
  readonly records: Records;
  readonly inbox: Inbox;
  readonly children: Children;
  /**
   * Whether one agent may contact another: both are in the same house, or the first has write
   * permission in the other's house.
   */
  readonly mayReach: MayReach;
  /** Returns the maximum number of agents that may wake each other in a row. */
  readonly maxChain: () => number;
}

/** The parts for tools that change the agent's jobs. */
export interface ScheduleParts {
  readonly world: World;
  readonly store: Pick<Store, "select">;
  readonly records: Records;
  readonly levelOf: Permissions["levelOf"];
  readonly jobs: OwnJobs;
}
