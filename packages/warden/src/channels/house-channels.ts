/**
 * The channels of a house, as configured. Each is opened on first use, which loads the code of its
 * kind, and then stays open. Their tokens are never shown.
 */
import {
  readReference,
  type ParsedConfig,
  type ChannelConfig,
  type Config,
  type ConfigSource,
  type ReferenceSources,
  type SecretReference,
  type Log,
} from "../kernel/index.ts";
import {
  type ErrorBody,
  HearthError,
  toErrorBody,
  type World,
  type Admission,
  type ChannelMode,
} from "@hearth/protocol";
import { suggest } from "@hearth/protocol/nearest";
import type { Channel, ChannelFactory } from "./channel.ts";

export interface ChannelSettings {
  readonly name: string;
  readonly kind: string;
  readonly mode: ChannelMode;
  /** The handle of the agent that answers. */
  readonly agent: string;
  /** The URL at which the platform reaches this house. Only in mode `webhook`. */
  readonly webhookUrl?: string;
  /** Which senders are admitted. Absent for paired senders. */
  readonly admission?: Admission;
}

export interface Channels {
  /** Returns the channels in the current order of the config. */
  list(): readonly ChannelSettings[];
  /** Returns the settings of a channel. Throws `channel.unknown`. */
  settings(name: string): ChannelSettings;
  /**
   * Returns the channel, or undefined if it is not configured or cannot be opened. `state` then
   * has the reason. Never rejects.
   */
  open(name: string): Promise<Channel | undefined>;
  /**
   * Records the last result of receiving (`in`) or sending (`out`): an error, or undefined for
   * success. An error that does not recur is dropped after a while.
   */
  report(name: string, way: "in" | "out", error: ErrorBody | undefined): void;
  state(name: string): { readonly state: "ready" | "failing" | "off"; readonly error?: ErrorBody };
  /**
   * Called with the names of the channels that were added, changed or removed in the config. It never
   * throws.
   */
  onChange(listener: (names: readonly string[]) => void): void;
}

/** The legal values of `kind`. A house without channels loads none of them. */
export type ChannelTable = Readonly<Record<string, () => Promise<ChannelFactory>>>;

export interface ChannelsOptions extends ReferenceSources {
  readonly world: Pick<World, "clock" | "fetch" | "hash">;
  readonly log: Log;
  readonly table: ChannelTable;
  readonly config: Pick<ConfigSource, "onChange" | "placeOf"> & { current(): Pick<Config, "channels"> };
}

/**
 * Time within which a failure recurs unless its cause is gone. A quiet platform reports no success.
 */
const FAILURE_VALID_MS = 6 * 60_000;

/**
 * A shorter secret could be guessed, and with the secret anyone can send updates as the platform.
 */
export const MIN_WEBHOOK_SECRET_LENGTH = 16;

const requireLong = (channel: string, secret: string): string => {
  if (secret.length >= MIN_WEBHOOK_SECRET_LENGTH) return secret;
  throw new HearthError(
    "channel.auth",
    `The webhook_secret of the channel "${channel}" has ${secret.length} characters, and needs at least ${MIN_WEBHOOK_SECRET_LENGTH}.`,
    { hint: "Set a longer random value, or remove webhook_secret to let Hearth derive one from the token." },
  );
};

const describeKind = (name: string, kind: string): string =>
  `channels.${name}.kind has an unknown channel kind: "${kind}"`;

/**
 * Returns warnings about unknown kinds in the config, with their lines. Only these channels are
 * off.
 */
export const channelRemarks = ({ config, lineOf }: ParsedConfig, kinds: readonly string[]): readonly string[] =>
  [...config.channels]
    .filter(([, { kind }]) => !kinds.includes(kind))
    .map(([name, { kind }]) => {
      const line = lineOf(["channels", name, "kind"]) ?? 1;
      return `${describeKind(name, kind)}; hearth.toml line ${line}. ${suggest(kind, kinds)}`;
    });

