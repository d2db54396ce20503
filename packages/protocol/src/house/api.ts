/** API types of the house's port: request and response bodies, and the frames of its WebSocket. */
import { z } from "zod";
import { CellInfo } from "../agents/cell.ts";
import { Compaction } from "../agents/compaction.ts";
import { MAX_RECALLED } from "../agents/memory.ts";
import { Durability } from "./durability.ts";
import { ErrorBody } from "../base/error-schema.ts";
import { MAX_ATTACHMENTS } from "../events/attachment.ts";
import { ActivationState, Emoji, MAX_MESSAGE_LENGTH, SkipReason, Trigger } from "../events/event.ts";
import { ActivationId, AgentId, EventId, HouseId, RoomId, StreamName, UploadId } from "../base/ids.ts";
import { Usage } from "../agents/model.ts";
import { Label } from "../policy/label.ts";
import { Level, Permission } from "../people/permission.ts";
import { AgentContent, AgentRecord, HouseContent, HouseRecord, RoomContent, RoomRecord } from "../people/record.ts";
import { StoredEvent } from "../events/stored.ts";

/** Largest request body, in bytes. */
export const MAX_BODY_SIZE = 1024 * 1024;

/** The cookie with the language that a person chose for the UI in this browser, for example `de`. */
export const LANGUAGE_COOKIE = "hearth_language";

/** The answer to a health check of a monitor. */
export const Health = z.object({
  status: z.string(),
  /** The parts that do not work. Absent if all do. */
  failing: z.array(z.enum(["readers", "tunnel"])).optional(),
});
export type Health = z.infer<typeof Health>;

export const ErrorAnswer = z.object({ error: ErrorBody });

const anyText = z
  .string()
  .max(MAX_MESSAGE_LENGTH)
  .refine((value) => value.isWellFormed(), "is not well-formed Unicode");
const text = anyText.min(1);

export const PostMessage = z
  .strictObject({
    /** May be empty if the message has attachments. */
    text: anyText,
    /** Complete uploads of the author. */
    attachments: z.array(UploadId).min(1).max(MAX_ATTACHMENTS).exactOptional(),
    /** Posting again with the same key, room and author returns the first message. */
    idempotencyKey: z.string().min(1).max(200).optional(),
    replyTo: EventId.optional(),
  })
  .refine(({ text, attachments }) => text !== "" || attachments !== undefined, {
    path: ["text"],
    message: "is empty, and the message has no attachments",
  })
  .refine(({ attachments = [] }) => new Set(attachments).size === attachments.length, {
    path: ["attachments"],
    message: "names an upload twice",
  });
export type PostMessage = z.infer<typeof PostMessage>;

export const EditMessage = z.strictObject({ text });
export type EditMessage = z.infer<typeof EditMessage>;

export const InstantQuery = z.object({ time: z.coerce.number().int().nonnegative().describe("UTC milliseconds") });
export type InstantQuery = z.input<typeof InstantQuery>;

/** The place of an instant in a room. */
export const RoomPlace = z.object({
  /** The offset of the first event at this instant or later. Absent: the room ends earlier. */
  offset: z.int().positive().exactOptional(),
});
export type RoomPlace = z.infer<typeof RoomPlace>;

/** `isOn`: whether the caller's emoji is on the message afterwards. */
export const ReactToMessage = z.strictObject({ emoji: Emoji, isOn: z.boolean() });
export type ReactToMessage = z.infer<typeof ReactToMessage>;

/**
 * Query of every stream: the events after an offset, or the last ones before an offset. Oldest
 * first in both cases.
 */
export const ReadQuery = z.object({
  after: z.coerce.number().int().nonnegative().default(0),
  /**
   * The epoch of the page that returned `after`. If the house has another epoch, the offset is
   * stale and the answer is `stream.behind`.
   */
  epoch: z.string().max(64).optional(),
  /**
   * Instead of `after`: the last `limit` events before this offset, or before the end. Never waits.
   */
  before: z.union([z.literal("end"), z.coerce.number().int().positive()]).optional(),
  limit: z.coerce.number().int().min(1).max(1000).default(100),
  /** Long poll: waits up to this many milliseconds for the first event. */
  wait: z.coerce.number().int().min(0).max(60_000).default(0),
});
/**
 * A page of events. `next`: the `after` of the next read. `head`: the offset of the stream's last
 * event, or 0 if it is empty. `epoch` qualifies both: offsets of another epoch were issued before
 * the house was restored from a backup.
 */
