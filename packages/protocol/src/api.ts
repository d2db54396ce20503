/** What crosses the house's port: bodies of requests and answers, and the frames of its socket. */
import { z } from "zod";
import { ErrorBody } from "./error-schema.ts";
import { ActivationState, MAX_MESSAGE_LENGTH, StoredEvent, Trigger } from "./event.ts";
import { ActivationId, AgentId, EventId, HouseId, KeyId, RoomId, StreamName } from "./ids.ts";
import { Usage } from "./model.ts";
import { AgentContent, AgentRecord, HouseContent, HouseRecord, RoomContent, RoomRecord } from "./record.ts";

/** Largest request body, in bytes. */
export const MAX_BODY_SIZE = 1024 * 1024;
/** Deepest JSON that a request may carry. */
export const MAX_JSON_DEPTH = 64;

export const ErrorAnswer = z.object({ error: ErrorBody });

const text = z
  .string()
  .min(1)
  .max(MAX_MESSAGE_LENGTH)
  .refine((value) => value.isWellFormed(), "is not well-formed Unicode");

export const PostMessage = z.strictObject({
  text,
  /** The same key in the same room by the same author is the same message. */
  idempotencyKey: z.string().min(1).max(200).optional(),
  replyTo: EventId.optional(),
});
export type PostMessage = z.infer<typeof PostMessage>;

/** Query of every stream: events after an offset, oldest first. */
export const ReadQuery = z.object({
  after: z.coerce.number().int().nonnegative().default(0),
  limit: z.coerce.number().int().min(1).max(1000).default(100),
  /** Long poll: wait up to this many milliseconds for the first event. */
  wait: z.coerce.number().int().min(0).max(60_000).default(0),
});
/** `next` is the `after` of the next read. */
export const EventPage = z.object({ events: z.array(StoredEvent), next: z.int().nonnegative() });
export type EventPage = z.infer<typeof EventPage>;

/** Every list answers with a plain array. */
export const HouseList = z.array(HouseRecord);
export const RoomList = z.array(RoomRecord);
export const AgentList = z.array(AgentRecord);

export const CreateHouse = z.strictObject({ content: HouseContent });
export const CreateRoom = z.strictObject({ house: HouseId.optional(), content: RoomContent });
export const CreateAgent = z.strictObject({ house: HouseId.optional(), content: AgentContent });
/** `content` holds the fields to change, `null` takes one away. With `version`, only if nobody changed it since. */
export const PatchRecord = z.strictObject({
  version: z.int().positive().optional(),
  content: z.record(z.string(), z.json()),
});
export type PatchRecord = z.infer<typeof PatchRecord>;

export const ChatRequest = z.strictObject({ agentName: z.string().min(1).max(200), message: text });
export const ChatAnswer = z.object({ result: z.string(), sessionId: z.string() });
export type ChatAnswer = z.infer<typeof ChatAnswer>;

export const Activation = z.object({
  id: ActivationId,
  agent: AgentId,
  room: RoomId,
  trigger: Trigger,
  /** The message that woke the agent. */
  cause: EventId,
  state: ActivationState,
  reason: z.string().optional(),
  error: ErrorBody.optional(),
  model: z.string().optional(),
  usage: Usage,
  createdAt: z.int(),
  startedAt: z.int().optional(),
  endedAt: z.int().optional(),
});
export type Activation = z.infer<typeof Activation>;
export const ActivationQuery = z.object({
  room: RoomId.optional(),
  trigger: Trigger.optional(),
  state: ActivationState.optional(),
  cause: EventId.optional(),
  since: z.coerce.number().int().nonnegative().optional(),
  limit: z.coerce.number().int().min(1).max(1000).default(50),
});
export type ActivationQuery = z.infer<typeof ActivationQuery>;

/** One call of the journal, for people to look at. */
export const Step = z.object({
  activation: ActivationId,
  step: z.int(),
  kind: z.enum(["model", "tool"]),
  name: z.string(),
  state: z.enum(["started", "done", "unknown"]),
  startedAt: z.int(),
  endedAt: z.int().optional(),
});
export const ActivationList = z.array(Activation);
export const ActivationDetail = Activation.extend({ steps: z.array(Step) });
export type ActivationDetail = z.infer<typeof ActivationDetail>;

