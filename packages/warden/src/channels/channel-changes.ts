/** Adds channels to `hearth.toml`, and removes them. */
import { type Admission, HearthError } from "@hearth/protocol";
import type { Actor, ConfigSource, KeyFiles } from "../kernel/index.ts";
import { createKeyedTables, type TomlValues } from "../kernel/lazy.ts";

export interface NewChannel {
  readonly name: string;
  readonly kind: string;
  /** The handle of the agent that answers. */
  readonly agent: string;
  readonly baseUrl?: string | undefined;
  /** The token itself, or a reference to it. */
  readonly token?: string | undefined;
  readonly tokenReference?: string | undefined;
  /** The rules for senders. When absent, senders with a code are admitted. */
  readonly admission?: Admission | undefined;
}

/** The values to change. Absent values stay unchanged. */
export interface ChannelValues {
  readonly name: string;
  readonly agent?: string | undefined;
  readonly token?: string | undefined;
  readonly tokenReference?: string | undefined;
}

export interface ChannelChanges {
  /**
   * Adds a channel. When it resolves, the change is durable and the channel is being read. Throws
   * `config.invalid`, `record.handle-taken` or `home.read-only`.
   */
  add(channel: NewChannel, by?: Actor): Promise<void>;
  /**
   * Changes the agent or the token. When it resolves, the change is durable and the channel is
   * being read with the new values. Throws `channel.unknown`, `config.invalid` or `home.read-only`.
   */
  change(change: ChannelValues, by?: Actor): Promise<void>;
  /** Throws `channel.unknown` or `home.read-only`. */
  remove(name: string, by?: Actor): Promise<void>;
}

export interface ChannelChangesOptions {
  /** The valid values of `kind`. */
  readonly kinds: readonly string[];
  readonly config: Pick<ConfigSource, "current" | "edit">;
  readonly keyFiles: KeyFiles;
}

export const createChannelChanges = (options: ChannelChangesOptions): ChannelChanges => {
  const { kinds, config } = options;
  const tables = createKeyedTables(options);
  const exists = (name: string): boolean => config.current().channels.has(name);
  const requireKnown = (name: string): void => {
    if (exists(name)) return;
    throw new HearthError("channel.unknown", `No channel is named "${name}".`, {
      hint: "To see the channels: hearth channel list",
    });
  };

  return {
    add: ({ name, kind, agent, baseUrl: url, token: key, tokenReference: reference, admission }, by) => {
      const check = (): void => {
        if (!kinds.includes(kind))
          throw new HearthError("config.invalid", `Unknown channel kind "${kind}".`, {
            hint: `The kind is one of: ${kinds.join(", ")}.`,
          });
        if (exists(name))
          throw new HearthError("record.handle-taken", `A channel "${name}" already exists.`, {
            hint: `Choose another name, or remove it first: hearth channel remove ${name}`,
          });
      };
      const values = { kind, agent, ...(url === undefined ? {} : { base_url: url }) };
      const parts = admission === undefined ? {} : { parts: { admission: toText(admission) } };
      const table = {
        group: "channels",
        name,
        values,
        keyField: "token",
        key,
        reference,
        url,
        check,
        ...parts,
      } as const;
      return tables.add(table, by);
    },

    change: ({ name, agent, token: key, tokenReference: reference }, by) => {
      const values = agent === undefined ? {} : { agent };
      const check = (): void => requireKnown(name);
      return tables.change({ group: "channels", name, values, keyField: "token", key, reference, check }, by);
    },

    remove: (name, by) => tables.remove({ group: "channels", name }, () => requireKnown(name), by),
  };
};

/** Returns the table `admission` as the config file writes it. */
const toText = ({ directOnly, mentionRequired, ...lists }: Admission): TomlValues => ({
  ...Object.fromEntries(Object.entries(lists).filter(([, value]) => value !== undefined)),
  ...(directOnly === undefined ? {} : { direct_only: directOnly }),
  ...(mentionRequired === undefined ? {} : { mention_required: mentionRequired }),
});
