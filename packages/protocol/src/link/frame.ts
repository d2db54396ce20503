/**
 * Frames between warden and inmate. Every inmate frame is a request, and the warden trusts none of
 * it.
 */
import { z } from "zod";
import { ErrorBody } from "../base/error-schema.ts";
import { ActivationId, AgentId, RoomId, SessionId } from "../base/ids.ts";
import { AssistantMessage, Image, ModelMessage, SystemPart, ToolCall, UserMessage } from "../agents/model.ts";

/**
 * Increased when the loop would decide differently for the same steps. Steps of an older version
 * are then sent as history and not replayed.
 */
export const LOOP_VERSION = 1;

/**
 * Maximum length of an inmate's reply or tool output, in UTF-16 code units. Tools and models stay
 * far below.
 */
export const MAX_INMATE_TEXT = 1_000_000;
/** Maximum length of an error text. */
export const MAX_INMATE_WORDS = 10_000;
const MAX_INMATE_NAME = 1000;

/** On every frame. `id` counts up from 1 on each side of a link. */
const stamp = { id: z.int().positive(), at: z.int() };
/**
 * The activation that a frame belongs to. Authoritative from the warden; from the inmate, an echo
 * that the warden checks.
 */
const scope = { agent: AgentId, room: RoomId, person: AgentId, session: SessionId, activation: ActivationId };

const Hello = z.object({ type: z.literal("hello"), ...stamp, version: z.int(), runtime: z.string().max(200) });

/**
 * A named text of the prompt. `stable: false`: it changes between turns, so it is placed after all
 * stable parts.
 */
export const PromptPart = z.object({ name: z.string(), text: z.string(), stable: z.literal(false).exactOptional() });
export type PromptPart = z.infer<typeof PromptPart>;

/**
 * Everything an activation starts from. Frozen: the same input always produces the same first
 * request.
 */
export const ActivationInput = z.object({
  agent: z.object({ name: z.string(), handle: z.string() }),
  room: z.object({ name: z.string(), kind: z.enum(["direct", "group"]) }),
  house: z.object({ name: z.string(), description: z.string().optional() }),
  /**
   * Name of the agent that asked or delegated: its tool call receives the final text, and no room
   * does. Absent: the reply goes to the room.
   */
  asker: z.string().exactOptional(),
  /** Brain files in prompt order, then the record's own prompt. */
  parts: z.array(PromptPart),
  /** The session so far, oldest first. The last messages are the ones to answer. */
  history: z.array(ModelMessage),
  /**
   * Number of messages before `history` that stay with the warden. Set only in the frame to the
   * cell, whose loop reads no message before the first tool result.
   */
  withheld: z.int().nonnegative().exactOptional(),
  /** Names of the tools that this activation may call. */
  tools: z.array(z.string()),
  /** Those of `tools` that the model sees only after `find_tools` has listed them. */
  hidden: z.array(z.string()).exactOptional(),
  /** Maximum number of model calls. The last one may not call tools. */
  maxRounds: z.int().positive(),
  /**
   * Number of steps, and of model calls among them, that an earlier version of the loop made.
   * `history` contains them.
   */
  before: z.object({ steps: z.int().positive(), rounds: z.int().nonnegative() }).exactOptional(),
});
export type ActivationInput = z.infer<typeof ActivationInput>;

const Message = z.object({ message: AssistantMessage });
/** More messages arrived. They take up this step; the model call is the next step. */
const Intake = z.object({ intake: z.array(UserMessage).min(1) });
const FirstAnswer = z.union([Message, Intake]);
export type FirstAnswer = z.infer<typeof FirstAnswer>;

/**
 * `answers`: the answers to the loop's first requests, in order. The warden made these requests
 * itself, from the input; the inmate makes the next one.
 */
const Activate = z.object({
  type: z.literal("activate"),
  ...stamp,
  ...scope,
  input: ActivationInput,
  answers: z.array(FirstAnswer).exactOptional(),
});
const Stop = z.object({ type: z.literal("stop"), ...stamp, ...scope });
/** Steps count up from 0 within an activation. A model call and a tool call are one step each. */
const ModelResult = z.object({
  type: z.literal("model-result"),
  ...stamp,
  ...scope,
  step: z.int().nonnegative(),
  result: z.union([Message, z.object({ error: ErrorBody }), Intake]),
});
/**
 * Network access of a step: the token that identifies the step to the egress, and the certificate
 * (PEM) that its commands must trust.
 */
export const StepEgress = z.object({
  token: z.string().max(200),
  certificate: z.string().max(10_000).exactOptional(),
  /** The URL of a model that needs no key. Absent: the agent has no grant for it. */
  model: z.string().max(200).exactOptional(),
});
export type StepEgress = z.infer<typeof StepEgress>;

/**
 * `run`: execute the call in the cell and send `step-done`. `done`: it was executed on the host or
 * before a restart, or it was refused.
 */
const StepResult = z.object({
  type: z.literal("step-result"),
  ...stamp,
  ...scope,
  step: z.int().nonnegative(),
  result: z.union([
    z.object({
      verdict: z.literal("run"),
      timeoutMs: z.int().positive(),
      /** The step's idempotency key: the same each time the step runs. */
      key: z.string(),
      /**
       * The step started before and its outcome is unknown. A tool that can check with the remote
       * side does so first.
       */
      again: z.boolean(),
      /**
       * For command tools: start in the workspace root, because the approval was given for that.
       */
      atRoot: z.literal(true).exactOptional(),
      /** For command tools. */
      egress: StepEgress.exactOptional(),
    }),
    z.object({ verdict: z.literal("done"), text: z.string(), failed: z.boolean() }),
  ]),
});
/** A piece of a file for the workspace, in order. The path of a file that does not stay is below `INBOX`. */
const FilePiece = z.object({
  type: z.literal("file-piece"),
  ...stamp,
  ...scope,
  path: z.string().max(1024),
  /** Base64. */
  data: z.string(),
  isLast: z.boolean(),
  /** The file is the agent's own, and stays when the turn ends. */
  stays: z.literal(true).exactOptional(),
});
export const WardenFrame = z.discriminatedUnion("type", [Activate, Stop, ModelResult, StepResult, FilePiece]);
export type WardenFrame = z.infer<typeof WardenFrame>;

const ModelRequested = z.object({
  type: z.literal("model-request"),
  ...stamp,
  ...scope,
  step: z.int().nonnegative(),
  system: z.array(SystemPart),
  /**
   * Number of leading messages that equal the previous request's, or, for the first request, the
   * input's history. `messages` has only the rest.
   */
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
/** The text is a few lines, for people. */
const InmateError = ErrorBody.extend({
  message: z.string().max(MAX_INMATE_WORDS),
  hint: z.string().max(MAX_INMATE_WORDS).exactOptional(),
});
/** Ends the activation. An empty reply means that there is nothing to say. */
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

export interface FrameScope {
  readonly agent: AgentId;
  readonly room: RoomId;
  /** The person who caused the activation. */
  readonly person: AgentId;
  readonly session: SessionId;
  readonly activation: ActivationId;
}

type Unstamped<Frame> = Frame extends unknown ? Omit<Frame, "id" | "at"> : never;
export type WardenFrameBody = Unstamped<WardenFrame>;
export type InmateFrameBody = Unstamped<InmateFrame>;
