/** Asks for the token of an account, and checks it at the platform. Nothing is stored yet. */
import type { ChannelTest } from "@hearth/protocol";
import { useState } from "react";
import { Button } from "../../../design/button.tsx";
import { plainWords } from "../../../design/error-words.ts";
import { Field, TextInput } from "../../../design/field.tsx";
import { ErrorNotice, Notice } from "../../../design/notice.tsx";
import { useUi } from "../../../house/ui.tsx";
import { useSubmission } from "../../../house/use-submission.ts";
import { toVisible } from "../../../text/visible.tsx";
import { Form } from "../../form/form.tsx";
import styles from "../../settings.module.css";
import { type ChannelDraft, isToken } from "./channel-draft.ts";
import { findPlatform } from "./platforms.ts";
import wizardStyles from "./wizard.module.css";
import * as texts from "./text.ts";

export interface TokenStepProps {
  readonly draft: ChannelDraft;
  readonly onChange: (changes: Partial<ChannelDraft>) => void;
  readonly onBack: () => void;
  /** Called with the account that the platform names. */
  readonly onNext: (account: string) => void;
}

export const TokenStep = ({ draft, onChange, onBack, onNext }: TokenStepProps) => {
  const { client } = useUi();
  const submission = useSubmission();
  const [isTokenInvalid, setTokenInvalid] = useState(false);
  const [test, setTest] = useState<ChannelTest>();
  const platform = findPlatform(draft.kind);
  if (platform === undefined) return undefined;
  const check = async (): Promise<void> => {
    setTest(undefined);
    setTokenInvalid(!isToken(draft));
    if (!isToken(draft)) return;
    await submission.run(async () => {
      const result = await (await client.channels()).testNew({ kind: draft.kind, token: draft.token.trim() });
      if (result.ok) onNext(result.detail);
      else setTest(result);
    });
  };
  return (
    <Form onSubmit={check}>
      <ol className={wizardStyles.guide}>
        {platform.tokenSteps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <Field
        label={platform.tokenLabel}
        hint={texts.tokenHint}
        error={isTokenInvalid ? platform.wrongToken : undefined}
      >
        {(ids) => (
          <TextInput
            {...ids}
            type="password"
            value={draft.token}
            maxLength={500}
            autoComplete="new-password"
            spellCheck={false}
            onChange={({ target }) => {
              setTokenInvalid(false);
              setTest(undefined);
              onChange({ token: target.value });
            }}
          />
        )}
      </Field>
      {test === undefined ? undefined : (
        <Notice kind="danger" title={texts.tokenRefused(platform.title)}>
          {toVisible(plainWords(test.detail) ?? "")}
        </Notice>
      )}
      {submission.error === undefined ? undefined : <ErrorNotice error={submission.error} place="here" />}
      <div className={styles.buttons}>
        <Button kind="primary" type="submit" isBusy={submission.isBusy}>
          {texts.checkToken}
        </Button>
        <Button kind="quiet" onClick={onBack}>
          {texts.back}
        </Button>
      </div>
    </Form>
  );
};
