/** What `hearth.toml` may say: the one schema. It reads no file and knows no lines; `read.ts` gives its refusals a place. */
import {
  AgentContent,
  CellKind,
  CellLimits,
  DEFAULT_CELL_LIMITS,
  Durability,
  Heartbeat,
  isHandle,
  isZone,
  nameToHandle,
} from "@hearth/protocol";
import { isToolName, tools } from "@hearth/protocol/tools";
import { z } from "zod";
import { type SinkKind, sinks } from "../log/index.ts";
import { type LogLevel, logLevels } from "../log/log.ts";
import { type BudgetConfig, BudgetText, dollars, PricesText, toBudget, tokens, toLimit } from "./text/budget-text.ts";
import { type ChannelConfig, Channels, toChannel } from "./text/channel-text.ts";
import { type CompactionConfig, CompactionText, toCompaction } from "./text/compaction-text.ts";
import { showPath } from "./lines.ts";
import { type MemoryConfig, MemoryText, toMemory } from "./text/memory-text.ts";
import { nearest } from "./nearest.ts";
import { type ProviderConfig, Providers, toProvider } from "./text/provider-text.ts";
import { type SearchConfig, SearchText, toSearch } from "./text/search-text.ts";
import { refuse } from "./values.ts";

export const CONFIG_VERSION = 1;
export const DEFAULT_PORT = 18_789;
const DEFAULT_HOST = "127.0.0.1";

