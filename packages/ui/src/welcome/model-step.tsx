/** Third step: the model of the agent. */
import type { AgentRecord } from "@hearth/protocol";
import { useUi } from "../house/ui.tsx";
import { useModelChoice } from "../models/model-choice.ts";
import { isFailed } from "../models/model-test.ts";
import { ModelChooser } from "../models/model-chooser.tsx";
import { type ModelDraft, toDraft } from "../models/model-draft.ts";
import type { AskedOffers } from "../models/offers.ts";
import { useWork } from "../models/use-work.ts";
import { visible } from "../text/visible.tsx";
import { StepFrame, type StepProps } from "./step-frame.tsx";

export interface ModelStepProps extends StepProps {
  readonly agent: AgentRecord | undefined;
  readonly asked: AskedOffers;
  readonly draft: ModelDraft;
  readonly onDraft: (draft: ModelDraft) => void;
}

export const ModelStep = ({ agent, asked, draft, onDraft, ...step }: ModelStepProps) => {
  const { client } = useUi();
  const work = useWork();
  const choice = useModelChoice({
    asked,
    draft: Object.keys(draft).length === 0 ? toDraft(agent?.content.model) : draft,
    onDraft(next) {
      work.clear();
      onDraft(next);
    },
  });

  const submit = async (): Promise<void> => {
    // Report a wrong key or address here, not in the first conversation. A second press
    // continues anyway.
    const isUntried = choice.outcome === undefined && ["key", "server"].includes(choice.source?.origin.kind ?? "");
    let isSettled = false;
    const isSaved = await work.run(async () => {
      if (isUntried && !(await choice.test())) return;
      const model = await choice.settle();
      if (model === undefined) return;
      if (agent !== undefined && agent.content.model !== model)
        await client.agents.update(agent.id, { content: { model } });
      isSettled = true;
    });
    if (isSaved && isSettled) step.onDone();
  };

  return (
    <StepFrame
      {...step}
      title="Model"
      text={`The language model of ${visible(agent?.content.name ?? "your agent")}. The provider may charge you; Hearth does not.`}
      isBusy={work.isBusy}
      error={work.error}
      {...(isFailed(choice.outcome) ? { submit: "Finish anyway" } : {})}
      onSubmit={() => void submit()}
    >
      <ModelChooser choice={choice} label="Model source" />
    </StepFrame>
  );
};
