/** Replaces the recovery codes of the current user, who enters a code to confirm. */
import { useState } from "react";
import { Button } from "../../design/button.tsx";
import { ErrorNotice } from "../../design/notice.tsx";
import { useUi } from "../../house/ui.tsx";
import { useSubmission } from "../../house/use-submission.ts";
import { Form } from "../form/form.tsx";
import styles from "../settings.module.css";
import { CodeField } from "./code-field.tsx";
import * as texts from "./text.ts";

export interface RenewCodesProps {
  readonly onCodes: (codes: readonly string[]) => void;
}

export const RenewCodes = ({ onCodes }: RenewCodesProps) => {
  const { client } = useUi();
  const submission = useSubmission();
  const [isOpen, setOpen] = useState(false);
  const [code, setCode] = useState("");
  const renew = async (): Promise<void> => {
    await submission.run(async () => {
      const { recoveryCodes } = await (await client.secondFactors()).renew({ code: code.trim() });
      setOpen(false);
      setCode("");
      onCodes(recoveryCodes);
    });
  };
  if (!isOpen) {
    return (
      <div className={styles.buttons}>
        <Button onClick={() => setOpen(true)}>{texts.newRecoveryCodes}</Button>
      </div>
    );
  }
  return (
    <Form onSubmit={renew}>
      <p>{texts.newRecoveryCodesEffect}</p>
      <CodeField hint={texts.codeHint} value={code} onChange={setCode} />
      {submission.error === undefined ? undefined : <ErrorNotice error={submission.error} />}
      <div className={styles.buttons}>
        <Button type="submit" kind="primary" isBusy={submission.isBusy}>
          {texts.newRecoveryCodes}
        </Button>
        <Button kind="quiet" onClick={() => setOpen(false)}>
          {texts.cancel}
        </Button>
      </div>
    </Form>
  );
};
