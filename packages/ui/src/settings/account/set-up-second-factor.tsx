/** Sets up the second factor of the current user: a QR code, then the first code of the app. */
import type { SecondFactorSetup } from "@hearth/protocol";
import { useState } from "react";
import { Button } from "../../design/button.tsx";
import { ErrorNotice } from "../../design/notice.tsx";
import { createLazyPart } from "../../house/lazy-part.tsx";
import { useUi } from "../../house/ui.tsx";
import { useSubmission } from "../../house/use-submission.ts";
import { Form } from "../form/form.tsx";
import styles from "../settings.module.css";
import { CodeField } from "./code-field.tsx";
import { CurrentPassword } from "./current-password.tsx";
import * as texts from "./text.ts";

const QrCode = createLazyPart({ load: async () => (await import("../../design/qr-code.tsx")).QrCode });

export interface SetUpSecondFactorProps {
  readonly needsCurrent: boolean;
  readonly onCodes: (codes: readonly string[]) => void;
}

export const SetUpSecondFactor = ({ needsCurrent, onCodes }: SetUpSecondFactorProps) => {
  const { client } = useUi();
  const submission = useSubmission();
  const [currentPassword, setCurrentPassword] = useState("");
  const [setup, setSetup] = useState<SecondFactorSetup>();
  const beginSetup = async (): Promise<void> => {
    await submission.run(async () => {
      setSetup(await (await client.secondFactors()).begin(needsCurrent ? { current: currentPassword } : {}));
      setCurrentPassword("");
    });
  };
  if (setup !== undefined) return <Confirmation setup={setup} onCodes={onCodes} onCancel={() => setSetup(undefined)} />;
  return (
    <Form onSubmit={beginSetup}>
      {needsCurrent ? <CurrentPassword value={currentPassword} onChange={setCurrentPassword} /> : undefined}
      {submission.error === undefined ? undefined : <ErrorNotice error={submission.error} />}
      <div className={styles.buttons}>
        <Button type="submit" isBusy={submission.isBusy}>
          {texts.setUpSecondFactor}
        </Button>
      </div>
    </Form>
  );
};

interface ConfirmationProps {
  readonly setup: SecondFactorSetup;
  readonly onCodes: (codes: readonly string[]) => void;
  readonly onCancel: () => void;
}

const Confirmation = ({ setup, onCodes, onCancel }: ConfirmationProps) => {
  const { client } = useUi();
  const submission = useSubmission();
  const [code, setCode] = useState("");
  const confirm = async (): Promise<void> => {
    await submission.run(async () => {
      const factors = await client.secondFactors();
      onCodes((await factors.confirm({ setup: setup.setup, code: code.trim() })).recoveryCodes);
    });
  };
  return (
    <Form onSubmit={confirm}>
      <p>{texts.scanWithApp}</p>
      <QrCode text={setup.uri} label={texts.qrOfApp} />
      <p>{texts.enterKeyInApp}</p>
      <code className={styles.key}>{setup.secret}</code>
      <CodeField hint={texts.firstCodeHint} value={code} onChange={setCode} />
      {submission.error === undefined ? undefined : <ErrorNotice error={submission.error} />}
      <div className={styles.buttons}>
        <Button type="submit" kind="primary" isBusy={submission.isBusy}>
          {texts.turnOnSecondFactor}
        </Button>
        <Button kind="quiet" onClick={onCancel}>
          {texts.cancel}
        </Button>
      </div>
    </Form>
  );
};
