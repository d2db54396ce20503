/** Operations on passwords. */
import { PasswordState, SessionsEnded, SetPassword } from "../people/credential.ts";
import { IdOrHandle } from "./parameters.ts";
import { AGENT_READ } from "./needs.ts";
import { declareOperations } from "./operation.ts";

export const passwordOperations = declareOperations("Login", {
  show: {
    id: "showPassword",
    method: "GET",
    path: "/api/agents/{agent}/password",
    needs: AGENT_READ,
    summary: "Returns whether a person has a password, and what changing it requires",
    params: { agent: IdOrHandle },
    answers: { status: 200, schema: PasswordState },
    errors: ["record.not-found"],
  },
  set: {
    id: "setPassword",
    method: "POST",
    path: "/api/agents/{agent}/password",
    needs: AGENT_READ,
    summary: "Sets a person's password, and ends all of their other sessions",
    description:
      "Your own requires `current`, if there is one, unless you logged in by a passkey or a link in the last 15 minutes. Another person's requires all of their rights.",
    params: { agent: IdOrHandle },
    body: SetPassword,
    answers: { status: 200, schema: SessionsEnded },
    errors: ["record.not-found", "auth.password", "auth.limited", "grant.exceeds"],
  },
});
