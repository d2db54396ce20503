/** Operations on API keys. */
import { CreateKey, CreatedKey, KeyInfo, KeyList } from "../people/credential.ts";
import { KeyId } from "../base/ids.ts";
import { declareOperations } from "./operation.ts";

export const keyOperations = declareOperations("Keys", {
  list: {
    id: "listKeys",
    method: "GET",
    path: "/api/keys",
    needs: "credential",
    summary: "Lists your keys and those of agents that you administer, including revoked ones",
    answers: { status: 200, schema: KeyList },
  },
  create: {
    id: "createKey",
    method: "POST",
    path: "/api/keys",
    needs: "credential",
    freshLogin: true,
    summary: "Creates a key and shows it once",
    description:
      "Its holder acts as `agent`, yourself by default, limited by `scope` and until `expiresAt`. For another agent you need `x` on its house and all of its rights.",
    body: CreateKey,
    answers: { status: 201, schema: CreatedKey },
    errors: ["record.not-found", "grant.exceeds"],
  },
  revoke: {
    id: "revokeKey",
    method: "DELETE",
    path: "/api/keys/{id}",
    needs: "credential",
    summary: "Revokes a key permanently",
    description: "Its open connections end within a second.",
    params: { id: KeyId },
    answers: { status: 200, schema: KeyInfo },
    errors: ["record.not-found"],
  },
});
