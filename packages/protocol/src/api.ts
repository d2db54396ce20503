/** What crosses the house's port: bodies of requests and answers, and the frames of its socket. */
import { z } from "zod";
import { CellInfo } from "./cell.ts";
import { Compaction } from "./compaction.ts";
import { Durability } from "./durability.ts";
import { ErrorBody } from "./error-schema.ts";
import { ActivationState, MAX_MESSAGE_LENGTH, SkipReason, Trigger } from "./event.ts";
import { ActivationId, AgentId, EventId, HouseId, RoomId, StreamName } from "./ids.ts";
import { Usage } from "./model.ts";
import { Level, Permission } from "./permission.ts";
import { AgentContent, AgentRecord, HouseContent, HouseRecord, RoomContent, RoomRecord } from "./record.ts";
import { StoredEvent } from "./stored.ts";

/** Largest request body, in bytes. */
export const MAX_BODY_SIZE = 1024 * 1024;

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

export const EditMessage = z.strictObject({ text });
export type EditMessage = z.infer<typeof EditMessage>;

/** Query of every stream: events after an offset, or the last ones before one; oldest first in both cases. */
export const ReadQuery = z.object({
  after: z.coerce.number().int().nonnegative().default(0),
  /** As the page that named `after` said. Another one than the house's: the offset is stale, and the answer is `stream.behind`. */
  epoch: z.string().max(64).optional(),
  /** Instead of `after`: the last `limit` events before this offset, or before the end of what is there. Never waits. */
  before: z.union([z.literal("end"), z.coerce.number().int().positive()]).optional(),
  limit: z.coerce.number().int().min(1).max(1000).default(100),
  /** Long poll: wait up to this many milliseconds for the first event. */
  wait: z.coerce.number().int().min(0).max(60_000).default(0),
});
/**
 * `next` is the `after` of the next read; `head` the offset of the stream's last event, 0 when there is none. `epoch` goes with both:
 * offsets of another epoch were given out before the house was restored from a backup.
 */
export const EventPage = z.object({
  events: z.array(StoredEvent),
  next: z.int().nonnegative(),
  head: z.int().nonnegative(),
  /** Absent: the house is an older one. */
  epoch: z.string().exactOptional(),
});
export type EventPage = z.infer<typeof EventPage>;

/** Who the credential stands for, and where. */
export const Me = z.object({
  agent: AgentRecord,
  house: HouseRecord,
  version: z.string(),
  /** What it may do, and where: every house and room that it sees. */
  permissions: z.array(Permission),
  /** The first house, if one may something there: its admins look after providers, channels and the daemon. */
  home: HouseId.optional(),
  /** The home was restored or copied, and the house waits for a decision of its owner. */
  onHold: z.literal(true).optional(),
});
export type Me = z.infer<typeof Me>;

/** How far a room has come: the offset and the time of its last event. 0 and absent when nothing was said yet. */
export const RoomHead = z.object({ room: RoomId, head: z.int().nonnegative(), at: z.int().optional() });
export type RoomHead = z.infer<typeof RoomHead>;
export const RoomHeadList = z.array(RoomHead);

/** Every list answers with a plain array. */
export const HouseList = z.array(HouseRecord);
export const RoomList = z.array(RoomRecord);
export const AgentList = z.array(AgentRecord);

export const CreateHouse = z.strictObject({ content: HouseContent });
export const CreateRoom = z.strictObject({ house: HouseId.optional(), content: RoomContent });
/** `level`: what it may do in its house from the beginning. Absent: `w`. Never more than who makes it may. */
export const CreateAgent = z.strictObject({
  house: HouseId.optional(),
  content: AgentContent,
  level: z.union([Level, z.literal("none")]).optional(),
});
/** `content` holds the fields to change, `null` takes one away. With `version`, only if nobody changed it since. */
export const PatchRecord = z.strictObject({
  version: z.int().positive().optional(),
  content: z.record(z.string(), z.json()),
});
export type PatchRecord = z.infer<typeof PatchRecord>;

