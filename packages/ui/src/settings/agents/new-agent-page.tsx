/**
 * Creates an agent or a person: name, role and, for agents, the model. Everything else is on the
 * new agent's page.
 */
import type { HouseRecord, Level } from "@hearth/protocol";
import { useState } from "react";
import { useLocation } from "wouter";
import { useAnnounce } from "../../design/announcer.tsx";
import { Button } from "../../design/button.tsx";
import { ChoiceGroup } from "../../design/choice.tsx";
import { ErrorNotice } from "../../design/notice.tsx";
import { mayAdministerHome } from "../../house/may.ts";
import { useHouse, useUi } from "../../house/ui.tsx";
import { errorOfField, omitFieldErrors } from "../../models/field-error.ts";
import { useModelForm } from "../../models/model-choice.ts";
import { ModelChooser } from "../../models/model-chooser.tsx";
import { useOffers } from "../../models/offers.ts";
import { Form } from "../form/form.tsx";
import { levelDetails, levelTitles } from "../access/level-words.ts";
import { NameField } from "../form/name-field.tsx";
import { pathOfAgent, paths } from "../place.ts";
import { Section } from "../form/section.tsx";
import styles from "../settings.module.css";
import { UpLink } from "../form/up-link.tsx";
import * as texts from "./text.ts";

const nextStepTexts = {
  bot: texts.nextEnterModel,
  elsewhere: texts.nextCreateKey,
  human: texts.nextSetPassword,
} as const;

const kinds = [
  { value: "bot", title: texts.agent, detail: texts.agentHereDetail },
  { value: "elsewhere", title: texts.agentElsewhere, detail: texts.agentElsewhereDetail },
  { value: "human", title: texts.person, detail: texts.personTypeDetail },
] as const;

const roles = (["r", "w", "x"] as const).map((value) => ({
  value,
  title: levelTitles[value],
  detail: levelDetails[value],
}));

export const NewAgentPage = ({ house }: { readonly house: HouseRecord }) => {
  const { client } = useUi();
  const { me } = useHouse();
  const [, navigate] = useLocation();
  const announce = useAnnounce();
  const { choice, submission } = useModelForm(useOffers(), () => ({}));
  const [name, setName] = useState("");
  const [kind, setKind] = useState<"bot" | "elsewhere" | "human">("bot");
  const [level, setLevel] = useState<Level>("w");
  const [isNameMissing, setNameMissing] = useState(false);
  const canChooseModel = kind === "bot" && mayAdministerHome(me);
  const createRecord = async (): Promise<void> => {
    setNameMissing(name.trim() === "");
    if (name.trim() === "") return;
    await submission.run(async () => {
      const model = canChooseModel ? await choice.connectModel() : undefined;
      if (canChooseModel && model === undefined) return;
      const kindFields = kind === "elsewhere" ? ({ kind: "bot", runs: "elsewhere" } as const) : ({ kind } as const);
      const content = { name: name.trim(), ...kindFields, ...(model === undefined ? {} : { model }) };
      const { handle } = await client.agents.create(content, { house: house.id, level });
      announce(texts.memberAdded(name.trim()));
      navigate(pathOfAgent(handle));
    });
  };
  return (
    <>
      <UpLink to={paths.agents}>{texts.agents}</UpLink>
      <Section title={texts.addAgentOrPerson}>
        <Form onSubmit={createRecord}>
          <ChoiceGroup label={texts.type} value={kind} onChange={setKind} choices={kinds} />
          <NameField
            value={name}
            error={isNameMissing ? texts.enterAName : errorOfField(submission.error, "name")}
            onChange={(newName) => {
              setNameMissing(false);
              submission.clear();
              setName(newName);
            }}
          />
          <ChoiceGroup label={texts.roleInThisHouse} value={level} onChange={setLevel} choices={roles} />
          {canChooseModel ? (
            <ModelChooser choice={choice} label={texts.modelSource} />
          ) : (
            <p className={styles.quiet}>{nextStepTexts[kind]}</p>
          )}
          {submission.error === undefined || omitFieldErrors(submission.error, ["name"]) === undefined ? undefined : (
            <ErrorNotice error={submission.error} />
          )}
          <div className={styles.buttons}>
            <Button kind="primary" type="submit" isBusy={submission.isBusy}>
              {kind === "human" ? texts.addPerson : texts.createAgent}
            </Button>
          </div>
        </Form>
      </Section>
    </>
  );
};
