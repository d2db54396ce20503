/** Lists incoming messages that did not reach a room, each with its reason. */
import type { ChannelInfo, RefusalFate, RefusedInbound } from "@hearth/protocol";
import { useCallback } from "react";
import type { TableColumn } from "../../design/table.tsx";
import { useRequest } from "../../house/request.ts";
import { RequestView } from "../../house/request-view.tsx";
import { Time } from "../../house/time.tsx";
import { useUi } from "../../house/ui.tsx";
import { ListTable } from "../../lists/list-table.tsx";
import type { ListFilter } from "../../lists/matching.ts";
import { toVisible } from "../../text/visible.tsx";
import { Section } from "../form/section.tsx";
import styles from "../settings.module.css";
import * as texts from "./text.ts";

const MAX_ROWS = 20;

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
  const channelNames = channels.map(({ name }) => name).join("\n");
  const request = useRequest(
    useCallback(async () => {
      const calls = await client.channels();
      const lists = await Promise.all(channelNames.split("\n").map((name) => calls.refused(name, { limit: MAX_ROWS })));
      return lists.flat().toSorted((a, b) => b.at - a.at);
    }, [client, channelNames]),
  );
  return (
    <Section title={texts.ignoredMessages}>
      <RequestView request={request}>
        {(refusedMessages) => <RefusedTable refusedMessages={refusedMessages.slice(0, MAX_ROWS)} />}
      </RequestView>
    </Section>
  );
};

export const RefusedTable = ({ refusedMessages }: { readonly refusedMessages: readonly RefusedInbound[] }) => (
  <ListTable
    label={texts.ignoredMessages}
    rows={refusedMessages}
    keyOf={({ channel, externalId }) => JSON.stringify([channel, externalId])}
    nameOf={({ fate }) => fateTexts[fate]}
    columns={columns}
    filters={[fateFilterOf(refusedMessages)]}
    empty={<p className={styles.quiet}>{texts.noIgnoredMessages}</p>}
  />
);

const fateFilterOf = (refusedMessages: readonly RefusedInbound[]): ListFilter<RefusedInbound> => ({
  name: "reason",
  label: texts.reason,
  all: texts.allReasons,
  options: [...new Set(refusedMessages.map(({ fate }) => fate))].map((value) => ({ value, title: fateTexts[value] })),
  matches: ({ fate }, value) => fate === value,
});

const columns: readonly [TableColumn<RefusedInbound>, ...TableColumn<RefusedInbound>[]] = [
  { title: texts.reason, cell: ({ fate }) => fateTexts[fate] },
  { title: texts.sender, cell: ({ sender }) => toVisible(sender) },
  { title: texts.channel, cell: ({ channel }) => toVisible(channel) },
  { title: texts.received, cell: ({ at }) => <Time at={at} style="relative" /> },
];
