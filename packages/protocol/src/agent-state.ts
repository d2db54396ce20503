/** What crosses the house's port about agents at work: what each does at the moment, and what one is made of. */
import { z } from "zod";
import { Activation } from "./api.ts";
import { ActivationId, AgentId, EventId, RoomId } from "./ids.ts";
import { CellKind } from "./cell.ts";
import { ModelName } from "./model.ts";
import { Ambient, QueueMode, TriggerMode } from "./record.ts";

/** What an agent does at the moment. `held`: somebody said STOP. `waiting`: for a person's decision. */
export const AgentStatus = z.enum(["idle", "queued", "running", "waiting", "held"]);
export type AgentStatus = z.infer<typeof AgentStatus>;
export const AgentState = z.object({
  agent: AgentId,
  agentName: z.string(),
  status: AgentStatus,
  /** When it last woke, began or ended. Absent: it never woke, or that is forgotten. */
  lastActivity: z.int().optional(),
});
export type AgentState = z.infer<typeof AgentState>;
export const AgentStateList = z.array(AgentState);

/** What an agent is made of and has before it, for whoever looks after it. */
export const AgentIntrospection = z.object({
  state: AgentState,
  /** As its next activation is given it, defaults filled in. */
  config: z.object({
    model: ModelName,
    fallback: z.array(ModelName),
    tools: z.array(z.string()),
    cell: CellKind,
    queue: QueueMode,
    triggerMode: TriggerMode,
    ambient: Ambient.required({ debounceMs: true, cooldown: true, relevance: true }),
    timezone: z.string(),
    /** Characters of its own instructions. */
    promptLength: z.int().nonnegative(),
  }),
  /** Rooms where something of it is not over. */
  rooms: z.array(
    z.object({
      room: RoomId,
      queued: z.int().nonnegative(),
      running: z.int().nonnegative(),
      waiting: z.int().nonnegative(),
      /** The ambient one that waits for a silence. */
      ambient: z.object({ activation: ActivationId, cause: EventId, readyAt: z.int() }).optional(),
      /** How far the room has been read for who wakes, and how far it goes. The first lags by what woke nobody. */
      read: z.int().nonnegative(),
      head: z.int().nonnegative(),
    }),
  ),
  /** Newest first. */
  last: z.array(Activation),
});
export type AgentIntrospection = z.infer<typeof AgentIntrospection>;