/** The config as the house uses it. */
export interface Config {
  readonly server: {
    /** 0: any free one. */
    readonly port: number;
    readonly host: string;
    /** Whether webhooks of subscriptions may lead to this machine. */
    readonly loopbackWebhooks: boolean;
  };
  readonly egress: {
    /** Whether a grant of an agent may lead to this machine itself. */
    readonly loopback: boolean;
  };
  readonly store: {
    /** What an accepted message survives. */
    readonly durability: Exclude<Durability, "none">;
  };
  /** By the name that a model's first segment says. */
  readonly providers: ReadonlyMap<string, ProviderConfig>;
  /** By handle. What is written here is pinned: no other way changes it. */
  readonly agents: ReadonlyMap<string, PinnedAgent>;
  /** By name. */
  readonly channels: ReadonlyMap<string, ChannelConfig>;
  readonly turns: {
    /** Tool calls in one activation. */
    readonly maxToolCalls: number;
    /** How many agents may wake each other in a row until a person says something. */
    readonly maxChain: number;
    /** Replies of agents that one message may lead to in its room. */
    readonly maxReplies: number;
    /** How long activations, and what their calls said, are kept after their end. */
    readonly logDays: number;
  };
  readonly cells: {
    /** A cell without work for this long hibernates. */
    readonly idleSeconds: number;
    /** Where agents live that do not say. */
    readonly backend: CellKind;
    /** How long an inmate may say nothing when it is its turn. Models and tools do not count. */
    readonly silenceSeconds: number;
    /** Open at once at most. One more waits, or takes the place of one without work. */
    readonly maxOpen: number;
    /** What a cell may use up where its agent's record says nothing else. */
    readonly limits: CellLimits;
  };
  readonly approvals: {
    /** What nobody answers for this long is denied by that. */
    readonly expireHours: number;
  };
  /** What agents may spend on models. */
  readonly budget: BudgetConfig;
  /** When a conversation has become too long for a model, and who writes its summary. */
  readonly compaction: CompactionConfig;
  /** What memory is made of. */
  readonly memory: MemoryConfig;
  /** What agents search the web with. Absent: they cannot. */
  readonly search?: SearchConfig;
  /** The daemon's diary. */
  readonly log: {
    /** None: there is no diary. */
    readonly to: readonly SinkKind[];
    /** What is below it is passed over. */
    readonly level: LogLevel;
  };
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

const LOOPBACK = /^(localhost|::1|127(\.\d{1,3}){3})$/;
export const isLoopback = (host: string): boolean => LOOPBACK.test(host);

const Port = "must be a whole number from 0 to 65535";
const Calls = "must be a whole number from 1 to 1000";
const Chain = "must be a whole number from 0 to 100";
const Replies = "must be a whole number from 0 to 1000";
const Hours = "must be a whole number of hours from 1 to 8760";
const Days = "must be a whole number of days from 1 to 3650";
const Seconds = "must be a number of seconds from 1 to 86400";
const Host = z.string().check(({ value, issues }) => {
  if (isLoopback(value)) return;
  issues.push(
    refuse(
      value,
      "must be a loopback address: Hearth has no TLS yet, so anyone on the network could read your keys",
      'Write "127.0.0.1" and reach the house through an SSH tunnel, or a proxy that ends TLS on this machine.',
    ),
  );
});
const Handle = z.string().check(({ value, issues }) => {
  if (isHandle(value)) return;
  const handle = nameToHandle(value);
  issues.push(
    refuse(
      value,
      "is not an agent's handle",
      handle === "" ? "Use letters and digits." : `Write [${showPath(["agents", handle])}].`,
    ),
  );
});
const Tool = z.string().check(({ value, issues }) => {
  if (isToolName(value)) return;
  const near = nearest(value, Object.keys(tools));
  const hint = near === undefined ? `There are: ${Object.keys(tools).join(", ")}.` : `Did you mean "${near}"?`;
  issues.push(refuse(value, "is not a tool", hint));
});
const Zone = z.string().check(({ value, issues }) => {
  if (isZone(value)) return;
  issues.push(refuse(value, "is not a known time zone", "Use an IANA name such as Europe/Berlin."));
});

/** As the record has it, but for money, which people write in dollars: of a day. */
const HeartbeatText = z.strictObject({
  ...Heartbeat.omit({ budget: true }).shape,
  budget: dollars,
  budget_tokens: tokens,
});

const toHeartbeat = ({ budget, budget_tokens, ...said }: z.infer<typeof HeartbeatText>): Heartbeat => {
  const limit = toLimit(budget, budget_tokens);
  return { ...said, ...(limit === undefined ? {} : { budget: limit }) };
};

/** The file, key by key as it is written. */
export const ConfigText = z.strictObject({
  version: z.literal(CONFIG_VERSION),
  server: z
    .strictObject({
      port: z.int(Port).min(0).max(65_535).default(DEFAULT_PORT),
      host: Host.default(DEFAULT_HOST),
      loopback_webhooks: z.boolean().default(false),
    })
    .prefault({}),
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
  channels: Channels.prefault({}),
  turns: z
    .strictObject({
      max_tool_calls: z.int(Calls).min(1, Calls).max(1000, Calls).default(10),
      max_chain: z.int(Chain).min(0, Chain).max(100, Chain).default(4),
      max_replies: z.int(Replies).min(0, Replies).max(1000, Replies).default(12),
      log_days: z.int(Days).min(1, Days).max(3650, Days).default(30),
    })
    .prefault({}),
  cells: z
    .strictObject({
      idle_seconds: z.number(Seconds).min(1).max(86_400).default(300),
      backend: CellKind.default("auto"),
      max_open: z.int().min(1).max(10_000).default(32),
      silence_seconds: z.number(Seconds).min(1, Seconds).max(86_400, Seconds).default(120),
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
  approvals: z.strictObject({ expire_hours: z.int(Hours).min(1, Hours).max(8760, Hours).default(24) }).prefault({}),
  budget: BudgetText.prefault({}),
  prices: PricesText.prefault({}),
  compaction: CompactionText.prefault({}),
  memory: MemoryText.prefault({}),
  search: SearchText.optional(),
  log: z
    .strictObject({
      to: z
        .array(z.enum(Object.keys(sinks) as SinkKind[]))
        .max(10)
        .default(["file"]),
      level: z.enum(logLevels).default("info"),
    })
    .prefault({}),
});
type ConfigText = z.infer<typeof ConfigText>;

/**
 * Where a slip of the pen could open a door, or lose what was promised: a key that is unknown here, or that was meant for here,
 * refuses the start.
 * `*` is any name.
 */
export const GUARDED: readonly (readonly string[])[] = [
  ["server"],
  ["egress"],
  ["store"],
  ["agents", "*", "tools"],
  ["agents", "*", "cell"],
  ["agents", "*", "heartbeat"],
  ["agents", "*", "mode"],
  ["agents", "*", "trusted"],
  ["channels", "*"],
  ["cells", "backend"],
  ["approvals"],
  ["budget"],
  ["prices"],
];

export const toConfig = (text: ConfigText): Config => ({
  server: { port: text.server.port, host: text.server.host, loopbackWebhooks: text.server.loopback_webhooks },
  egress: text.egress,
  store: text.store,
  providers: new Map(Object.entries(text.providers).map(([name, provider]) => [name, toProvider(provider)])),
  agents: new Map(
    Object.entries(text.agents).map(([handle, { heartbeat, ...agent }]) => [
      handle,
      heartbeat === undefined ? agent : { ...agent, heartbeat: toHeartbeat(heartbeat) },
    ]),
  ),
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
  approvals: { expireHours: text.approvals.expire_hours },
  budget: toBudget(text.budget, text.prices),
  memory: toMemory(text.memory),
  compaction: toCompaction(text.compaction),
  ...(text.search === undefined ? {} : { search: toSearch(text.search) }),
  log: text.log,
});

/** The keys that may stand at a path, or none where any name may. */
export const keysAt = (path: readonly PropertyKey[]): readonly string[] => {
  let schema: z.core.$ZodType | undefined = ConfigText;
  for (const segment of path) {
    schema = bare(schema);
    if (schema instanceof z.ZodObject) schema = (schema.shape as Record<PropertyKey, z.core.$ZodType>)[segment];
    else if (schema instanceof z.ZodRecord) schema = schema.valueType;
    else return [];
  }
  schema = bare(schema);
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
};

const bare = (schema: z.core.$ZodType | undefined): z.core.$ZodType | undefined =>
  schema instanceof z.ZodPrefault || schema instanceof z.ZodOptional ? bare(schema.unwrap()) : schema;
