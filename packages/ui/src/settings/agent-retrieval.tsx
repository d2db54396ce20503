/** What an agent's memory is found by. Kept as soon as it is chosen. */
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
    title: "Words and meaning",
    detail: "Other words find it too. What the house's config names as embedder is given its texts.",
    badge: DEFAULT_RETRIEVAL === "hybrid" ? "Usual" : undefined,
  },
  {
    value: "lexical",
    title: "Words alone",
    detail: "None of its texts is made a vector: nothing of them goes to an embedder.",
  },
  { value: "none", title: "Nothing", detail: "Nothing is looked up. Its files stay, and it reads those it asks for." },
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
    <Section title="Memory">
      {work.error === undefined ? undefined : <ErrorNotice error={work.error} />}
      <ChoiceGroup
        label={`What the memory of ${visible(agent.content.name)} is found by`}
        value={agent.content.retrieval ?? DEFAULT_RETRIEVAL}
        onChange={(retrieval) => void choose(retrieval)}
        choices={choices}
      />
    </Section>
  );
};
