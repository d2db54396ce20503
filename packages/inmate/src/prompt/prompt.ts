/** Parts → the system prompt. Stable pieces come first, byte-identical across a conversation, so that a provider's cache holds. */
import type { ActivationInput, SystemPart } from "@hearth/protocol";

export const buildSystem = (input: ActivationInput): readonly SystemPart[] => [
  { text: [...input.parts.map((part) => part.text.trim()), houseRules(input)].join("\n\n"), stable: true },
];

/** What Hearth itself has to say, in as few tokens as do the job. */
const houseRules = (input: ActivationInput): string => {
  const { agent, room, house } = input;
  const lines = [
    "# Here and now",
    `You are ${agent.name} (@${agent.handle}) in the ${room.kind === "direct" ? "direct room" : `room "${room.name}"`} of the house "${house.name}".`,
    "A message of someone else begins with a line [who, when] that Hearth wrote. Your final text is posted in the room as Markdown; what you say between tool calls is not kept.",
  ];
  if (house.description !== undefined && house.description.trim() !== "") lines.push(house.description.trim());
  return lines.join("\n");
};
