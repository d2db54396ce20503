/** Connects a Telegram bot to an agent. */
import type { AgentRecord } from "@hearth/protocol";
import { useState } from "react";
import { useAnnounce } from "../../design/announcer.tsx";
import { Button } from "../../design/button.tsx";
import { Field, Select, TextInput } from "../../design/field.tsx";
import { ErrorNotice } from "../../design/notice.tsx";
import { useUi } from "../../house/ui.tsx";
import { useSubmission } from "../../house/use-submission.ts";
import { toVisible } from "../../text/visible.tsx";
import { Form } from "../form/form.tsx";
import { Section } from "../form/section.tsx";
import styles from "../settings.module.css";
import * as texts from "./text.ts";

export interface AddChannelProps {
  /** The agents that can answer. */
  readonly bots: readonly AgentRecord[];
  /** Names of the channels of the house. */
  readonly taken: readonly string[];
  readonly onAdded: () => void;
}

const KIND = "telegram";

export const AddChannel = ({ bots, taken, onAdded }: AddChannelProps) => {
  const { client } = useUi();
  const announce = useAnnounce();
  const work = useSubmission();
  const [token, setToken] = useState("");
  const [chosen, setChosen] = useState<string>();
  const agent = bots.find(({ handle }) => handle === chosen) ?? bots[0];
  const add = async (): Promise<void> => {
    if (agent === undefined) return;
    const name = freeName(taken);
    const isAdded = await work.run(async () =>
      (await client.channels()).create({ name, kind: KIND, agent: agent.handle, token: token.trim() }),
    );
    if (!isAdded) return;
    announce(texts.channelAdded(name));
    setToken("");
    onAdded();
  };
  return (
    <Section title={texts.addTelegram} text={texts.addTelegramIntroduction}>
      <Form onSubmit={add}>
        <div className={styles.pair}>
          <Field label={texts.botToken}>
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
          <Field label={texts.answeringAgent}>
            {(ids) => (
              <Select {...ids} value={agent?.handle ?? ""} onChange={(event) => setChosen(event.target.value)}>
                {bots.map(({ id, handle, content }) => (
                  <option key={id} value={handle}>
                    {toVisible(content.name)}
                  </option>
                ))}
              </Select>
            )}
          </Field>
        </div>
        {work.error === undefined ? undefined : <ErrorNotice error={work.error} />}
        <div className={styles.buttons}>
          <Button type="submit" isBusy={work.isBusy} disabled={token.trim() === "" || agent === undefined}>
            {texts.addChannel}
          </Button>
        </div>
      </Form>
    </Section>
  );
};

/** Returns the first free name: "telegram", then "telegram-2". */
export const freeName = (taken: readonly string[]): string => {
  let name = KIND;
  for (let count = 2; taken.includes(name); count += 1) name = `${KIND}-${count}`;
  return name;
};
