/** Names of roles, and errors of role changes. Pure. */
import { HearthError, isHearthError, type Level } from "@hearth/protocol";

export const levelTitles: Readonly<Record<Level, string>> = { r: "Viewer", w: "Member", x: "Admin" };

export const levelDetails: Readonly<Record<Level, string>> = {
  r: "Reads messages and sees what agents do.",
  w: "Reads and writes messages, uses agents and creates rooms.",
  x: "Also changes rooms, agents, people and roles.",
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
