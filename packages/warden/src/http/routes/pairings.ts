/** Who is heard from chat platforms. People alone decide. */
import { createRoute } from "@hono/zod-openapi";
import { ApprovePairing, EndPairing, Pairing, PairingList } from "@hearth/protocol";
import { z } from "zod";
import { answer, emptyAnswer } from "../answer.ts";
import { type App, jsonBody, jsonOperation, operation, type RouteOptions } from "./route.ts";

const SenderPath = z.object({ channel: z.string().min(1).max(64), sender: z.string().min(1).max(200) });

export const pairingRoutes = (app: App, options: RouteOptions): void => {
  const { pairings } = options;
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
          summary: "Lists who has written from chat platforms, newest first",
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
          summary: "Lets someone in, as a person of the house or a new one",
        },
        description: "By the code that they were told, or by channel and sender. Five wrong codes a minute are enough.",
        answers: { status: 200, schema: Pairing },
        errors: ["pairing.not-found", "channel.rate-limited", "record.not-found", "record.invalid", "record.version"],
      }),
      request: { body: jsonBody(ApprovePairing) },
    }),
    async (c) => {
      const { as, ...who } = c.req.valid("json");
      return answer(await pairings.approve(who, c.env.principal.agent, as));
    },
  );

  app.openapi(
    createRoute({
      method: "delete",
      path: "/api/pairings/{channel}/{sender}",
      ...operation(options, {
        ...{ id: "endPairing", tag, needs: "x on home", summary: "Blocks someone, or makes them a stranger again" },
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
