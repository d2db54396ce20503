/** Grants a role in this house or room to an agent or person without one. */
import type { AgentRecord, HouseRecord, Level, RoomRecord } from "@hearth/protocol";
import { useState } from "react";
import { useAnnounce } from "../../design/announcer.tsx";
import { Button } from "../../design/button.tsx";
import { Field, Select } from "../../design/field.tsx";
import { ErrorNotice } from "../../design/notice.tsx";
import { useUi } from "../../house/ui.tsx";
import { useSubmission } from "../../house/use-submission.ts";
import { toVisible } from "../../text/visible.tsx";
import { byName } from "../form/choose-agents.tsx";
import { Form } from "../form/form.tsx";
import { LevelField } from "./level-field.tsx";
import { levelTitles, toGrantError } from "./level-words.ts";
import styles from "../settings.module.css";
import * as texts from "./text.ts";

export interface GiveLevelProps {
  readonly place: HouseRecord | RoomRecord;
  readonly agents: readonly AgentRecord[];
  readonly onGranted: () => void;
}

export const GiveLevel = ({ place, agents, onGranted }: GiveLevelProps) => {
  const { client } = useUi();
  const announce = useAnnounce();
  const submission = useSubmission();
  const [chosenId, setChosenId] = useState("");
  const [level, setLevel] = useState<Level>("r");
  const agent = agents.find(({ id }) => id === chosenId);
  const grantRole = async (): Promise<void> => {
    if (agent === undefined) return;
    const name = toVisible(agent.content.name);
    const isGranted = await submission.run(async () => {
      await client.grants.give(place.id, agent.id, level).catch((error: unknown) => {
        throw toGrantError(error, name);
      });
    });
    if (!isGranted) return;
    announce(texts.hasRole(name, levelTitles[level]));
    setChosenId("");
    onGranted();
  };
  if (agents.length === 0) return undefined;
  return (
    <Form onSubmit={grantRole}>
      <div className={styles.pair}>
        <Field label={texts.personOrAgent}>
          {(ids) => (
            <Select {...ids} required value={agent?.id ?? ""} onChange={(event) => setChosenId(event.target.value)}>
              <option value="">{texts.chooseAMember}</option>
              {agents.toSorted(byName).map(({ id, content }) => (
                <option key={id} value={id}>
                  {toVisible(content.name)}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <LevelField label={texts.newRole} level={level} onChange={setLevel} />
      </div>
      {submission.error === undefined ? undefined : <ErrorNotice error={submission.error} />}
      <div className={styles.buttons}>
        <Button type="submit" isBusy={submission.isBusy} disabled={agent === undefined}>
          {texts.grantAccess}
        </Button>
      </div>
    </Form>
  );
};
