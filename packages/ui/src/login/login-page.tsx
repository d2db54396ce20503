/** The login page. The browser submits the form for a login link without scripts, so no script sees the cookie. */
import type { HearthError } from "@hearth/protocol";
import { useState } from "react";
import { Button } from "../design/button.tsx";
import { Field, TextInput } from "../design/field.tsx";
import { Mark } from "../design/mark.tsx";
import { useUi } from "../house/ui.tsx";
import { CodeForm } from "./code-form.tsx";
import { Frame } from "./frame.tsx";
import { PasskeyButton } from "./passkey-button.tsx";
import { PasswordForm } from "./password-form.tsx";
import { ProviderButtons } from "./provider-buttons.tsx";
import { parseLoginCode } from "./login-code.ts";
import styles from "./login-page.module.css";
import * as texts from "./text.ts";

export interface LoginPageProps {
  /** Why the user is not logged in. */
  readonly error: HearthError;
}

export const LoginPage = ({ error }: LoginPageProps) => {
  const { house } = useUi();
  const [pastedLink, setPastedLink] = useState("");
  const [ticket, setTicket] = useState<string>();
  if (ticket !== undefined) {
    return (
      <Frame title={texts.enterCode}>
        <CodeForm ticket={ticket} onLoggedIn={house.refresh} onCancel={() => setTicket(undefined)} />
      </Frame>
    );
  }
  return (
    <main className={styles.page}>
      <div className={styles.text}>
        <Mark />
        <h1>{texts.logInToHearth}</h1>
        {error.code === "auth.missing" ? undefined : <p>{texts.sessionEnded}</p>}
        <PasswordForm onLoggedIn={house.refresh} onTicket={setTicket} />
        <PasskeyButton onLoggedIn={house.refresh} />
        <ProviderButtons />
        <h2>{texts.loginLink}</h2>
        <p>{texts.loginLinkDetail}</p>
        <form method="post" action="/login" className={styles.form}>
          <Field label={texts.pastedLink}>
            {(ids) => (
              <TextInput
                {...ids}
                required
                autoComplete="off"
                autoCapitalize="off"
                spellCheck={false}
                value={pastedLink}
                onChange={(event) => setPastedLink(event.target.value)}
              />
            )}
          </Field>
          <input type="hidden" name="code" value={parseLoginCode(pastedLink)} />
          <Button type="submit">{texts.logInWithLink}</Button>
        </form>
        <details>
          <summary>{texts.noLoginLink}</summary>
          <p>{texts.newLink}</p>
        </details>
      </div>
    </main>
  );
};
