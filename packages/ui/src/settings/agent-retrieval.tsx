/** How an agent's memory is searched. Saved on selection. */
import { type AgentRecord, DEFAULT_RETRIEVAL, type Retrieval } from "@hearth/protocol";
import { useAnnounce } from "../design/announcer.tsx";
import { type Choice, ChoiceGroup } from "../design/choice.tsx";
import { ErrorNotice } from "../design/notice.tsx";
import { useUi } from "../house/ui.tsx";
import { useWork } from "../models/use-work.ts";
import { visible } from "../text/visible.tsx";
import { Section } from "./section.tsx";

const choices: readonly Choice<Retrieval>[] = [
  {
    value: "hybrid",
    title: "Keywords and meaning",
    detail: "Also finds texts with other words. Texts are sent to the configured embedding model.",
    badge: DEFAULT_RETRIEVAL === "hybrid" ? "Default" : undefined,
  },
  {
    value: "lexical",
    title: "Keywords",
    detail: "Keyword search only; nothing is sent to an embedding model.",
  },
  { value: "none", title: "Off", detail: "No memory search. The files stay, and the agent can read them." },
];

export interface AgentRetrievalProps {
  readonly agent: AgentRecord;
  readonly onChange: (agent: AgentRecord) => void;
}

export const AgentRetrieval = ({ agent, onChange }: AgentRetrievalProps) => {
  const { client } = useUi();
  const announce = useAnnounce();
  const work = useWork();
  const choose = async (retrieval: Retrieval): Promise<void> => {
    const isKept = await work.run(async () =>
      onChange(await client.agents.update(agent.id, { content: { retrieval } })),
    );
    if (isKept) announce("Saved.");
  };
  return (
    <Section title="Memory search">
      {work.error === undefined ? undefined : <ErrorNotice error={work.error} />}
      <ChoiceGroup
        label={`Memory search of ${visible(agent.content.name)}`}
        value={agent.content.retrieval ?? DEFAULT_RETRIEVAL}
        onChange={(retrieval) => void choose(retrieval)}
        choices={choices}
      />
    </Section>
  );
};
