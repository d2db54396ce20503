/** The tunnel of the house: its state, and changes of it. */
import { actorOf } from "../../people/lazy.ts";
import { tunnelOperations } from "@hearth/protocol/operations";
import { createProof } from "../proof.ts";
import { type App, bind, type RouteOptions } from "./route.ts";

const PROOF_HINT = "Run `hearth tunnel open` on the daemon's machine, or log in again with a link from `hearth login`.";

export const tunnelRoutes = (app: App, options: RouteOptions): void => {
  const { tunnel, people } = options.areas;
  const proof = createProof(people.logins);

  bind(app, options, tunnelOperations, {
    get: () => tunnel.info(),

    set: async ({ principal, body }) => {
      proof.require(principal, "A tunnel", PROOF_HINT);
      await (await tunnel.changes()).set(body, actorOf(principal));
      tunnel.tryNow();
      return tunnel.info();
    },

    remove: async ({ principal }) => (await tunnel.changes()).remove(actorOf(principal)),
  });
};
