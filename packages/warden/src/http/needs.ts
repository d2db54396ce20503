/** What a caller needs for an operation: declared beside it, asked before it runs, shown at /docs, and the table that the tests go through. */
import type { Principal } from "../people/index.ts";
import {
  ActivationId,
  type AgentRecord,
  HearthError,
  HouseId,
  type Level,
  type Place,
  type RecordOf,
  type RecordType,
  type SocketRequest,
  type StreamName,
} from "@hearth/protocol";
import type { Context, MiddlewareHandler } from "hono";
import type { Env } from "./env.ts";

/** Where a level has to be held. A name in braces is a parameter of the path. */
export type Target =
  /** The first house: its admins look after providers, channels and the daemon. */
  | "home"
  /** The house that the body names, else the caller's own. */
  | "house in body"
  | "own house"
  | `house {${string}}`
  | `room {${string}}`
  /** The house of the agent. */
  | `agent {${string}}`
  /** The house of the bot that the body's `agentName` names. */
  | "agent in body"
  /** The room of the activation. Its own agent may always. */
  | `activation {${string}}`;

/**
 * `nothing`: anyone who reaches the port. `credential`: whoever comes in; the answer holds what they see. `sight`: to see that there is
 * such a record. Else a level. `or self`: an agent may do so about itself.
 */
export type Needs =
  | "nothing"
  | "credential"
  | `sight of ${"house" | "room" | "agent"} {${string}}`
  | `${Level} on ${Target}`
  | `${Level} on agent {${string}} or self`;

/** What the access of the port can say. */
export interface Asking {
  readonly home: Place;
  self(principal: Principal): Promise<AgentRecord>;
  find<Type extends RecordType>(principal: Principal, type: Type, name: string): Promise<RecordOf<Type>>;
  findBot(principal: Principal, name: string): Promise<AgentRecord>;
  activation(principal: Principal, id: ActivationId, level: Level): Promise<unknown>;
  require(principal: Principal, level: Level, place: Place): Promise<void>;
}

/** What was asked, as far as it names something. */
export interface Asked {
  readonly principal: Principal;
  param(name: string): string;
  body(): Promise<Readonly<Record<string, unknown>>>;
}

/** Of streams, by their kind. */
export const streamNeeds = {
  room: "r on room {of}",
  live: "r on room {of}",
  agent: "x on agent {of} or self",
  /** Event by event: what is not for the reader is hidden. */
  house: "sight of house {of}",
  deltas: "r on activation {of}",
} as const satisfies Record<Exclude<StreamKind, "bytes">, Needs>;

/** Of requests over the socket. A subscription needs what its stream needs. */
export const socketNeeds = {
  subscribe: "credential",
  unsubscribe: "credential",
  post: "w on room {room}",
  stop: "w on activation {activation}",
  ping: "credential",
} as const satisfies Record<SocketRequest["op"], Needs>;

type StreamKind = StreamName extends `${infer Kind}:${string}` ? Kind : never;

/** Throws unless the stream's owner is there, and the stream is open to the principal. */
export const meetStream = async (access: Asking, principal: Principal, stream: StreamName): Promise<void> => {
  const at = stream.indexOf(":");
  const kind = stream.slice(0, at) as StreamKind;
  // Byte streams have paths, and routes of their own.
  if (kind === "bytes") throw new HearthError("stream.not-found", "There is no stream of that name.");
  await meet(access, streamNeeds[kind], {
    principal,
    param: () => stream.slice(at + 1),
    body: () => Promise.resolve({}),
  });
};

/** Middleware that asks for it, after the body was read and before anything of it is used. */
export const demand = (access: Asking, needs: Needs): MiddlewareHandler<Env>[] =>
  needs === "nothing" || needs === "credential"
    ? []
    : [
        async (context, next) => {
          await meet(access, needs, {
            principal: context.env.principal,
            param: (name) => context.req.param(name) ?? "",
            body: () => bodyOf(context),
          });
          await next();
        },
      ];

const SIGHT = /^sight of (house|room|agent) \{(\w+)\}$/;
const LEVEL = /^([rwx]) on (.+?)( or self)?$/;
const NAMED = /^(house|room|agent|activation) \{(\w+)\}$/;

/** Throws `auth.denied`, or `…not-found` for what the principal does not see. */
export const meet = async (access: Asking, needs: Needs, asked: Asked): Promise<void> => {
  if (needs === "nothing" || needs === "credential") return;
  const { principal, param } = asked;
  const [, type, named] = SIGHT.exec(needs) ?? [];
  if (type !== undefined && named !== undefined) {
    await access.find(principal, type as "house" | "room" | "agent", param(named));
    return;
  }
  const [, level, target = "", orSelf] = LEVEL.exec(needs) ?? [];
  const [, kind, name = ""] = NAMED.exec(target) ?? [];
  if (kind === "activation") {
    const id = ActivationId.safeParse(param(name));
    // What is no id is refused as such by the route.
    if (id.success) await access.activation(principal, id.data, level as Level);
    return;
  }
  if (orSelf !== undefined && principal.scope === undefined) {
    const { id } = await access.find(principal, "agent", param(name));
    if (id === principal.agent) return;
  }
  await access.require(principal, level as Level, await placeOf(access, target, asked));
};

const placeOf = async (access: Asking, target: string, { principal, param, body }: Asked): Promise<Place> => {
  const [, kind, name = ""] = NAMED.exec(target) ?? [];
  switch (kind) {
    case "house":
      return (await access.find(principal, "house", param(name))).id;
    case "room":
      return (await access.find(principal, "room", param(name))).id;
    case "agent":
      return (await access.find(principal, "agent", param(name))).house;
    default:
      break;
  }
  if (target === "home") return access.home;
  if (target === "own house") return (await access.self(principal)).house;
  const said = await body();
  if (target === "agent in body" && typeof said["agentName"] === "string")
    return (await access.findBot(principal, said["agentName"])).house;
  const house = HouseId.safeParse(said["house"]);
  if (!house.success) return (await access.self(principal)).house;
  // A house that is not seen is not there.
  return (await access.find(principal, "house", house.data)).id;
};

const bodyOf = async (context: Context<Env>): Promise<Readonly<Record<string, unknown>>> => {
  try {
    const body: unknown = JSON.parse(await context.req.text());
    return typeof body === "object" && body !== null ? { ...body } : {};
  } catch {
    return {};
  }
};
