/** Operations on grants: listing, giving and removing levels. */
import { Grant, GrantList, GrantQuery, PutGrant } from "../people/permission.ts";
import { declareOperations } from "./operation.ts";
import { IdOrHandle } from "./parameters.ts";

export const grantOperations = declareOperations("Permissions", {
  list: {
    id: "listGrants",
    method: "GET",
    path: "/api/grants",
    needs: "credential",
    summary: "Lists who was given what",
    description: "Your own, and all on houses and rooms that you administer.",
    query: GrantQuery,
    answers: { status: 200, schema: GrantList },
  },
});

const grantOperationsFor = <const Type extends "house" | "room">(type: Type) => {
  const idSuffix = type === "house" ? "House" : "Room";
  const path = `/api/${type}s/{id}/grants/{agent}` as const;
  return {
    give: {
      id: `grant${idSuffix}`,
      method: "PUT",
      path,
      needs: `x on ${type} {id}`,
      requiresKey: "lasting",
      freshLogin: true,
      summary: `Gives an agent a level on a ${type}, replacing its present one`,
      description:
        "You cannot grant a level above your own. A house always keeps an administrator. `rights` apply to a house and to people only; without them, the present ones stay.",
      params: { id: IdOrHandle, agent: IdOrHandle },
      body: PutGrant,
      answers: { status: 200, schema: Grant },
      errors: ["record.not-found", "record.version", "grant.exceeds", "grant.last"],
    },
    take: {
      id: `revoke${idSuffix}`,
      method: "DELETE",
      path,
      needs: `x on ${type} {id}`,
      summary: `Removes an agent's level on a ${type}`,
      description: "Rights from the house or a list of members stay. Open streams end within a second.",
      params: { id: IdOrHandle, agent: IdOrHandle },
      answers: { status: 204, text: "It is gone." },
      errors: ["record.not-found", "grant.last"],
    },
  } as const;
};

export const houseGrantOperations = declareOperations("Permissions", grantOperationsFor("house"));
export const roomGrantOperations = declareOperations("Permissions", grantOperationsFor("room"));