export const ChatRequest = z.strictObject({ agentName: z.string().min(1).max(200), message: text });
export const ChatAnswer = z.object({
  result: z.string(),
  sessionId: z.string(),
  /** The model failed for a reason that may pass, and the agent tries again then. `result` is empty; the reply will be in the room. */
  retryAt: z.int().optional(),
});
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
  skip: SkipReason.optional(),
  error: ErrorBody.optional(),
  model: z.string().optional(),
  usage: Usage,
  /** How many activations of bots led to it. */
  depth: z.int().nonnegative(),
  /** The activation that delegated it, or asked. */
  parent: ActivationId.optional(),
  createdAt: z.int(),
  startedAt: z.int().optional(),
  endedAt: z.int().optional(),
  /** The message at the beginning of the chain, a person's mostly. */
  root: EventId.optional(),
  /** Ambient ones that wait for a silence: until when. */
  readyAt: z.int().optional(),
  /** When it is tried again, UTC milliseconds. `error` says why it has to be. */
  retryAt: z.int().optional(),
  /** Of one that failed: the activation that a person started in its place. */
  retriedBy: ActivationId.optional(),
  /** The activation that took in its message and answers it too. */
  mergedInto: ActivationId.optional(),
});
export type Activation = z.infer<typeof Activation>;
/** Of one room, newest first. */
export const RoomActivationQuery = z.object({
  state: ActivationState.optional(),
  trigger: Trigger.optional(),
  skip: SkipReason.optional(),
  since: z.coerce.number().int().nonnegative().optional(),
  limit: z.coerce.number().int().min(1).max(1000).default(50),
});
export type RoomActivationQuery = z.infer<typeof RoomActivationQuery>;
export const ActivationQuery = z.object({
  room: RoomId.optional(),
  /** The same as `room`. */
  roomId: RoomId.optional(),
  trigger: Trigger.optional(),
  state: ActivationState.optional(),
  skip: SkipReason.optional(),
  cause: EventId.optional(),
  /** The same as `cause`: the id of the message that woke the agent. */
  triggerId: EventId.optional(),
  since: z.coerce.number().int().nonnegative().optional(),
  limit: z.coerce.number().int().min(1).max(1000).default(50),
});
export type ActivationQuery = z.infer<typeof ActivationQuery>;

/** One call of the journal, for people to look at. */
export const Step = z.object({
  activation: ActivationId,
  /** From 0. -1: before an ambient one began, a model was asked whether the talk concerns the agent. */
  step: z.int(),
  /** `intake`: what people said meanwhile was taken in. */
  kind: z.enum(["model", "tool", "intake"]),
  name: z.string(),
  /** What a crash in the middle of it would have meant: `pure`, `keyed`, `reconcilable` or `plain`. */
  effect: z.string(),
  state: z.enum(["started", "done", "unknown"]),
  /** Of a model call, and of a tool that asked a model. */
  usage: Usage.optional(),
  /** The beginning of what came of it, on one line: what the model said and asked for, what the tool gave, what was taken in. */
  glimpse: z.string().optional(),
  /** Of a tool: the outcome is no success. */
  failed: z.boolean().optional(),
  /** Of an intake: the messages that were taken in. */
  messages: z.array(EventId).optional(),
  startedAt: z.int(),
  endedAt: z.int().optional(),
});
/** What an activation said and did, in its order, as whoever watched it saw it. */
export const ActivationPart = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("text"), text: z.string() }),
  z.object({
    kind: z.literal("tool"),
    call: z.string(),
    name: z.string(),
    input: z.json(),
    /** `unknown`: it was begun, and nobody can say what came of it. */
    state: z.enum(["running", "done", "failed", "unknown"]),
    output: z.string().optional(),
    startedAt: z.int().optional(),
    durationMs: z.number().optional(),
  }),
]);
export type ActivationPart = z.infer<typeof ActivationPart>;
export const ActivationList = z.array(Activation);
export const ActivationDetail = Activation.extend({
  /** The message that woke the agent, as it was said at first. Absent: it was deleted. */
  message: z.object({ author: AgentId, at: z.int(), text: z.string() }).optional(),
  steps: z.array(Step),
  parts: z.array(ActivationPart),
  /** Of `usage`, what programs in the agent's cell took of its model. Absent: nothing. */
  programs: Usage.optional(),
  /** The compaction that it made of its session. Absent: none. */
  compaction: Compaction.optional(),
});
export type ActivationDetail = z.infer<typeof ActivationDetail>;

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
/** A vendor that Hearth knows how to reach: with a key and these details it is set up. */
export const KnownProvider = z.object({
  name: z.string(),
  kind: z.string(),
  baseUrl: z.string().optional(),
  suggestedModel: z.string().optional(),
  /** The vendor's own page where keys are made. */
  keyPage: z.string().optional(),
});
export type KnownProvider = z.infer<typeof KnownProvider>;
export const KnownProviderList = z.array(KnownProvider);

