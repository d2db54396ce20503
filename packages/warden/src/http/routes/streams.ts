/** Reading streams: a page, a long poll, or server-sent events, the same for every stream that has a path. */
import { createRoute } from "@hono/zod-openapi";
import { ActivationId, EventPage, HearthError, ReadQuery, type StreamName } from "@hearth/protocol";
import { z } from "zod";
import { answer } from "../answer.ts";
import { readPage } from "../reader.ts";
import { streamEvents } from "../sse.ts";
import { type App, Name, operation, type RouteOptions } from "./route.ts";

interface Definition {
  readonly path: string;
  readonly id: string;
  readonly what: string;
  readonly param: z.ZodType<string>;
  readonly name: (owner: string) => Promise<StreamName>;
}

export const streamRoutes = (app: App, options: RouteOptions): void => {
  const { records } = options;
  const definitions: readonly Definition[] = [
    {
      path: "/api/rooms/{of}/events",
      id: "readRoom",
      what: "what was said in a room",
      param: Name,
      name: async (of) => `room:${(await records.get("room", of)).id}`,
    },
    {
      path: "/api/rooms/{of}/live",
      id: "readLive",
      what: "which activations a room has right now",
      param: Name,
      name: async (of) => `live:${(await records.get("room", of)).id}`,
    },
    {
      path: "/api/agents/{of}/log",
      id: "readAgentLog",
      what: "an agent's log",
      param: Name,
      name: async (of) => `agent:${(await records.get("agent", of)).id}`,
    },
    {
      path: "/api/houses/{of}/log",
      id: "readHouseLog",
      what: "a house's log",
      param: Name,
      name: async (of) => `house:${(await records.get("house", of)).id}`,
    },
    {
      path: "/api/activations/{of}/deltas",
      id: "readDeltas",
      what: "an activation as it happens",
      param: ActivationId,
      name: async (of) => `deltas:${of as ActivationId}`,
    },
  ];
  for (const definition of definitions) routeOf(app, options, definition);
};

const routeOf = (app: App, options: RouteOptions, { path, id, what, param, name }: Definition): void => {
  const { access, source, lifetimes, world } = options;

  app.openapi(
    createRoute({
      method: "get",
      path,
      ...operation(options, {
        id,
        tag: "Streams",
        who: "agent",
        summary: `Reads ${what}`,
        description:
          "Events after an offset, oldest first. With `wait` it is a long poll. With `Accept: text/event-stream` it goes on: the `id:` of an " +
          "event is its offset, `Last-Event-ID` resumes; `event: restarted` says that an in-memory stream began anew, `event: end` that it is over.",
        answers: { status: 200, schema: EventPage, text: "A page of the stream." },
        errors: ["record.not-found", "activation.not-found", "stream.behind"],
      }),
      request: { params: z.object({ of: param }), query: ReadQuery },
    }),
    async (c) => {
      const { raw } = c.req;
      const { after, limit, wait } = c.req.valid("query");
      const stream = await name(c.req.valid("param").of);
      await access.requireStream(c.env.principal, stream);
      const begin = () => lifetimes.begin(c.env, { peer: raw.signal });
      if (raw.headers.get("accept")?.includes("text/event-stream") !== true) {
        return answer(await readPage(source, world.clock, { stream, after, limit, wait }, begin));
      }
      return streamEvents({ source, clock: world.clock, stream, after: lastEventId(raw.headers) ?? after, begin });
    },
  );
};

const lastEventId = (headers: Headers): number | undefined => {
  const text = headers.get("last-event-id");
  if (text === null || text === "") return undefined;
  const offset = Number(text);
  if (Number.isSafeInteger(offset) && offset >= 0) return offset;
  throw new HearthError("request.invalid", "Last-Event-ID is not an offset.");
};
