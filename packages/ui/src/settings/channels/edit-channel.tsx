/** Changes the agent or the token of a channel. The platform must accept a new token first. */
import type { AgentRecord, ChannelInfo } from "@hearth/protocol";
import { useState } from "react";
import { useAnnounce } from "../../design/announcer.tsx";
import { Button } from "../../design/button.tsx";
import { plainWords } from "../../design/error-words.ts";
import { Field, Select, TextInput } from "../../design/field.tsx";
import { ErrorNotice, Notice } from "../../design/notice.tsx";
import { useUi } from "../../house/ui.tsx";
import { useSubmission } from "../../house/use-submission.ts";
import { toVisible } from "../../text/visible.tsx";
import { Form } from "../form/form.tsx";
import styles from "../settings.module.css";
import * as texts from "./text.ts";

export interface EditChannelProps {
  readonly channel: ChannelInfo;
  /** The agents that can answer. */
  readonly bots: readonly AgentRecord[];
  readonly onChanged: () => void;
}

export const EditChannel = ({ channel, bots, onChanged }: EditChannelProps) => {
  const { client } = useUi();
  const announce = useAnnounce();
  const submission = useSubmission();
  const [agent, setAgent] = useState(channel.agent);
  const [token, setToken] = useState("");
  const [refusal, setRefusal] = useState<string>();
  const newToken = token.trim();
  const isChanged = agent !== channel.agent || newToken !== "";
  const save = async (): Promise<void> => {
    setRefusal(undefined);
    await submission.run(async () => {
      const change = { ...(agent === channel.agent ? {} : { agent }), ...(newToken === "" ? {} : { token: newToken }) };
      const { test } = await (await client.channels()).change(channel.name, change);
      if (test?.ok === false) return setRefusal(plainWords(test.detail));
      announce(texts.channelChanged(toVisible(channel.name)));
      setToken("");
      onChanged();
    });
  };
  return (
    <Form onSubmit={save}>
      <div className={styles.pair}>
        <Field label={texts.answeringAgent}>
          {(ids) => (
            <Select {...ids} value={agent} onChange={(event) => setAgent(event.target.value)}>
              {bots.some(({ handle }) => handle === channel.agent) ? undefined : (
                <option value={channel.agent}>@{toVisible(channel.agent)}</option>
              )}
              {bots.map(({ id, handle, content }) => (
                <option key={id} value={handle}>
                  {toVisible(content.name)}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Field label={texts.newToken} hint={texts.newTokenHint}>
          {(ids) => (
            <TextInput
              {...ids}
              type="password"
              value={token}
              maxLength={500}
              autoComplete="new-password"
              onChange={(event) => setToken(event.target.value)}
            />
          )}
        </Field>
      </div>
      {refusal === undefined ? undefined : (
        <Notice kind="danger" title={texts.tokenRefused}>
          {refusal}
        </Notice>
      )}
      {submission.error === undefined ? undefined : <ErrorNotice error={submission.error} />}
      <div className={styles.buttons}>
        <Button kind="primary" type="submit" isBusy={submission.isBusy} disabled={!isChanged}>
          {newToken === "" ? texts.save : texts.testAndSave}
        </Button>
      </div>
    </Form>
  );
};
