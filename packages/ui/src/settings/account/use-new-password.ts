/** State of the form that sets a password: checks its fields before sending, and clears them afterwards. */
import { type AgentRecord, MIN_PASSWORD_LENGTH, type PasswordState } from "@hearth/protocol";
import { useState } from "react";
import { useAnnounce } from "../../design/announcer.tsx";
import { useUi } from "../../house/ui.tsx";
import { useSubmission } from "../../house/use-submission.ts";
import * as texts from "./text.ts";

export interface NewPassword {
  /** The current password. It is sent only if the house requires it. */
  readonly currentPassword: string;
  readonly setCurrentPassword: (currentPassword: string) => void;
  readonly password: string;
  /** Also clears the messages about the last attempt. */
  readonly setPassword: (password: string) => void;
  /** Why the new password is not valid. */
  readonly problem: string | undefined;
  readonly isBusy: boolean;
  readonly error: ReturnType<typeof useSubmission>["error"];
  /** The number of sessions that the last change ended. Undefined unless the change has just succeeded. */
  readonly endedSessions: number | undefined;
  readonly save: () => Promise<void>;
}

export const useNewPassword = (
  person: AgentRecord,
  { needsCurrent }: Pick<PasswordState, "needsCurrent">,
  onSet: () => void,
): NewPassword => {
  const { client } = useUi();
  const announce = useAnnounce();
  const submission = useSubmission();
  const [currentPassword, setCurrentPassword] = useState("");
  const [password, setPassword] = useState("");
  const [problem, setProblem] = useState<string>();
  const [endedSessions, setEndedSessions] = useState<number>();

  const save = async (): Promise<void> => {
    const isShort = password.length < MIN_PASSWORD_LENGTH;
    setProblem(isShort ? texts.passwordTooShort(MIN_PASSWORD_LENGTH) : undefined);
    setEndedSessions(undefined);
    if (isShort) return;
    let count = 0;
    const isSet = await submission.run(async () => {
      count = await client.passwords.set(person.id, {
        password,
        ...(needsCurrent ? { current: currentPassword } : {}),
      });
    });
    if (!isSet) return;
    setCurrentPassword("");
    setPassword("");
    setEndedSessions(count);
    announce(texts.saved);
    onSet();
  };

  return {
    currentPassword,
    setCurrentPassword,
    password,
    setPassword(newPassword) {
      setProblem(undefined);
      setEndedSessions(undefined);
      submission.clear();
      setPassword(newPassword);
    },
    problem,
    isBusy: submission.isBusy,
    error: submission.error,
    endedSessions,
    save,
  };
};
