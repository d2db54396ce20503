/** Replaces the API key of a provider. The provider must accept the new key first. */
import type { ProviderInfo } from "@hearth/protocol";
import { useState } from "react";
import { useAnnounce } from "../../design/announcer.tsx";
import { Button } from "../../design/button.tsx";
import { Field, TextInput } from "../../design/field.tsx";
import { ErrorNotice } from "../../design/notice.tsx";
import { titleOf } from "../../design/vendors.ts";
import { useUi } from "../../house/ui.tsx";
import { useSubmission } from "../../house/use-submission.ts";
import type { TestOutcome } from "../../models/model-test.ts";
import { TestResult } from "../../models/test-result.tsx";
import { Form } from "../form/form.tsx";
import styles from "../settings.module.css";
import * as texts from "./text.ts";

export interface ChangeKeyProps {
  readonly provider: ProviderInfo;
  readonly testModel: string | undefined;
  readonly onClose: () => void;
  readonly onChanged: () => void;
}

export const ChangeKey = ({ provider: { name }, testModel, onClose, onChanged }: ChangeKeyProps) => {
  const { client } = useUi();
  const announce = useAnnounce();
  const submission = useSubmission();
  const [key, setKey] = useState("");
  const [isKeyMissing, setKeyMissing] = useState(false);
  const [outcome, setOutcome] = useState<TestOutcome>();
  const save = async (): Promise<void> => {
    const newKey = key.trim();
    setOutcome(undefined);
    setKeyMissing(newKey === "");
    if (newKey === "") return;
    await submission.run(async () => {
      const model = testModel === undefined ? {} : { model: testModel };
      const test = await client.providers.replaceKey(name, { key: newKey, ...model });
      if (!test.ok) {
        setOutcome({ kind: "called", test });
        return;
      }
      announce(texts.keyChanged(titleOf(name)));
      onChanged();
      onClose();
    });
  };
  return (
    <Form onSubmit={save}>
      <Field
        label={texts.newKeyOf(titleOf(name))}
        hint={texts.newKeyHint}
        error={isKeyMissing ? texts.enterAKey : undefined}
      >
        {(ids) => (
          <TextInput
            {...ids}
            type="password"
            value={key}
            maxLength={500}
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => {
              setKeyMissing(false);
              setKey(event.target.value);
            }}
          />
        )}
      </Field>
      <TestResult outcome={outcome} />
      {outcome === undefined ? undefined : <p className={styles.quiet}>{texts.oldKeyStays}</p>}
      {submission.error === undefined ? undefined : <ErrorNotice error={submission.error} />}
      <div className={styles.buttons}>
        <Button kind="primary" type="submit" isBusy={submission.isBusy}>
          {texts.testAndSaveKey}
        </Button>
        <Button kind="quiet" onClick={onClose}>
          {texts.cancel}
        </Button>
      </div>
    </Form>
  );
};
