/** Chooses how an agent's memory is searched. A selection is saved at once. */
import { observe } from "@hearth/client";
import { type AgentRecord, DEFAULT_RETRIEVAL, type Retrieval } from "@hearth/protocol";
import { useAnnounce } from "../../design/announcer.tsx";
import { type Choice, ChoiceGroup } from "../../design/choice.tsx";
import { ErrorNotice } from "../../design/notice.tsx";
import { useUi } from "../../house/ui.tsx";
import { useSubmission } from "../../house/use-submission.ts";
import { toVisible } from "../../text/visible.tsx";
import { Section } from "../form/section.tsx";
import * as texts from "./text.ts";

const choices: readonly Choice<Retrieval>[] = [
  {
    value: "hybrid",
    title: texts.keywordsAndMeaning,
    detail: texts.keywordsAndMeaningDetail,
    badge: DEFAULT_RETRIEVAL === "hybrid" ? texts.byDefault : undefined,
  },
  {
    value: "lexical",
    title: texts.keywordsOnly,
    detail: texts.keywordsDetail,
  },
  { value: "none", title: texts.off, detail: texts.offDetail },
];

export interface AgentRetrievalProps {
  readonly agent: AgentRecord;
  readonly onChange: (agent: AgentRecord) => void;
}

export const AgentRetrieval = ({ agent, onChange }: AgentRetrievalProps) => {
  const { client } = useUi();
  const announce = useAnnounce();
  const submission = useSubmission();
  const choose = async (retrieval: Retrieval): Promise<void> => {
    const isSaved = await submission.run(async () =>
      onChange(await client.agents.update(agent.id, { content: { retrieval } })),
    );
    if (isSaved) announce(texts.saved);
  };
  return (
    <Section title={texts.memorySearch}>
      {submission.error === undefined ? undefined : <ErrorNotice error={submission.error} />}
      <ChoiceGroup
        label={texts.memorySearchOf(toVisible(agent.content.name))}
        value={agent.content.retrieval ?? DEFAULT_RETRIEVAL}
        onChange={(retrieval) => observe(choose(retrieval))}
        choices={choices}
      />
    </Section>
  );
};
