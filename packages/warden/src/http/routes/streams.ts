/**
 * Reading streams: a page, a long poll, or server-sent events, the same for every stream that has a
 * path.
 */
import { type ActivationId, HearthError, type RoomHead, type StreamName } from "@hearth/protocol";
import { streamOperations } from "@hearth/protocol/operations";
import { answer } from "../answer.ts";
import { readPage, readPageBefore } from "../reader.ts";
import { streamEvents } from "../sse.ts";
import { type App, type OperationRequest, bind, type RouteOptions } from "./route.ts";

export const streamRoutes = (app: App, options: RouteOptions): void => {
  const { access, areas } = options;
  const { streams } = areas.kernel;
  const { records } = areas.people;

  bind(app, options, streamOperations, {
    room: async (request) => {
      const { id } = await access.find(request.principal, "room", request.params.of);
      return readOrFollow(options, request, `room:${id}`);
    },
    live: async (request) => {
      const { id } = await access.find(request.principal, "room", request.params.of);
      return readOrFollow(options, request, `live:${id}`);
    },
    agentLog: async (request) => {
      const { id } = await access.find(request.principal, "agent", request.params.of);
      return readOrFollow(options, request, `agent:${id}`);
    },
    houseLog: async (request) => {
      const { id } = await access.find(request.principal, "house", request.params.of);
      return readOrFollow(options, request, `house:${id}`);
    },
    deltas: (request) => readOrFollow(options, request, `deltas:${request.params.of as ActivationId}`),

    heads: async ({ principal }) => {
      const rooms = await access.filterVisible(principal, await records.list("room"));
      const heads = await streams.heads(rooms.map(({ id }) => `room:${id}` as const));
      return rooms.map(({ id: room }): RoomHead => {
        const lastEvent = heads.get(`room:${room}`);
        return lastEvent === undefined ? { room, head: 0 } : { room, head: lastEvent.offset, at: lastEvent.at };
      });
    },
  });
};

type ReadRequest = Pick<OperationRequest<typeof streamOperations.room>, "principal" | "caller" | "request" | "query">;

/** Returns a page of the stream, or its events as they arrive. */
const readOrFollow = async (
  options: RouteOptions,
  { principal, caller, request, query }: ReadRequest,
  stream: StreamName,
): Promise<Response> => {
  const { access, lifetimes, areas } = options;
  const { world } = areas.kernel;
  const { after, epoch, before, limit, wait } = query;
  const isFollowed = request.headers.get("accept")?.includes("text/event-stream") === true;
  if (before !== undefined) checkBackward(new URL(request.url).searchParams, isFollowed);
  await access.requireStream(principal, stream);
  const source = options.sourceFor(principal);
  const mayContinue = access.createReadCheck(principal, stream);
  const begin = () => lifetimes.begin(caller, { peer: request.signal, mayContinue });
  if (before !== undefined) return answer(await readPageBefore(source, { stream, before, limit }));
  if (!isFollowed) return answer(await readPage(source, world.clock, { stream, after, epoch, limit, wait }, begin));
  return streamEvents({
    source,
    texts: options.texts,
    clock: world.clock,
    stream,
    ...(readLastEventId(request.headers) ?? { after, epoch }),
    begin,
  });
};

/** Throws for options of following in a backward read, which has a fixed end. */
const checkBackward = (query: URLSearchParams, isFollowed: boolean): void => {
  if (!query.has("after") && !query.has("wait") && !isFollowed) return;
  throw new HearthError("request.invalid", "`before` can be combined with `limit` only.", {
    hint: "To wait for new events, continue with `after`: the page has the `head`.",
  });
};

const readLastEventId = (headers: Headers): { readonly after: number; readonly epoch?: string } | undefined => {
  const text = headers.get("last-event-id");
  if (text === null || text === "") return undefined;
  const [offset = "", epoch] = text.split("-", 2);
  const after = Number(offset);
  if (offset !== "" && Number.isSafeInteger(after) && after >= 0)
    return { after, ...(epoch === undefined ? {} : { epoch }) };
  throw new HearthError("request.invalid", "Last-Event-ID is not an offset.");
};
