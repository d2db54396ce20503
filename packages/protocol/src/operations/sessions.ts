/** Operations on login sessions. */
import { z } from "zod";
import { SessionList, SessionsEnded } from "../people/credential.ts";
import { SessionId } from "../base/ids.ts";
import { operations } from "./operation.ts";

const EndQuery = z.object({
  others: z.enum(["true", "false"]).default("false").describe("`true`: all except the current one"),
});

export const sessionOperations = operations("Login", {
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
