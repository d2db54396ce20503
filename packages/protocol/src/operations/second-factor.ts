/** Operations on second factors: codes of an authenticator app, and recovery codes. */
import {
  BeginSecondFactor,
  ConfirmSecondFactor,
  RecoveryCodes,
  RenewRecoveryCodes,
  SecondFactorSetup,
  SecondFactorState,
} from "../people/credential.ts";
import { AGENT_READ } from "./needs.ts";
import { declareOperations } from "./operation.ts";
import { IdOrHandle } from "./parameters.ts";

export const secondFactorOperations = declareOperations("Login", {
  show: {
    id: "showSecondFactor",
    method: "GET",
    path: "/api/agents/{agent}/second-factor",
    needs: AGENT_READ,
    summary: "Returns whether logins of a person need a code, and how many recovery codes are left",
    params: { agent: IdOrHandle },
    answers: { status: 200, schema: SecondFactorState },
    errors: ["record.not-found"],
  },
  begin: {
    id: "beginSecondFactor",
    method: "POST",
    path: "/api/second-factor/setup",
    needs: "credential",
    requiresKey: "whole",
    summary: "Creates the secret of an authenticator app, and shows it once",
    description:
      "Changes nothing until it is confirmed by a code of the app, within 15 minutes. Requires `current` as `setPassword` does.",
    body: BeginSecondFactor,
    answers: { status: 201, schema: SecondFactorSetup },
    errors: ["auth.password", "auth.code", "auth.limited", "grant.exceeds"],
  },
  confirm: {
    id: "confirmSecondFactor",
    method: "POST",
    path: "/api/second-factor",
    needs: "credential",
    requiresKey: "whole",
    summary: "Turns your second factor on by its first code, and shows your recovery codes once",
    description: "From then on, logins need a code. Sessions that have begun stay.",
    body: ConfirmSecondFactor,
    answers: { status: 201, schema: RecoveryCodes },
    errors: ["auth.code", "auth.limited", "grant.exceeds", "secret.locked"],
  },
  renew: {
    id: "renewRecoveryCodes",
    method: "POST",
    path: "/api/second-factor/recovery-codes",
    needs: "credential",
    requiresKey: "whole",
    summary: "Replaces your recovery codes, and shows the new ones once",
    body: RenewRecoveryCodes,
    answers: { status: 200, schema: RecoveryCodes },
    errors: ["auth.code", "auth.limited", "grant.exceeds", "secret.locked"],
  },
  remove: {
    id: "removeSecondFactor",
    method: "DELETE",
    path: "/api/agents/{agent}/second-factor",
    needs: AGENT_READ,
    requiresKey: "whole",
    summary: "Turns a person's second factor off, and makes their recovery codes invalid",
    description:
      "Your own requires a session that began with a code in the last 15 minutes, or the run token of this machine. Another person's requires all of their rights.",
    params: { agent: IdOrHandle },
    answers: { status: 200, schema: SecondFactorState },
    errors: ["record.not-found", "auth.code", "grant.exceeds"],
  },
});
