/** Operations on login sessions. */
import { z } from "zod";
import {
  ConfirmSession,
  EditSession,
  Session,
  SessionConfirmed,
  SessionList,
  SessionsEnded,
  LoginLink,
} from "../people/credential.ts";
import { SessionId } from "../base/ids.ts";
import { declareOperations } from "./operation.ts";

const EndQuery = z.object({
  others: z.enum(["true", "false"]).default("false").describe("`true`: all except the current one"),
});

export const sessionOperations = declareOperations("Login", {
  list: {
    id: "listSessions",
    method: "GET",
    path: "/api/sessions",
    needs: "credential",
    summary: "Lists your logged-in browsers, newest first",
    answers: { status: 200, schema: SessionList },
    errors: ["grant.exceeds"],
  },
  endAll: {
    id: "endSessions",
    method: "DELETE",
    path: "/api/sessions",
    needs: "credential",
    summary: "Logs you out everywhere at once",
    description: "The sessions' open connections end within a second. Your unused login links become invalid.",
    query: EndQuery,
    answers: { status: 200, schema: SessionsEnded },
    errors: ["grant.exceeds"],
  },
  edit: {
    id: "editSession",
    method: "PATCH",
    path: "/api/sessions/{id}",
    needs: "credential",
    summary: "Names one of your browsers",
    params: { id: SessionId },
    body: EditSession,
    answers: { status: 200, schema: Session },
    errors: ["record.not-found", "grant.exceeds"],
  },
  pair: {
    id: "pairDevice",
    method: "POST",
    path: "/api/sessions/pair",
    needs: "credential",
    requiresKey: "whole",
    summary: "Creates a link that logs another device of yours in, once, within 5 minutes",
    description: "The code is behind `#` of the link, so that no server log contains it.",
    refusesBody: true,
    answers: { status: 200, schema: LoginLink },
    errors: ["grant.exceeds"],
  },
  confirm: {
    id: "confirmSession",
    method: "POST",
    path: "/api/sessions/confirm",
    needs: "credential",
    requiresKey: "whole",
    summary: "Makes this browser's session count as a fresh login for 15 minutes",
    description:
      "Takes the person's `password`, a `ticket` of `POST /login/passkey` with the signed `passkey`, or the `link` code of `hearth login`. For a person with a second factor, a password gets a `ticket`, which is sent back with the `code`. Only for sessions.",
    body: ConfirmSession,
    answers: { status: 200, schema: SessionConfirmed },
    errors: [
      "auth.password",
      "auth.link",
      "auth.code",
      "auth.passkey",
      "auth.limited",
      "secret.locked",
      "grant.exceeds",
    ],
  },
  end: {
    id: "endSession",
    method: "DELETE",
    path: "/api/sessions/{id}",
    needs: "credential",
    summary: "Logs one of your browsers out",
    params: { id: SessionId },
    answers: { status: 200, schema: SessionsEnded },
    errors: ["record.not-found", "grant.exceeds"],
  },
});
