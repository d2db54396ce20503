/** The question about the first agent: its name and its purpose. */
import { changeAgent } from "@hearth/client";
import { RecordName } from "@hearth/protocol";
import type { Answers } from "./answers.ts";
import type { Apply, Situation, Step } from "./step.ts";

type Answer = NonNullable<Answers["agent"]>;

const createApply =
  ({ client, agent }: Situation, { name, purpose }: Answer): Apply =>
  async () => {
    const changes = {
      ...(name === undefined || name === agent?.content.name ? {} : { name }),
      ...(purpose === undefined || purpose === agent?.content.prompt ? {} : { prompt: purpose }),
    };
    const record =
      agent === undefined
        ? await client.agents.create({ name: "Main", ...changes, kind: "bot" })
        : Object.keys(changes).length === 0
          ? agent
          : await changeAgent({ client, agent, rooms: await client.rooms.list(), changes });
    return `Your agent is ${record.content.name}, @${record.handle}`;
  };

export const agentStep: Step = {
  name: "agent",
  title: "Your agent",
  progressText: "Saving your agent",
  async describe({ agent }) {
    if (agent === undefined) return undefined;
    const { name, prompt } = agent.content;
    return prompt === undefined ? name : `${name}: ${prompt}`;
  },
  async ask(situation, asker) {
    const { content } = situation.agent ?? {};
    const name = await asker.text({
      message: "What is your agent called?",
      example: "Leave empty to skip",
      initial: content?.name ?? "Main",
      check: (text) => RecordName.safeParse(text).error?.issues[0]?.message,
    });
    const purpose = await asker.text({
      message: "What is it for? It reads this in every turn.",
      example: "Keeps our shopping list and our appointments. Leave empty to skip",
      ...(content?.prompt === undefined ? {} : { initial: content.prompt }),
    });
    if (name === undefined && purpose === undefined) return undefined;
    return createApply(situation, {
      ...(name === undefined ? {} : { name }),
      ...(purpose === undefined ? {} : { purpose }),
    });
  },
  applyFromFile: (situation, { agent }) => (agent === undefined ? undefined : createApply(situation, agent)),
};
