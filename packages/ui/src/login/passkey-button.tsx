/** Logs in with a passkey. The browser asks the user for the passkey, which identifies the person. */
import { observe } from "@hearth/client";
import type { LogInWithPasskey } from "@hearth/protocol";
import { Button } from "../design/button.tsx";
import { ErrorNotice } from "../design/notice.tsx";
import { PasskeyProblemText } from "../house/passkey/passkey-problem.tsx";
import { useUi } from "../house/ui.tsx";
import { useSubmission } from "../house/use-submission.ts";
import styles from "./login-page.module.css";
import * as texts from "./text.ts";

export interface PasskeyButtonProps {
  /** Sends the signed challenge. By default, it logs the browser in. */
  readonly send?: (proof: LogInWithPasskey) => Promise<unknown>;
  readonly onLoggedIn: () => void;
}

export const PasskeyButton = ({ send, onLoggedIn }: PasskeyButtonProps) => {
  const { client, page } = useUi();
  const submission = useSubmission();
  const problem = page.passkeys.problem();
  if (problem !== undefined) return <PasskeyProblemText problem={problem} />;
  const logIn = async (): Promise<void> => {
    await submission.run(async () => {
      const { ticket, options } = await (await client.passkeys()).challenge();
      await (send ?? client.logIn)({ ticket, passkey: await page.passkeys.get(options) });
      onLoggedIn();
    });
  };
  return (
    <div className={styles.form}>
      {submission.error === undefined ? undefined : <ErrorNotice error={submission.error} />}
      <Button isBusy={submission.isBusy} onClick={() => observe(logIn())}>
        {send === undefined ? texts.logInWithPasskey : texts.confirmWithPasskey}
      </Button>
    </div>
  );
};
