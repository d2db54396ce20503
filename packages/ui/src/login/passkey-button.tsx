/** Logs in with a passkey. The browser asks the user for the passkey, which identifies the person. */
import { Button } from "../design/button.tsx";
import { ErrorNotice } from "../design/notice.tsx";
import { PasskeyProblemText } from "../house/passkey-problem.tsx";
import { useUi } from "../house/ui.tsx";
import { useSubmission } from "../house/use-submission.ts";
import styles from "./login-page.module.css";
import * as texts from "./text.ts";

export const PasskeyButton = ({ onLoggedIn }: { readonly onLoggedIn: () => void }) => {
  const { client, page } = useUi();
  const work = useSubmission();
  const problem = page.passkeys.problem();
  if (problem !== undefined) return <PasskeyProblemText problem={problem} />;
  const logIn = async (): Promise<void> => {
    await work.run(async () => {
      const { ticket, options } = await (await client.passkeys()).challenge();
      await client.logIn({ ticket, passkey: await page.passkeys.get(options) });
      onLoggedIn();
    });
  };
  return (
    <div className={styles.form}>
      {work.error === undefined ? undefined : <ErrorNotice error={work.error} />}
      <Button isBusy={work.isBusy} onClick={() => void logIn()}>
        {texts.logInWithPasskey}
      </Button>
    </div>
  );
};