export const EventPage = z.object({
  events: z.array(StoredEvent),
  next: z.int().nonnegative(),
  head: z.int().nonnegative(),
  /** Absent: the house runs a version without epochs. */
  epoch: z.string().exactOptional(),
});
export type EventPage = z.infer<typeof EventPage>;

/** The identity behind the request's credential. */
export const Me = z.object({
  agent: AgentRecord,
  house: HouseRecord,
  version: z.string(),
  /** Its permissions on every house and room that it can see. */
  permissions: z.array(Permission),
  /**
   * The first house, if the caller has permissions there. Its admins manage providers, channels and
   * the daemon.
   */
  home: HouseId.optional(),
  /** The home was restored or copied, and the house waits for its owner's decision. */
  onHold: z.literal(true).optional(),
  /** The house transcribes attached audio. */
  transcribes: z.literal(true).optional(),
  /** The house describes attached pictures for models that do not see. */
  describes: z.literal(true).optional(),
  /** The house reads messages aloud. */
  speaks: z.literal(true).optional(),
  /** A backup is late or failed. Only admins of the first house see this. */
  needsBackup: z.literal(true).optional(),
});
export type Me = z.infer<typeof Me>;

/**
 * The offset and time of a room's last event. If the room is empty, `head` is 0 and `at` is absent.
 */
export const RoomHead = z.object({ room: RoomId, head: z.int().nonnegative(), at: z.int().optional() });
export type RoomHead = z.infer<typeof RoomHead>;
export const RoomHeadList = z.array(RoomHead);

/** Each list endpoint returns a plain array. */
export const HouseList = z.array(HouseRecord);
export const RoomList = z.array(RoomRecord);
export const AgentList = z.array(AgentRecord);

export const CreateHouse = z.strictObject({ content: HouseContent });
export const CreateRoom = z.strictObject({ house: HouseId.optional(), content: RoomContent });
/**
 * `level`: the agent's initial permission on its house, `w` by default. At most the creator's own.
 */
export const CreateAgent = z.strictObject({
  house: HouseId.optional(),
  content: AgentContent,
  level: z.union([Level, z.literal("none")]).optional(),
});
/**
 * `content` holds the fields to change; `null` removes a field. With `version`, the patch applies
 * only to that version of the record.
 */
export const PatchRecord = z.strictObject({
  version: z.int().positive().optional(),
  content: z.record(z.string(), z.json()),
});
export type PatchRecord = z.infer<typeof PatchRecord>;

export const ChatRequest = z.strictObject({ agentName: z.string().min(1).max(200), message: text });
export const ChatAnswer = z.object({
  result: z.string(),
  sessionId: z.string(),
  /**
   * Set when the model failed temporarily: the agent retries then. `result` is empty, and the reply
   * will appear in the room.
   */
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
  /** Number of bot activations in the chain before this one. */
  depth: z.int().nonnegative(),
  /** The activation that delegated this one or asked it. */
  parent: ActivationId.optional(),
  createdAt: z.int(),
  startedAt: z.int().optional(),
  endedAt: z.int().optional(),
  /** The first message of the chain, usually a person's. */
  root: EventId.optional(),
  /**
   * For an ambient activation that waits for the room to be quiet: until when, in UTC milliseconds.
   */
  readyAt: z.int().optional(),
  /** Time of the next retry, in UTC milliseconds. `error` has the reason. */
  retryAt: z.int().optional(),
  /** For a failed activation: the activation that a person started to replace it. */
  retriedBy: ActivationId.optional(),
  /** The activation that included this one's message and answers it too. */
  mergedInto: ActivationId.optional(),
});
export type Activation = z.infer<typeof Activation>;
/** Query for the activations of one room. Newest first. */
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
  /** Alias of `room`. */
  roomId: RoomId.optional(),
  trigger: Trigger.optional(),
  state: ActivationState.optional(),
  skip: SkipReason.optional(),
  cause: EventId.optional(),
  /** Alias of `cause`: the id of the message that woke the agent. */
  triggerId: EventId.optional(),
  since: z.coerce.number().int().nonnegative().optional(),
  limit: z.coerce.number().int().min(1).max(1000).default(50),
});
export type ActivationQuery = z.infer<typeof ActivationQuery>;

