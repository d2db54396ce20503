/** Uses the audit log through the daemon, or through the home's files when no daemon is running. */
import { type AuditKeyRotation, HearthError, includesRight, isHearthError } from "@hearth/protocol";
import { type AuditSource, handlesOf } from "./audit-source.ts";
import type { Context } from "../command.ts";

export const openAudit = (context: Context): Promise<AuditSource> =>
  withoutDaemon(context, openAtDaemon, async ({ home }) => (await import("./audit-at-rest.ts")).openAtRest(home));

/** Replaces the key of the audit log. */
export const rotateAuditKey = (context: Context): Promise<AuditKeyRotation> =>
  withoutDaemon(
    context,
    async ({ connect }) => (await (await connect()).audit()).rotateKey(),
    async ({ home }) => (await import("./audit-at-rest.ts")).rotateKeyAtRest(home),
  );

const withoutDaemon = async <Result>(
  context: Context,
  atDaemon: (context: Context) => Promise<Result>,
  atRest: (context: Context) => Promise<Result>,
): Promise<Result> => {
  try {
    return await atDaemon(context);
  } catch (error) {
    if (!isHearthError(error, "house.unreachable") || context.elsewhere !== undefined) throw error;
    return atRest(context);
  }
};

const openAtDaemon = async ({ connect }: Context): Promise<AuditSource> => {
  const client = await connect();
  const me = await client.me();
  const audit = await client.audit();
  return {
    async houses(house) {
      if (house !== undefined) {
        const { id, handle } = await client.houses.get(house);
        return [{ id, handle }];
      }
      const auditedIds = new Set(
        me.permissions.filter((permission) => includesRight(permission, "audit")).map(({ on }) => on),
      );
      const auditedHouses = (await client.houses.list()).filter(({ id }) => auditedIds.has(id));
      if (auditedHouses.length > 0) return auditedHouses.map(({ id, handle }) => ({ id, handle }));
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
