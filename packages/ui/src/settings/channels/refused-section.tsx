/** Lists incoming messages that did not reach a room, each with its reason. */
import type { ChannelInfo, RefusalFate, RefusedInbound } from "@hearth/protocol";
import { useCallback } from "react";
import { useAnswer } from "../../house/answer.ts";
import { AnswerView } from "../../house/answer-view.tsx";
import { Time } from "../../house/time.tsx";
import { useUi } from "../../house/ui.tsx";
import { toVisible } from "../../text/visible.tsx";
import { Section } from "../form/section.tsx";
import styles from "../settings.module.css";
import * as texts from "./text.ts";

const SHOWN = 20;

export const fateTexts: Readonly<Record<RefusalFate, string>> = {
  unpaired: texts.unpairedFate,
  blocked: texts.blockedFate,
  unlisted: texts.unlistedFate,
  "not-direct": texts.notDirectFate,
  "not-mentioned": texts.notMentionedFate,
  ignored: texts.ignoredFate,
  failed: texts.failedFate,
};

export const RefusedSection = ({ channels }: { readonly channels: readonly ChannelInfo[] }) => {
  const { client } = useUi();
  const names = channels.map(({ name }) => name).join("\n");
  const answer = useAnswer(
    useCallback(async () => {
      const calls = await client.channels();
      const lists = await Promise.all(names.split("\n").map((name) => calls.refused(name, { limit: SHOWN })));
      return lists.flat().toSorted((one, other) => other.at - one.at);
    }, [client, names]),
  );
  return (
    <Section title={texts.ignoredMessages}>
      <AnswerView answer={answer}>{(refused) => <RefusedList refused={refused.slice(0, SHOWN)} />}</AnswerView>
    </Section>
  );
};

export const RefusedList = ({ refused }: { readonly refused: readonly RefusedInbound[] }) =>
  refused.length === 0 ? (
    <p className={styles.quiet}>{texts.noIgnoredMessages}</p>
  ) : (
    <ul className={styles.list}>
      {refused.map(({ channel, externalId, sender, at, fate }) => (
        <li key={JSON.stringify([channel, externalId])} className={styles.row}>
          <span className={styles.about}>
            <span>{fateTexts[fate]}</span>
            <span className={styles.quiet}>
              {texts.from(toVisible(sender), toVisible(channel))} · <Time at={at} style="relative" />
            </span>
          </span>
        </li>
      ))}
    </ul>
  );