/** One call in the journal, as shown to people. */
export const Step = z.object({
  activation: ActivationId,
  /** From 0. -1: the relevance check before an ambient activation. */
  step: z.int(),
  /** `intake`: includes messages that arrived while the activation ran. */
  kind: z.enum(["model", "tool", "intake"]),
  name: z.string(),
  /** The effect class, which decides what happens after a crash: `pure`, `keyed`, `reconcilable` or `plain`. */
  effect: z.string(),
  state: z.enum(["started", "done", "unknown"]),
  /** Usage of a model call, or of a tool that called a model. */
  usage: Usage.optional(),
  /**
   * The beginning of the result, on one line: the model's text and tool calls, the tool's output, or the
   * included messages.
   */
  glimpse: z.string().optional(),
  /** For a tool call: the outcome was not a success. */
  failed: z.boolean().optional(),
  /** For an intake: the messages that it included. */
  messages: z.array(EventId).optional(),
  /** Provenance of the result. Absent: none was stored. */
  label: Label.optional(),
  startedAt: z.int(),
  endedAt: z.int().optional(),
});
/** A part of an activation's output, in the order in which a live viewer saw it. */
export const ActivationPart = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("text"), text: z.string() }),
  z.object({
    kind: z.literal("tool"),
    call: z.string(),
    name: z.string(),
    input: z.json(),
    /** `unknown`: the call started, and its outcome is not known. */
    state: z.enum(["running", "done", "failed", "unknown"]),
    output: z.string().optional(),
    startedAt: z.int().optional(),
    durationMs: z.number().optional(),
  }),
]);
export type ActivationPart = z.infer<typeof ActivationPart>;
export const ActivationList = z.array(Activation);
export const ActivationDetail = Activation.extend({
  /** The message that woke the agent, before any edits. Absent: it was deleted. */
  message: z.object({ author: AgentId, at: z.int(), text: z.string() }).optional(),
  steps: z.array(Step),
  parts: z.array(ActivationPart),
  /** The part of `usage` that programs in the agent's cell spent on its model. Absent: nothing. */
  programs: Usage.optional(),
  /** The compaction that the activation made of its session, if any. */
  compaction: Compaction.optional(),
});
export type ActivationDetail = z.infer<typeof ActivationDetail>;

export const ProviderInfo = z.object({
  name: z.string(),
  kind: z.string(),
  baseUrl: z.string().optional(),
  /** Where its configuration comes from: the config file, a key in the environment, or built in. */
  source: z.enum(["config", "environment", "built-in"]),
  /** Whether it can be called: its key is available, or it needs none. */
  ready: z.boolean(),
  detail: z.string(),
  /** A model to start with. */
  suggestedModel: z.string().optional(),
  /** Set if the house stores the key, so that it can be replaced. */
  keyIsStored: z.literal(true).optional(),
  /** Number of retries after a transient failure, if the config file sets it. */
  retries: z.int().optional(),
});
export type ProviderInfo = z.infer<typeof ProviderInfo>;
export const ProviderList = z.array(ProviderInfo);
/** A vendor that Hearth can reach once it has a key. */
export const KnownProvider = z.object({
  name: z.string(),
  kind: z.string(),
  baseUrl: z.string().optional(),
  suggestedModel: z.string().optional(),
  /** The vendor's web page for creating keys. */
  keyPage: z.string().optional(),
});
export type KnownProvider = z.infer<typeof KnownProvider>;
export const KnownProviderList = z.array(KnownProvider);

/** A key or token that a person types. */
export const KeyText = z
  .string()
  .min(1)
  .max(500)
  .regex(/^[\x21-\x7e]+$/, "is not one word of printable ASCII");

export const CreateProvider = z
  .strictObject({
    name: z.string().regex(/^[a-z][a-z0-9-]{0,63}$/),
    kind: z.string(),
    baseUrl: z.url().optional(),
    apiKey: z.string().max(500).optional().describe("a reference: secret:NAME, env:NAME or file:PATH"),
    key: KeyText.optional().describe(
      "instead of apiKey: the key itself; the house stores it in a separate file and never shows it again",
    ),
  })
  .refine(({ apiKey, key }) => apiKey === undefined || key === undefined, "has both apiKey and key: give one");
