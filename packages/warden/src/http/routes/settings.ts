/** Single values of the config file. */
import { lazy } from "@hearth/protocol";
import { settingOperations } from "@hearth/protocol/operations";
import { actorOf } from "../../people/lazy.ts";
import { createProof } from "../proof.ts";
import { type App, bind, type RouteOptions } from "./route.ts";

const PROOF_HINT = "Run `hearth config set` on the daemon's machine, or log in again with a link from `hearth login`.";

export const settingRoutes = (app: App, options: RouteOptions): void => {
  const { kernel, people } = options.areas;
  const proof = createProof(people.logins);
  const load = lazy(async () => (await import("../../kernel/lazy.ts")).createSettings(kernel.config));

  bind(app, options, settingOperations, {
    list: async () => (await load()).list(),

    edit: async ({ principal, body }) => {
      const settings = await load();
      const guarded = Object.keys(body.values).find((key) => settings.find(key).needsProof);
      if (guarded !== undefined) proof.require(principal, `A change of ${guarded}`, PROOF_HINT);
      await settings.set(body.values, actorOf(principal));
      return settings.list();
    },
  });
};
