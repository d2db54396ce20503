/**
 * The channels of a house, as configured. Each is opened on first use, which loads the code of its
 * kind, and then stays open. Their tokens are never shown.
 */
import {
  parseReference,
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
  type ChannelTest,
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
  /** The rules for senders. When absent, paired senders are admitted. */
  readonly admission?: Admission;
}

/** An account that is not in the config. */
export interface NewAccount {
  readonly kind: string;
  readonly token: string;
  readonly baseUrl?: string | undefined;
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
   * success. An error that does not recur within six minutes is dropped.
   */
  report(name: string, direction: "in" | "out", error: ErrorBody | undefined): void;
  state(name: string): { readonly state: "ready" | "failing" | "off"; readonly error?: ErrorBody };
  /** Requests the account's identity from the platform. Stores nothing. Throws `config.invalid`. */
  testNew(account: NewAccount, signal: AbortSignal): Promise<{ readonly ok: boolean; readonly detail: string }>;
  /**
   * Tests a token for a channel, or a reference to one. Stores nothing. Throws `channel.unknown` or
   * `config.invalid`.
   */
  testToken(name: string, token: DraftToken, signal: AbortSignal): Promise<ChannelTest>;
  /**
   * Called with the channels that were added, changed or removed in the config. It never throws.
   */
  onChange(listener: (changed: readonly ChangedChannel[]) => void): void;
}

export interface ChangedChannel {
  readonly name: string;
  /** Whether the name may now refer to another account of the platform. */
  readonly hasNewToken: boolean;
}

/** Exactly one of the two fields is present. */
export interface DraftToken {
  readonly token?: string | undefined;
  readonly tokenReference?: string | undefined;
}

/** The legal values of `kind`. A house without channels loads none of them. */
export type ChannelTable = Readonly<Record<string, () => Promise<ChannelFactory>>>;

export interface ChannelsOptions extends ReferenceSources {
  readonly world: Pick<World, "clock" | "fetch" | "hash">;
  readonly log: Log;
  readonly table: ChannelTable;
  readonly config: Pick<ConfigSource, "onChange" | "placeOf"> & { current(): Pick<Config, "channels"> };
}