export type CreateProvider = z.infer<typeof CreateProvider>;
/** Null removes a value, so that the default applies. */
export const EditProvider = z.strictObject({
  baseUrl: z.url().nullable().optional(),
  retries: z.int().min(0).max(3).nullable().optional(),
});
export type EditProvider = z.infer<typeof EditProvider>;
/** The new key is tested with `model`, or with a request for the list of models. */
export const ReplaceProviderKey = z.strictObject({ key: KeyText, model: z.string().min(1).max(200).optional() });
export type ReplaceProviderKey = z.infer<typeof ReplaceProviderKey>;
/** Without `model`, the test requests the list of models. */
export const TestProvider = z.strictObject({ model: z.string().min(1).max(200).optional() });
/** Model names without the provider's prefix. */
export const ModelList = z.array(z.string());
export const ProviderTest = z.object({
  ok: z.boolean(),
  detail: z.string(),
  durationMs: z.number(),
  /** Why the provider did not answer. */
  error: ErrorBody.exactOptional(),
  /** For a test without a model: the models that the provider lists. */
  models: z.array(z.string()).exactOptional(),
});
export type ProviderTest = z.infer<typeof ProviderTest>;
/**
 * A provider to test before it is added; nothing is stored. Without `model`, the test requests the
 * list of models.
 */
export const TestNewProvider = z.strictObject({
  name: CreateProvider.shape.name,
  kind: CreateProvider.shape.kind,
  baseUrl: CreateProvider.shape.baseUrl,
  key: CreateProvider.shape.key,
  model: TestProvider.shape.model,
});
export type TestNewProvider = z.infer<typeof TestNewProvider>;

/**
 * The task of a provider of speech or pictures: speech to text, text to speech, text to pictures, and
 * pictures to text.
 */
export const MediaPart = z.enum(["transcribe", "speak", "pictures", "describe"]);
export type MediaPart = z.infer<typeof MediaPart>;

const MediaText = z.string().min(1).max(200);
const mediaFields = {
  kind: z.string().min(1).max(64),
  baseUrl: z.url().optional().describe("absent: the vendor's address, or that of a program's default"),
  apiKey: z.string().max(500).optional().describe("a reference: secret:NAME, env:NAME or file:PATH"),
  model: MediaText.optional(),
  language: MediaText.optional().describe("the language of recordings, such as `en`; absent: it is detected"),
  voice: MediaText.optional(),
  program: MediaText.optional().describe("the name or path of a program on the house's machine that speaks"),
  price: z
    .number()
    .min(0)
    .max(1000)
    .optional()
    .describe("dollars for a minute of audio, a million characters, or a picture; absent: the list price"),
};
export const MediaSettings = z.object(mediaFields);
export type MediaSettings = z.infer<typeof MediaSettings>;
export const SetMedia = z
  .strictObject({
    ...mediaFields,
    key: KeyText.optional().describe(
      "instead of apiKey: the key itself; the house stores it in a separate file and never shows it again",
    ),
  })
  .refine(({ apiKey, key }) => apiKey === undefined || key === undefined, "has both apiKey and key: give one");
export type SetMedia = z.infer<typeof SetMedia>;

export const MediaField = z.enum(["baseUrl", "apiKey", "model", "language", "voice", "program"]);
export type MediaField = z.infer<typeof MediaField>;
/** A kind of provider that can be chosen. */
export const MediaKind = z.object({
  kind: z.string(),
  /** The settings that this kind reads. */
  takes: z.array(MediaField),
  /** Its address and model where none is set. */
  baseUrl: z.string().optional(),
  model: z.string().optional(),
  /** Whether its own address needs a key. */
  needsKey: z.boolean(),
});
export type MediaKind = z.infer<typeof MediaKind>;
export const MediaInfo = z.object({
  part: MediaPart,
  state: z.enum(["off", "ready", "missing"]),
  detail: z.string(),
  /** For `missing`: what to do. */
  fix: z.string().optional(),
  /** The settings in the config file. Absent: it is off. */
  settings: MediaSettings.optional(),
  kinds: z.array(MediaKind),
});
export type MediaInfo = z.infer<typeof MediaInfo>;
export const MediaList = z.array(MediaInfo);
export const MediaTest = z.object({
  ok: z.boolean(),
  detail: z.string(),
  durationMs: z.number(),
  /** Why the provider returned no result. */
  error: ErrorBody.exactOptional(),
  /** The sound or the picture that came back, as base64. Absent: a text, or too large to show. */
  result: z.object({ type: z.string(), data: z.string() }).exactOptional(),
});
export type MediaTest = z.infer<typeof MediaTest>;

/** A model server on this machine that answers and is not in the config. */
export const FoundServer = z.object({
  name: z.string(),
  kind: z.string(),
  baseUrl: z.string(),
  models: z.array(z.string()),
});
export type FoundServer = z.infer<typeof FoundServer>;
export const FoundServerList = z.array(FoundServer);

/** The page of the UI where a person can fix a failed check. `agent` and `proposals` are pages of one agent. */
export const CheckPage = z.enum([
  ...(["account", "agent", "audit", "backups", "channels", "models", "proposals", "restore"] as const),
]);
export type CheckPage = z.infer<typeof CheckPage>;

