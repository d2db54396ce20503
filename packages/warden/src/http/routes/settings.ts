/** Single values of the config file. */
import { isHearthError, lazy } from "@hearth/protocol";
import { settingOperations } from "@hearth/protocol/operations";
import { actorOf } from "../../people/lazy.ts";
import { createProof } from "../proof.ts";
import { type App, bind, type RouteOptions } from "./route.ts";

const PROOF_HINT = "Run `hearth config set` on the daemon's machine, or log in again with a link from `hearth login`.";

export const settingRoutes = (app: App, options: RouteOptions): void => {
  const { areas } = options;
  const { kernel, people } = areas;
  const proof = createProof(people.logins);
  const load = lazy(async () => (await import("../../kernel/lazy.ts")).createSettings(kernel.config));

  bind(app, options, settingOperations, {
    list: async () => (await load()).list(),

    edit: async ({ principal, body }) => {
      const settings = await load();
      const guardedKey = Object.keys(body.values).find((key) => settings.find(key).needsProof);
      if (guardedKey !== undefined) proof.require(principal, `A change of ${guardedKey}`, PROOF_HINT);
      await settings.set(body.values, actorOf(principal));
      return settings.list();
    },

    testWebSearch: async ({ request }) => {
      try {
        const [firstHit, ...otherHits] = await areas.reports.searchWeb("Hearth", request.signal);
        if (firstHit === undefined)
          return { ok: false, detail: "The engine answered, and found nothing for “Hearth”." };
        return { ok: true, detail: `Searched for “Hearth”. The first of ${otherHits.length + 1}: ${firstHit.title}` };
      } catch (error) {
        if (!isHearthError(error, "search.none") && !isHearthError(error, "search.failed")) throw error;
        return { ok: false, detail: [error.message, error.hint].filter((part) => part !== undefined).join(" ") };
      }
    },
  });
};