export const CreateKey = z.strictObject({ name: z.string().min(1).max(100), agent: AgentId.optional() });
export type CreateKey = z.infer<typeof CreateKey>;
/** `key` is shown here and never again. */
export const CreatedKey = z.object({ key: z.string(), id: KeyId, name: z.string(), agent: AgentId });
export type CreatedKey = z.infer<typeof CreatedKey>;
export const KeyInfo = z.object({
  id: KeyId,
  name: z.string(),
  agent: AgentId,
  createdAt: z.int(),
  revokedAt: z.int().optional(),
});
export type KeyInfo = z.infer<typeof KeyInfo>;

export const KeyList = z.array(KeyInfo);

export const ProviderInfo = z.object({
  name: z.string(),
  kind: z.string(),
  baseUrl: z.string().optional(),
  /** Where it comes from: the config file, a key found in the environment, or built in. */
  source: z.enum(["config", "environment", "built-in"]),
  /** Whether it could be called: a key is at hand, or none is needed. */
  ready: z.boolean(),
  detail: z.string(),
  /** A model to start with. */
  suggestedModel: z.string().optional(),
});
export type ProviderInfo = z.infer<typeof ProviderInfo>;
export const ProviderList = z.array(ProviderInfo);
export const CreateProvider = z.strictObject({
  name: z.string().regex(/^[a-z][a-z0-9-]{0,63}$/),
  kind: z.string(),
  baseUrl: z.url().optional(),
  apiKey: z.string().max(500).optional().describe("a reference: env:NAME or file:PATH"),
});
export type CreateProvider = z.infer<typeof CreateProvider>;
export const TestProvider = z.strictObject({ model: z.string().min(1).max(200) });
export const ProviderTest = z.object({ ok: z.boolean(), detail: z.string(), durationMs: z.number() });
export type ProviderTest = z.infer<typeof ProviderTest>;

export const Check = z.object({ name: z.string(), ok: z.boolean(), detail: z.string(), fix: z.string().optional() });
export type Check = z.infer<typeof Check>;
export const CheckList = z.array(Check);

export const Status = z.object({
  version: z.string(),
  home: z.string(),
  url: z.string(),
  pid: z.int(),
  startedAt: z.int(),
  houses: z.int(),
  rooms: z.int(),
  agents: z.int(),
  activations: z.object({ queued: z.int(), running: z.int() }),
  cells: z.array(z.object({ agent: AgentId, backend: z.string(), pid: z.int().optional() })),
});
export type Status = z.infer<typeof Status>;
export const LoginLink = z.object({ url: z.string(), expiresAt: z.int() });

/** A request over `/ws`. `id` is the client's and comes back with the answer. */
export const SocketRequest = z.discriminatedUnion("op", [
  z.strictObject({
    op: z.literal("subscribe"),
    id: z.int(),
    stream: StreamName,
    after: z.int().nonnegative().default(0),
  }),
  z.strictObject({ op: z.literal("unsubscribe"), id: z.int(), stream: StreamName }),
  z.strictObject({ op: z.literal("post"), id: z.int(), room: RoomId, message: PostMessage }),
  z.strictObject({ op: z.literal("stop"), id: z.int(), activation: ActivationId }),
  z.strictObject({ op: z.literal("ping"), id: z.int() }),
]);
export type SocketRequest = z.infer<typeof SocketRequest>;
/** From the house: an answer to a request, or events of a subscription. `restarted`: an in-memory stream began anew at offset 1. */
export const SocketFrame = z.discriminatedUnion("type", [
  z.object({ type: z.literal("answer"), id: z.int(), result: z.json() }),
  z.object({ type: z.literal("error"), id: z.int().optional(), error: ErrorBody }),
  z.object({ type: z.literal("events"), stream: StreamName, events: z.array(StoredEvent), next: z.int() }),
  z.object({ type: z.literal("restarted"), stream: StreamName }),
  z.object({ type: z.literal("ended"), stream: StreamName }),
]);
export type SocketFrame = z.infer<typeof SocketFrame>;
export type LoginLink = z.infer<typeof LoginLink>;
