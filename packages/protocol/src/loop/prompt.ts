/**
 * Builds the system prompt from its parts. Stable text comes first and is byte-identical within a
 * conversation, so that providers can cache it.
 */
import type { SystemPart } from "../agents/model.ts";
import type { ActivationInput } from "../link/frame.ts";

/**
 * Order: the agent's files, the house's description, the prompt of the agent's record, Hearth's own
 * rules. The record's prompt comes after the description, so that it can override it. Parts that
 * change between turns form a separate last piece.
 */
export const buildSystem = (input: ActivationInput): readonly SystemPart[] => {
  const pieces = systemPieces(input);
  const textOf = (isStable: boolean): string =>
    pieces.flatMap(({ text, stable }) => (stable === isStable ? [text] : [])).join("\n\n");
  const hasChangingPieces = pieces.some(({ stable }) => !stable);
  return [{ text: textOf(true), stable: true }, ...(hasChangingPieces ? [{ text: textOf(false), stable: false }] : [])];
};

/** A piece of the system prompt: a part of the input, the house's description, or Hearth's rules. */
export interface SystemPiece extends SystemPart {
  readonly kind: "part" | "house" | "rules";
  /** The name of the part. Empty for the other kinds. */
  readonly name: string;
}

/** Returns the pieces in the order of the system prompt. */
export const systemPieces = (input: ActivationInput): readonly SystemPiece[] => {
  const parts = input.parts.map(({ name, text, stable }): SystemPiece => ({
    kind: "part",
    name,
    text: text.trim(),
    stable: stable !== false,
  }));
  const piece = (kind: "house" | "rules", text: string): SystemPiece => ({ kind, name: "", text, stable: true });
  return [
    ...parts.filter(({ name, stable }) => stable && name !== RECORD),
    ...writeHouseDescription(input).map((text) => piece("house", text)),
    ...parts.filter(({ name }) => name === RECORD),
    piece("rules", writeHouseRules(input)),
    ...parts.filter(({ name, stable }) => !stable && name !== RECORD),
  ];
};

/** The part that is not a brain file: the prompt of the agent's record. */
const RECORD = "prompt";

const writeHouseDescription = ({ house: { name, description = "" } }: ActivationInput): readonly string[] =>
  description.trim() === "" ? [] : [`# The house "${name}"\n${description.trim()}`];

/** Returns Hearth's own rules, in as few tokens as possible. */
const writeHouseRules = (input: ActivationInput): string => {
  const { agent, room, house, asker } = input;
  const roomText = room.kind === "direct" ? "the direct room" : "a group room";
  const lines = [
    "# Here and now",
    asker === undefined
      ? `You are ${agent.name} (@${agent.handle}) in ${roomText} of the house "${house.name}".`
      : `You are ${agent.name} (@${agent.handle}) of the house "${house.name}", in no room: another agent asks you.`,
    `A message of someone else begins with a line [who, when] that Hearth wrote. Your final text is ${asker === undefined ? "posted in the room as Markdown" : "given only to that agent"}; what you say between tool calls is not kept.`,
  ];
  return lines.join("\n");
};
