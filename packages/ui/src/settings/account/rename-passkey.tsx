/** The form that renames a passkey. */
import type { PasskeyInfo } from "@hearth/protocol";
import { useState } from "react";
import { Button } from "../../design/button.tsx";
import { ErrorNotice } from "../../design/notice.tsx";
import { useUi } from "../../house/ui.tsx";
import { useSubmission } from "../../house/use-submission.ts";
import { Form } from "../form/form.tsx";
import styles from "../settings.module.css";
import { PasskeyName } from "./passkey-name.tsx";
import * as texts from "./text.ts";

export interface RenamePasskeyProps {
  readonly passkey: PasskeyInfo;
  readonly onClose: () => void;
  readonly onSaved: () => void;
}

export const RenamePasskey = ({ passkey, onClose, onSaved }: RenamePasskeyProps) => {
  const { client } = useUi();
  const submission = useSubmission();
  const [name, setName] = useState(passkey.name);
  const save = async (): Promise<void> => {
    if (await submission.run(async () => (await client.passkeys()).edit(passkey.id, { name: name.trim() }))) onSaved();
  };
  return (
    <Form onSubmit={save}>
      <PasskeyName value={name} onChange={setName} />
      {submission.error === undefined ? undefined : <ErrorNotice error={submission.error} />}
      <div className={styles.buttons}>
        <Button kind="primary" type="submit" isBusy={submission.isBusy}>
          {texts.save}
        </Button>
        <Button kind="quiet" onClick={onClose}>
          {texts.cancel}
        </Button>
      </div>
    </Form>
  );
};