/**
 * `ok`: no action is needed. `absent`: the checked thing is not installed, and no configuration
 * requires it.
 */
export const Check = z.object({
  name: z.string(),
  ok: z.boolean(),
  absent: z.literal(true).optional(),
  detail: z.string(),
  fix: z.string().optional(),
  page: CheckPage.optional(),
  /** The handle of the agent to which the page belongs. */
  agent: z.string().optional(),
});
export type Check = z.infer<typeof Check>;
export const CheckList = z.array(Check);

/** The levels of the daemon's log, in ascending order. */
export const logLevels = ["debug", "info", "warn", "error"] as const;
export const LogLevel = z.enum(logLevels);
export type LogLevel = z.infer<typeof LogLevel>;

export const LogQuery = z.object({
  /** Leaves out lines below this level. */
  level: LogLevel.default("debug"),
  limit: z.coerce.number().int().min(1).max(1000).default(200),
});
export type LogQuery = z.infer<typeof LogQuery>;

/** A line of the daemon's log. It never contains message text, keys or the queries of URLs. */
export const LogLine = z.object({
  at: z.int(),
  level: LogLevel,
  message: z.string(),
  /** The other fields of the line. */
  fields: z.record(z.string(), z.unknown()),
});
export type LogLine = z.infer<typeof LogLine>;

/** The last lines of the log file. */
export const LogReport = z.object({
  /** Oldest first. */
  lines: z.array(LogLine),
  /** Whether the house writes the file: `[log] to` contains `file`. */
  isWritten: z.boolean(),
});
export type LogReport = z.infer<typeof LogReport>;

/** What takes space in a home. `free`: pages of the database that wait to be used or returned. */
export const storageKinds = [
  ...(["messages", "turns", "audit", "events", "streams", "versions", "channels", "jobs", "settings"] as const),
  ...(["free", "log", "blobs", "brains", "work", "index", "cache", "copies", "logs"] as const),
] as const;
export type StorageKind = (typeof storageKinds)[number];

/** What takes space, how much each day added, and what will be deleted. */
export const StorageReport = z.object({
  measuredAt: z.int(),
  totalBytes: z.int(),
  /** Largest first. The sizes of tables include their indexes. */
  kinds: z.array(z.object({ kind: z.enum(storageKinds), bytes: z.int() })),
  /** Bytes that each day (UTC) added to the database and the blobs and that are still there. Estimated. */
  days: z.array(z.object({ day: z.string(), bytes: z.int() })),
  retention: z.array(
    z.object({
      table: z.string(),
      /** How many days its rows are kept after they are finished. */
      days: z.int(),
      /** Rows that the next sweep deletes, and those that become due within a week. */
      due: z.int(),
      dueInWeek: z.int(),
      /** When the oldest finished row becomes due. Absent: no row is finished. */
      nextAt: z.int().optional(),
    }),
  ),
  /** Whether the database file shrinks. One from an older version keeps its size and uses free pages again. */
  isShrinking: z.boolean(),
});
export type StorageReport = z.infer<typeof StorageReport>;

/** The update that the next start makes, and the way back. */
export const UpdateReport = z.object({
  /** The version that runs, and the one that is installed and runs after the next start. */
  running: z.string(),
  installed: z.string(),
  /** The schema of the database, and that of the installed version. */
  from: z.int(),
  to: z.int(),
  /** Names of the changes of the schema. */
  steps: z.array(z.string()),
  neededBytes: z.int(),
  freeBytes: z.int(),
  estimatedMs: z.int(),
  /** Turns that resume after the next start. */
  openTurns: z.int(),
  /** Why the update cannot be done. Empty: it can. */
  problems: z.array(z.string()),
  /** The copy of the database from before the last update, and what was added since. */
  copy: z.object({ schema: z.int(), at: z.int(), messages: z.int(), events: z.int(), turns: z.int() }).optional(),
});
export type UpdateReport = z.infer<typeof UpdateReport>;

/** Where the running house makes backups, and how the last one went. */
export const BackupState = z.object({
  /** The name in `[backup.targets.NAME]`. Absent: the folder of `[backup]`. */
  target: z.string().optional(),
  /** A folder, or an address without its parameters. */
  to: z.string(),
  everyMs: z.int().positive(),
  /** How many backups of this house stay there. */
  keep: z.int().positive(),
  isEncrypted: z.boolean(),
  isRunning: z.boolean(),
  /** The newest complete backup there. Absent: none is known since the house started. */
  last: z.object({ number: z.int(), at: z.int() }).optional(),
  /** When the next one begins. Absent while one is being made. */
  nextAt: z.int().optional(),
  /** Two intervals have passed without a backup. */
  isLate: z.boolean(),
  /** Why the last try failed. Absent: it did not. */
  problem: z.string().optional(),
});
export type BackupState = z.infer<typeof BackupState>;
export const BackupStateList = z.array(BackupState);

