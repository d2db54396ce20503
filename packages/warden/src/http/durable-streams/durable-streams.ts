/**
 * The Durable Streams protocol under `/v1/stream/`: streams that callers create, and read-only
 * events of rooms, activations, agents and houses. See docs/protocol.md.
 */
import type { Principal } from "../../people/index.ts";
import type { Address, ByteStreamInfo } from "../../kernel/index.ts";
import { ActivationId, HearthError, type StreamName } from "@hearth/protocol";
import type { Context } from "hono";
import { z } from "zod";
import { type Needs, streamNeeds } from "@hearth/protocol/operations";
import { lifespanHeaders } from "./durable-headers.ts";
import { checkOwnPath, STREAM_ROOT } from "./durable-path.ts";
import { readStream, answerHead } from "./durable-read.ts";
import {
  streamNotFoundError,
  streamGoneError,
  type Readable,
  readableBytes,
  readableEvents,
} from "./durable-readable.ts";
import { appendToStream, makeStream, removeStream, type WriteContext } from "./durable-write.ts";
import { houseOf, addRoute } from "./durable-route.ts";
import type { Env } from "../env.ts";
import type { DurableOptions } from "./durable-route.ts";
import type { App } from "../routes/route.ts";

export const durableStreamRoutes = (app: App, options: DurableOptions): void => {
  for (const stream of houseStreams(options)) addHouseStreamRoute(app, options, stream);
  // In this order: paths with a house name first, then paths in the caller's own house.
  for (const scope of ["house {house}", "own house"] as const) addByteStreamRoutes(app, options, scope);
};

interface HouseStream {
  readonly path: string;
  readonly id: string;
  readonly contents: string;
  readonly needs: Needs;
  readonly param: z.ZodType<string>;
  readonly name: (principal: Principal, of: string) => Promise<StreamName>;
}

const houseStreams = ({ access }: DurableOptions): readonly HouseStream[] => [
  {
    path: "rooms/{of}",
    id: "streamRoom",
    contents: "the messages of a room",
    needs: streamNeeds.room,
    param: z.string(),
    name: async (principal, of) => `room:${(await access.find(principal, "room", of)).id}`,
  },
  {
    path: "activations/{of}/deltas",
    id: "streamDeltas",
    contents: "an activation as it happens",
    needs: streamNeeds.deltas,
    param: ActivationId,
    name: async (_principal, of) => `deltas:${of as ActivationId}`,
  },
  {
    path: "agents/{of}/log",
    id: "streamAgentLog",
    contents: "an agent's log",
    needs: streamNeeds.agent,
    param: z.string(),
    name: async (principal, of) => `agent:${(await access.find(principal, "agent", of)).id}`,
  },
  {
    path: "houses/{of}/log",
    id: "streamHouseLog",
    contents: "a house's log",
    needs: streamNeeds.house,
    param: z.string(),
    name: async (principal, of) => `house:${(await access.find(principal, "house", of)).id}`,
  },
];

const addHouseStreamRoute = (
  app: App,
  options: DurableOptions,
  { path, id, contents, needs, param, name }: HouseStream,
): void => {
  const { access, areas } = options;
  const { activations } = areas.turns;
  addRoute(app, options, "GET", `${STREAM_ROOT}/${path}`, {
    about: {
      id,
      needs,
      summary: `Follows ${contents} as a durable stream`,
      description: "As GET of any stream: `offset`, `live`. JSON, one message per event. HEAD returns its end.",
      answers: { status: 200, text: "Events, as a JSON array." },
      otherwise: NOTHING_NEW,
      errors: ["record.not-found", "activation.not-found", "stream.behind"],
    },
    params: z.object({ of: param }),
    async handle(c) {
      const { principal } = c.env;
      const of = param.safeParse(c.req.param("of"));
      if (!of.success) throw new HearthError("request.invalid", "The path names no existing record.");
      const stream = await name(principal, of.data);
      await access.requireStream(principal, stream);
      const readable = readableEvents(options.sourceFor(principal), activations, stream);
      return read(options, c, readable, {}, access.createReadCheck(principal, stream));
    },
  });
};

type Scope = "house {house}" | "own house";

/** Returns the parts that the routes for byte streams share: paths, ids and words, and access to the stream. */
const createByteStreamScope = (options: DurableOptions, scope: Scope) => {
  const { areas } = options;
  const { bytes } = options.durable;
  const isNamed = scope !== "own house";
  const path = `${STREAM_ROOT}/${isNamed ? "houses/{house}/" : ""}{path}`;
  const id = (verb: string): string => `${verb}Stream${isNamed ? "OfHouse" : ""}`;
  const placeText = isNamed ? "" : " in the caller's own house";
  const params = z.object({ ...(isNamed ? { house: z.string() } : {}), path: z.string().describe("may have slashes") });

  const addressOf = async (c: Context<Env>): Promise<Address> => ({
    house: await houseOf(options, c),
    path: checkOwnPath(c.req.param("path") ?? ""),
  });
  const toWriteContext = async (c: Context<Env>): Promise<WriteContext> => {
    const { world, findings } = areas.kernel;
    return { bytes, world, address: await addressOf(c), request: c.req.raw, epoch: findings.epoch };
  };
  const findStream = async (address: Address): Promise<ByteStreamInfo> => {
    const info = await bytes.find(address);
    if (info === "absent") throw streamNotFoundError();
    if (info === "gone") throw streamGoneError();
    return info;
  };
  return { scope, path, id, placeText, params, addressOf, toWriteContext, findStream };
};

