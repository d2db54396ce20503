/** The login page. A native form, answered with a cookie that scripts cannot read. */
import type { HearthError } from "@hearth/protocol";
import { useState } from "react";
import { Button } from "../design/button.tsx";
import { Field, TextInput } from "../design/field.tsx";
import { Mark } from "../design/mark.tsx";
import { Command } from "../house/command.tsx";
import { PasswordForm } from "./password-form.tsx";
import { parseLoginCode } from "./login-code.ts";
import styles from "./login-page.module.css";

export interface LoginPageProps {
  /** Why the user is not logged in. */
  readonly error: HearthError;
}

export const LoginPage = ({ error }: LoginPageProps) => {
  const [pasted, setPasted] = useState("");
  return (
    <main className={styles.page}>
      <div className={styles.text}>
        <Mark />
        <h1>Log in to Hearth</h1>
        {error.code === "auth.missing" ? undefined : <p>Your session has ended. Your drafts are kept.</p>}
        <PasswordForm />
        <h2>Use a login link</h2>
        <p>
          Hearth prints a login link when it starts. Open it in this browser. To print a new one, run this command on
          the server:
        </p>
        <Command text="hearth login" />
        <form method="post" action="/login" className={styles.form}>
          <Field label="Login link">
            {(ids) => (
              <TextInput
                {...ids}
                required
                autoComplete="off"
                autoCapitalize="off"
                spellCheck={false}
                value={pasted}
                onChange={(event) => setPasted(event.target.value)}
              />
            )}
          </Field>
          <input type="hidden" name="code" value={parseLoginCode(pasted)} />
          <Button type="submit">Log in with link</Button>
        </form>
      </div>
    </main>
  );
};
