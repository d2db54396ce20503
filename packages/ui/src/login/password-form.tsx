/** Login with name and password. A native form; scripts only add error messages. */
import { observe } from "@hearth/client";
import { type SubmitEvent, useState } from "react";
import { Button } from "../design/button.tsx";
import { Field, TextInput } from "../design/field.tsx";
import { ErrorNotice } from "../design/notice.tsx";
import { useUi } from "../house/ui.tsx";
import { useSubmission } from "../house/use-submission.ts";
import styles from "./login-page.module.css";
import * as texts from "./text.ts";

export interface PasswordFormProps {
  readonly onLoggedIn: () => void;
  /** Called with the ticket of the second step if the person must enter a code. */
  readonly onTicket: (ticket: string) => void;
}

export const PasswordForm = ({ onLoggedIn, onTicket }: PasswordFormProps) => {
  const { client } = useUi();
  const submission = useSubmission();
  const [person, setPerson] = useState("");
  const [password, setPassword] = useState("");
  const logIn = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    await submission.run(async () => {
      const answer = await client.logIn({ person: person.trim(), password });
      if ("ticket" in answer) onTicket(answer.ticket);
      else onLoggedIn();
    });
  };
  return (
    <form method="post" action="/login" className={styles.form} onSubmit={(event) => observe(logIn(event))}>
      <Field label={texts.name} hint={texts.nameHint}>
        {(ids) => (
          <TextInput
            {...ids}
            required
            name="person"
            autoComplete="username"
            autoCapitalize="off"
            spellCheck={false}
            value={person}
            onChange={(event) => setPerson(event.target.value)}
          />
        )}
      </Field>
      <Field label={texts.password}>
        {(ids) => (
          <TextInput
            {...ids}
            required
            type="password"
            name="password"
            autoComplete="current-password"
            value={password}
            onChange={(event) => setPassword(event.target.value)}
          />
        )}
      </Field>
      {submission.error === undefined ? undefined : <ErrorNotice error={submission.error} />}
      <Button type="submit" kind="primary" isBusy={submission.isBusy}>
        {texts.logIn}
      </Button>
    </form>
  );
};
