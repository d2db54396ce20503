/**
 * Reading streams: a page, a long poll, or server-sent events, the same for every stream that has a
 * path.
 */
import type { Principal } from "../../people/index.ts";
import { createRoute } from "@hono/zod-openapi";
import {
  ActivationId,
  EventPage,
  HearthError,
  ReadQuery,
  type RoomHead,
  RoomHeadList,
  type StreamName,
} from "@hearth/protocol";
import { z } from "zod";
import { answer } from "../answer.ts";
import { type Needs, streamNeeds } from "../needs.ts";
import { readPage, readPageBefore } from "../reader.ts";
import { streamEvents } from "../sse.ts";
import { type App, Name, operation, type RouteOptions } from "./route.ts";

interface Definition {
  readonly path: string;
  readonly id: string;
  readonly what: string;
  readonly param: z.ZodType<string>;
  readonly needs: Needs;
  readonly name: (principal: Principal, owner: string) => Promise<StreamName>;
}

export const streamRoutes = (app: App, options: RouteOptions): void => {
  const { access } = options;
  const definitions: readonly Definition[] = [
    {
      path: "/api/rooms/{of}/events",
      id: "readRoom",
      what: "the messages of a room, with edits and deletions",
      param: Name,
      needs: streamNeeds.room,
      name: async (principal, of) => `room:${(await access.find(principal, "room", of)).id}`,
    },
    {
      path: "/api/rooms/{of}/live",
      id: "readLive",
      what: "the running activations of a room",
      param: Name,
      needs: streamNeeds.live,
      name: async (principal, of) => `live:${(await access.find(principal, "room", of)).id}`,
    },
    {
      path: "/api/agents/{of}/log",
      id: "readAgentLog",
      what: "an agent's log",
      param: Name,
      needs: streamNeeds.agent,
      name: async (principal, of) => `agent:${(await access.find(principal, "agent", of)).id}`,
    },
    {
      path: "/api/houses/{of}/log",
      id: "readHouseLog",
      what: "a house's log",
      param: Name,
      needs: streamNeeds.house,
      name: async (principal, of) => `house:${(await access.find(principal, "house", of)).id}`,
    },
    {
      path: "/api/activations/{of}/deltas",
      id: "readDeltas",
      what: "an activation as it happens",
      param: ActivationId,
      needs: streamNeeds.deltas,
      name: async (_principal, of) => `deltas:${of as ActivationId}`,
    },
  ];
  for (const definition of definitions) routeOf(app, options, definition);
  headsRoute(app, options);
};

const routeOf = (app: App, options: RouteOptions, { path, id, what, param, needs, name }: Definition): void => {
  const { access, lifetimes, world } = options;

  app.openapi(
    createRoute({
      method: "get",
      path,
      ...operation(options, {
        id,
        tag: "Streams",
        needs,
        summary: `Reads ${what}`,
        description:
          "Events after an offset, oldest first; with `before` the last ones before an offset, or before the `end`. With `wait` it is a long poll. With `Accept: text/event-stream` it stays open: the `id:` of an " +
          "event is `OFFSET-EPOCH`, `Last-Event-ID` resumes; `event: restarted` says that the offset is not of this stream, which is read from its beginning, `event: end` that it is over.",
        answers: { status: 200, schema: EventPage, text: "A page of the stream." },
        errors: ["record.not-found", "activation.not-found", "stream.behind"],
      }),
      request: { params: z.object({ of: param }), query: ReadQuery },
    }),
    async (c) => {
      const { raw } = c.req;
      const { after, epoch, before, limit, wait } = c.req.valid("query");
      const isFollowed = raw.headers.get("accept")?.includes("text/event-stream") === true;
      if (before !== undefined) checkBackward({ ...c.req.query(), isFollowed });
      const stream = await name(c.env.principal, c.req.valid("param").of);
      await access.requireStream(c.env.principal, stream);
      const source = options.sourceFor(c.env.principal);
      const still = access.stillOpen(c.env.principal, stream);
      const begin = () => lifetimes.begin(c.env, { peer: raw.signal, still });
      if (before !== undefined) return answer(await readPageBefore(source, { stream, before, limit }));
      if (!isFollowed) {
        return answer(await readPage(source, world.clock, { stream, after, epoch, limit, wait }, begin));
      }
      return streamEvents({
        source,
        texts: options.texts,
        clock: world.clock,
        stream,
        ...(lastEventId(raw.headers) ?? { after, epoch }),
        begin,
      });
    },
  );
};

/** A backward read has a fixed end, so options for following conflict with it. */
const checkBackward = (asked: {
  readonly after?: string;
  readonly wait?: string;
  readonly isFollowed: boolean;
}): void => {
  if (asked.after === undefined && asked.wait === undefined && !asked.isFollowed) return;
  throw new HearthError("request.invalid", "`before` can be combined with `limit` only.", {
    hint: "To wait for new events, continue with `after`: the page has the `head`.",
  });
};

const headsRoute = (app: App, options: RouteOptions): void => {
  const { access, records, streams } = options;
  app.openapi(
    createRoute({
      method: "get",
      path: "/api/heads",
      ...operation(options, {
        id: "readHeads",
        tag: "Streams",
        needs: "credential",
        summary: "Returns the head of every visible room",
        answers: { status: 200, schema: RoomHeadList },
      }),
    }),
    async (c) => {
      const rooms = await access.seen(c.env.principal, await records.list("room"));
      const heads = await streams.heads(rooms.map(({ id }) => `room:${id}` as const));
      return answer(
        rooms.map(({ id: room }): RoomHead => {
          const last = heads.get(`room:${room}`);
          return last === undefined ? { room, head: 0 } : { room, head: last.offset, at: last.at };
        }),
      );
    },
  );
};

const lastEventId = (headers: Headers): { readonly after: number; readonly epoch?: string } | undefined => {
  const text = headers.get("last-event-id");
  if (text === null || text === "") return undefined;
  const [offset = "", epoch] = text.split("-", 2);
  const after = Number(offset);
  if (offset !== "" && Number.isSafeInteger(after) && after >= 0)
    return { after, ...(epoch === undefined ? {} : { epoch }) };
  throw new HearthError("request.invalid", "Last-Event-ID is not an offset.");
};
