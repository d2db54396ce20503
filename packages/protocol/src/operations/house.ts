/** Operations on the house as a whole: identity, status, login links, shutdown. */
import { z } from "zod";
import { CheckList, LoginLink, Me, Status, Stopping, StorageReport } from "../house/api.ts";
import { CreateLoginLink } from "../people/credential.ts";
import { operations } from "./operation.ts";

export const daemonOperations = operations("House", {
  me: {
    id: "me",
    method: "GET",
    path: "/api/me",
    needs: "credential",
    summary: "Returns who and where you are",
    answers: { status: 200, schema: Me },
  },
  status: {
    id: "status",
    method: "GET",
    path: "/api/status",
    needs: "x on home",
    summary: "Returns the status of the house",
    answers: { status: 200, schema: Status },
  },
  doctor: {
    id: "doctor",
    method: "GET",
    path: "/api/doctor",
    needs: "x on home",
    summary: "Checks everything the house needs",
    description: "With `deep`, also checks every page of the database, every referenced blob, and the audit log.",
    query: z.object({ deep: z.enum(["true", "false"]).optional() }),
    answers: { status: 200, schema: CheckList },
  },
  storage: {
    id: "storage",
    method: "GET",
    path: "/api/storage",
    needs: "x on home",
    summary: "Measures what takes space in the home",
    description: "Reads the whole database in another process, which may take seconds.",
    answers: { status: 200, schema: StorageReport },
  },
  loginLink: {
    id: "createLoginLink",
    method: "POST",
    path: "/api/login-links",
    needs: "x on home",
    requiresKey: "whole",
    summary: "Creates a one-time link that logs a browser in as you",
    description: "Requires `code` if you have a second factor. The link then needs no further code.",
    body: CreateLoginLink,
    answers: { status: 201, schema: LoginLink },
    errors: ["auth.code", "auth.limited", "secret.locked"],
  },
  stop: {
    id: "stop",
    method: "POST",
    path: "/api/stop",
    needs: "x on home",
    summary: "Shuts the daemon down in an orderly way",
    answers: { status: 202, schema: Stopping },
  },
});