/** Time within which a failure recurs unless its cause no longer exists. A quiet platform reports no success. */
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
  const openChannels = new Map<string, Promise<Channel>>();
  const offErrors = new Map<string, ErrorBody>();
  const failures = new Map<string, { readonly error: ErrorBody; readonly at: number }>();

  const listeners: ((changed: readonly ChangedChannel[]) => void)[] = [];
  let configured = source.current().channels;

  /** Forgets a channel whose settings changed. Its next use opens it again. */
  const resetChannel = (name: string): void => {
    openChannels.delete(name);
    offErrors.delete(name);
    for (const direction of ["in", "out"]) failures.delete(`${direction} ${name}`);
  };
  source.onChange(() => {
    const previousChannels = configured;
    configured = source.current().channels;
    const names = new Set([...previousChannels.keys(), ...configured.keys()]);
    const changedNames = [...names].filter((name) => !isSame(previousChannels.get(name), configured.get(name)));
    for (const name of changedNames) resetChannel(name);
    if (changedNames.length === 0) return;
    const changes = changedNames.map((name) => {
      const [oldToken, newToken] = [previousChannels.get(name)?.token, configured.get(name)?.token];
      return { name, hasNewToken: oldToken !== undefined && JSON.stringify(oldToken) !== JSON.stringify(newToken) };
    });
    for (const listen of listeners) listen(changes);
  });

  const readSecret = async (name: string, key: string, secret: SecretReference): Promise<string> => {
    const { reference, text, problem, remedy } = await readReference(secret, options);
    // A text that cannot be a header value is not a secret. It may be an entire file that was named by mistake.
    if (text !== undefined && /^[\x21-\x7e]+$/.test(text)) return text;
    throw new HearthError(
      "channel.auth",
      `The channel "${name}" has no ${key}: ${reference} ${text === undefined ? problem : "does not contain one"}.`,
      { hint: remedy },
    );
  };

  const create = async (name: string, config: ChannelConfig, draft?: string): Promise<Channel> => {
    const load = Object.hasOwn(table, config.kind) ? table[config.kind] : undefined;
    if (load === undefined) {
      const place = source.placeOf(["channels", name, "kind"]);
      throw new HearthError("channel.unknown", `${describeKind(name, config.kind)}; ${place}.`, {
        hint: suggest(config.kind, Object.keys(table)),
      });
    }
    const token = draft ?? (await readSecret(name, "token", config.token));
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

  const draftReference = (text: string): SecretReference => {
    const parsed = parseReference(text);
    if (parsed.kind !== "refused") return parsed;
    throw new HearthError("config.invalid", `token ${parsed.why}.`, { hint: parsed.hint });
  };

  return {
    list: () => [...configured].map(([name, config]) => toSettings(name, config)),

    settings(name) {
      const config = configured.get(name);
      if (config !== undefined) return toSettings(name, config);
      throw unknownChannelError(name, configured);
    },

    async open(name) {
      const config = configured.get(name);
      if (config === undefined) return undefined;
      const opening = openChannels.get(name) ?? create(name, config);
      openChannels.set(name, opening);
      try {
        const channel = await opening;
        offErrors.delete(name);
        return channel;
      } catch (error) {
        // A key file may be added while the house runs, so the next use checks again.
        openChannels.delete(name);
        const { message, hint } = toErrorBody(error);
        // Each problem is logged once, not at every check.
        if (offErrors.get(name)?.message !== message)
          log.write("warn", "A channel is off.", { channel: name, why: message, hint });
        offErrors.set(name, toErrorBody(error));
        return undefined;
      }
    },

    async testToken(name, { token, tokenReference }, signal) {
      const config = configured.get(name);
      if (config === undefined) throw unknownChannelError(name, configured);
      const draft = tokenReference === undefined ? config : { ...config, token: draftReference(tokenReference) };
      try {
        return await (await create(name, draft, token)).probe(signal);
      } catch (error) {
        const { message, hint } = toErrorBody(error);
        return { ok: false, detail: [message, hint].filter(Boolean).join(" ") };
      }
    },

    async testNew({ kind, token, baseUrl }, signal) {
      const load = Object.hasOwn(table, kind) ? table[kind] : undefined;
      if (load === undefined)
        throw new HearthError("config.invalid", `Unknown channel kind "${kind}".`, {
          hint: `The kind is one of: ${Object.keys(table).join(", ")}.`,
        });
      const factory = await load();
      const { webhookSecretOf } = await import("./webhook-secret.ts");
      const webhookSecret = webhookSecretOf(world.hash, token);
      const url = baseUrl === undefined ? {} : { baseUrl };
      return factory({ fetch: world.fetch, clock: world.clock, token, webhookSecret, ...url }).probe(signal);
    },

    report(name, direction, error) {
      if (error === undefined) failures.delete(`${direction} ${name}`);
      else failures.set(`${direction} ${name}`, { error, at: world.clock.monotonic() });
    },

    state(name) {
      const offError = offErrors.get(name);
      if (offError !== undefined) return { state: "off", error: offError };
      for (const direction of ["in", "out"]) {
        const failure = failures.get(`${direction} ${name}`);
        if (failure !== undefined && world.clock.monotonic() - failure.at < FAILURE_VALID_MS)
          return { state: "failing", error: failure.error };
      }
      return { state: "ready" };
    },

    onChange: (listener) => void listeners.push(listener),
  };
};

const unknownChannelError = (name: string, configured: ReadonlyMap<string, unknown>): HearthError =>
  new HearthError("channel.unknown", `No channel is named "${name}".`, {
    hint:
      configured.size === 0
        ? "Add one: hearth channel add telegram --token-stdin"
        : `Configured channels: ${[...configured.keys()].join(", ")}.`,
  });

const isSame = (a: ChannelConfig | undefined, b: ChannelConfig | undefined): boolean =>
  JSON.stringify(a) === JSON.stringify(b);
