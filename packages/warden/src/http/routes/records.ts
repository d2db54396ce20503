/** Houses, rooms and agents: one definition of their five routes, used three times. */
import type { Principal } from "../../people/index.ts";
import { requireNoExpiry } from "../../people/lazy.ts";
import type { AgentRecord, HearthRecord, HouseId, Level, PatchRecord, RecordOf, RecordType } from "@hearth/protocol";
import { agentOperations, houseOperations, roomOperations } from "@hearth/protocol/operations";
import type { Access } from "../access.ts";
import { type App, bind, type RouteOptions } from "./route.ts";

/**
 * Fields that an agent may change in its own record. Its model, tools and triggers are for
 * administrators.
 */
const SELF_EDITABLE_FIELDS: ReadonlySet<string> = new Set(["name", "description", "timezone"]);

const checkSelf = async (
  access: Access,
  principal: Principal,
  agent: AgentRecord,
  fields: readonly string[],
): Promise<void> => {
  if (agent.id !== principal.agent) return;
  if (agent.content.kind === "bot" || fields.some((field) => !SELF_EDITABLE_FIELDS.has(field)))
    await access.require(principal, "x", agent.house);
};

/**
 * Whether the change grants an agent access: an agent with a level, or a room's list of members.
 */
const givesRights = (type: RecordType, content: unknown, level: Level | "none" | undefined): boolean => {
  if (type === "agent") return level !== "none";
  return type === "room" && typeof content === "object" && content !== null && Object.hasOwn(content, "members");
};

/** Gives an agent of this house the default model, unless it has one. The house checks the content later. */
const withModel = (content: unknown, model: string | undefined): unknown => {
  if (model === undefined || typeof content !== "object" || content === null) return content;
  const { kind, runs, model: ownModel } = content as Readonly<Record<string, unknown>>;
  return kind === "bot" && runs === undefined && ownModel === undefined ? { ...content, model } : content;
};

/** The body of a request that creates a record. */
interface Creation {
  readonly house?: HouseId | undefined;
  readonly content: unknown;
  readonly level?: Level | "none" | undefined;
}

export const recordRoutes = (app: App, options: RouteOptions): void => {
  bind(app, options, houseOperations, handlersOf("house", options));
  bind(app, options, roomOperations, handlersOf("room", options));
  bind(app, options, agentOperations, handlersOf("agent", options));
};

interface WithPrincipal {
  readonly principal: Principal;
}
interface WithId {
  readonly params: { readonly id: string };
}

const handlersOf = <Type extends RecordType>(
  type: Type,
  {
    access,
    areas: {
      kernel: { config },
      people: { records },
    },
  }: RouteOptions,
) => ({
  list: async ({ principal, query }: WithPrincipal & { readonly query: { readonly house?: HouseId | undefined } }) =>
    access.filterVisible(principal, await records.list(type, query.house)),

  create: async ({ principal, body }: WithPrincipal & { readonly body: Creation }) => {
    const { house, level } = body;
    const content = type === "agent" ? withModel(body.content, config.current().defaults.model) : body.content;
    if (givesRights(type, content, level)) requireNoExpiry(principal);
    const self = await access.self(principal);
    const houseField = type === "house" ? {} : { house: house ?? self.house };
    const levelField = level === undefined ? {} : { level };
    return records.mutate({ kind: "create", type, ...houseField, ...levelField, content }, self.id) as Promise<
      RecordOf<Type>
    >;
  },

  get: ({ principal, params }: WithPrincipal & WithId) => access.find(principal, type, params.id),

  update: async ({ principal, params, body }: WithPrincipal & WithId & { readonly body: PatchRecord }) => {
    const { version, content } = body;
    const record: HearthRecord = await access.find(principal, type, params.id);
    const { id } = record;
    if (givesRights(type, content, "none")) requireNoExpiry(principal);
    if (record.type === "agent") await checkSelf(access, principal, record, Object.keys(content));
    const versionField = version === undefined ? {} : { version };
    return records.mutate({ kind: "update", id, content, ...versionField }, principal.agent) as Promise<RecordOf<Type>>;
  },

  remove: async ({ principal, params }: WithPrincipal & WithId) => {
    const { id } = await access.find(principal, type, params.id);
    return records.mutate({ kind: "remove", id }, principal.agent) as Promise<RecordOf<Type>>;
  },
});
