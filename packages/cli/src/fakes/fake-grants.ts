/** The grants of a fake house. Every change is allowed. */
import type { AgentId, Grant, Place } from "@hearth/protocol";

export interface FakeGrants {
  /** Changes a grant. Returns undefined when the place or agent does not exist. */
  change(method: string, on: Place | undefined, agent: AgentId | undefined, body: unknown): Response | undefined;
  list(query: URLSearchParams): Response;
}

export const createFakeGrants = (by: AgentId): FakeGrants => {
  const grants: Grant[] = [];
  return {
    change(method, place, agent, body) {
      if (place === undefined || agent === undefined) return undefined;
      const index = grants.findIndex((grant) => grant.on === place && grant.agent === agent);
      if (index >= 0) grants.splice(index, 1);
      if (method === "DELETE") return new Response(null, { status: 204 });
      const grant: Grant = { agent, on: place, ...(body as Pick<Grant, "level" | "rights">), by, at: 1 };
      grants.push(grant);
      return Response.json(grant);
    },
    list(query) {
      const [placeId, agentId] = [query.get("on"), query.get("agent")];
      return Response.json(
        grants.filter((grant) => (placeId ?? grant.on) === grant.on && (agentId ?? grant.agent) === grant.agent),
      );
    },
  };
};
