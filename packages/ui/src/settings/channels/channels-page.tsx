/** Chat platforms, their senders, and messages that need attention. */
import type { AgentRecord } from "@hearth/protocol";
import { useCallback } from "react";
import { useAnswer } from "../../house/answer.ts";
import { AnswerView } from "../../house/answer-view.tsx";
import { useUi } from "../../house/ui.tsx";
import { Section } from "../form/section.tsx";
import { ChannelRow } from "./channel-row.tsx";
import { PairingsSection } from "./pairings-section.tsx";
import { RefusedSection } from "./refused-section.tsx";
import styles from "../settings.module.css";
import * as texts from "./text.ts";

/** `people`: everyone whom a sender can be. */
export const ChannelsPage = ({ people }: { readonly people: readonly AgentRecord[] }) => {
  const { client } = useUi();
  const answer = useAnswer(useCallback(async () => (await client.channels()).list(), [client]));
  return (
    <>
      <Section title={texts.channels} text={texts.channelsIntroduction}>
        <AnswerView answer={answer}>
          {(channels) =>
            channels.length === 0 ? (
              <p className={styles.quiet}>{texts.noChannels}</p>
            ) : (
              <ul className={styles.list}>
                {channels.map((channel) => (
                  <ChannelRow key={channel.name} channel={channel} onChange={answer.again} />
                ))}
              </ul>
            )
          }
        </AnswerView>
      </Section>
      <PairingsSection people={people} />
      {answer.value === undefined || answer.value.length === 0 ? undefined : <RefusedSection channels={answer.value} />}
    </>
  );
};
