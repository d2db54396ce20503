/** Settings of when an agent responds in group rooms, and of its relevance check. */
import { observe } from "@hearth/client";
import { type AgentRecord, type Ambient, DEFAULT_TRIGGER_MODE, type TriggerMode } from "@hearth/protocol";
import { useAnnounce } from "../../design/announcer.tsx";
import { ChoiceGroup } from "../../design/choice.tsx";
import { Field, Select, TextInput } from "../../design/field.tsx";
import { ErrorNotice } from "../../design/notice.tsx";
import { useUi } from "../../house/ui.tsx";
import { isModelName } from "../../models/model-name.ts";
import { useSubmission } from "../../house/use-submission.ts";
import { ModelNameField } from "../form/model-name-field.tsx";
import { RecordFields, Section } from "../form/section.tsx";
import { useRecordForm } from "../form/use-record-form.ts";
import * as texts from "./text.ts";

export const triggerTitles: Readonly<Record<TriggerMode, string>> = {
  mention: texts.onlyWhenMentioned,
  ambient: texts.whenRelevant,
};

const details: Readonly<Record<TriggerMode, string>> = {
  mention: texts.onlyWhenMentionedDetail,
  ambient: texts.whenRelevantDetail,
};

export interface AgentTriggerProps {
  readonly agent: AgentRecord;
  readonly onChange: (agent: AgentRecord) => void;
}

export const AgentTrigger = ({ agent, onChange }: AgentTriggerProps) => {
  const { client } = useUi();
  const announce = useAnnounce();
  const submission = useSubmission();
  const mode = agent.content.triggerMode ?? DEFAULT_TRIGGER_MODE;
  const choose = async (triggerMode: TriggerMode): Promise<void> => {
    const isSaved = await submission.run(async () =>
      onChange(await client.agents.update(agent.id, { content: { triggerMode } })),
    );
    if (isSaved) announce(texts.saved);
  };
  return (
    <Section title={texts.whenItResponds} text={texts.whenItRespondsDetail}>
      {submission.error === undefined ? undefined : <ErrorNotice error={submission.error} />}
      <ChoiceGroup
        label={texts.inGroupRooms}
        value={mode}
        onChange={(triggerMode) => observe(choose(triggerMode))}
        choices={(["mention", "ambient"] as const).map((value) => ({
          value,
          title: triggerTitles[value],
          detail: details[value],
          badge: value === DEFAULT_TRIGGER_MODE ? texts.byDefault : undefined,
        }))}
      />
      {mode === "ambient" ? <AmbientForm agent={agent} onChange={onChange} /> : undefined}
    </Section>
  );
};

const DEFAULT_SECONDS = 3;
const MAX_SECONDS = 600;

interface AmbientFields {
  readonly [field: string]: string;
  /** Length of the pause in the conversation before the agent responds. */
  readonly seconds: string;
  readonly cooldown: "yes" | "no";
  readonly relevance: "" | "model" | "words" | "off";
  readonly model: string;
}

export const toAmbientFields = ({ debounceMs, cooldown, relevance, model }: Ambient = {}): AmbientFields => ({
  seconds: String(debounceMs === undefined ? DEFAULT_SECONDS : debounceMs / 1000),
  cooldown: cooldown === false ? "no" : "yes",
  relevance: relevance ?? "",
  model: model ?? "",
});

/** Returns the fields as a patch of the record. */
export const fromAmbientFields = ({
  seconds,
  cooldown,
  relevance,
  model,
}: AmbientFields): Readonly<Record<string, string | number | boolean>> => ({
  debounceMs: Math.round(Number(seconds.replace(",", ".")) * 1000),
  cooldown: cooldown === "yes",
  ...(relevance === "" ? {} : { relevance }),
  ...(model.trim() === "" ? {} : { model: model.trim() }),
});

export const checkAmbient = ({
  seconds,
  model,
}: AmbientFields): { readonly seconds?: string; readonly model?: string } => {
  const value = Number(seconds.replace(",", "."));
  const isTime = seconds.trim() !== "" && value >= 0 && value <= MAX_SECONDS;
  const isModel = model.trim() === "" || isModelName(model);
  return {
    ...(isTime ? {} : { seconds: texts.enterSeconds(MAX_SECONDS) }),
    ...(isModel ? {} : { model: texts.modelNameOptional }),
  };
};

const AmbientForm = ({ agent, onChange }: AgentTriggerProps) => {
  const { client } = useUi();
  const savedFields = toAmbientFields(agent.content.ambient);
  const form = useRecordForm<AmbientFields>({
    name: `form:${agent.id}:ambient`,
    saved: savedFields,
    check: checkAmbient,
    async save(changes) {
      const changedFields = Object.fromEntries(Object.entries(changes).map(([field, text]) => [field, text ?? ""]));
      const ambient = { ...fromAmbientFields({ ...savedFields, ...changedFields }) };
      onChange(await client.agents.update(agent.id, { content: { ambient } }));
    },
  });
  return (
    <RecordFields form={form} subject={texts.responseForm}>
      <Field label={texts.pauseBeforeItResponds} hint={texts.pauseHint} error={form.errorOf("seconds")}>
        {(ids) => (
          <TextInput
            {...ids}
            inputMode="decimal"
            autoComplete="off"
            value={form.values.seconds}
            onChange={(event) => form.set("seconds", event.target.value)}
          />
        )}
      </Field>
      <Field label={texts.afterItsOwnMessage} error={form.errorOf("cooldown")}>
        {(ids) => (
          <Select {...ids} value={form.values.cooldown} onChange={(event) => form.set("cooldown", event.target.value)}>
            <option value="yes">{texts.letOthersReplyFirst}</option>
            <option value="no">{texts.noCooldown}</option>
          </Select>
        )}
      </Field>
      <Field label={texts.relevanceCheck} error={form.errorOf("relevance")}>
        {(ids) => (
          <Select
            {...ids}
            value={form.values.relevance}
            onChange={(event) => form.set("relevance", event.target.value)}
          >
            <option value="">{texts.relevanceByDefault}</option>
            <option value="model">{texts.model}</option>
            <option value="words">{texts.relevanceByKeywords}</option>
            <option value="off">{texts.noRelevanceCheck}</option>
          </Select>
        )}
      </Field>
      <ModelNameField
        label={texts.relevanceModel}
        hint={texts.relevanceModelHint}
        value={form.values.model}
        error={form.errorOf("model")}
        onChange={(model) => form.set("model", model)}
      />
    </RecordFields>
  );
};
