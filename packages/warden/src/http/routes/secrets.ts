/**
 * Secrets of a house: creating, setting, granting and removing. Requests contain values, and
 * responses never do.
 */
import { HearthError, SecretGrantId } from "@hearth/protocol";
import { secretOperations } from "@hearth/protocol/operations";
import { type App, bind, type RouteOptions } from "./route.ts";

export const secretRoutes = (app: App, options: RouteOptions): void => {
  const { access, areas } = options;
  const { vault } = areas.secrets;

  bind(app, options, secretOperations, {
    list: async ({ principal, params }) => {
      const { id } = await access.find(principal, "house", params.house);
      return vault.list(id);
    },

    set: async ({ principal, params, body }) => {
      const { id } = await access.find(principal, "house", params.house);
      return vault.set(id, body, principal.agent);
    },

    rotate: async ({ principal, params, body }) => {
      const { house, name } = params;
      const { id } = await access.find(principal, "house", house);
      return vault.rotate(id, { name, ...body }, principal.agent);
    },

    remove: async ({ principal, params }) => {
      const { house, name } = params;
      const { id } = await access.find(principal, "house", house);
      await vault.remove(id, name, principal.agent);
    },

    grant: async ({ principal, params, body }) => {
      const { house, name } = params;
      const { id } = await access.find(principal, "house", house);
      return vault.grant(id, name, body, principal.agent);
    },

    revoke: async ({ principal, params }) => {
      const { house, name, grant } = params;
      const { id } = await access.find(principal, "house", house);
      const parsed = SecretGrantId.safeParse(grant);
      if (!parsed.success)
        throw new HearthError("secret.not-found", `${name} has no grant ${grant}.`, {
          hint: "List them: hearth secret list",
        });
      await vault.revoke(id, name, parsed.data, principal.agent);
    },

    vault: async () => vault.status(),

    changeKey: async ({ body }) => vault.changeKey(body),
  });
};
