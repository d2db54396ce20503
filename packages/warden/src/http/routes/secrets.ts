/**
 * Secrets of a house: creating, setting, granting and removing. Requests contain values, and
 * responses never do.
 */
import { HearthError, SecretGrantId } from "@hearth/protocol";
import type { Principal } from "../../people/index.ts";
import { secretOperations } from "@hearth/protocol/operations";
import { type App, bind, type RouteOptions } from "./route.ts";

export const secretRoutes = (app: App, options: RouteOptions): void => {
  const { access, areas } = options;
  const { vault } = areas.secrets;
  const { config } = areas.kernel;

  /**
   * Throws `auth.denied` for a name that the config file or a job uses, if a right admitted the
   * request. A new value would give the caller, for example, the key that signs the messages of a
   * channel.
   */
  const requireUnused = ({ right }: Principal, name: string): void => {
    if (right === undefined) return;
    const configText = JSON.stringify(config.fileValue([]) ?? {})
      .replaceAll("%3A", ":")
      .replaceAll("%3a", ":");
    const usedNames = new Set([...configText.matchAll(/secret:([A-Za-z0-9_-]+)/g)].map(([, name]) => name));
    if (!usedNames.has(name) && !name.startsWith(JOB_PREFIX)) return;
    throw new HearthError(
      "auth.denied",
      `The house itself uses the secret ${name}, so the right secrets is not enough.`,
      {
        hint: "Ask an administrator of the house.",
      },
    );
  };

  bind(app, options, secretOperations, {
    list: async ({ principal, params }) => {
      const { id } = await access.find(principal, "house", params.house);
      return vault.list(id);
    },

    set: async ({ principal, params, body }) => {
      const { id } = await access.find(principal, "house", params.house);
      requireUnused(principal, body.name);
      return vault.set(id, body, principal.agent, principal.right);
    },

    rotate: async ({ principal, params, body }) => {
      const { house, name } = params;
      const { id } = await access.find(principal, "house", house);
      requireUnused(principal, name);
      return vault.rotate(id, { name, ...body }, principal.agent, principal.right);
    },

    remove: async ({ principal, params }) => {
      const { house, name } = params;
      const { id } = await access.find(principal, "house", house);
      requireUnused(principal, name);
      await vault.remove(id, name, principal.agent, principal.right);
    },

    grant: async ({ principal, params, body }) => {
      const { house, name } = params;
      const { id } = await access.find(principal, "house", house);
      requireUnused(principal, name);
      return vault.grant(id, name, body, principal.agent, principal.right);
    },

    revoke: async ({ principal, params }) => {
      const { house, name, grant } = params;
      const { id } = await access.find(principal, "house", house);
      const parsed = SecretGrantId.safeParse(grant);
      if (!parsed.success)
        throw new HearthError("secret.not-found", `${name} has no grant ${grant}.`, {
          hint: "List them: hearth secret list",
        });
      requireUnused(principal, name);
      await vault.revoke(id, name, parsed.data, principal.agent, principal.right);
    },

    vault: async () => vault.status(),

    changeKey: async ({ body }) => vault.changeKey(body),
  });
};

/** The prefix of the names of secrets that sign the deliveries of jobs' webhooks. */
const JOB_PREFIX = "job-";
