/** API types for the state of agents: what each one is doing, and how it is configured. */
import { z } from "zod";
import { Activation } from "../house/activations.ts";
import { ActivationId, AgentId, EventId, RoomId } from "../base/ids.ts";
import { CellKind } from "./cell.ts";
import { ModelName } from "./model.ts";
import { Ambient, QueueMode, TriggerMode } from "../people/record.ts";

/** The activity of an agent. `held`: a person stopped it. `waiting`: an approval is pending. */
export const AgentStatus = z.enum(["idle", "queued", "running", "waiting", "held"]);
export type AgentStatus = z.infer<typeof AgentStatus>;
export const AgentState = z.object({
  agent: AgentId,
  agentName: z.string(),
  status: AgentStatus,
  /** When the agent was last woken, started or ended. Absent if it never was, or if the record has expired. */
  lastActivity: z.int().optional(),
});
export type AgentState = z.infer<typeof AgentState>;
export const AgentStateList = z.array(AgentState);

/** An agent's state, configuration and pending work, for its administrators. */
export const AgentIntrospection = z.object({
  state: AgentState,
  /** The configuration of the agent's next activation, including defaults. */
  config: z.object({
    model: ModelName,
    fallback: z.array(ModelName),
    tools: z.array(z.string()),
    cell: CellKind,
    queue: QueueMode,
    triggerMode: TriggerMode,
    ambient: Ambient.required({ debounceMs: true, cooldown: true, relevance: true }),
    timezone: z.string(),
    /** Length of the prompt in the agent's record, in characters. */
    promptLength: z.int().nonnegative(),
  }),
  /** Rooms with unfinished activations of this agent. */
  rooms: z.array(
    z.object({
      room: RoomId,
      queued: z.int().nonnegative(),
      running: z.int().nonnegative(),
      waiting: z.int().nonnegative(),
      /** The ambient activation that waits for the room to be quiet. */
      ambient: z.object({ activation: ActivationId, cause: EventId, readyAt: z.int() }).optional(),
      /**
       * `read`: the offset up to which the room was checked for messages that wake agents; `head`:
       * the room's last offset. `read` can lag behind by messages that woke no agent.
       */
      read: z.int().nonnegative(),
      head: z.int().nonnegative(),
    }),
  ),
  /** The latest activations, newest first. */
  last: z.array(Activation),
});
export type AgentIntrospection = z.infer<typeof AgentIntrospection>;

/** The reason why a tool that is on cannot be used, or why it is off by default. */
export const ToolLack = z.enum(["isolation", "other-agents", "pictures", "search-engine"]);
export type ToolLack = z.infer<typeof ToolLack>;

/** A tool, and whether the agent has it. */
export const AgentTool = z.object({
  name: z.string(),
  /** For the model. People read it for external tools only. */
  description: z.string(),
  /** Whether the agent has it. If something is `missing`, the agent cannot use it yet. */
  isOn: z.boolean(),
  /** Whether the agent has it without a decision of a person. */
  isDefault: z.boolean(),
  isExternal: z.boolean(),
  effect: z.enum(["pure", "keyed", "reconcilable", "plain"]),
  traits: z.object({
    readsUntrusted: z.boolean(),
    readsPrivate: z.boolean(),
    acts: z.boolean(),
    destroys: z.boolean(),
  }),
  /** Whether it runs in the sandbox, which confines it. */
  isSandboxed: z.boolean(),
  missing: ToolLack.optional(),
});
export type AgentTool = z.infer<typeof AgentTool>;
export const AgentToolList = z.array(AgentTool);
