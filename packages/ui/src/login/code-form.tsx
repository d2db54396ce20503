/** The second step of a login: a code of the authenticator app, or a recovery code. */
import { observe } from "@hearth/client";
import type { LogInStep } from "@hearth/protocol";
import { type SubmitEvent, useState } from "react";
import { Button } from "../design/button.tsx";
import { Field, TextInput } from "../design/field.tsx";
import { ErrorNotice } from "../design/notice.tsx";
import { useUi } from "../house/ui.tsx";
import { useSubmission } from "../house/use-submission.ts";
import styles from "./login-page.module.css";
import * as texts from "./text.ts";

export interface CodeFormProps {
  /** The ticket from the first step of the login. */
  readonly ticket: string;
  /** Sends the second step. By default, it logs the browser in. */
  readonly send?: (step: LogInStep) => Promise<unknown>;
  /** Called when the second step was accepted. */
  readonly onLoggedIn: () => void;
  readonly onCancel: () => void;
}

export const CodeForm = ({ ticket, send, onLoggedIn, onCancel }: CodeFormProps) => {
  const { client } = useUi();
  const submission = useSubmission();
  const [code, setCode] = useState("");
  const logIn = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const step = { ticket, code: code.trim() };
    if (await submission.run(() => (send ?? client.logIn)(step))) onLoggedIn();
  };
  return (
    <form className={styles.form} onSubmit={(event) => observe(logIn(event))}>
      <Field label={texts.code} hint={texts.codeHint}>
        {(ids) => (
          <TextInput
            {...ids}
            required
            autoFocus
            name="code"
            inputMode="text"
            autoComplete="one-time-code"
            autoCapitalize="off"
            spellCheck={false}
            maxLength={40}
            value={code}
            onChange={(event) => setCode(event.target.value)}
          />
        )}
      </Field>
      {submission.error === undefined ? undefined : <ErrorNotice error={submission.error} />}
      <Button type="submit" kind="primary" isBusy={submission.isBusy}>
        {send === undefined ? texts.logIn : texts.confirm}
      </Button>
      <Button kind="quiet" onClick={onCancel}>
        {texts.startAgain}
      </Button>
    </form>
  );
};