export const CreateProvider = z
  .strictObject({
    name: z.string().regex(/^[a-z][a-z0-9-]{0,63}$/),
    kind: z.string(),
    baseUrl: z.url().optional(),
    apiKey: z.string().max(500).optional().describe("a reference: secret:NAME, env:NAME or file:PATH"),
    key: z
      .string()
      .min(1)
      .max(500)
      .regex(/^[\x21-\x7e]+$/, "is not one word of printable ASCII")
      .optional()
      .describe("instead of apiKey: the key itself, which the house keeps in a file of its own and never shows again"),
  })
  .refine(({ apiKey, key }) => apiKey === undefined || key === undefined, "has both apiKey and key: give one");
export type CreateProvider = z.infer<typeof CreateProvider>;
/** Without `model` the test asks for the list of models. */
export const TestProvider = z.strictObject({ model: z.string().min(1).max(200).optional() });
/** Names as the provider gives them, without its own name in front. */
export const ModelList = z.array(z.string());
export const ProviderTest = z.object({
  ok: z.boolean(),
  detail: z.string(),
  durationMs: z.number(),
  /** Why it did not answer. */
  error: ErrorBody.exactOptional(),
  /** Of a test without a model: the models that the provider lists. */
  models: z.array(z.string()).exactOptional(),
});
export type ProviderTest = z.infer<typeof ProviderTest>;
/** A provider as it would be added. It is tested and not kept. Without `model` the test asks for the list of models. */
export const TestNewProvider = z.strictObject({
  ...{ name: CreateProvider.shape.name, kind: CreateProvider.shape.kind },
  ...{ baseUrl: CreateProvider.shape.baseUrl, key: CreateProvider.shape.key },
  model: TestProvider.shape.model,
});
export type TestNewProvider = z.infer<typeof TestNewProvider>;

/** A model server on this machine that answers and is not in the config yet. */
export const FoundServer = z.object({
  name: z.string(),
  kind: z.string(),
  baseUrl: z.string(),
  models: z.array(z.string()),
});
export type FoundServer = z.infer<typeof FoundServer>;
export const FoundServerList = z.array(FoundServer);

/** `ok`: nobody has to do anything. `absent`: what it is about is not here, and nobody asks for it. */
export const Check = z.object({
  ...{ name: z.string(), ok: z.boolean(), absent: z.literal(true).optional() },
  ...{ detail: z.string(), fix: z.string().optional() },
});
export type Check = z.infer<typeof Check>;
export const CheckList = z.array(Check);

/** What `hearth repair` did to a database. */
export const RepairReport = z.object({
  /** Where the files stand as they were. Null: nothing was damaged, and nothing was changed. */
  copy: z.string().nullable(),
  /** Events that are lost; each has a placeholder in its stream. */
  lost: z.array(z.object({ stream: z.string(), offset: z.int() })),
  /** Tables that had damaged pages, and how many rows they have now. */
  tables: z.array(z.object({ table: z.string(), kept: z.int(), damagedPages: z.int() })),
});
export type RepairReport = z.infer<typeof RepairReport>;

export const Status = z.object({
  version: z.string(),
  home: z.string(),
  url: z.string(),
  pid: z.int(),
  startedAt: z.int(),
  durability: Durability,
  houses: z.int(),
  rooms: z.int(),
  agents: z.int(),
  activations: z.object({ queued: z.int(), running: z.int() }),
  cells: z.array(CellInfo),
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
    /** As the answer to the subscription said that `after` came from. */
    epoch: z.string().max(64).optional(),
  }),
  z.strictObject({ op: z.literal("unsubscribe"), id: z.int(), stream: StreamName }),
  z.strictObject({ op: z.literal("post"), id: z.int(), room: RoomId, message: PostMessage }),
  z.strictObject({ op: z.literal("stop"), id: z.int(), activation: ActivationId }),
  z.strictObject({ op: z.literal("ping"), id: z.int() }),
]);
export type SocketRequest = z.infer<typeof SocketRequest>;
/** From the house: an answer to a request, or events of a subscription. `restarted`: the stream has not come to where its reader was, and goes on from offset 1. */
export const SocketFrame = z.discriminatedUnion("type", [
  z.object({ type: z.literal("answer"), id: z.int(), result: z.json() }),
  z.object({ type: z.literal("error"), id: z.int().optional(), error: ErrorBody }),
  z.object({ type: z.literal("events"), stream: StreamName, events: z.array(StoredEvent), next: z.int() }),
  z.object({ type: z.literal("restarted"), stream: StreamName }),
  z.object({ type: z.literal("ended"), stream: StreamName }),
]);
export type SocketFrame = z.infer<typeof SocketFrame>;
export type LoginLink = z.infer<typeof LoginLink>;
