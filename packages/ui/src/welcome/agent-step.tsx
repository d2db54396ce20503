/** Second step: name and instructions of the agent. */
import { observe, changeAgent } from "@hearth/client";
import { type AgentRecord, MAX_NAME_LENGTH } from "@hearth/protocol";
import { useState } from "react";
import { Field, TextArea, TextInput } from "../design/field.tsx";
import { useHouse, useUi } from "../house/ui.tsx";
import { errorOfField, omitFieldErrors } from "../models/field-error.ts";
import { useSubmission } from "../house/use-submission.ts";
import { StepFrame, type StepProps } from "./step-frame.tsx";
import * as texts from "./text.ts";

export interface AgentStepProps extends StepProps {
  /** The agent to change. Undefined creates an agent. */
  readonly agent: AgentRecord | undefined;
  readonly typedTexts: Readonly<Record<string, string>>;
  readonly onType: (field: string, text: string) => void;
}

export const AgentStep = ({ agent, typedTexts, onType, ...step }: AgentStepProps) => {
  const { client } = useUi();
  const rooms = useHouse().rooms.map(({ room }) => room);
  const submission = useSubmission();
  const [isNameless, setNameless] = useState(false);
  const name = typedTexts["name"] ?? agent?.content.name ?? "Main";
  const prompt = typedTexts["prompt"] ?? agent?.content.prompt ?? "";

  const changeField = (field: string, text: string): void => {
    setNameless(false);
    submission.clear();
    onType(field, text);
  };
  const submit = async (): Promise<void> => {
    const fields = { name: name.trim(), prompt: prompt.trim() };
    setNameless(fields.name === "");
    if (fields.name === "") return;
    const isSaved = await submission.run(async () => {
      if (agent === undefined) {
        const { name: newName, prompt: newPrompt } = fields;
        await client.agents.create({ name: newName, kind: "bot", ...(newPrompt === "" ? {} : { prompt: newPrompt }) });
        return;
      }
      const content = changesOf(agent, fields);
      if (Object.keys(content).length > 0) await changeAgent({ client, agent, rooms, changes: content });
    });
    if (isSaved) step.onDone();
  };

  return (
    <StepFrame
      {...step}
      title={texts.yourAgent}
      text={texts.yourAgentDetail}
      isBusy={submission.isBusy}
      error={omitFieldErrors(submission.error, ["name", "prompt"])}
      onSubmit={() => observe(submit())}
    >
      <Field label={texts.agentName} error={isNameless ? texts.enterAgentName : errorOfField(submission.error, "name")}>
        {(ids) => (
          <TextInput
            {...ids}
            value={name}
            maxLength={MAX_NAME_LENGTH}
            autoComplete="off"
            onChange={(event) => changeField("name", event.target.value)}
          />
        )}
      </Field>
      <Field label={texts.style} hint={texts.styleHint} error={errorOfField(submission.error, "prompt")}>
        {(ids) => (
          <TextArea
            {...ids}
            rows={2}
            value={prompt}
            placeholder={texts.styleExample}
            onChange={(event) => changeField("prompt", event.target.value)}
          />
        )}
      </Field>
    </StepFrame>
  );
};

/** Returns only changed fields, because the configuration may fix the others. */
export const changesOf = (
  { content }: AgentRecord,
  newFields: { readonly name: string; readonly prompt: string },
): Record<string, string | null> => ({
  ...(newFields.name === content.name ? {} : { name: newFields.name }),
  ...(newFields.prompt === (content.prompt ?? "").trim()
    ? {}
    : { prompt: newFields.prompt === "" ? null : newFields.prompt }),
});
