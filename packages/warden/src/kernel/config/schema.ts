/**
 * The schema of `hearth.toml`. It reads no file and does not know lines: `read.ts` adds them to its
 * errors.
 */
import {
  AgentContent,
  CellKind,
  CellLimits,
  DEFAULT_CELL_LIMITS,
  Durability,
  Heartbeat,
  isHandle,
  isHearthError,
  isZone,
  type LogLevel,
  logLevels,
  ModelName,
  nameToHandle,
  parseDuration,
  type SettingValue,
  toolIn,
} from "@hearth/protocol";
import { isToolName, tools } from "@hearth/protocol/tools";
import { z } from "zod";
import type { RetentionSetting } from "../store/tables/table.ts";
import { type SinkKind, sinks } from "../log/index.ts";
import { type AuditConfig, AuditText, toAudit } from "./text/audit-text.ts";
import { type BudgetConfig, BudgetText, dollars, PricesText, toBudget, tokens, toLimit } from "./text/budget-text.ts";
import { type ChannelConfig, Channels, toChannel } from "./text/channel-text.ts";
import { type CompactionConfig, CompactionText, toCompaction } from "./text/compaction-text.ts";
import { parseBackupAddress } from "./backup-address.ts";
import { showPath } from "./lines.ts";
import { type LoginConfig, LoginText, toLogin } from "./text/login-text.ts";
import { type MemoryConfig, MemoryText, toMemory } from "./text/memory-text.ts";
import { nearest } from "@hearth/protocol/nearest";
import { type ObserversConfig, ObserversText, toObservers } from "./text/observers-text.ts";
import {
  ModelsText,
  type OwnModelInfo,
  type ProviderConfig,
  Providers,
  toOwnModels,
  toProvider,
} from "./text/provider-text.ts";
import { type SearchConfig, SearchText, toSearch } from "./text/search-text.ts";
import {
  type DescriptionsConfig,
  DescriptionsText,
  type PicturesConfig,
  PicturesText,
  toDescriptions,
  toPictures,
  toVoice,
  type VoiceConfig,
  VoiceText,
} from "./text/media-text.ts";
import { type ServerConfig, ServerText, toServer } from "./text/server-text.ts";
import { findTunnelConflict, toTunnel, type TunnelConfig, TunnelText } from "./text/tunnel-text.ts";
import { createIssue } from "./values.ts";

export const CONFIG_VERSION = 1;

/** A place for backups, and how often they are made. */
export interface BackupPlace {
  /** Absolute path of a folder, or the address of a target. */
  readonly to: string;
  readonly everyMs: number;
  /** Number of backups of this house that stay there. */
  readonly keep: number;
  /** Public keys of age with which backups are encrypted. Empty if they are not encrypted. */
  readonly recipients: readonly string[];
}

