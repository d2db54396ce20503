/**
 * The dialog that asks the user to confirm who they are. It lies above the page, so that the page
 * keeps everything that the user typed.
 */
import { observe } from "@hearth/client";
import { HearthError, type OidcProvider, type SecondStep } from "@hearth/protocol";
import { type SubmitEvent, useCallback, useState } from "react";
import { Button } from "../design/button.tsx";
import { Dialog } from "../design/dialog.tsx";
import { Field, TextInput } from "../design/field.tsx";
import { ErrorNotice } from "../design/notice.tsx";
import { useRequest } from "../house/request.ts";
import { useHouse, useUi } from "../house/ui.tsx";
import { useSubmission } from "../house/use-submission.ts";
import { toVisible } from "../text/visible.tsx";
import { CodeForm } from "./code-form.tsx";
import { parseLoginCode } from "./login-code.ts";
import { PasskeyButton } from "./passkey-button.tsx";
import styles from "./login-page.module.css";
import * as texts from "./text.ts";

export const ConfirmLogin = () => {
  const { confirmation } = useUi();
  const methods = useLoginMethods();
  const [ticket, setTicket] = useState<string>();
  return (
    <Dialog
      title={ticket === undefined ? texts.confirmLogin : texts.enterCode}
      isOpen={methods.value !== undefined || methods.error !== undefined}
      onClose={() => confirmation.resolve(false)}
    >
      {ticket !== undefined ? (
        <SecondFactor ticket={ticket} onCancel={() => setTicket(undefined)} />
      ) : methods.value === undefined ? (
        <ErrorNotice error={methods.error} />
      ) : (
        <MethodList {...methods.value} onTicket={setTicket} />
      )}
    </Dialog>
  );
};

interface LoginMethods {
  readonly hasPassword: boolean;
  readonly hasPasskey: boolean;
  /** The providers at which the user has a linked account. */
  readonly providers: readonly OidcProvider[];
}

/** Returns the methods by which the user can log in. */
const useLoginMethods = () => {
  const { client } = useUi();
  const me = useHouse().me?.agent.id;
  return useRequest<LoginMethods>(
    useCallback(async () => {
      if (me === undefined) return { hasPassword: false, hasPasskey: false, providers: [] };
      const [password, { passkeys }, { identities, providers }] = await Promise.all([
        client.passwords.show(me),
        (await client.passkeys()).list(me),
        (await client.identities()).list(me),
      ]);
      return {
        hasPassword: password.isSet,
        hasPasskey: passkeys.length > 0,
        providers: providers.filter(({ name }) => identities.some(({ provider }) => provider === name)),
      };
    }, [client, me]),
  );
};

const SecondFactor = ({ ticket, onCancel }: { readonly ticket: string; readonly onCancel: () => void }) => {
  const { client, confirmation } = useUi();
  return (
    <CodeForm
      ticket={ticket}
      send={client.sessions.confirm}
      onLoggedIn={() => confirmation.resolve(true)}
      onCancel={onCancel}
    />
  );
};

interface MethodListProps extends LoginMethods {
  readonly onTicket: (ticket: string) => void;
}

const MethodList = ({ hasPassword, hasPasskey, providers, onTicket }: MethodListProps) => {
  const { client, confirmation } = useUi();
  const hasMethod = hasPassword || hasPasskey || providers.length > 0;
  return (
    <>
      <p>{texts.confirmLoginDetail}</p>
      {hasPassword ? <PasswordConfirmation onTicket={onTicket} /> : undefined}
      {hasPasskey ? (
        <PasskeyButton send={client.sessions.confirm} onLoggedIn={() => confirmation.resolve(true)} />
      ) : undefined}
      {providers.length > 0 ? <ProviderConfirmation providers={providers} /> : undefined}
      <details open={!hasMethod}>
        <summary>{texts.loginLink}</summary>
        <p>{hasMethod ? texts.confirmLinkDetail : texts.confirmOnlyLinkDetail}</p>
        <LinkConfirmation onTicket={onTicket} />
      </details>
    </>
  );
};

interface FormProps {
  readonly onTicket: (ticket: string) => void;
}

/** Sends a proof. Ends the question, or passes on the ticket of the second step. */
const useProof = (onTicket: (ticket: string) => void) => {
  const { confirmation } = useUi();
  const submission = useSubmission();
  return {
    ...submission,
    submit: async (event: SubmitEvent, prove: () => Promise<SecondStep | { readonly freshUntil: number }>) => {
      event.preventDefault();
      await submission.run(async () => {
        const answer = await prove();
        if ("ticket" in answer) onTicket(answer.ticket);
        else confirmation.resolve(true);
      });
    },
  };
};

const PasswordConfirmation = ({ onTicket }: FormProps) => {
  const { client } = useUi();
  const me = useHouse().me?.agent.handle;
  const submission = useProof(onTicket);
  const [password, setPassword] = useState("");
  return (
    <form
      className={styles.form}
      onSubmit={(event) => observe(submission.submit(event, () => client.sessions.confirm({ password })))}
    >
      <Field label={texts.password}>
        {(ids) => (
          <TextInput
            {...ids}
            required
            type="password"
            autoComplete="current-password"
            value={password}
            onChange={(event) => setPassword(event.target.value)}
          />
        )}
      </Field>
      {/* Password managers choose the entry by this name. */}
      <input hidden readOnly autoComplete="username" value={me ?? ""} />
      {submission.error === undefined ? undefined : <ErrorNotice error={submission.error} />}
      <Button type="submit" kind="primary" isBusy={submission.isBusy}>
        {texts.confirm}
      </Button>
    </form>
  );
};

const LinkConfirmation = ({ onTicket }: FormProps) => {
  const { client } = useUi();
  const submission = useProof(onTicket);
  const [pastedLink, setPastedLink] = useState("");
  return (
    <form
      className={styles.form}
      onSubmit={(event) =>
        observe(submission.submit(event, () => client.sessions.confirm({ link: parseLoginCode(pastedLink) })))
      }
    >
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
      {submission.error === undefined ? undefined : <ErrorNotice error={submission.error} />}
      <Button type="submit">{texts.confirmWithLink}</Button>
    </form>
  );
};

/** A new login at a provider, in another tab of this browser. It replaces the session of the page. */
const ProviderConfirmation = ({ providers }: Pick<LoginMethods, "providers">) => {
  const { client, confirmation } = useUi();
  const me = useHouse().me?.agent.id;
  const submission = useSubmission();
  const resume = async (): Promise<void> => {
    await submission.run(async () => {
      const { agent } = await client.me();
      if (agent.id !== me) throw new HearthError("auth.sso", texts.otherPerson);
      confirmation.resolve(true);
    });
  };
  return (
    <div className={styles.form}>
      <p>{texts.confirmProviderDetail}</p>
      {providers.map(({ name, label }) => (
        <a key={name} href={`/api/login/oidc/${name}?again=true`} target="_blank" rel="noreferrer">
          {texts.logInWith(toVisible(label))}
        </a>
      ))}
      {submission.error === undefined ? undefined : <ErrorNotice error={submission.error} />}
      <Button isBusy={submission.isBusy} onClick={() => observe(resume())}>
        {texts.resumeAfterLogin}
      </Button>
    </div>
  );
};
