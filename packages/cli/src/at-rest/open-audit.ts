/** Opens the audit log from the daemon, or from the home's files when no daemon is running. */
import { HearthError, includesRight, isHearthError } from "@hearth/protocol";
import { type AuditSource, handlesOf } from "./audit-source.ts";
import type { Context } from "../command.ts";

export const openAudit = async (context: Context): Promise<AuditSource> => {
  try {
    return await openAtDaemon(context);
  } catch (error) {
    if (!isHearthError(error, "house.unreachable") || context.elsewhere !== undefined) throw error;
    const { openAtRest } = await import("./audit-at-rest.ts");
    return openAtRest(context.home);
  }
};

const openAtDaemon = async ({ connect }: Context): Promise<AuditSource> => {
  const client = await connect();
  const me = await client.me();
  const audit = await client.audit();
  return {
    async houses(named) {
      if (named !== undefined) {
        const { id, handle } = await client.houses.get(named);
        return [{ id, handle }];
      }
      const decides = new Set(
        me.permissions.filter((permission) => includesRight(permission, "audit")).map(({ on }) => on),
      );
      const administered = (await client.houses.list()).filter(({ id }) => decides.has(id));
      if (administered.length > 0) return administered.map(({ id, handle }) => ({ id, handle }));
      throw new HearthError("auth.denied", "You have neither x nor the right audit on any house.", {
        hint: "Ask an administrator of the house: hearth grant add NAME audit",
      });
    },
    search: ({ id }, search) => audit.read(id, search),
    idOf: async (name) => (await client.agents.get(name)).id,
    async handles() {
      const [agents, rooms] = await Promise.all([client.agents.list(), client.rooms.list()]);
      return handlesOf([...agents, ...rooms]);
    },
    verify: ({ id }) => audit.verify(id),
    export: ({ id }, since) => audit.export(id, since),
    [Symbol.dispose]() {},
  };
};