/** The config as the house uses it. */
export interface Config {
  readonly server: ServerConfig;
  readonly egress: {
    /** Whether a grant of an agent may allow this machine's own addresses. */
    readonly loopback: boolean;
  };
  readonly store: {
    /** The failures that an accepted message survives. */
    readonly durability: Exclude<Durability, "none">;
  };
  /** The providers by name, which is the first segment of a model's name. */
  readonly providers: ReadonlyMap<string, ProviderConfig>;
  /**
   * The agents by handle. Values from the file are pinned: they can be changed only in the file.
   */
  readonly agents: ReadonlyMap<string, PinnedAgent>;
  readonly defaults: {
    /** The model of agents that are created without one, `provider/model`. */
    readonly model?: string;
  };
  /** The channels by name. */
  readonly channels: ReadonlyMap<string, ChannelConfig>;
  readonly turns: {
    /** Maximum number of tool calls per activation. */
    readonly maxToolCalls: number;
    /**
     * Maximum number of times that agents wake each other in a row without a message of a
     * person.
     */
    readonly maxChain: number;
    /** Maximum number of agents' replies in the room of a message that follow from this message. */
    readonly maxReplies: number;
    /** How long ended activations and the outputs of their calls are kept. */
    readonly logDays: number;
  };
  readonly cells: {
    /** Time after which an idle cell hibernates. */
    readonly idleSeconds: number;
    /** The default backend of agents. */
    readonly backend: CellKind;
    /**
     * Maximum silence of an inmate while it is expected to act. Model and tool calls do not
     * count.
     */
    readonly silenceSeconds: number;
    /** Maximum number of open cells. A further one waits, or replaces an idle one. */
    readonly maxOpen: number;
    /** The default resource limits of a cell. */
    readonly limits: CellLimits;
  };
  /** How many days finished rows are kept. */
  readonly retention: Readonly<Record<RetentionSetting, number>>;
  /** Limits of the files in messages. */
  readonly attachments: {
    readonly fileBytes: number;
    /** Maximum size of all uploads of one agent together. */
    readonly personBytes: number;
    readonly houseBytes: number;
    /** How long an upload without a message stays after it last grew. */
    readonly unnamedMs: number;
    /** Whether pictures keep their metadata, such as the place where they were taken. */
    readonly keepMetadata: boolean;
  };
  readonly approvals: {
    /** Time after which an unanswered approval expires. */
    readonly expireHours: number;
  };
  /** The limits of agents' spending on models. */
  readonly budget: BudgetConfig;
  /** Limits and abilities of models by prefix of `provider/model`. They override the built-in data. */
  readonly models: ReadonlyMap<string, OwnModelInfo>;
  /** When a conversation is compacted, and which model writes the summary. */
  readonly compaction: CompactionConfig;
  /** Backups that the running house makes. Absent if it makes none. */
  readonly backup?: {
    /** Backups in a folder of this machine. */
    readonly folder?: BackupPlace;
    /** Backups elsewhere, by name. */
    readonly targets: ReadonlyMap<string, BackupPlace>;
  };
  /** Settings of memory. */
  readonly memory: MemoryConfig;
  /** The web search engine of agents. Absent if they have no web search. */
  readonly search?: SearchConfig;
  /** Speech to text and text to speech. Absent if the house has neither. */
  readonly voice?: VoiceConfig;
  /**
   * The provider that makes pictures for agents. Absent if there is none. Agents then have no
   * tools for pictures.
   */
  readonly pictures?: PicturesConfig;
  /** The model that describes pictures for models that do not see. Absent: pictures are not described. */
  readonly descriptions?: DescriptionsConfig;
  /**
   * The program that carries requests from a public address to the house. Absent if there is
   * none.
   */
  readonly tunnel?: TunnelConfig;
  /** The daemon's log. */
  readonly log: {
    /** The sinks of the log. Empty for no log. */
    readonly to: readonly SinkKind[];
    /** Entries below this level are dropped. */
    readonly level: LogLevel;
  };
  /** The observers that receive measurements of turns. */
  readonly observers: ObserversConfig;
  readonly login: LoginConfig;
  /** The targets that receive copies of the audit log. */
  readonly audit: AuditConfig;
}

const pinnable = AgentContent.pick({
  model: true,
  fallback: true,
  description: true,
  prompt: true,
  tools: true,
  cell: true,
  queue: true,
  timezone: true,
  mode: true,
  heartbeat: true,
  retrieval: true,
  trusted: true,
});
export type PinnedAgent = Readonly<z.infer<typeof pinnable>>;

const CALLS_ERROR = "must be a whole number from 1 to 1000";
const CHAIN_ERROR = "must be a whole number from 0 to 100";
const REPLIES_ERROR = "must be a whole number from 0 to 1000";
const HOURS_ERROR = "must be a whole number of hours from 1 to 8760";
const DAYS_ERROR = "must be a whole number of days from 1 to 3650";
const RETENTION_DAYS_ERROR = "must be a whole number of days from 1 to 36500";
const MEBIBYTES_ERROR = "must be a whole number of MiB, at least 1";
const MEBIBYTE = 1024 * 1024;
const SECONDS_ERROR = "must be a number of seconds from 1 to 86400";
const Handle = z.string().check(({ value, issues }) => {
  if (isHandle(value)) return;
  const handle = nameToHandle(value);
  issues.push(
    createIssue(
      value,
      "is not a valid agent handle",
      handle === "" ? "Use letters and digits." : `Write [${showPath(["agents", handle])}].`,
    ),
  );
});
const Tool = z.string().check(({ value, issues }) => {
  const name = toolIn(value);
  if (name === undefined || isToolName(name)) return;
  const suggestion = nearest(value, Object.keys(tools));
  const hint =
    suggestion === undefined ? `There are: ${Object.keys(tools).join(", ")}.` : `Did you mean "${suggestion}"?`;
  issues.push(createIssue(value, "is an unknown tool", hint));
});
const Zone = z.string().check(({ value, issues }) => {
  if (isZone(value)) return;
  issues.push(createIssue(value, "is not a known time zone", "Use an IANA name such as Europe/Berlin."));
});

/** The fields of the record's heartbeat. Only the money differs: it is in dollars per day. */
const HeartbeatText = z.strictObject({
  ...Heartbeat.omit({ budget: true }).shape,
  budget: dollars,
  budget_tokens: tokens,
});