export const createChannels = (options: ChannelsOptions): Channels => {
  const { world, log, table, config: source } = options;
  const opened = new Map<string, Promise<Channel>>();
  const off = new Map<string, ErrorBody>();
  const failing = new Map<string, { readonly error: ErrorBody; readonly at: number }>();

  const listeners: ((names: readonly string[]) => void)[] = [];
  let configured = source.current().channels;

  /** A channel whose settings changed is opened again at its next use. */
  const forget = (name: string): void => {
    opened.delete(name);
    off.delete(name);
    for (const way of ["in", "out"]) failing.delete(`${way} ${name}`);
  };
  source.onChange(() => {
    const before = configured;
    configured = source.current().channels;
    const names = new Set([...before.keys(), ...configured.keys()]);
    const changed = [...names].filter((name) => !isSame(before.get(name), configured.get(name)));
    for (const name of changed) forget(name);
    if (changed.length > 0) for (const listen of listeners) listen(changed);
  });

  const readSecret = async (name: string, key: string, reference: SecretReference): Promise<string> => {
    const { where, text, lack, fix } = await readReference(reference, options);
    // A text that cannot be a header value is not a secret; it may be an entire file that was named
    // by mistake.
    if (text !== undefined && /^[\x21-\x7e]+$/.test(text)) return text;
    throw new HearthError(
      "channel.auth",
      `The channel "${name}" has no ${key}: ${where} ${text === undefined ? lack : "does not contain one"}.`,
      { hint: fix },
    );
  };

  const create = async (name: string, config: ChannelConfig): Promise<Channel> => {
    const load = Object.hasOwn(table, config.kind) ? table[config.kind] : undefined;
    if (load === undefined) {
      const place = source.placeOf(["channels", name, "kind"]);
      throw new HearthError("channel.unknown", `${describeKind(name, config.kind)}; ${place}.`, {
        hint: suggest(config.kind, Object.keys(table)),
      });
    }
    const token = await readSecret(name, "token", config.token);
    const webhookSecret =
      config.webhookSecret === undefined
        ? (await import("./webhook-secret.ts")).webhookSecretOf(world.hash, token)
        : requireLong(name, await readSecret(name, "webhook_secret", config.webhookSecret));
    const factory = await load();
    return factory({
      fetch: world.fetch,
      clock: world.clock,
      token,
      webhookSecret,
      ...(config.baseUrl === undefined ? {} : { baseUrl: config.baseUrl }),
    });
  };

  const toSettings = (name: string, { kind, mode, agent, webhookUrl, admission }: ChannelConfig) => ({
    name,
    kind,
    mode,
    agent,
    ...(webhookUrl === undefined ? {} : { webhookUrl }),
    ...(admission === undefined ? {} : { admission }),
  });

  return {
    list: () => [...configured].map(([name, config]) => toSettings(name, config)),

    settings(name) {
      const config = configured.get(name);
      if (config !== undefined) return toSettings(name, config);
      throw new HearthError("channel.unknown", `No channel is named "${name}".`, {
        hint:
          configured.size === 0
            ? "Add one: hearth channel add telegram --token-stdin"
            : `Configured channels: ${[...configured.keys()].join(", ")}.`,
      });
    },

    async open(name) {
      const config = configured.get(name);
      if (config === undefined) return undefined;
      const opening = opened.get(name) ?? create(name, config);
      opened.set(name, opening);
      try {
        const channel = await opening;
        off.delete(name);
        return channel;
      } catch (error) {
        // A key file may be added while the house runs, so the next use checks again.
        opened.delete(name);
        const { message, hint } = toErrorBody(error);
        // Logged once, not at every check.
        if (off.get(name)?.message !== message)
          log.write("warn", "A channel is off.", { channel: name, why: message, hint });
        off.set(name, toErrorBody(error));
        return undefined;
      }
    },

    report(name, way, error) {
      if (error === undefined) failing.delete(`${way} ${name}`);
      else failing.set(`${way} ${name}`, { error, at: world.clock.monotonic() });
    },

    state(name) {
      const stopped = off.get(name);
      if (stopped !== undefined) return { state: "off", error: stopped };
      for (const way of ["in", "out"]) {
        const failure = failing.get(`${way} ${name}`);
        if (failure !== undefined && world.clock.monotonic() - failure.at < FAILURE_VALID_MS)
          return { state: "failing", error: failure.error };
      }
      return { state: "ready" };
    },

    onChange: (listener) => void listeners.push(listener),
  };
};

const isSame = (one: ChannelConfig | undefined, other: ChannelConfig | undefined): boolean =>
  JSON.stringify(one) === JSON.stringify(other);
