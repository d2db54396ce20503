/** Third step: the model of the agent. */
import { observe } from "@hearth/client";
import type { AgentRecord } from "@hearth/protocol";
import { useUi } from "../house/ui.tsx";
import { useModelChoice } from "../models/model-choice.ts";
import { isFailed } from "../models/model-test.ts";
import { ModelChooser } from "../models/model-chooser.tsx";
import { type ModelDraft, toDraft } from "../models/model-draft.ts";
import type { OffersQuery } from "../models/offers.ts";
import { useSubmission } from "../house/use-submission.ts";
import { toVisible } from "../text/visible.tsx";
import { StepFrame, type StepProps } from "./step-frame.tsx";
import * as texts from "./text.ts";

export interface ModelStepProps extends StepProps {
  readonly agent: AgentRecord | undefined;
  readonly offersQuery: OffersQuery;
  readonly draft: ModelDraft;
  readonly onDraft: (draft: ModelDraft) => void;
}

export const ModelStep = ({ agent, offersQuery, draft, onDraft, ...step }: ModelStepProps) => {
  const { client } = useUi();
  const submission = useSubmission();
  const choice = useModelChoice({
    offersQuery,
    draft: Object.keys(draft).length === 0 ? toDraft(agent?.content.model) : draft,
    onDraft(newDraft) {
      submission.clear();
      onDraft(newDraft);
    },
  });

  const submit = async (): Promise<void> => {
    // Tests a new key or server first, so that the user sees a wrong one here. A second press continues anyway.
    const isUntested = choice.outcome === undefined && ["key", "server"].includes(choice.source?.origin.kind ?? "");
    let isConnected = false;
    const isSaved = await submission.run(async () => {
      if (isUntested && !(await choice.test())) return;
      const model = await choice.connectModel();
      if (model === undefined) return;
      if (agent !== undefined && agent.content.model !== model)
        await client.agents.update(agent.id, { content: { model } });
      isConnected = true;
    });
    if (isSaved && isConnected) step.onDone();
  };

  return (
    <StepFrame
      {...step}
      title={texts.model}
      text={texts.modelOf(toVisible(agent?.content.name ?? texts.yourAgentInText))}
      isBusy={submission.isBusy}
      error={submission.error}
      {...(isFailed(choice.outcome) ? { submit: texts.finishAnyway } : {})}
      onSubmit={() => observe(submit())}
    >
      <ModelChooser choice={choice} label={texts.modelSource} />
    </StepFrame>
  );
};