const toHeartbeat = ({ budget, budget_tokens, ...fields }: z.infer<typeof HeartbeatText>): Heartbeat => {
  const limit = toLimit(budget, budget_tokens);
  return { ...fields, ...(limit === undefined ? {} : { budget: limit }) };
};

const BACKUP_COUNT_ERROR = "must be a whole number from 1 to 10000";
/** Minimum interval of backups. More frequent ones would keep the disk busy. */
const MIN_BACKUP_MS = 10 * 60_000;

const BackupEvery = z.string().transform((text, { issues }): number => {
  const everyMs = parseDuration(text);
  if (everyMs !== undefined && everyMs >= MIN_BACKUP_MS) return everyMs;
  issues.push(createIssue(text, "is not an interval of 10 minutes or more", "Write an interval such as 12h or 1d."));
  return z.NEVER;
});
const BackupKeep = z.int(BACKUP_COUNT_ERROR).min(1, BACKUP_COUNT_ERROR).max(10_000, BACKUP_COUNT_ERROR);
const Recipients = z.array(z.string().regex(/^age1[0-9a-z]+$/, "must be a public key of age, such as age1..."));

const BackupAddressText = z.string().check(({ value, issues }) => {
  try {
    parseBackupAddress(value);
  } catch (error) {
    if (!isHearthError(error)) throw error;
    // The address may contain a secret by mistake, so the message does not repeat it.
    issues.push({
      code: "custom",
      input: "",
      message: error.message.replace(/^.*?: /, "").replace(/\.$/, ""),
      params: { hint: error.hint },
    });
  }
});

const BackupText = z.strictObject({
  to: z.string().startsWith("/", "must be an absolute path, such as /mnt/disk/hearth").optional(),
  every: BackupEvery.prefault("1d"),
  keep: BackupKeep.default(7),
  recipients: Recipients.default([]),
  targets: z
    .record(
      z.string().regex(/^[a-z0-9][a-z0-9-]{0,31}$/, "must be a name of small letters, digits and hyphens"),
      z.strictObject({
        to: BackupAddressText,
        every: BackupEvery.optional(),
        keep: BackupKeep.optional(),
        recipients: Recipients.optional(),
      }),
    )
    .default({}),
});

