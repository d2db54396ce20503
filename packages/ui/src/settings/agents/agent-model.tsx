/** The model of an agent: a summary line and the form that changes it. */
import type { AgentRecord } from "@hearth/protocol";
import { DEFAULT_MODEL } from "@hearth/protocol";
import { useState } from "react";
import { useAnnounce } from "../../design/announcer.tsx";
import { Button } from "../../design/button.tsx";
import { ErrorNotice } from "../../design/notice.tsx";
import { mayAdministerHome } from "../../house/may.ts";
import { useHouse, useUi } from "../../house/ui.tsx";
import { useModelForm } from "../../models/model-choice.ts";
import { ModelChooser } from "../../models/model-chooser.tsx";
import { toDraft } from "../../models/model-draft.ts";
import { isModelName } from "../../models/model-name.ts";
import { useOffers } from "../../models/offers.ts";
import { describeModel } from "./agents-page.tsx";
import { Form } from "../form/form.tsx";
import { ModelNameField } from "../form/model-name-field.tsx";
import { RecordFields, Section } from "../form/section.tsx";
import styles from "../settings.module.css";
import { useRecordForm } from "../form/use-record-form.ts";
import * as texts from "./text.ts";

export interface AgentModelProps {
  readonly agent: AgentRecord;
  readonly onChange: (agent: AgentRecord) => void;
}

export const AgentModel = (props: AgentModelProps) =>
  mayAdministerHome(useHouse().me) ? <ChosenModel {...props} /> : <NamedModel {...props} />;

/** A text field for the model, for admins who cannot list the models. */
const NamedModel = ({ agent, onChange }: AgentModelProps) => {
  const { client } = useUi();
  const form = useRecordForm({
    name: `form:${agent.id}:model`,
    saved: { model: agent.content.model ?? "" },
    check: ({ model }) => (model.trim() === "" || isModelName(model) ? {} : { model: texts.modelNameRequired }),
    save: async (content) => onChange(await client.agents.update(agent.id, { content })),
  });
  return (
    <Section title={texts.model} text={describeModel(agent.content.model)}>
      <RecordFields form={form} subject={texts.modelForm}>
        <ModelNameField
          label={texts.model}
          hint={texts.modelNameHint}
          value={form.values.model}
          error={form.errorOf("model")}
          onChange={(model) => form.set("model", model)}
        />
      </RecordFields>
    </Section>
  );
};

const ChosenModel = ({ agent, onChange }: AgentModelProps) => {
  const [isOpen, setOpen] = useState(false);
  return (
    <Section title={texts.model}>
      {isOpen ? (
        <ModelForm agent={agent} onChange={onChange} onClose={() => setOpen(false)} />
      ) : (
        <div className={styles.buttons}>
          <span className={styles.value}>{describeModel(agent.content.model)}</span>
          <Button onClick={() => setOpen(true)}>{texts.changeModel}</Button>
        </div>
      )}
    </Section>
  );
};

const ModelForm = ({ agent, onChange, onClose }: AgentModelProps & { readonly onClose: () => void }) => {
  const { client } = useUi();
  const announce = useAnnounce();
  const { choice, submission } = useModelForm(useOffers(), () => toDraft(agent.content.model ?? DEFAULT_MODEL));
  const save = async (): Promise<void> => {
    await submission.run(async () => {
      const model = await choice.connectModel();
      if (model === undefined) return;
      onChange(await client.agents.update(agent.id, { content: { model } }));
      announce(texts.saved);
      onClose();
    });
  };
  return (
    <Form onSubmit={save}>
      <ModelChooser choice={choice} label={texts.modelSource} />
      {submission.error === undefined ? undefined : <ErrorNotice error={submission.error} />}
      <div className={styles.buttons}>
        <Button kind="primary" type="submit" isBusy={submission.isBusy}>
          {texts.saveForm(texts.modelForm)}
        </Button>
        <Button kind="quiet" onClick={onClose}>
          {texts.cancel}
        </Button>
      </div>
    </Form>
  );
};
