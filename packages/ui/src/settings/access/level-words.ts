/** Names of roles, and errors of role changes. Pure. */
import { HearthError, isHearthError, type Level, type Right } from "@hearth/protocol";

export const levelTitles: Readonly<Record<Level, string>> = { r: "Viewer", w: "Member", x: "Admin" };

export const levelDetails: Readonly<Record<Level, string>> = {
  r: "Reads messages and sees what agents do.",
  w: "Reads and writes messages, uses agents and creates rooms.",
  x: "Also changes rooms, agents, people and roles.",
};

export const rightTitles: Readonly<Record<Right, string>> = {
  providers: "Model providers",
  secrets: "Secrets",
  audit: "Audit log",
  approve: "Approvals",
};

export const rightDetails: Readonly<Record<Right, string>> = {
  providers: "Adds and removes known vendors of models with their keys. Chooses the account that pays.",
  secrets: "Stores, replaces and removes secrets. Cannot read them or send them to new hosts.",
  audit: "Reads, verifies and exports the audit log.",
  approve: "Allows or denies single calls of agents in rooms that the person can read.",
};

/** The role of the current user. */
export const ownWords: Readonly<Record<Level, string>> = {
  r: "You are a viewer: you can read here.",
  w: "You are a member: you can read and write here.",
  x: "You are an admin.",
};

/** Replaces the error of a refused role change by one for people. Returns other errors unchanged. */
export const toGrantError = (error: unknown, name: string): unknown => {
  if (isHearthError(error, "grant.last"))
    return new HearthError("grant.last", `${name} is the only admin of this house.`, {
      hint: "A house needs an admin. Make another person an admin first.",
    });
  if (isHearthError(error, "grant.exceeds"))
    return new HearthError("grant.exceeds", "You cannot grant a role higher than your own.", {
      hint: "Ask an admin to grant it.",
    });
  return error;
};
