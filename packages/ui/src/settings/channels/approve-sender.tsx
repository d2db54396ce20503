/** Approves a sender as a person of the house, or creates a person for the sender. */
import type { AgentRecord, Pairing } from "@hearth/protocol";
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
import styles from "../settings.module.css";
import * as texts from "./text.ts";

export interface ApproveSenderProps {
  readonly pairing: Pairing;
  readonly people: readonly AgentRecord[];
  readonly onApproved: () => void;
}

export const ApproveSender = ({ pairing, people, onApproved }: ApproveSenderProps) => {
  const { client } = useUi();
  const announce = useAnnounce();
  const submission = useSubmission();
  const { channel, sender } = pairing;
  const name = toVisible(pairing.name === "" ? sender : pairing.name);
  /** The id of the selected person. "" creates a person. */
  const [person, setPerson] = useState("");
  const approve = async (): Promise<void> => {
    const personChoice = person === "" ? {} : { as: person };
    if (!(await submission.run(async () => (await client.pairings()).approve({ channel, sender, ...personChoice }))))
      return;
    announce(texts.senderApproved(name));
    onApproved();
  };
  return (
    <Form onSubmit={approve}>
      <Field label={texts.person} hint={texts.personHint}>
        {(ids) => (
          <Select {...ids} value={person} onChange={(event) => setPerson(event.target.value)}>
            <option value="">{texts.newPerson(name)}</option>
            {people.toSorted(byName).map(({ id, content }) => (
              <option key={id} value={id}>
                {toVisible(content.name)}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {submission.error === undefined ? undefined : <ErrorNotice error={submission.error} />}
      <div className={styles.buttons}>
        <Button kind="primary" type="submit" isBusy={submission.isBusy}>
          {texts.approve}
        </Button>
      </div>
    </Form>
  );
};
