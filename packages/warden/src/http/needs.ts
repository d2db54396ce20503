/** Checks the levels that a caller needs for an operation, a stream or a request of the socket. */
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
  type Right,
  type SocketRequest,
  type StreamKind,
  type StreamName,
} from "@hearth/protocol";
import { type Needs, streamNeeds } from "@hearth/protocol/operations";
import type { Context, MiddlewareHandler } from "hono";
import type { Env } from "./env.ts";

/** The checks of the port's access. */
export interface AccessChecks {
  readonly home: Place;
  self(principal: Principal): Promise<AgentRecord>;
  find<Type extends RecordType>(principal: Principal, type: Type, name: string): Promise<RecordOf<Type>>;
  findBot(principal: Principal, name: string): Promise<AgentRecord>;
  activation(principal: Principal, id: ActivationId, level: Level): Promise<unknown>;
  require(principal: Principal, level: Level, place: Place): Promise<void>;
  requireRight(principal: Principal, right: Right, house: Place): Promise<Right | undefined>;
}

/** The parameters of the request that name a record. */
export interface NeedsInput {
  readonly principal: Principal;
  param(name: string): string;
  body(): Promise<Readonly<Record<string, unknown>>>;
}

/** The needs of socket requests. A subscription needs what its stream needs. */
export const socketNeeds = {
  subscribe: "credential",
  unsubscribe: "credential",
  post: "w on room {room}",
  stop: "w on activation {activation}",
  ping: "credential",
} as const satisfies Record<SocketRequest["op"], Needs>;

/** Throws unless the stream's owner exists and the principal may read the stream. */
export const checkStreamNeeds = async (
  access: AccessChecks,
  principal: Principal,
  stream: StreamName,
): Promise<void> => {
  const colon = stream.indexOf(":");
  const kind = stream.slice(0, colon) as StreamKind;
  // Byte streams have their own paths and routes.
  if (kind === "bytes") throw new HearthError("stream.not-found", "There is no stream with that name.");
  await checkNeeds(access, streamNeeds[kind], {
    principal,
    param: () => stream.slice(colon + 1),
    body: () => Promise.resolve({}),
  });
};

/** Creates the middleware that checks the needs, after the body is read and before it is used. */
export const needsMiddleware = (access: AccessChecks, needs: Needs): MiddlewareHandler<Env>[] =>
  needs === "nothing" || needs === "credential"
    ? []
    : [
        async (context, next) => {
          const { principal } = context.env;
          const right = await checkNeeds(access, needs, {
            principal,
            param: (name) => context.req.param(name) ?? "",
            body: () => bodyOf(context),
          });
          // Handlers refuse what the level alone allows, and the audit log names the right.
          if (right !== undefined) context.env = { ...context.env, principal: { ...principal, right } };
          await next();
        },
      ];

const SIGHT_PATTERN = /^sight of (house|room|agent) \{(\w+)\}$/;
const LEVEL_PATTERN = /^([rwx]) on (.+?)( or self| or (providers|secrets|audit|approve))?$/;
const TARGET_PATTERN = /^(house|room|agent|activation) \{(\w+)\}$/;

/**
 * Returns the right that the principal used, or undefined if it has the level. Throws `auth.denied`,
 * or `…not-found` for a record that the principal does not see.
 */
export const checkNeeds = async (access: AccessChecks, needs: Needs, input: NeedsInput): Promise<Right | undefined> => {
  if (needs === "nothing" || needs === "credential") return undefined;
  const { principal, param } = input;
  const [, type, placeName] = SIGHT_PATTERN.exec(needs) ?? [];
  if (type !== undefined && placeName !== undefined) {
    await access.find(principal, type as "house" | "room" | "agent", param(placeName));
    return undefined;
  }
  const [, level, target = "", alternative, right] = LEVEL_PATTERN.exec(needs) ?? [];
  const [, kind, name = ""] = TARGET_PATTERN.exec(target) ?? [];
  if (kind === "activation") {
    const id = ActivationId.safeParse(param(name));
    // The route itself rejects an invalid id.
    if (id.success) await access.activation(principal, id.data, level as Level);
    return undefined;
  }
  if (alternative === " or self" && principal.scope === undefined) {
    const { id } = await access.find(principal, "agent", param(name));
    if (id === principal.agent) return undefined;
  }
  const place = await placeOf(access, target, input);
  // Only needs of houses name a right.
  if (right !== undefined) return access.requireRight(principal, right as Right, place);
  await access.require(principal, level as Level, place);
  return undefined;
};

const placeOf = async (
  access: AccessChecks,
  target: string,
  { principal, param, body }: NeedsInput,
): Promise<Place> => {
  const [, kind, name = ""] = TARGET_PATTERN.exec(target) ?? [];
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
  const fields = await body();
  if (target === "agent in body" && typeof fields["agentName"] === "string")
    return (await access.findBot(principal, fields["agentName"])).house;
  const house = HouseId.safeParse(fields["house"]);
  if (!house.success) return (await access.self(principal)).house;
  // An invisible house is reported as missing.
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
