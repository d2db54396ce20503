/** Operations on passkeys, with which people log in without a password. */
import { z } from "zod";
import {
  AddPasskey,
  BeginSecondFactor,
  EditPasskey,
  PasskeyChallenge,
  PasskeyInfo,
  PasskeyList,
} from "../people/credential.ts";
import { AGENT_READ } from "./needs.ts";
import { declareOperations } from "./operation.ts";
import { IdOrHandle } from "./parameters.ts";

const PasskeyId = z.string().min(1).max(2_000);

export const passkeyOperations = declareOperations("Login", {
  list: {
    id: "listPasskeys",
    method: "GET",
    path: "/api/agents/{agent}/passkeys",
    needs: AGENT_READ,
    summary: "Lists the passkeys of a person, newest first",
    params: { agent: IdOrHandle },
    answers: { status: 200, schema: PasskeyList },
    errors: ["record.not-found"],
  },
  begin: {
    id: "beginPasskey",
    method: "POST",
    path: "/api/passkeys/setup",
    needs: "credential",
    requiresKey: "whole",
    summary: "Creates the challenge for a new passkey",
    description:
      "Requires `current` as `setPassword` does, and of a person with a second factor a session that began with a code or a passkey in the last 15 minutes.",
    body: BeginSecondFactor,
    answers: { status: 201, schema: PasskeyChallenge },
    errors: ["auth.password", "auth.code", "auth.passkey", "auth.limited", "grant.exceeds"],
  },
  add: {
    id: "addPasskey",
    method: "POST",
    path: "/api/passkeys",
    needs: "credential",
    requiresKey: "whole",
    summary: "Adds a passkey by its signed challenge",
    body: AddPasskey,
    answers: { status: 201, schema: PasskeyInfo },
    errors: ["auth.passkey", "auth.limited", "grant.exceeds"],
  },
  edit: {
    id: "editPasskey",
    method: "PATCH",
    path: "/api/passkeys/{id}",
    needs: "credential",
    requiresKey: "whole",
    summary: "Names one of your passkeys",
    params: { id: PasskeyId },
    body: EditPasskey,
    answers: { status: 200, schema: PasskeyInfo },
    errors: ["auth.passkey", "grant.exceeds"],
  },
  remove: {
    id: "removePasskey",
    method: "DELETE",
    path: "/api/agents/{agent}/passkeys/{id}",
    needs: AGENT_READ,
    requiresKey: "whole",
    summary: "Removes a passkey of a person",
    description: "Another person's requires all of their rights.",
    params: { agent: IdOrHandle, id: PasskeyId },
    answers: { status: 200, schema: PasskeyInfo },
    errors: ["record.not-found", "auth.passkey", "grant.exceeds"],
  },
});

/** For a browser that is not logged in. */
export const passkeyLoginOperations = declareOperations("Login", {
  challenge: {
    id: "challengePasskey",
    method: "POST",
    path: "/login/passkey",
    needs: "nothing",
    summary: "Creates the challenge for a login with a passkey",
    description: "Valid for five minutes and for one login, which `POST /login` takes as `ticket` and `passkey`.",
    refusesBody: true,
    answers: { status: 201, schema: PasskeyChallenge },
    errors: ["auth.passkey", "auth.limited"],
  },
});
