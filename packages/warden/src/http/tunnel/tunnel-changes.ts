/** Writes the table `[tunnel]` of the config, and removes it. */
import { HearthError, type SetTunnel } from "@hearth/protocol";
import type { Actor, ConfigEdit, ConfigSource } from "../../kernel/index.ts";
import { appendTable, removeTable } from "../../kernel/lazy.ts";

export interface TunnelChanges {
  /** Replaces the tunnel. Durable when it resolves. Throws `config.invalid` or `home.read-only`. */
  set(tunnel: SetTunnel, by: Actor): Promise<void>;
  /** Throws `tunnel.none` or `home.read-only`. */
  remove(by: Actor): Promise<void>;
}

const TABLE = "tunnel";

export const createTunnelChanges = (config: Pick<ConfigSource, "current" | "edit">): TunnelChanges => ({
  set: ({ kind, to, remotePort, url, forwarded }, by) => {
    const values = {
      kind,
      ...(to === undefined ? {} : { to }),
      ...(remotePort === undefined ? {} : { remote_port: remotePort }),
      ...(url === undefined ? {} : { url }),
      ...(forwarded === undefined ? {} : { forwarded }),
    };
    return config.edit((text, file) => appendTable(removeTable(text, [TABLE], file), [TABLE], values, file), {
      ...toConfigEdit("added", by),
      ...(url === undefined ? {} : { url }),
    });
  },

  remove: async (by) => {
    if (config.current().tunnel === undefined)
      throw new HearthError("tunnel.none", "There is no tunnel.", { hint: "Open one: hearth tunnel open KIND" });
    await config.edit((text, file) => removeTable(text, [TABLE], file), toConfigEdit("removed", by));
  },
});

const toConfigEdit = (change: ConfigEdit["change"], { agent, ...credential }: Actor): ConfigEdit => ({
  table: TABLE,
  change,
  by: agent,
  ...credential,
});
