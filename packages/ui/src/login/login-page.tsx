/** For who is not logged in. A real form: the house answers it with a cookie that no script can read. */
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
  /** Why nobody is logged in. */
  readonly error: HearthError;
}

export const LoginPage = ({ error }: LoginPageProps) => {
  const [pasted, setPasted] = useState("");
  return (
    <main className={styles.page}>
      <div className={styles.text}>
        <Mark />
        <h1>Log in to Hearth</h1>
        {error.code === "auth.missing" ? undefined : <p>Your login here has ended. What you wrote is kept.</p>}
        <PasswordForm />
        <h2>Without a password</h2>
        <p>
          Hearth prints a login link when it starts. Open that link in this browser. For a new one, run this where
          Hearth runs:
        </p>
        <Command text="hearth login" />
        <form method="post" action="/login" className={styles.form}>
          <Field label="Or paste the link here">
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
          <Button type="submit">Log in by link</Button>
        </form>
      </div>
    </main>
  );
};