/** The tables of the file, without the checks between them. */
const Tables = z.strictObject({
  version: z.literal(CONFIG_VERSION),
  server: ServerText.prefault({}),
  egress: z.strictObject({ loopback: z.boolean().default(false) }).prefault({}),
  store: z.strictObject({ durability: Durability.exclude(["none"]).default("power") }).prefault({}),
  providers: Providers.prefault({}),
  agents: z
    .record(
      Handle,
      pinnable.extend({
        tools: z.array(Tool).max(100).optional(),
        timezone: Zone.optional(),
        heartbeat: HeartbeatText.optional(),
      }),
    )
    .prefault({}),
  defaults: z.strictObject({ model: ModelName.exactOptional() }).prefault({}),
  channels: Channels.prefault({}),
  turns: z
    .strictObject({
      max_tool_calls: z.int(CALLS_ERROR).min(1, CALLS_ERROR).max(1000, CALLS_ERROR).default(10),
      max_chain: z.int(CHAIN_ERROR).min(0, CHAIN_ERROR).max(100, CHAIN_ERROR).default(4),
      max_replies: z.int(REPLIES_ERROR).min(0, REPLIES_ERROR).max(1000, REPLIES_ERROR).default(12),
      log_days: z.int(DAYS_ERROR).min(1, DAYS_ERROR).max(3650, DAYS_ERROR).default(30),
    })
    .prefault({}),
  cells: z
    .strictObject({
      idle_seconds: z.number(SECONDS_ERROR).min(1).max(86_400).default(300),
      backend: CellKind.default("auto"),
      max_open: z.int().min(1).max(10_000).default(32),
      silence_seconds: z.number(SECONDS_ERROR).min(1, SECONDS_ERROR).max(86_400, SECONDS_ERROR).default(120),
      limits: z
        .strictObject({
          memory_mib: CellLimits.shape.memoryMiB.default(DEFAULT_CELL_LIMITS.memoryMiB),
          processes: CellLimits.shape.processes.default(DEFAULT_CELL_LIMITS.processes),
          cpus: CellLimits.shape.cpus.default(DEFAULT_CELL_LIMITS.cpus),
          file_mib: CellLimits.shape.fileMiB.default(DEFAULT_CELL_LIMITS.fileMiB),
          disk_mib: CellLimits.shape.diskMiB.default(DEFAULT_CELL_LIMITS.diskMiB),
        })
        .prefault({}),
    })
    .prefault({}),
  retention: z
    .strictObject({
      delivery_days: z
        .int(RETENTION_DAYS_ERROR)
        .min(1, RETENTION_DAYS_ERROR)
        .max(36_500, RETENTION_DAYS_ERROR)
        .default(90),
      job_days: z.int(RETENTION_DAYS_ERROR).min(1, RETENTION_DAYS_ERROR).max(36_500, RETENTION_DAYS_ERROR).default(365),
      usage_days: z
        .int(RETENTION_DAYS_ERROR)
        .min(1, RETENTION_DAYS_ERROR)
        .max(36_500, RETENTION_DAYS_ERROR)
        .default(400),
    })
    .prefault({}),
  attachments: z
    .strictObject({
      file_mib: z.int(MEBIBYTES_ERROR).min(1, MEBIBYTES_ERROR).max(1_048_576, MEBIBYTES_ERROR).default(2048),
      person_mib: z.int(MEBIBYTES_ERROR).min(1, MEBIBYTES_ERROR).max(16_777_216, MEBIBYTES_ERROR).default(10_240),
      house_mib: z.int(MEBIBYTES_ERROR).min(1, MEBIBYTES_ERROR).max(16_777_216, MEBIBYTES_ERROR).default(51_200),
      keep_metadata: z.boolean().default(false),
      unnamed_hours: z.int(HOURS_ERROR).min(1, HOURS_ERROR).max(8760, HOURS_ERROR).default(24),
    })
    .prefault({}),
  approvals: z
    .strictObject({ expire_hours: z.int(HOURS_ERROR).min(1, HOURS_ERROR).max(8760, HOURS_ERROR).default(24) })
    .prefault({}),
  budget: BudgetText.prefault({}),
  prices: PricesText.prefault({}),
  models: ModelsText.prefault({}),
  compaction: CompactionText.prefault({}),
  memory: MemoryText.prefault({}),
  search: SearchText.optional(),
  voice: VoiceText.optional(),
  pictures: PicturesText.optional(),
  descriptions: DescriptionsText.optional(),
  backup: BackupText.optional(),
  tunnel: TunnelText.optional(),
  log: z
    .strictObject({
      to: z
        .array(z.enum(Object.keys(sinks) as SinkKind[]))
        .max(10)
        .default(["file"]),
      level: z.enum(logLevels).default("info"),
    })
    .prefault({}),
  observers: ObserversText,
  login: LoginText,
  audit: AuditText,
});
export const ConfigText = Tables.check(({ value, issues }) => {
  const conflict = value.tunnel === undefined ? undefined : findTunnelConflict(toServer(value.server));
  if (conflict === undefined) return;
  issues.push(
    createIssue(
      value,
      `cannot be used with server.${conflict}: the tunnel is the way from other machines to this house`,
      `Remove [tunnel], or remove ${conflict} from [server].`,
      ["tunnel"],
    ),
  );
});
type ConfigText = z.infer<typeof ConfigText>;

/**
 * Places where a mistyped key could weaken security or durability. An unknown key there, or one
 * that is similar to a key there, refuses the start. `*` is any name.
 */
export const GUARDED_PATHS: readonly (readonly string[])[] = [
  ["server"],
  ["egress"],
  ["store"],
  ["retention"],
  ["agents", "*", "tools"],
  ["agents", "*", "cell"],
  ["agents", "*", "heartbeat"],
  ["agents", "*", "mode"],
  ["agents", "*", "trusted"],
  ["channels", "*"],
  ["cells", "backend"],
  ["approvals"],
  ["backup"],
  ["login", "oidc", "*"],
  ["observers"],
  ["login"],
  ["audit"],
  ["budget"],
  ["prices"],
  ["tunnel"],
];

