/** Pairings with senders on chat platforms. Only people decide. */
import { createOversight } from "../../people/lazy.ts";
import { createRoute } from "@hono/zod-openapi";
import { ApprovePairing, EndPairing, Pairing, PairingList } from "@hearth/protocol";
import { z } from "zod";
import { answer, emptyAnswer } from "../answer.ts";
import { type App, jsonBody, jsonOperation, operation, type RouteOptions } from "./route.ts";

const SenderPath = z.object({ channel: z.string().min(1).max(64), sender: z.string().min(1).max(200) });

export const pairingRoutes = (app: App, options: RouteOptions): void => {
  const { access, pairings, permissions } = options;
  const oversight = createOversight(permissions);
  const tag = "Channels";

  app.openapi(
    createRoute({
      method: "get",
      path: "/api/pairings",
      ...operation(options, {
        ...{
          id: "listPairings",
          tag,
          needs: "x on home",
          summary: "Lists senders on chat platforms, newest first",
        },
        answers: { status: 200, schema: PairingList },
      }),
    }),
    async () => answer(await pairings.list()),
  );

  app.openapi(
    createRoute({
      method: "post",
      path: "/api/pairings",
      ...jsonOperation(options, {
        ...{
          id: "approvePairing",
          tag,
          needs: "x on home",
          asks: "whole",
          summary: "Pairs a sender with a person of the house or a new one",
        },
        description:
          "By the code that the sender received, or by channel and sender. At most five wrong codes a minute. `as` another person requires all of that person's rights.",
        answers: { status: 200, schema: Pairing },
        errors: [
          "grant.exceeds",
          "pairing.not-found",
          "channel.rate-limited",
          "record.not-found",
          "record.invalid",
          "record.version",
        ],
      }),
      request: { body: jsonBody(ApprovePairing) },
    }),
    async (c) => {
      const { principal } = c.env;
      const { as, ...who } = c.req.valid("json");
      // The pairing lets the sender act as this person, so it counts as a credential.
      const person = as === undefined ? undefined : await access.find(principal, "agent", as.replace(/^@/, ""));
      if (person !== undefined && person.id !== principal.agent) await oversight.requireAll(principal, person);
      return answer(await pairings.approve(who, principal.agent, person?.id));
    },
  );

  app.openapi(
    createRoute({
      method: "delete",
      path: "/api/pairings/{channel}/{sender}",
      ...operation(options, {
        ...{ id: "endPairing", tag, needs: "x on home", summary: "Blocks a sender, or resets it to unpaired" },
        answers: { status: 204 },
        errors: ["pairing.not-found", "record.version"],
      }),
      request: { params: SenderPath, query: EndPairing },
    }),
    async (c) => {
      const { channel, sender } = c.req.valid("param");
      await pairings[c.req.valid("query").how](channel, sender, c.env.principal.agent);
      return emptyAnswer(204);
    },
  );
};
