/** Grants: listing, giving and removing levels. */
import type { Principal } from "../../people/index.ts";
import { HearthError, type Place, type Right } from "@hearth/protocol";
import { grantOperations, houseGrantOperations, roomGrantOperations } from "@hearth/protocol/operations";
import { type App, type OperationRequest, bind, type RouteOptions } from "./route.ts";

export const grantRoutes = (app: App, options: RouteOptions): void => {
  const { access, areas } = options;
  const { permissions } = areas.people;

  bind(app, options, grantOperations, {
    list: async ({ principal, query }) => {
      const isAdminOn = new Map<Place, boolean>();
      for (const { on, level } of await access.permissions(principal)) isAdminOn.set(on, level === "x");
      const grants = await permissions.list(query);
      return grants.filter(
        ({ agent, on }) => (agent === principal.agent && isAdminOn.has(on)) || isAdminOn.get(on) === true,
      );
    },
  });
  bind(app, options, houseGrantOperations, handlersOn("house", options));
  bind(app, options, roomGrantOperations, handlersOn("room", options));
};

type GiveRequest = OperationRequest<(typeof houseGrantOperations | typeof roomGrantOperations)["give"]>;

const handlersOn = (type: "house" | "room", { access, areas }: RouteOptions) => {
  const { permissions, records } = areas.people;

  /** Finds the agent. An agent of a house that the caller does not see is found by its id only. */
  const findAgent = async (principal: Principal, name: string) =>
    name.startsWith("agent_") ? records.get("agent", name) : access.find(principal, "agent", name);

  return {
    give: async ({ principal, params, body }: GiveRequest) => {
      const on = (await access.find(principal, type, params.id)).id;
      const { level, rights } = body;
      requireHome(rights, on, access.home);
      const agent = (await findAgent(principal, params.agent)).id;
      return permissions.grant({ agent, on, level, ...(rights === undefined ? {} : { rights }) }, principal);
    },

    take: async ({ principal, params }: Pick<GiveRequest, "principal" | "params">) => {
      const on = (await access.find(principal, type, params.id)).id;
      await permissions.revoke({ agent: (await findAgent(principal, params.agent)).id, on }, principal);
    },
  };
};

/** Throws `request.invalid` for the right `providers` on another house, where it would have no effect. */
export const requireHome = (rights: readonly Right[] | undefined, on: Place, home: Place): void => {
  if (rights?.includes("providers") !== true || on === home) return;
  throw new HearthError("request.invalid", "The right providers applies to the first house only.", {
    hint: "Providers belong to the first house: hearth house list",
  });
};