export const toConfig = (text: ConfigText): Config => ({
  server: toServer(text.server),
  egress: text.egress,
  store: text.store,
  providers: new Map(Object.entries(text.providers).map(([name, provider]) => [name, toProvider(provider)])),
  agents: new Map(
    Object.entries(text.agents).map(([handle, { heartbeat, ...agent }]) => [
      handle,
      heartbeat === undefined ? agent : { ...agent, heartbeat: toHeartbeat(heartbeat) },
    ]),
  ),
  defaults: text.defaults,
  channels: new Map(Object.entries(text.channels).map(([name, channel]) => [name, toChannel(channel)])),
  turns: {
    maxToolCalls: text.turns.max_tool_calls,
    maxChain: text.turns.max_chain,
    maxReplies: text.turns.max_replies,
    logDays: text.turns.log_days,
  },
  cells: {
    idleSeconds: text.cells.idle_seconds,
    backend: text.cells.backend,
    maxOpen: text.cells.max_open,
    silenceSeconds: text.cells.silence_seconds,
    limits: {
      memoryMiB: text.cells.limits.memory_mib,
      processes: text.cells.limits.processes,
      cpus: text.cells.limits.cpus,
      fileMiB: text.cells.limits.file_mib,
      diskMiB: text.cells.limits.disk_mib,
    },
  },
  retention: {
    deliveryDays: text.retention.delivery_days,
    jobDays: text.retention.job_days,
    usageDays: text.retention.usage_days,
  },
  attachments: {
    fileBytes: text.attachments.file_mib * MEBIBYTE,
    personBytes: text.attachments.person_mib * MEBIBYTE,
    houseBytes: text.attachments.house_mib * MEBIBYTE,
    keepMetadata: text.attachments.keep_metadata,
    unnamedMs: text.attachments.unnamed_hours * 60 * 60 * 1000,
  },
  approvals: { expireHours: text.approvals.expire_hours },
  budget: toBudget(text.budget, text.prices),
  memory: toMemory(text.memory),
  models: toOwnModels(text.models),
  compaction: toCompaction(text.compaction),
  ...(text.search === undefined ? {} : { search: toSearch(text.search) }),
  ...(text.voice === undefined ? {} : { voice: toVoice(text.voice) }),
  ...(text.pictures === undefined ? {} : { pictures: toPictures(text.pictures) }),
  ...(text.descriptions === undefined ? {} : { descriptions: toDescriptions(text.descriptions) }),
  ...(text.backup === undefined ? {} : { backup: toBackup(text.backup) }),
  ...(text.tunnel === undefined ? {} : { tunnel: toTunnel(text.tunnel) }),
  log: text.log,
  observers: toObservers(text.observers),
  login: toLogin(text.login),
  audit: toAudit(text.audit),
});

/** Converts the table. A target without its own value has the value of `[backup]`. */
const toBackup = ({ to, targets, ...shared }: z.infer<typeof BackupText>): Config["backup"] & {} => {
  const { every: everyMs, keep, recipients } = shared;
  return {
    ...(to === undefined ? {} : { folder: { to, everyMs, keep, recipients } }),
    targets: new Map(
      Object.entries(targets).map(([name, target]) => [
        name,
        {
          to: target.to,
          everyMs: target.every ?? everyMs,
          keep: target.keep ?? keep,
          recipients: target.recipients ?? recipients,
        },
      ]),
    ),
  };
};

/** Returns the keys allowed at a path. Empty if any name is allowed. */
export const keysAt = (path: readonly PropertyKey[]): readonly string[] => {
  let schema: z.core.$ZodType | undefined = ConfigText;
  for (const segment of path) {
    schema = unwrapSchema(schema);
    if (schema instanceof z.ZodObject) schema = (schema.shape as Record<PropertyKey, z.core.$ZodType>)[segment];
    else if (schema instanceof z.ZodRecord) schema = schema.valueType;
    else return [];
  }
  schema = unwrapSchema(schema);
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
};

/** A single value of a table: a text, a number, a boolean or a list of texts. */
export interface Leaf {
  readonly path: readonly [string, ...string[]];
  /** The default value, as the file writes it. */
  readonly defaultValue?: SettingValue;
}

/** Returns the single values below a table, without those whose names a person chooses. */
export const leavesOf = (table: string): readonly Leaf[] => {
  const walk = (path: Leaf["path"], schema: z.core.$ZodType | undefined): readonly Leaf[] => {
    const innerSchema = unwrapSchema(schema);
    if (innerSchema instanceof z.ZodObject)
      return Object.entries(innerSchema.shape).flatMap(([key, value]) => walk([...path, key], value));
    if (!(innerSchema instanceof z.ZodDefault)) return innerSchema instanceof z.ZodRecord ? [] : [{ path }];
    const defaultValue: unknown = innerSchema.def.defaultValue;
    const isSingle = typeof defaultValue !== "object" || Array.isArray(defaultValue);
    return isSingle ? [{ path, defaultValue: defaultValue as SettingValue }] : [];
  };
  return walk([table], (Tables.shape as Readonly<Record<string, z.core.$ZodType>>)[table]);
};

const unwrapSchema = (schema: z.core.$ZodType | undefined): z.core.$ZodType | undefined =>
  schema instanceof z.ZodPrefault || schema instanceof z.ZodOptional ? unwrapSchema(schema.unwrap()) : schema;
