/** Sets the password of the current user, or of another person whom the user administers. */
import { type AgentRecord, MIN_PASSWORD_LENGTH, type PasswordState } from "@hearth/protocol";
import { useCallback } from "react";
import { Button } from "../../design/button.tsx";
import { Field, TextInput } from "../../design/field.tsx";
import { Icon } from "../../design/icon.tsx";
import { ErrorNotice } from "../../design/notice.tsx";
import { useUi } from "../../house/ui.tsx";
import { useRequest } from "../../house/request.ts";
import { RequestView } from "../../house/request-view.tsx";
import { toVisible } from "../../text/visible.tsx";
import { Form } from "../form/form.tsx";
import { Section } from "../form/section.tsx";
import styles from "../settings.module.css";
import { useNewPassword } from "./use-new-password.ts";
import * as texts from "./text.ts";

export interface PasswordSectionProps {
  readonly person: AgentRecord;
  readonly isOwn: boolean;
}

export const PasswordSection = ({ person, isOwn }: PasswordSectionProps) => {
  const { client } = useUi();
  const { id } = person;
  const request = useRequest(useCallback(() => client.passwords.show(id), [client, id]));
  const name = isOwn ? texts.you : toVisible(person.content.name);
  return (
    <Section title={texts.passwordTitle} text={texts.passwordIntroduction(name, person.handle)}>
      <RequestView request={request}>
        {(state) => <PasswordForm person={person} isOwn={isOwn} state={state} onSet={request.reload} />}
      </RequestView>
    </Section>
  );
};

export interface PasswordFormProps extends PasswordSectionProps {
  readonly state: PasswordState;
  readonly onSet: () => void;
}

export const PasswordForm = ({ person, isOwn, state, onSet }: PasswordFormProps) => {
  const form = useNewPassword(person, state, onSet);
  return (
    <Form onSubmit={form.save}>
      {/* Password managers need the user name. */}
      <input hidden readOnly autoComplete="username" value={person.handle} />
      <p>{state.isSet ? texts.passwordIsSet : texts.noPasswordIsSet}</p>
      {state.needsCurrent ? (
        <Field label={texts.currentPassword}>
          {(ids) => (
            <TextInput
              {...ids}
              type="password"
              autoComplete="current-password"
              value={form.currentPassword}
              onChange={(event) => form.setCurrentPassword(event.target.value)}
            />
          )}
        </Field>
      ) : undefined}
      <Field label={texts.newPassword} error={form.problem} hint={texts.newPasswordHint(MIN_PASSWORD_LENGTH)}>
        {(ids) => (
          <TextInput
            {...ids}
            type="password"
            autoComplete="new-password"
            value={form.password}
            onChange={(event) => form.setPassword(event.target.value)}
          />
        )}
      </Field>
      {form.error === undefined ? undefined : <ErrorNotice error={form.error} />}
      <div className={styles.buttons}>
        <Button type="submit" kind={form.password === "" ? "plain" : "primary"} isBusy={form.isBusy}>
          {state.isSet ? texts.changePassword : texts.setPassword}
        </Button>
        {form.endedSessions === undefined ? undefined : (
          <span className={styles.saved}>
            <Icon name="check" />
            {describeSet(form.endedSessions, isOwn)}
          </span>
        )}
      </div>
    </Form>
  );
};

/** Returns the confirmation, with the number of sessions that ended. */
export const describeSet = (endedCount: number, isOwn: boolean): string => {
  if (endedCount === 0) return texts.savedState;
  return texts.passwordSaved(endedCount, isOwn);
};
