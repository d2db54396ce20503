/** Chooses the agent that answers and the senders that it answers, and adds the channel. */
import type { AgentRecord } from "@hearth/protocol";
import { useAnnounce } from "../../../design/announcer.tsx";
import { Button } from "../../../design/button.tsx";
import { ChoiceGroup } from "../../../design/choice.tsx";
import { Checkbox, Field, Select, TextInput } from "../../../design/field.tsx";
import { ErrorNotice, Notice } from "../../../design/notice.tsx";
import { useUi } from "../../../house/ui.tsx";
import { useSubmission } from "../../../house/use-submission.ts";
import { toVisible } from "../../../text/visible.tsx";
import { Form } from "../../form/form.tsx";
import styles from "../../settings.module.css";
import { type ChannelDraft, isComplete, toRequest } from "./channel-draft.ts";
import * as texts from "./text.ts";

export interface AccessStepProps {
  readonly draft: ChannelDraft;
  readonly bots: readonly AgentRecord[];
  readonly takenNames: readonly string[];
  /** The account that the platform named. */
  readonly account: string;
  readonly onChange: (changes: Partial<ChannelDraft>) => void;
  readonly onBack: () => void;
  /** Called with the name of the new channel. */
  readonly onAdded: (name: string) => void;
}

const modes = (["pairing", "allow", "open"] as const).map((value) => ({ value, ...texts.modes[value] }));

export const AccessStep = ({ draft, bots, takenNames, account, onChange, onBack, onAdded }: AccessStepProps) => {
  const { client } = useUi();
  const announce = useAnnounce();
  const submission = useSubmission();
  const add = async (): Promise<void> => {
    await submission.run(async () => {
      const { name } = await (await client.channels()).create(toRequest(draft, takenNames));
      announce(texts.channelAdded(name));
      onAdded(name);
    });
  };
  return (
    <Form onSubmit={add}>
      <Notice kind="success" title={texts.tokenAccepted(toVisible(account))} />
      <Field label={texts.answeringAgent}>
        {(ids) => (
          <Select {...ids} value={draft.agent} onChange={({ target }) => onChange({ agent: target.value })}>
            {bots.map(({ id, handle, content }) => (
              <option key={id} value={handle}>
                {toVisible(content.name)}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <ChoiceGroup label={texts.senders} value={draft.mode} onChange={(mode) => onChange({ mode })} choices={modes} />
      {draft.mode === "allow" ? (
        <Field label={texts.allowedSenders} hint={texts.allowedSendersHint}>
          {(ids) => (
            <TextInput
              {...ids}
              value={draft.allow}
              maxLength={2000}
              autoComplete="off"
              onChange={({ target }) => onChange({ allow: target.value })}
            />
          )}
        </Field>
      ) : undefined}
      <div>
        <Checkbox
          label={texts.directOnly}
          checked={draft.directOnly}
          onChange={({ target }) => onChange({ directOnly: target.checked })}
        />
        {draft.directOnly ? undefined : (
          <Checkbox
            label={texts.mentionRequired}
            checked={draft.mentionRequired}
            onChange={({ target }) => onChange({ mentionRequired: target.checked })}
          />
        )}
      </div>
      {submission.error === undefined ? undefined : <ErrorNotice error={submission.error} place="here" />}
      <div className={styles.buttons}>
        <Button kind="primary" type="submit" isBusy={submission.isBusy} disabled={!isComplete(draft)}>
          {texts.connect}
        </Button>
        <Button kind="quiet" disabled={submission.isBusy} onClick={onBack}>
          {texts.back}
        </Button>
      </div>
    </Form>
  );
};
