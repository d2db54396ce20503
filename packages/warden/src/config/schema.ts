/** What `hearth.toml` may say: the one schema. It reads no file and knows no lines; `read.ts` gives its refusals a place. */
import { AgentContent, CellKind, isHandle, isZone, nameToHandle } from "@hearth/protocol";
import { isToolName, tools } from "@hearth/protocol/tools";
import { z } from "zod";
import { showPath } from "./lines.ts";
import { nearest } from "./nearest.ts";
import { parseReference, type SecretReference } from "./reference.ts";

export const CONFIG_VERSION = 1;
export const DEFAULT_PORT = 18_789;
const DEFAULT_HOST = "127.0.0.1";

/** The config as the house uses it. */
export interface Config {
  readonly server: {
    /** 0: any free one. */
    readonly port: number;
    readonly host: string;
  };
  /** By the name that a model's first segment says. */
  readonly providers: ReadonlyMap<string, ProviderConfig>;
  /** By handle. What is written here is pinned: no other way changes it. */
  readonly agents: ReadonlyMap<string, PinnedAgent>;
  readonly cells: {
    /** A cell without work for this long hibernates. */
    readonly idleSeconds: number;
    /** Where agents live that do not say. */
    readonly backend: CellKind;
  };
}

export interface ProviderConfig {
  readonly kind: string;
  readonly baseUrl?: string;
  readonly apiKey?: SecretReference;
}

const pinnable = AgentContent.pick({
  model: true,
  description: true,
  prompt: true,
  tools: true,
  cell: true,
  timezone: true,
});
export type PinnedAgent = Readonly<z.infer<typeof pinnable>>;

const LOOPBACK = /^(localhost|::1|127(\.\d{1,3}){3})$/;
export const isLoopback = (host: string): boolean => LOOPBACK.test(host);

/** A refusal in our words. `hint` travels in the issue's `params`. */
const refuse = (input: unknown, message: string, hint: string): z.core.$ZodRawIssue => ({
  code: "custom",
  input,
  message,
  params: { hint },
});

const Port = "must be a whole number from 0 to 65535";
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
const Reference = z.string().transform((value, { issues }): SecretReference => {
  const parsed = parseReference(value);
  if (parsed.kind !== "refused") return parsed;
  issues.push(refuse(value, parsed.why, parsed.hint));
  return z.NEVER;
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
const ProviderName = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,63}$/, "is not a provider's name: lower-case letters, digits and hyphens, a letter first");
const WebUrl = z.url({ protocol: /^https?$/, error: "must be a URL that begins with http:// or https://" });

/** The file, key by key as it is written. */
export const ConfigText = z.strictObject({
  version: z.literal(CONFIG_VERSION),
  server: z
    .strictObject({ port: z.int(Port).min(0).max(65_535).default(DEFAULT_PORT), host: Host.default(DEFAULT_HOST) })
    .prefault({}),
  providers: z
    .record(
      ProviderName,
      z.strictObject({ kind: z.string(), base_url: WebUrl.optional(), api_key: Reference.optional() }),
    )
    .prefault({}),
  agents: z
    .record(Handle, pinnable.extend({ tools: z.array(Tool).max(100).optional(), timezone: Zone.optional() }))
    .prefault({}),
  cells: z
    .strictObject({
      idle_seconds: z.number(Seconds).min(1).max(86_400).default(300),
      backend: CellKind.default("auto"),
    })
    .prefault({}),
});
type ConfigText = z.infer<typeof ConfigText>;

/**
 * Where a slip of the pen could open a door: a key that is unknown here, or that was meant for here, refuses the start.
 * `*` is any name.
 */
export const GUARDED: readonly (readonly string[])[] = [
  ["server"],
  ["agents", "*", "tools"],
  ["agents", "*", "cell"],
  ["cells", "backend"],
];

export const toConfig = (text: ConfigText): Config => ({
  server: text.server,
  providers: new Map(Object.entries(text.providers).map(([name, provider]) => [name, toProvider(provider)])),
  agents: new Map(Object.entries(text.agents)),
  cells: { idleSeconds: text.cells.idle_seconds, backend: text.cells.backend },
});

const toProvider = ({ kind, base_url: baseUrl, api_key: apiKey }: ConfigText["providers"][string]): ProviderConfig => ({
  kind,
  ...(baseUrl === undefined ? {} : { baseUrl }),
  ...(apiKey === undefined ? {} : { apiKey }),
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
  schema instanceof z.ZodPrefault ? bare(schema.unwrap()) : schema;
