/** Replaces the value of a secret. */
import { type HouseRecord, MIN_SECRET_SIZE, type SecretInfo } from "@hearth/protocol";
import { useState } from "react";
import { useAnnounce } from "../../design/announcer.tsx";
import { Button } from "../../design/button.tsx";
import { ErrorNotice } from "../../design/notice.tsx";
import { useUi } from "../../house/ui.tsx";
import { useSubmission } from "../../house/use-submission.ts";
import { Form } from "../form/form.tsx";
import styles from "../settings.module.css";
import { SecretValue } from "./secret-value.tsx";
import * as texts from "./text.ts";

export interface ChangeSecretProps {
  readonly secret: SecretInfo;
  readonly house: HouseRecord;
  readonly onChanged: () => void;
}

export const ChangeSecret = ({ secret: { name }, house, onChanged }: ChangeSecretProps) => {
  const { client } = useUi();
  const announce = useAnnounce();
  const submission = useSubmission();
  const [value, setValue] = useState("");
  const [isTooShort, setTooShort] = useState(false);
  const save = async (): Promise<void> => {
    setTooShort(value.length < MIN_SECRET_SIZE);
    if (value.length < MIN_SECRET_SIZE) return;
    if (!(await submission.run(async () => (await client.secrets()).rotate(house.id, name, value)))) return;
    announce(texts.valueSaved(name));
    onChanged();
  };
  return (
    <Form onSubmit={save}>
      <SecretValue
        label={texts.newValue}
        hint={texts.newValueHint}
        value={value}
        isTooShort={isTooShort}
        onChange={setValue}
      />
      {submission.error === undefined ? undefined : <ErrorNotice error={submission.error} />}
      <div className={styles.buttons}>
        <Button type="submit" isBusy={submission.isBusy}>
          {texts.saveValue}
        </Button>
      </div>
    </Form>
  );
};
