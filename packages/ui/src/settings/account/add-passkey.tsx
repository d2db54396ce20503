/**
 * Adds a passkey of the current user. Asks for a name, and for the password if the house requires
 * it. Then the browser creates the passkey.
 */
import { useState } from "react";
import { useAnnounce } from "../../design/announcer.tsx";
import { Button } from "../../design/button.tsx";
import { ErrorNotice } from "../../design/notice.tsx";
import { PasskeyProblemText } from "../../house/passkey/passkey-problem.tsx";
import { useUi } from "../../house/ui.tsx";
import { useSubmission } from "../../house/use-submission.ts";
import { toVisible } from "../../text/visible.tsx";
import { Form } from "../form/form.tsx";
import styles from "../settings.module.css";
import { CurrentPassword } from "./current-password.tsx";
import { PasskeyName } from "./passkey-name.tsx";
import * as texts from "./text.ts";

export interface AddPasskeyProps {
  readonly needsCurrent: boolean;
  readonly onAdded: () => void;
}

export const AddPasskey = ({ needsCurrent, onAdded }: AddPasskeyProps) => {
  const { client, page } = useUi();
  const announce = useAnnounce();
  const submission = useSubmission();
  const [isOpen, setOpen] = useState(false);
  const [name, setName] = useState("");
  const [currentPassword, setCurrentPassword] = useState("");
  const problem = page.passkeys.problem();
  if (problem !== undefined) return <PasskeyProblemText problem={problem} />;
  const close = (): void => {
    setOpen(false);
    setName("");
    setCurrentPassword("");
    submission.clear();
  };
  const add = async (): Promise<void> => {
    const isDone = await submission.run(async () => {
      const passkeys = await client.passkeys();
      const { ticket, options } = await passkeys.begin(needsCurrent ? { current: currentPassword } : {});
      const passkey = await page.passkeys.create(options);
      announce(texts.passkeyAdded(toVisible((await passkeys.add({ ticket, name: name.trim(), passkey })).name)));
    });
    if (!isDone) return;
    close();
    onAdded();
  };
  if (!isOpen)
    return (
      <div className={styles.buttons}>
        <Button onClick={() => setOpen(true)}>{texts.addPasskey}</Button>
      </div>
    );
  return (
    <Form onSubmit={add}>
      <PasskeyName value={name} onChange={setName} />
      {needsCurrent ? <CurrentPassword value={currentPassword} onChange={setCurrentPassword} /> : undefined}
      {submission.error === undefined ? undefined : <ErrorNotice error={submission.error} />}
      <div className={styles.buttons}>
        <Button type="submit" kind="primary" isBusy={submission.isBusy}>
          {texts.addPasskey}
        </Button>
        <Button kind="quiet" onClick={close}>
          {texts.cancel}
        </Button>
      </div>
    </Form>
  );
};