/** Asks for a backup now. Without a target, it goes to the folder of `[backup]`. */
export const MakeBackup = z.strictObject({ target: z.string().max(64).optional() });
export type MakeBackup = z.infer<typeof MakeBackup>;

/** The name of a target of backups, in `[backup.targets.NAME]`. */
export const BackupTargetName = z.string().regex(/^[a-z0-9][a-z0-9-]{0,31}$/);

const StoreKey = z.string().regex(/^[!-~]{1,500}$/);

/** Adds a target of backups, or changes one. An absent field of a known target stays. */
export const SetBackupTarget = z.strictObject({
  /** The address, such as `s3://BUCKET/PREFIX?endpoint=URL` or `sftp://USER@HOST/FOLDER`. */
  to: z.string().min(1).max(2000).optional(),
  /** An interval such as `12h`. Null: that of `[backup]`. */
  every: z.string().max(20).nullable().optional(),
  /** How many backups of this house stay there. Null: the number of `[backup]`. */
  keep: z.int().min(1).max(10_000).nullable().optional(),
  /** The keys of an S3 store, which the house stores in its home. Both or none are present. */
  accessKeyId: StoreKey.optional(),
  secretAccessKey: StoreKey.optional(),
});
export type SetBackupTarget = z.infer<typeof SetBackupTarget>;

/** Whether the house can write to a target, read from it and delete there. */
export const BackupTest = z.object({ ok: z.boolean(), detail: z.string() });
export type BackupTest = z.infer<typeof BackupTest>;

/** A backup at a place of `[backup]`. */
export const BackupCopy = z.object({
  number: z.int(),
  state: z.enum(["complete", "damaged"]),
  /** When it was made. Absent, as the rest, when its list of files cannot be read. */
  at: z.int().optional(),
  /** The handle of the first house. */
  house: z.string().optional(),
  /** A restore needs the identity, a private key. */
  isEncrypted: z.boolean().optional(),
  bytes: z.int().optional(),
  /** Why it is damaged. */
  problem: z.string().optional(),
});
export type BackupCopy = z.infer<typeof BackupCopy>;
export const BackupCopyList = z.array(BackupCopy);

/** Asks for a restore into the running house. Without a target, from the folder of `[backup]`. */
export const RestoreBackup = z.strictObject({
  target: z.string().max(64).optional(),
  number: z.int().min(1),
  /** The text of a file of `age-keygen`, for an encrypted backup. It is not stored. */
  identity: z.string().max(20_000).optional(),
});
export type RestoreBackup = z.infer<typeof RestoreBackup>;

/** How the last restore into the running house went. */
export const BackupRestore = z.object({
  /** `preparing`: the backup is verified and copied. `restarting`: the house starts again with it. */
  state: z.enum(["none", "preparing", "failed", "restarting"]),
  number: z.int().optional(),
  startedAt: z.int().optional(),
  /** Why it failed. The house is unchanged. */
  problem: z.string().optional(),
});
export type BackupRestore = z.infer<typeof BackupRestore>;

/** The programs whose agents a house can import. */
export const importKinds = ["openclaw", "hermes", "claude-code"] as const;
export const ImportKind = z.enum(importKinds);
export type ImportKind = z.infer<typeof ImportKind>;

/** The planned or actual outcome of an import for a part of another program's agent. */
export const ImportPart = z.object({
  kind: z.enum(["file", "job", "channel", "left"]),
  /** The place in the source. */
  from: z.string(),
  /** The path in the brain, or the name of the job or channel. Absent: the part is not imported. */
  to: z.string().optional(),
  /**
   * `new`: it is added. `replaces`: it replaces a text, which stays in the history. `same`: the
   * agent already has it. `left`: it is left out. `failed`: the house refused it.
   */
  fate: z.enum(["new", "replaces", "same", "left", "failed"]),
  /** How the text is changed, or why the part is left out. */
  why: z.string().optional(),
  /** Secrets are removed from the text. */
  hidesSecrets: z.literal(true).optional(),
});
export type ImportPart = z.infer<typeof ImportPart>;

