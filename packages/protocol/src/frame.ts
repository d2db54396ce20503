/** What warden and inmate say to each other. Every frame of the inmate is a request; the warden believes none of it. */
import { z } from "zod";
import { ErrorBody } from "./error-schema.ts";
import { ActivationId, AgentId, RoomId, SessionId } from "./ids.ts";
import { AssistantMessage, Image, ModelMessage, SystemPart, ToolCall, UserMessage } from "./model.ts";

/** Raised when the loop decides otherwise for the same steps: then steps of an older one are told as history, not folded. */
export const LOOP_VERSION = 1;

/** Longest text of an inmate in one place, in UTF-16 code units: a reply, the end of a call. Tools and models stay far below. */
export const MAX_INMATE_TEXT = 1_000_000;
/** The same for what went wrong, and for what is only a name. */
export const MAX_INMATE_WORDS = 10_000;
const MAX_INMATE_NAME = 1000;

/** On every frame: counts up from 1 on each side of a link. */
const stamp = { id: z.int().positive(), at: z.int() };
/** Whom a frame is about. From the warden it is the truth, from the inmate an echo that the warden checks. */
const scope = { agent: AgentId, room: RoomId, person: AgentId, session: SessionId, activation: ActivationId };

const Hello = z.object({ type: z.literal("hello"), ...stamp, version: z.int(), runtime: z.string().max(200) });

/** One named text that the prompt is made of. `stable: false`: it changes between the turns of a conversation, and comes after all that does not. */
export const PromptPart = z.object({ name: z.string(), text: z.string(), stable: z.literal(false).exactOptional() });
export type PromptPart = z.infer<typeof PromptPart>;

/** Everything an activation starts from. It is frozen: the same input always makes the same first request. */
export const ActivationInput = z.object({
  agent: z.object({ name: z.string(), handle: z.string() }),
  room: z.object({ name: z.string(), kind: z.enum(["direct", "group"]) }),
  house: z.object({ name: z.string(), description: z.string().optional() }),
  /** The agent that asked or delegated, by name: its tool gets the final text, and no room does. Absent: the room wakes. */
  asker: z.string().exactOptional(),
  /** Brain files in prompt order, then the record's own prompt. */
  parts: z.array(PromptPart),
  /** The session so far, oldest first; the last ones are what is to be answered. */
  history: z.array(ModelMessage),
  /** Names of the tools this activation may ask for. */
  tools: z.array(z.string()),
  /** Those of them that a model is told of once `find_tools` has named them. */
  hidden: z.array(z.string()).exactOptional(),
  /** Model calls at most. In the last one no tool may be called. */
  maxRounds: z.int().positive(),
  /** How many steps, and model calls among them, an earlier version of the loop made: they are told in `history`. */
  before: z.object({ steps: z.int().positive(), rounds: z.int().nonnegative() }).exactOptional(),
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
  result: z.union([
    z.object({ message: AssistantMessage }),
    z.object({ error: ErrorBody }),
    /** People said more meanwhile. The step is that; the model is asked at the next one. */
    z.object({ intake: z.array(UserMessage).min(1) }),
  ]),
});
/** How a step reaches the network: the word that says whose step it is, and the certificate, PEM, that its commands have to trust. */
export const StepEgress = z.object({
  token: z.string().max(200),
  certificate: z.string().max(10_000).exactOptional(),
  /** The address under which its commands find a model that wants no key. Absent: its agent has no grant for it. */
  model: z.string().max(200).exactOptional(),
});
export type StepEgress = z.infer<typeof StepEgress>;

/** `run`: do it, in the cell, and send `step-done`. `done`: it has been done (on the host, or before a restart) or refused. */
const StepResult = z.object({
  type: z.literal("step-result"),
  ...stamp,
  ...scope,
  step: z.int().nonnegative(),
  result: z.union([
    z.object({
      verdict: z.literal("run"),
      timeoutMs: z.int().positive(),
      /** The same however often this step is run: what a tool gives to a far side that takes idempotency keys. */
      key: z.string(),
      /** It was begun before, and nobody knows what came of it: a tool that can ask the far side asks first. */
      again: z.boolean(),
      /** For tools that run commands: it begins in the workspace's own folder, for that is what a person said yes to. */
      atRoot: z.literal(true).exactOptional(),
      /** For tools that run commands. */
      egress: StepEgress.exactOptional(),
    }),
    z.object({ verdict: z.literal("done"), text: z.string(), failed: z.boolean(), image: Image.exactOptional() }),
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
  /** So many messages of its last request, or of the input's history before the first, come before `messages` and are not said again. */
  kept: z.int().nonnegative(),
  messages: z.array(ModelMessage),
  tools: z.array(z.string().max(MAX_INMATE_NAME)).max(1000),
  toolUse: z.enum(["allowed", "forbidden"]),
});
const StepRequest = z.object({
  type: z.literal("step-request"),
  ...stamp,
  ...scope,
  step: z.int().nonnegative(),
  call: ToolCall.extend({ id: z.string().max(MAX_INMATE_NAME), name: z.string().max(MAX_INMATE_NAME) }),
});
const StepDone = z.object({
  type: z.literal("step-done"),
  ...stamp,
  ...scope,
  step: z.int().nonnegative(),
  text: z.string().max(MAX_INMATE_TEXT),
  failed: z.boolean(),
  image: Image.exactOptional(),
});
/** In words for people: some lines. */
const InmateError = ErrorBody.extend({
  message: z.string().max(MAX_INMATE_WORDS),
  hint: z.string().max(MAX_INMATE_WORDS).exactOptional(),
});
/** The activation is over. An empty reply means that there is nothing to say. */
const Finish = z.object({
  type: z.literal("finish"),
  ...stamp,
  ...scope,
  outcome: z.union([
    z.object({ kind: z.literal("reply"), text: z.string().max(MAX_INMATE_TEXT) }),
    z.object({ kind: z.literal("failed"), error: InmateError }),
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
