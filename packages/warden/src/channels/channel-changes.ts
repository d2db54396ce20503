/** Adds channels to `hearth.toml`, and removes them. */
import { HearthError } from "@hearth/protocol";
import type { Actor, ConfigSource, KeyFiles } from "../kernel/index.ts";
import { createKeyedTables } from "../kernel/lazy.ts";

export interface NewChannel {
  readonly name: string;
  readonly kind: string;
  /** The handle of the agent that answers. */
  readonly agent: string;
  readonly baseUrl?: string | undefined;
  /** The token itself, or a reference to it. */
  readonly token?: string | undefined;
  readonly tokenReference?: string | undefined;
}

export interface ChannelChanges {
  /**
   * Durable when it resolves, and the channel is being read. Throws `config.invalid`,
   * `record.handle-taken` or `home.read-only`.
   */
  add(channel: NewChannel, by?: Actor): Promise<void>;
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
  const has = (name: string): boolean => config.current().channels.has(name);

  return {
    add: ({ name, kind, agent, baseUrl: url, token: key, tokenReference: reference }, by) => {
      const check = (): void => {
        if (!kinds.includes(kind))
          throw new HearthError("config.invalid", `Unknown channel kind "${kind}".`, {
            hint: `The kind is one of: ${kinds.join(", ")}.`,
          });
        if (has(name))
          throw new HearthError("record.handle-taken", `A channel "${name}" already exists.`, {
            hint: `Choose another name, or remove it first: hearth channel remove ${name}`,
          });
      };
      const values = { kind, agent, ...(url === undefined ? {} : { base_url: url }) };
      return tables.add({ group: "channels", name, values, keyField: "token", key, reference, url, check }, by);
    },

    remove: (name, by) =>
      tables.remove(
        { group: "channels", name },
        () => {
          if (has(name)) return;
          throw new HearthError("channel.unknown", `No channel is named "${name}".`, {
            hint: "To see the channels: hearth channel list",
          });
        },
        by,
      ),
  };
};