/** A folder on the machine of the house, and the program that it belongs to. */
export const ImportPlace = z.object({ kind: ImportKind, folder: z.string() });
export type ImportPlace = z.infer<typeof ImportPlace>;

/** The outcome that an import would have. */
export const ImportPreview = ImportPlace.extend({
  /** Valid until the next preview. */
  id: z.string(),
  agent: AgentId,
  parts: z.array(ImportPart),
});
export type ImportPreview = z.infer<typeof ImportPreview>;

/** The maximum number of parts of an import. */
export const MAX_IMPORT_PARTS = 10_000;

/** Begins the import of a preview. `parts`: indexes of the chosen parts. */
export const BeginImport = z.strictObject({
  preview: z.string().max(64),
  parts: z.array(z.int().nonnegative()).min(1).max(MAX_IMPORT_PARTS),
});
export type BeginImport = z.infer<typeof BeginImport>;

/** The last import into the running house, and the folders that it can import. */
export const ImportState = z.object({
  state: z.enum(["none", "running", "done", "failed"]),
  /** Known folders of other programs that exist on the machine. */
  places: z.array(ImportPlace),
  source: ImportPlace.optional(),
  agent: AgentId.optional(),
  /** Number of chosen parts, and of those that are finished. */
  total: z.int().optional(),
  done: z.int().optional(),
  /** The fate of each part of the preview, after the import. */
  parts: z.array(ImportPart).optional(),
  /** Why it ended early. Parts that were not reached are unchanged. */
  problem: z.string().optional(),
});
export type ImportState = z.infer<typeof ImportState>;

/** What `hearth repair` did to a database. */
export const RepairReport = z.object({
  /** Where the original files were copied. Null: nothing was damaged, and nothing was changed. */
  copy: z.string().nullable(),
  /** Lost events; each has a placeholder in its stream. */
  lost: z.array(z.object({ stream: z.string(), offset: z.int() })),
  /** Tables that had damaged pages, with their number of rows after the repair. */
  tables: z.array(z.object({ table: z.string(), kept: z.int(), damagedPages: z.int() })),
});
export type RepairReport = z.infer<typeof RepairReport>;

