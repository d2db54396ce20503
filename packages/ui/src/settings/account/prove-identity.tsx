/** Asks for confirmation of a change to a person's logins, and for the password if the house requires it. */
import { useState } from "react";
import { Button } from "../../design/button.tsx";
import { ErrorNotice } from "../../design/notice.tsx";
import { useSubmission } from "../../house/use-submission.ts";
import { Form } from "../form/form.tsx";
import styles from "../settings.module.css";
import { CurrentPassword } from "./current-password.tsx";
import * as texts from "./text.ts";

export interface ProveIdentityProps {
  readonly needsCurrent: boolean;
  /** The effect of the change. */
  readonly text: string;
  readonly confirm: string;
  /** Makes the change. Gets the current password if the house requires it. */
  readonly onConfirm: (currentPassword: string | undefined) => Promise<void>;
  readonly onCancel: () => void;
}

export const ProveIdentity = ({ needsCurrent, text, confirm, onConfirm, onCancel }: ProveIdentityProps) => {
  const submission = useSubmission();
  const [currentPassword, setCurrentPassword] = useState("");
  const submit = async (): Promise<void> => {
    await submission.run(() => onConfirm(needsCurrent ? currentPassword : undefined));
  };
  return (
    <Form onSubmit={submit}>
      <p className={styles.quiet}>{text}</p>
      {needsCurrent ? <CurrentPassword value={currentPassword} onChange={setCurrentPassword} /> : undefined}
      {submission.error === undefined ? undefined : <ErrorNotice error={submission.error} />}
      <div className={styles.buttons}>
        <Button type="submit" kind="primary" isBusy={submission.isBusy}>
          {confirm}
        </Button>
        <Button kind="quiet" onClick={onCancel}>
          {texts.cancel}
        </Button>
      </div>
    </Form>
  );
};
