/** What warden and inmate say to each other. Every frame of the inmate is a request; the warden believes none of it. */
import { z } from "zod";
import { ErrorBody } from "./error-schema.ts";
import { ActivationId, AgentId, RoomId, SessionId } from "./ids.ts";
import { AssistantMessage, ModelMessage, SystemPart, ToolCall } from "./model.ts";

/** Raised when a frame changes its meaning. A cell with another version is refused at its hello. */
export const LINK_VERSION = 1;

/** On every frame: counts up from 1 on each side of a link. */
const stamp = { id: z.int().positive(), at: z.int() };
/** Whom a frame is about. From the warden it is the truth, from the inmate an echo that the warden checks. */
const scope = { agent: AgentId, room: RoomId, person: AgentId, session: SessionId, activation: ActivationId };

const Hello = z.object({ type: z.literal("hello"), ...stamp, version: z.int(), runtime: z.string().max(200) });

/** One named text that the prompt is made of. */
export const PromptPart = z.object({ name: z.string(), text: z.string() });
export type PromptPart = z.infer<typeof PromptPart>;

/** Everything an activation starts from. It is frozen: the same input always makes the same first request. */
export const ActivationInput = z.object({
  agent: z.object({ name: z.string(), handle: z.string() }),
  room: z.object({ name: z.string(), kind: z.enum(["direct", "group"]) }),
  house: z.object({ name: z.string(), description: z.string().optional() }),
  /** Brain files in prompt order, then the record's own prompt. */
  parts: z.array(PromptPart),
  /** The session so far, oldest first; the last ones are what is to be answered. */
  history: z.array(ModelMessage),
  /** Names of the tools this activation may ask for. */
  tools: z.array(z.string()),
  /** Model calls at most. In the last one no tool may be called. */
  maxRounds: z.int().positive(),
});
export type ActivationInput = z.infer<typeof ActivationInput>;

const Activate = z.object({ type: z.literal("activate"), ...stamp, ...scope, input: ActivationInput });
const Stop = z.object({ type: z.literal("stop"), ...stamp, ...scope });
/** Steps count up from 0 within an activation; a model call and a tool call are one step each. */
const ModelResult = z.object({
  type: z.literal("model-result"),
  ...stamp,
  ...scope,
  step: z.int().nonnegative(),
  result: z.union([z.object({ message: AssistantMessage }), z.object({ error: ErrorBody })]),
});
/** `run`: do it, in the cell, and send `step-done`. `done`: it has been done (on the host, or before a restart) or refused. */
const StepResult = z.object({
  type: z.literal("step-result"),
  ...stamp,
  ...scope,
  step: z.int().nonnegative(),
  result: z.union([
    z.object({ verdict: z.literal("run"), timeoutMs: z.int().positive() }),
    z.object({ verdict: z.literal("done"), text: z.string(), failed: z.boolean() }),
  ]),
});
export const WardenFrame = z.discriminatedUnion("type", [Activate, Stop, ModelResult, StepResult]);
export type WardenFrame = z.infer<typeof WardenFrame>;

const ModelRequested = z.object({
  type: z.literal("model-request"),
  ...stamp,
  ...scope,
  step: z.int().nonnegative(),
  system: z.array(SystemPart),
  messages: z.array(ModelMessage),
  tools: z.array(z.string()),
  toolUse: z.enum(["allowed", "forbidden"]),
});
const StepRequest = z.object({
  type: z.literal("step-request"),
  ...stamp,
  ...scope,
  step: z.int().nonnegative(),
  call: ToolCall,
});
const StepDone = z.object({
  type: z.literal("step-done"),
  ...stamp,
  ...scope,
  step: z.int().nonnegative(),
  text: z.string(),
  failed: z.boolean(),
});
/** The activation is over. An empty reply means that there is nothing to say. */
const Finish = z.object({
  type: z.literal("finish"),
  ...stamp,
  ...scope,
  outcome: z.union([
    z.object({ kind: z.literal("reply"), text: z.string() }),
    z.object({ kind: z.literal("failed"), error: ErrorBody }),
    z.object({ kind: z.literal("stopped") }),
  ]),
});
export const InmateFrame = z.discriminatedUnion("type", [Hello, ModelRequested, StepRequest, StepDone, Finish]);
export type InmateFrame = z.infer<typeof InmateFrame>;

/** Ids that scope a frame. */
export interface FrameScope {
  readonly agent: AgentId;
  readonly room: RoomId;
  /** Who caused the activation. */
  readonly person: AgentId;
  readonly session: SessionId;
  readonly activation: ActivationId;
}

type Unstamped<Frame> = Frame extends unknown ? Omit<Frame, "id" | "at"> : never;
export type WardenFrameBody = Unstamped<WardenFrame>;
export type InmateFrameBody = Unstamped<InmateFrame>;
