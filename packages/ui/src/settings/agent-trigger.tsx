/** What wakes an agent in a room of many, and, where it listens along, how it finds out whether talk concerns it. */
import { type AgentRecord, type Ambient, DEFAULT_TRIGGER_MODE, type TriggerMode } from "@hearth/protocol";
import { useAnnounce } from "../design/announcer.tsx";
import { ChoiceGroup } from "../design/choice.tsx";
import { Field, Select, TextInput } from "../design/field.tsx";
import { ErrorNotice } from "../design/notice.tsx";
import { useUi } from "../house/ui.tsx";
import { isModelName } from "../models/model-name.ts";
import { useWork } from "../models/use-work.ts";
import { ModelNameField } from "./model-name-field.tsx";
import { RecordFields, Section } from "./section.tsx";
import { useRecordForm } from "./use-record-form.ts";

export const triggerTitles: Readonly<Record<TriggerMode, string>> = {
  mention: "When it is called",
  ambient: "When the talk concerns it",
};

const details: Readonly<Record<TriggerMode, string>> = {
  mention: "It answers in rooms of many only when somebody writes its name with @.",
  ambient: "It listens along and speaks up by itself. Called with @ it always answers.",
};

export interface AgentTriggerProps {
  readonly agent: AgentRecord;
  readonly onChange: (agent: AgentRecord) => void;
}

export const AgentTrigger = ({ agent, onChange }: AgentTriggerProps) => {
  const { client } = useUi();
  const announce = useAnnounce();
  const work = useWork();
  const mode = agent.content.triggerMode ?? DEFAULT_TRIGGER_MODE;
  const choose = async (triggerMode: TriggerMode): Promise<void> => {
    const isKept = await work.run(async () =>
      onChange(await client.agents.update(agent.id, { content: { triggerMode } })),
    );
    if (isKept) announce("Saved.");
  };
  return (
    <Section title="What wakes it" text="In a room of two, every message does.">
      {work.error === undefined ? undefined : <ErrorNotice error={work.error} />}
      <ChoiceGroup
        label="In rooms of many"
        value={mode}
        onChange={(next) => void choose(next)}
        choices={(["mention", "ambient"] as const).map((value) => ({
          value,
          title: triggerTitles[value],
          detail: details[value],
          badge: value === DEFAULT_TRIGGER_MODE ? "Usual" : undefined,
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
  /** How long a silence it waits for. */
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

/** As a patch takes it. */
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
    ...(isTime ? {} : { seconds: `Write a number of seconds from 0 to ${MAX_SECONDS}.` }),
    ...(isModel ? {} : { model: "Write it as provider/model, or leave it empty." }),
  };
};

const AmbientForm = ({ agent, onChange }: AgentTriggerProps) => {
  const { client } = useUi();
  const saved = toAmbientFields(agent.content.ambient);
  const form = useRecordForm<AmbientFields>({
    name: `form:${agent.id}:ambient`,
    saved,
    check: checkAmbient,
    async save(changes) {
      const texts = Object.fromEntries(Object.entries(changes).map(([field, text]) => [field, text ?? ""]));
      const ambient = { ...fromAmbientFields({ ...saved, ...texts }) };
      onChange(await client.agents.update(agent.id, { content: { ambient } }));
    },
  });
  return (
    <RecordFields form={form}>
      <Field
        label="Seconds of silence before it looks"
        hint="So that it reads a whole thought, and not half of one."
        error={form.errorOf("seconds")}
      >
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
      <Field label="When it spoke a moment ago" error={form.errorOf("cooldown")}>
        {(ids) => (
          <Select {...ids} value={form.values.cooldown} onChange={(event) => form.set("cooldown", event.target.value)}>
            <option value="yes">Lets others speak: one of the last five messages is its own</option>
            <option value="no">May speak again at once</option>
          </Select>
        )}
      </Field>
      <Field label="Whether talk concerns it is said by" error={form.errorOf("relevance")}>
        {(ids) => (
          <Select
            {...ids}
            value={form.values.relevance}
            onChange={(event) => form.set("relevance", event.target.value)}
          >
            <option value="">A model where one is named below, else words</option>
            <option value="model">A model, with a yes or no</option>
            <option value="words">Words of its name, purpose and instructions</option>
            <option value="off">Nobody: everything concerns it</option>
          </Select>
        )}
      </Field>
      <ModelNameField
        label="The model that says so (optional)"
        hint="A small one is enough, such as ollama/llama3.2. Empty: its own."
        value={form.values.model}
        error={form.errorOf("model")}
        onChange={(model) => form.set("model", model)}
      />
    </RecordFields>
  );
};