export const Status = z.object({
  version: z.string(),
  home: z.string(),
  /** Its address for this machine. */
  url: z.string(),
  /** Its address for browsers on other machines. Absent: only this machine can connect. */
  publicUrl: z.string().optional(),
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
/** The answer to a request to stop the daemon. */
export const Stopping = z.object({ stopping: z.literal(true) });
/** One code with two addresses: `url` for this machine, and `publicUrl` for others if there is one. */
export const LoginLink = z.object({ url: z.string(), publicUrl: z.string().optional(), expiresAt: z.int() });

/** A request over `/ws`. The client chooses `id`; the answer repeats it. */
export const SocketRequest = z.discriminatedUnion("op", [
  z.strictObject({
    op: z.literal("subscribe"),
    id: z.int(),
    stream: StreamName,
    after: z.int().nonnegative().default(0),
    /** The epoch in which `after` was issued, from an earlier answer to a subscription. */
    epoch: z.string().max(64).optional(),
  }),
  z.strictObject({ op: z.literal("unsubscribe"), id: z.int(), stream: StreamName }),
  z.strictObject({ op: z.literal("post"), id: z.int(), room: RoomId, message: PostMessage }),
  z.strictObject({ op: z.literal("stop"), id: z.int(), activation: ActivationId }),
  z.strictObject({ op: z.literal("ping"), id: z.int() }),
]);
export type SocketRequest = z.infer<typeof SocketRequest>;
/**
 * A frame from the house: the answer to a request, or events of a subscription. `restarted`: the
 * stream is shorter than the reader's offset, so the subscription continues from offset 1.
 */
export const SocketFrame = z.discriminatedUnion("type", [
  z.object({ type: z.literal("answer"), id: z.int(), result: z.json() }),
  z.object({ type: z.literal("error"), id: z.int().optional(), error: ErrorBody }),
  z.object({ type: z.literal("events"), stream: StreamName, events: z.array(StoredEvent), next: z.int() }),
  z.object({ type: z.literal("restarted"), stream: StreamName }),
  z.object({ type: z.literal("ended"), stream: StreamName }),
]);
export type SocketFrame = z.infer<typeof SocketFrame>;
export type LoginLink = z.infer<typeof LoginLink>;

/** Kinds of search results. */
export const SearchKind = z.enum(["message", "file", "workspace", "agent", "room"]);
export type SearchKind = z.infer<typeof SearchKind>;

/** Maximum length of what a person types into the search box. */
export const MAX_SEARCH_LENGTH = 200;
export const MAX_SEARCH_PAGE = 50;

const KINDS = /^(message|file|workspace|agent|room)(,(message|file|workspace|agent|room))*$/;
const named = z.string().min(1).max(200);

export const SearchQuery = z.object({
  q: z
    .string()
    .min(1)
    .max(MAX_SEARCH_LENGTH)
    .describe('Words, which all have to match, and "phrases". The last word may be incomplete.'),
  kind: z
    .string()
    .regex(KINDS)
    .optional()
    .describe("Only results of these kinds, separated by commas: message, file, workspace, agent, room."),
  from: named
    .optional()
    .describe(
      "Id or handle of a person or agent: only messages that they wrote, and files of their memory and workspace.",
    ),
  room: named.optional().describe("Id or handle of a room: only its messages."),
  since: z.coerce.number().int().nonnegative().optional().describe("Only messages from this instant on (UTC ms)."),
  until: z.coerce.number().int().nonnegative().optional().describe("Only messages before this instant (UTC ms)."),
  cursor: z
    .string()
    .regex(/^\d{1,19}$/)
    .optional()
    .describe("`next` of the page before. Later pages contain only messages."),
  limit: z.coerce.number().int().min(1).max(MAX_SEARCH_PAGE).default(20),
});
export type SearchQuery = z.input<typeof SearchQuery>;

/** A part of a text, and the places of the found words in it, in UTF-16 code units. */
export const Excerpt = z.object({ text: z.string(), marks: z.array(z.tuple([z.int(), z.int()])) });
export type Excerpt = z.infer<typeof Excerpt>;

/** The attachment of a message in which the words were found. */
export const FoundAttachment = z.object({
  id: UploadId,
  name: z.string(),
  /** The part of the file, such as "page 12" or "caption". Absent: the file has no parts. */
  place: z.string().exactOptional(),
});
export type FoundAttachment = z.infer<typeof FoundAttachment>;

export const FoundMessage = z.object({
  room: RoomId,
  id: EventId,
  offset: z.int(),
  author: AgentId,
  at: z.int(),
  excerpt: Excerpt,
  /** Absent: the words are in the text of the message. */
  file: FoundAttachment.exactOptional(),
});
export type FoundMessage = z.infer<typeof FoundMessage>;

/** A passage of a file that an agent remembers. */
export const FoundFile = z.object({
  agent: AgentId,
  path: z.string(),
  /** First and last line, counted from 1. */
  lines: z.tuple([z.int(), z.int()]),
  headings: z.array(z.string()),
  text: z.string(),
});
export type FoundFile = z.infer<typeof FoundFile>;

/** Maximum number of workspace files in one answer. */
export const MAX_FOUND_WORKSPACE_FILES = 50;

/** A file that an agent made, found by its name or by its text. */
export const FoundWorkspaceFile = z.object({
  agent: AgentId,
  /** Relative to the workspace. */
  path: z.string(),
  /** The first line with one of the words, counted from 1. Absent: only the name has them. */
  line: z.int().positive().exactOptional(),
  /** The part of that line around the words. Absent: only the name has them. */
  excerpt: Excerpt.exactOptional(),
});
export type FoundWorkspaceFile = z.infer<typeof FoundWorkspaceFile>;

export const FoundAgent = z.object({
  id: AgentId,
  handle: z.string(),
  name: z.string(),
  kind: AgentContent.shape.kind,
});
export type FoundAgent = z.infer<typeof FoundAgent>;

export const FoundRoom = z.object({ id: RoomId, handle: z.string(), name: z.string() });
export type FoundRoom = z.infer<typeof FoundRoom>;

export const SearchAnswer = z.object({
  /** Newest first: once for the text of a message, and up to three times for each of its files. */
  messages: z.array(FoundMessage),
  /** Best first, at most 50. */
  files: z.array(FoundFile).max(MAX_RECALLED),
  /** By agent and path. */
  workspaceFiles: z.array(FoundWorkspaceFile).max(MAX_FOUND_WORKSPACE_FILES),
  agents: z.array(FoundAgent),
  rooms: z.array(FoundRoom),
  /** The cursor of the next page of messages. Absent: this is the last page. */
  next: z.string().exactOptional(),
  /** Whether every message and file is in the index. A new document is not until it is converted. */
  isComplete: z.boolean(),
});
export type SearchAnswer = z.infer<typeof SearchAnswer>;