type ByteStreamScope = ReturnType<typeof createByteStreamScope>;

const addByteStreamRoutes = (app: App, options: DurableOptions, scope: Scope): void => {
  const scopedStreams = createByteStreamScope(options, scope);
  addReadRoute(app, options, scopedStreams);
  addWriteRoutes(app, options, scopedStreams);
};

const addReadRoute = (app: App, options: DurableOptions, scopedStreams: ByteStreamScope): void => {
  const { scope, path, id, placeText, params, addressOf, findStream } = scopedStreams;
  const { access, durable } = options;
  addRoute(app, options, "GET", path, {
    about: {
      id: id("read"),
      needs: `r on ${scope}`,
      summary: `Reads a stream${placeText}`,
      description:
        "From `offset` (an offset from an answer, `-1` or `now`). `live=long-poll` waits for new data, `live=sse` follows. " +
        "`Stream-Next-Offset` is where to continue, `Stream-Closed` means that nothing more will come. HEAD returns its type, end and expiry.",
      answers: { status: 200, text: "The data, in the stream's own type." },
      otherwise: NOTHING_NEW,
      errors: ["stream.not-found", "stream.gone", "stream.behind"],
    },
    params,
    async handle(c) {
      const { principal } = c.env;
      const info = await findStream(await addressOf(c));
      const mayContinue = async (): Promise<boolean> => {
        try {
          await access.require(principal, "r", info.house);
          return true;
        } catch {
          return false;
        }
      };
      return read(options, c, readableBytes(durable.bytes, info), lifespanHeaders(info), mayContinue);
    },
  });
};

const addWriteRoutes = (app: App, options: DurableOptions, scopedStreams: ByteStreamScope): void => {
  const { scope, path, id, placeText, params, addressOf, toWriteContext, findStream } = scopedStreams;
  const { access, durable } = options;
  addRoute(app, options, "PUT", path, {
    about: {
      id: id("make"),
      needs: `w on ${scope}`,
      summary: `Makes a stream${placeText}`,
      description:
        "`Content-Type` is its type. `Stream-TTL` or `Stream-Expires-At`: when it expires. `Stream-Closed: true`: it is complete with this body. " +
        "`Stream-Forked-From`, `Stream-Fork-Offset` and `Stream-Fork-Sub-Offset`: it begins as a copy of another stream.",
      answers: { status: 201, text: "Made." },
      otherwise: { status: 200, text: "The stream exists with this configuration." },
      errors: ["stream.differs", "stream.not-found", "stream.limit", "request.too-large", "request.timeout"],
    },
    params,
    handle: async (c) => makeStream(await toWriteContext(c), c.env),
  });

  addRoute(app, options, "POST", path, {
    about: {
      id: id("appendTo"),
      needs: `w on ${scope}`,
      summary: `Appends to a stream${placeText}`,
      description:
        "In its own type; each element of a JSON array is a message. `Stream-Closed: true`: closes the stream. `Producer-Id`, `Producer-Epoch`, " +
        "`Producer-Seq`: a repeated append has no effect. `Stream-Seq`: refused unless greater than the previous one.",
      answers: { status: 204, text: "Appended." },
      otherwise: { status: 200, text: "Appended, for a producer." },
      errors: [
        "stream.not-found",
        "stream.gone",
        "stream.closed",
        "stream.differs",
        "stream.sequence",
        "stream.fenced",
        "stream.limit",
        "request.too-large",
        "request.timeout",
      ],
    },
    params,
    handle: async (c) => appendToStream(await toWriteContext(c)),
  });

  addRoute(app, options, "DELETE", path, {
    about: {
      id: id("remove"),
      needs: `w on ${scope}`,
      summary: `Removes a stream${placeText}`,
      description: "For its creator, and callers with `x` on the house. Existing forks can still read its data.",
      answers: { status: 204, text: "Removed." },
      errors: ["stream.not-found", "stream.gone"],
    },
    params,
    async handle(c) {
      const address = await addressOf(c);
      const { owner } = await findStream(address);
      if (owner !== c.env.principal.agent) await access.require(c.env.principal, "x", address.house);
      return removeStream(durable.bytes, address);
    },
  });
};

const NOTHING_NEW = { status: 204, text: "Nothing came in time, or nothing will." } as const;

const read = (
  { lifetimes, areas }: DurableOptions,
  c: Context<Env>,
  readable: Readable,
  extraHeaders: Readonly<Record<string, string>>,
  mayContinue: () => Promise<boolean>,
): Promise<Response> => {
  const { world, findings } = areas.kernel;
  const { epoch } = findings;
  const request = c.req.raw;
  if (request.method === "HEAD") return answerHead(readable, epoch, extraHeaders);
  const begin = () => lifetimes.begin(c.env, { peer: request.signal, mayContinue });
  return readStream({ readable, request, epoch, world, begin });
};
