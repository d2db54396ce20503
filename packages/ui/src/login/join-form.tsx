/** The guest's name and password. */
import { observe } from "@hearth/client";
import { type AcceptedInvite, isHearthError, MAX_NAME_LENGTH, MIN_PASSWORD_LENGTH } from "@hearth/protocol";
import { useState } from "react";
import { Button } from "../design/button.tsx";
import { Field, TextInput } from "../design/field.tsx";
import { ErrorNotice } from "../design/notice.tsx";
import { plainWords } from "../design/error-words.ts";
import { useUi } from "../house/ui.tsx";
import styles from "./login-page.module.css";
import { useSubmission } from "../house/use-submission.ts";
import * as texts from "./text.ts";

export interface JoinFormProps {
  readonly token: string;
  readonly onJoined: (acceptedInvite: AcceptedInvite) => void;
}

export const JoinForm = ({ token, onJoined }: JoinFormProps) => {
  const { client } = useUi();
  const submission = useSubmission();
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const [errors, setErrors] = useState<{ readonly name?: string; readonly password?: string }>({});
  const changeField = (set: (text: string) => void, text: string): void => {
    setErrors({});
    submission.clear();
    set(text);
  };
  const submit = async (): Promise<void> => {
    const newErrors = {
      ...(name.trim() === "" ? { name: texts.enterYourName } : {}),
      ...(password.length < MIN_PASSWORD_LENGTH ? { password: texts.passwordTooShort(MIN_PASSWORD_LENGTH) } : {}),
    };
    setErrors(newErrors);
    if (Object.keys(newErrors).length > 0) return;
    await submission.run(async () => {
      onJoined(await (await client.invites()).accept({ token, name: name.trim(), password }));
    });
  };
  const isNameError =
    isHearthError(submission.error, "record.handle-taken") || isHearthError(submission.error, "record.invalid");
  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        observe(submit());
      }}
    >
      <Field
        label={texts.yourName}
        hint={texts.yourNameHint}
        error={errors.name ?? (isNameError ? describe(submission.error) : undefined)}
      >
        {(ids) => (
          <TextInput
            {...ids}
            name="name"
            value={name}
            maxLength={MAX_NAME_LENGTH}
            autoComplete="username"
            onChange={(event) => changeField(setName, event.target.value)}
          />
        )}
      </Field>
      <Field label={texts.newPassword} hint={texts.passwordHint(MIN_PASSWORD_LENGTH)} error={errors.password}>
        {(ids) => (
          <TextInput
            {...ids}
            type="password"
            name="password"
            autoComplete="new-password"
            value={password}
            onChange={(event) => changeField(setPassword, event.target.value)}
          />
        )}
      </Field>
      {submission.error === undefined || isNameError ? undefined : <ErrorNotice error={submission.error} />}
      <Button type="submit" kind="primary" isBusy={submission.isBusy}>
        {texts.join}
      </Button>
    </form>
  );
};

const describe = (error: unknown): string | undefined => (isHearthError(error) ? plainWords(error.message) : undefined);
