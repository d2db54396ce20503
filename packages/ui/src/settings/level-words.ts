/** Levels, and what the house says against a change of one, in a person's words. Pure. */
import { HearthError, isHearthError, type Level } from "@hearth/protocol";

export const levelTitles: Readonly<Record<Level, string>> = { r: "Reads", w: "Speaks", x: "Decides" };

export const levelDetails: Readonly<Record<Level, string>> = {
  r: "Sees what is said, and what the agents do.",
  w: "Reads, says something, wakes agents and makes rooms.",
  x: "Speaks, and changes rooms, agents, people, and who may do what.",
};

/** What a person reads of themselves: "You read here." */
export const ownWords: Readonly<Record<Level, string>> = {
  r: "You can read here.",
  w: "You can read and speak here.",
  x: "You decide here.",
};

/** A refused change with words for who tried it; any other error as it is. */
export const toGrantError = (error: unknown, name: string): unknown => {
  if (isHearthError(error, "grant.last"))
    return new HearthError("grant.last", `${name} is the only person who decides in this house.`, {
      hint: "Somebody has to. Let another person decide first.",
    });
  if (isHearthError(error, "grant.exceeds"))
    return new HearthError("grant.exceeds", "You cannot give more than you may do yourself.", {
      hint: "Ask somebody who decides here.",
    });
  return error;
};
