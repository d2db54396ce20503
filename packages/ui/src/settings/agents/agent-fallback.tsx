/** The models that answer in place of the agent's model when it fails, in order. */
import { observe } from "@hearth/client";
import { type AgentRecord, MAX_FALLBACK } from "@hearth/protocol";
import { useState } from "react";
import { useAnnounce } from "../../design/announcer.tsx";
import { Button } from "../../design/button.tsx";
import { ErrorNotice } from "../../design/notice.tsx";
import { useUi } from "../../house/ui.tsx";
import { useSubmission } from "../../house/use-submission.ts";
import { isModelName } from "../../models/model-name.ts";
import { toVisible } from "../../text/visible.tsx";
import { Form } from "../form/form.tsx";
import { ModelNameField } from "../form/model-name-field.tsx";
import { Section } from "../form/section.tsx";
import styles from "../settings.module.css";
import * as texts from "./text.ts";

export interface AgentFallbackProps {
  readonly agent: AgentRecord;
  readonly onChange: (agent: AgentRecord) => void;
}

export const AgentFallback = ({ agent, onChange }: AgentFallbackProps) => {
  const { client } = useUi();
  const announce = useAnnounce();
  const submission = useSubmission();
  const [newModel, setNewModel] = useState("");
  const [problem, setProblem] = useState<string>();
  const { fallback: models = [] } = agent.content;
  const save = (newModels: readonly string[], announcement: string): Promise<boolean> =>
    submission.run(async () => {
      onChange(
        await client.agents.update(agent.id, { content: { fallback: newModels.length === 0 ? null : [...newModels] } }),
      );
      announce(announcement);
    });
  const add = async (): Promise<void> => {
    const model = newModel.trim();
    const newProblem = findProblem(model, agent);
    setProblem(newProblem);
    if (newProblem === undefined && (await save([...models, model], texts.fallbackAdded(model)))) setNewModel("");
  };
  return (
    <Section title={texts.fallbackModels} text={texts.fallbackDetail}>
      {models.length === 0 ? (
        <p className={styles.quiet}>{texts.noFallback}</p>
      ) : (
        <ol className={styles.list} aria-label={texts.fallbackModels}>
          {models.map((model, index) => (
            <FallbackRow
              key={model}
              model={model}
              position={index + 1}
              isBusy={submission.isBusy}
              onMoveUp={() => observe(save(moveUp(models, index), texts.fallbackMoved(model, index)))}
              onRemove={() => observe(save(models.toSpliced(index, 1), texts.fallbackRemoved(model)))}
            />
          ))}
        </ol>
      )}
      {models.length >= MAX_FALLBACK ? undefined : (
        <Form onSubmit={add}>
          <ModelNameField
            label={texts.newFallback}
            hint={texts.modelNameFormat}
            value={newModel}
            error={problem}
            onChange={(text) => {
              setProblem(undefined);
              setNewModel(text);
            }}
          />
          <div className={styles.buttons}>
            <Button type="submit" isBusy={submission.isBusy}>
              {texts.addFallback}
            </Button>
          </div>
        </Form>
      )}
      {submission.error === undefined ? undefined : <ErrorNotice error={submission.error} />}
    </Section>
  );
};

interface FallbackRowProps {
  readonly model: string;
  readonly position: number;
  readonly isBusy: boolean;
  readonly onMoveUp: () => void;
  readonly onRemove: () => void;
}

const FallbackRow = ({ model, position, isBusy, onMoveUp, onRemove }: FallbackRowProps) => (
  <li className={styles.row}>
    <span className={styles.about}>{toVisible(`${position}. ${model}`)}</span>
    <span className={styles.buttons}>
      {position === 1 ? undefined : (
        <Button size="small" kind="quiet" disabled={isBusy} aria-label={texts.moveUpModel(model)} onClick={onMoveUp}>
          {texts.moveUp}
        </Button>
      )}
      <Button size="small" kind="quiet" disabled={isBusy} aria-label={texts.removeModel(model)} onClick={onRemove}>
        {texts.removeFallback}
      </Button>
    </span>
  </li>
);

/** Returns why this model cannot be added. */
export const findProblem = (model: string, { content }: AgentRecord): string | undefined => {
  if (!isModelName(model)) return texts.modelNameRequired;
  return model === content.model || content.fallback?.includes(model) === true ? texts.fallbackTwice : undefined;
};

export const moveUp = (models: readonly string[], index: number): readonly string[] => {
  const [model] = models.slice(index, index + 1);
  return model === undefined ? models : models.toSpliced(index, 1).toSpliced(index - 1, 0, model);
};
