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
    change(method, on, agent, body) {
      if (on === undefined || agent === undefined) return undefined;
      const before = grants.findIndex((grant) => grant.on === on && grant.agent === agent);
      if (before >= 0) grants.splice(before, 1);
      if (method === "DELETE") return new Response(null, { status: 204 });
      const grant: Grant = { agent, on, ...(body as Pick<Grant, "level" | "rights">), by, at: 1 };
      grants.push(grant);
      return Response.json(grant);
    },
    list(query) {
      const [on, whom] = [query.get("on"), query.get("agent")];
      return Response.json(
        grants.filter((grant) => (on ?? grant.on) === grant.on && (whom ?? grant.agent) === grant.agent),
      );
    },
  };
};
