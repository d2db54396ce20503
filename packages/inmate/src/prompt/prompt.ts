/** Parts → the system prompt. Stable pieces come first, byte-identical across a conversation, so that a provider's cache holds. */
import type { ActivationInput, PromptPart, SystemPart } from "@hearth/protocol";

/**
 * What makes the agent, what holds for the whole house, what the agent's record adds, which may say otherwise, and Hearth's own word. What changes
 * between turns comes last, in a piece of its own.
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

/** The part that is no file of the brain: the prompt of the agent's record. */
const RECORD = "prompt";

const aboutHouse = ({ house: { name, description = "" } }: ActivationInput): readonly string[] =>
  description.trim() === "" ? [] : [`# The house "${name}"\n${description.trim()}`];

/** What Hearth itself has to say, in as few tokens as do the job. */
const houseRules = (input: ActivationInput): string => {
  const { agent, room, house, asker } = input;
  const where = room.kind === "direct" ? "the direct room" : "a group room";
  const lines = [
    "# Here and now",
    asker === undefined
      ? `You are ${agent.name} (@${agent.handle}) in ${where} of the house "${house.name}".`
      : `You are ${agent.name} (@${agent.handle}) of the house "${house.name}", in no room: another agent wants something of you.`,
    `A message of someone else begins with a line [who, when] that Hearth wrote. Your final text is ${asker === undefined ? "posted in the room as Markdown" : "given to whoever asks alone"}; what you say between tool calls is not kept.`,
  ];
  return lines.join("\n");
};
