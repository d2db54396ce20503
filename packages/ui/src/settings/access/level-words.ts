/** Names of roles, and errors of role changes. Pure. */
import { HearthError, isHearthError, type Level, type Right } from "@hearth/protocol";
import * as texts from "./text.ts";

export const levelTitles: Readonly<Record<Level, string>> = texts.levelTitles;
export const levelDetails: Readonly<Record<Level, string>> = texts.levelDetails;
export const rightTitles: Readonly<Record<Right, string>> = texts.rightTitles;
export const rightDetails: Readonly<Record<Right, string>> = texts.rightDetails;

/** The role of the current user. */
export const ownWords: Readonly<Record<Level, string>> = texts.ownRoles;

/** Replaces the error of a refused role change by one for people. Returns other errors unchanged. */
export const toGrantError = (error: unknown, name: string): unknown => {
  if (isHearthError(error, "grant.last"))
    return new HearthError("grant.last", texts.onlyAdmin(name), {
      hint: texts.onlyAdminHint,
    });
  if (isHearthError(error, "grant.exceeds"))
    return new HearthError("grant.exceeds", texts.roleTooHigh, {
      hint: texts.roleTooHighHint,
    });
  return error;
};
