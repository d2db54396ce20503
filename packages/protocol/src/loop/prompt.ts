/**
 * Builds the system prompt from its parts. Stable text comes first and is byte-identical within a
 * conversation, so that providers can cache it.
 */
import type { SystemPart } from "../agents/model.ts";
import type { ActivationInput, PromptPart } from "../link/frame.ts";

/**
 * Order: the agent's files, the house's description, the prompt of the agent's record, Hearth's own
 * rules. The record's prompt comes after the description, so that it can override it. Parts that
 * change between turns form a separate last piece.
 */
export const buildSystem = (input: ActivationInput): readonly SystemPart[] => {
  const texts = (wanted: (part: PromptPart) => boolean): readonly string[] =>
    input.parts.filter(wanted).map(({ text }) => text.trim());
  const files = texts(({ name, stable }) => stable !== false && name !== RECORD);
  const record = texts(({ name }) => name === RECORD);
  const changing = texts(({ stable }) => stable === false);
  return [
    { text: [...files, ...aboutHouse(input), ...record, houseRules(input)].join("\n\n"), stable: true },
    ...(changing.length === 0 ? [] : [{ text: changing.join("\n\n"), stable: false }]),
  ];
};

/** The part that is not a brain file: the prompt of the agent's record. */
const RECORD = "prompt";

const aboutHouse = ({ house: { name, description = "" } }: ActivationInput): readonly string[] =>
  description.trim() === "" ? [] : [`# The house "${name}"\n${description.trim()}`];

/** Hearth's own rules, in as few tokens as possible. */
const houseRules = (input: ActivationInput): string => {
  const { agent, room, house, asker } = input;
  const where = room.kind === "direct" ? "the direct room" : "a group room";
  const lines = [
    "# Here and now",
    asker === undefined
      ? `You are ${agent.name} (@${agent.handle}) in ${where} of the house "${house.name}".`
      : `You are ${agent.name} (@${agent.handle}) of the house "${house.name}", in no room: another agent asks you.`,
    `A message of someone else begins with a line [who, when] that Hearth wrote. Your final text is ${asker === undefined ? "posted in the room as Markdown" : "given only to that agent"}; what you say between tool calls is not kept.`,
  ];
  return lines.join("\n");
};
