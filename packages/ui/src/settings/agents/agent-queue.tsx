/** Chooses how an agent handles messages that arrive during a run. A selection is saved at once. */
import { observe } from "@hearth/client";
import { type AgentRecord, DEFAULT_QUEUE_MODE, type QueueMode } from "@hearth/protocol";
import { useAnnounce } from "../../design/announcer.tsx";
import { type Choice, ChoiceGroup } from "../../design/choice.tsx";
import { ErrorNotice } from "../../design/notice.tsx";
import { useUi } from "../../house/ui.tsx";
import { useSubmission } from "../../house/use-submission.ts";
import { queueWords } from "../../language/text.ts";
import { toVisible } from "../../text/visible.tsx";
import { Section } from "../form/section.tsx";
import * as texts from "./text.ts";

export const queueTitles: Readonly<Record<QueueMode, string>> = {
  steer: texts.includeNow,
  followup: texts.oneByOne,
  collect: texts.queueTogether,
  interrupt: texts.restart,
};

const choices: readonly Choice<QueueMode>[] = (["steer", "followup", "collect", "interrupt"] as const).map((value) => ({
  value,
  title: queueTitles[value],
  detail: queueWords[value],
  badge: value === DEFAULT_QUEUE_MODE ? texts.byDefault : undefined,
}));

export interface AgentQueueProps {
  readonly agent: AgentRecord;
  readonly onChange: (agent: AgentRecord) => void;
}

export const AgentQueue = ({ agent, onChange }: AgentQueueProps) => {
  const { client } = useUi();
  const announce = useAnnounce();
  const submission = useSubmission();
  const choose = async (queue: QueueMode): Promise<void> => {
    const isSaved = await submission.run(async () =>
      onChange(await client.agents.update(agent.id, { content: { queue } })),
    );
    if (isSaved) announce(texts.saved);
  };
  return (
    <Section title={texts.newMessages}>
      {submission.error === undefined ? undefined : <ErrorNotice error={submission.error} />}
      <ChoiceGroup
        label={texts.newMessagesOf(toVisible(agent.content.name))}
        value={agent.content.queue ?? DEFAULT_QUEUE_MODE}
        onChange={(queue) => observe(choose(queue))}
        choices={choices}
      />
    </Section>
  );
};
