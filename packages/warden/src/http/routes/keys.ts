/**
 * API keys: creating, listing, revoking. Callers manage their own keys, and administrators of a
 * house manage those of its agents.
 */
import type { KeyRecord, Principal } from "../../people/index.ts";
import { createOversight, isLimited } from "../../people/lazy.ts";
import { HearthError, includesLevel } from "@hearth/protocol";
import { keyOperations } from "@hearth/protocol/operations";
import { type App, bind, type RouteOptions } from "./route.ts";

export const keyRoutes = (app: App, options: RouteOptions): void => {
  const { access, areas } = options;
  const { house: home, keys, permissions, records } = areas.people;
  const oversight = createOversight(permissions);

  /** Whether the principal manages keys of this agent. A limited key manages only itself. */
  const canManage = async (principal: Principal, { agent, id }: Pick<KeyRecord, "agent" | "id">): Promise<boolean> => {
    if (agent === principal.agent && (!isLimited(principal) || id === principal.key)) return true;
    const record = await records.find("agent", agent);
    // For a deleted agent, the home's administrators decide.
    if (record === undefined) return includesLevel(await permissions.levelOf(principal, home), "x");
    return oversight.canAdminister(principal, record);
  };

  bind(app, options, keyOperations, {
    list: async ({ principal }) => {
      const keyRecords = await keys.list();
      const areVisible = await Promise.all(keyRecords.map((key) => canManage(principal, key)));
      return keyRecords.filter((_, index) => areVisible[index] === true);
    },

    create: async ({ principal, body }) => {
      const { name, agent = principal.agent, scope, expiresAt } = body;
      if (scope?.only !== undefined) await access.require(principal, "x", home);
      if (agent !== principal.agent)
        await oversight.requireAll(principal, await access.find(principal, "agent", agent));
      const created = await keys.create(
        {
          name,
          agent,
          ...(scope === undefined ? {} : { scope }),
          ...(expiresAt === undefined ? {} : { expiresAt }),
        },
        principal,
      );
      const { createdAt: _, ...shownKey } = created;
      return shownKey;
    },

    revoke: async ({ principal, params }) => {
      const key = await keys.get(params.id);
      if (!(await canManage(principal, key)))
        throw new HearthError("record.not-found", `There is no key ${key.id}.`, { hint: "List them: hearth key list" });
      return keys.revoke(key.id, principal.agent);
    },
  });
};
