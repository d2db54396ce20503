/** What an agent thinks with: said in a line, changed by the same questions as in the first minute. */
import type { AgentRecord } from "@hearth/protocol";
import { DEFAULT_MODEL } from "@hearth/protocol";
import { useState } from "react";
import { useAnnounce } from "../design/announcer.tsx";
import { Button } from "../design/button.tsx";
import { ErrorNotice } from "../design/notice.tsx";
import { maySeeToHome } from "../house/may.ts";
import { useHouse, useUi } from "../house/ui.tsx";
import { useModelChoice } from "../models/model-choice.ts";
import { ModelChooser } from "../models/model-chooser.tsx";
import { toDraft } from "../models/model-draft.ts";
import { isModelName } from "../models/model-name.ts";
import { useOffers } from "../models/offers.ts";
import { useWork } from "../models/use-work.ts";
import { tellModel } from "./agents-page.tsx";
import { Form } from "./form.tsx";
import { ModelNameField } from "./model-name-field.tsx";
import { RecordFields, Section } from "./section.tsx";
import styles from "./settings.module.css";
import { useRecordForm } from "./use-record-form.ts";

export interface AgentModelProps {
  readonly agent: AgentRecord;
  readonly onChange: (agent: AgentRecord) => void;
}

export const AgentModel = (props: AgentModelProps) =>
  maySeeToHome(useHouse().me) ? <ChosenModel {...props} /> : <NamedModel {...props} />;

/** For who decides over the agent, and does not see which models there are. */
const NamedModel = ({ agent, onChange }: AgentModelProps) => {
  const { client } = useUi();
  const form = useRecordForm({
    name: `form:${agent.id}:model`,
    saved: { model: agent.content.model ?? "" },
    check: ({ model }) => (model.trim() === "" || isModelName(model) ? {} : { model: "Write it as provider/model." }),
    save: async (content) => onChange(await client.agents.update(agent.id, { content })),
  });
  return (
    <Section title="Model" text={tellModel(agent.content.model)}>
      <RecordFields form={form}>
        <ModelNameField
          label="Model"
          hint="As provider/model. Whoever looks after this Hearth knows which there are. Empty: no language model."
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
    <Section title="Model">
      {isOpen ? (
        <ModelForm agent={agent} onChange={onChange} onClose={() => setOpen(false)} />
      ) : (
        <div className={styles.buttons}>
          <span className={styles.value}>{tellModel(agent.content.model)}</span>
          <Button onClick={() => setOpen(true)}>Change model</Button>
        </div>
      )}
    </Section>
  );
};

const ModelForm = ({ agent, onChange, onClose }: AgentModelProps & { readonly onClose: () => void }) => {
  const { client } = useUi();
  const announce = useAnnounce();
  const asked = useOffers();
  const work = useWork();
  const [draft, setDraft] = useState(() => toDraft(agent.content.model ?? DEFAULT_MODEL));
  const choice = useModelChoice({
    asked,
    draft,
    onDraft(next) {
      work.clear();
      setDraft(next);
    },
  });
  const save = async (): Promise<void> => {
    await work.run(async () => {
      const model = await choice.settle();
      if (model === undefined) return;
      onChange(await client.agents.update(agent.id, { content: { model } }));
      announce("Saved.");
      onClose();
    });
  };
  return (
    <Form onSubmit={save}>
      <ModelChooser choice={choice} label="Where it comes from" />
      {work.error === undefined ? undefined : <ErrorNotice error={work.error} />}
      <div className={styles.buttons}>
        <Button kind="primary" type="submit" isBusy={work.isBusy}>
          Save
        </Button>
        <Button kind="quiet" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </Form>
  );
};
