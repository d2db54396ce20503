/** The channels of the house as a table: their state, their agent, and the last message of each. */
import type { AgentRecord, ChannelInfo, ChannelTest } from "@hearth/protocol";
import { useState } from "react";
import { useAnnounce } from "../../design/announcer.tsx";
import { Badge } from "../../design/badge.tsx";
import { EmptyState } from "../../design/empty-state.tsx";
import { plainWords } from "../../design/error-words.ts";
import type { TableColumn } from "../../design/table.tsx";
import { Time } from "../../house/time.tsx";
import { useUi } from "../../house/ui.tsx";
import { type BulkChange, ListTable } from "../../lists/list-table.tsx";
import type { ListFilter } from "../../lists/matching.ts";
import { toVisible } from "../../text/visible.tsx";
import { ChannelDetail } from "./channel-detail.tsx";
import { findPlatform } from "./wizard/platforms.ts";
import styles from "../settings.module.css";
import * as texts from "./text.ts";

export interface ChannelTableProps {
  readonly channels: readonly ChannelInfo[];
  /** The agents that can answer. */
  readonly bots: readonly AgentRecord[];
  readonly onChanged: () => void;
}

export const ChannelTable = ({ channels, bots, onChanged }: ChannelTableProps) => {
  const { results, changes, forget } = useChannelChanges();
  const nameOfAgent = (handle: string): string =>
    toVisible(bots.find((bot) => bot.handle === handle)?.content.name ?? `@${handle}`);
  return (
    <ListTable
      label={texts.channels}
      rows={channels}
      keyOf={({ name }) => name}
      nameOf={({ name }) => toVisible(name)}
      columns={columnsOf(results, nameOfAgent)}
      filters={filtersOf(channels, nameOfAgent)}
      detailOf={(channel) => (
        <ChannelDetail
          channel={channel}
          bots={bots}
          onChanged={() => {
            forget(channel.name);
            onChanged();
          }}
        />
      )}
      changes={changes}
      onChanged={onChanged}
      empty={<EmptyState icon="room" title={texts.noChannels} text={texts.noChannelsDetail} />}
    />
  );
};

/** The result of the last test of each channel on this page, by name. */
type TestResults = ReadonlyMap<string, ChannelTest>;

interface ChannelChanges {
  readonly results: TestResults;
  readonly changes: readonly BulkChange<ChannelInfo>[];
  /** Drops the result of a channel whose settings changed. */
  readonly forget: (name: string) => void;
}

const useChannelChanges = (): ChannelChanges => {
  const { client } = useUi();
  const announce = useAnnounce();
  const [results, setResults] = useState<TestResults>(new Map());
  const setResult = (name: string, result: ChannelTest | undefined): void =>
    setResults((previousResults) => {
      const otherResults = [...previousResults].filter(([otherName]) => otherName !== name);
      return new Map(result === undefined ? otherResults : [...otherResults, [name, result]]);
    });
  return {
    results,
    forget: (name) => setResult(name, undefined),
    changes: [
      {
        id: "test",
        label: texts.test,
        icon: "check",
        title: texts.testCount,
        async run({ name }) {
          setResult(name, undefined);
          const result = await (await client.channels()).test(name);
          setResult(name, result);
          announce(texts.testResult(toVisible(name), plainWords(result.detail) ?? ""), "unseen");
        },
      },
      {
        id: "remove",
        label: texts.remove,
        icon: "delete",
        title: texts.removeCount,
        confirm: { title: texts.removeChannels, text: texts.channelRemovalEffect },
        isDanger: true,
        run: async ({ name }) => (await client.channels()).remove(name),
        done: texts.removedCount,
      },
    ],
  };
};

const stateTitles = { ready: texts.ready, failing: texts.notConnected, off: texts.needsSetup } as const;
const stateKinds = { ready: "success", failing: "danger", off: "danger" } as const;

const filtersOf = (
  channels: readonly ChannelInfo[],
  nameOfAgent: (handle: string) => string,
): readonly ListFilter<ChannelInfo>[] => [
  {
    name: "status",
    label: texts.state,
    all: texts.allStates,
    options: (["ready", "failing", "off"] as const).map((value) => ({ value, title: stateTitles[value] })),
    matches: ({ state }, value) => state === value,
  },
  {
    name: "platform",
    label: texts.platform,
    all: texts.allPlatforms,
    options: [...new Set(channels.map(({ kind }) => kind))].map((kind) => ({ value: kind, title: titleOf(kind) })),
    matches: ({ kind }, value) => kind === value,
  },
  {
    name: "agent",
    label: texts.agent,
    all: texts.allAgents,
    options: [...new Set(channels.map(({ agent }) => agent))].map((value) => ({ value, title: nameOfAgent(value) })),
    matches: ({ agent }, value) => agent === value,
  },
];

/** Returns the name of a platform. A platform that the wizard does not know keeps its kind. */
const titleOf = (kind: string): string => findPlatform(kind)?.title ?? toVisible(kind);

const columnsOf = (
  results: TestResults,
  nameOfAgent: (handle: string) => string,
): readonly [TableColumn<ChannelInfo>, ...TableColumn<ChannelInfo>[]] => [
  { title: texts.name, cell: ({ name }) => <span className={styles.name}>{toVisible(name)}</span> },
  { title: texts.state, cell: (channel) => <ChannelState channel={channel} result={results.get(channel.name)} /> },
  { title: texts.platform, cell: ({ kind }) => titleOf(kind) },
  { title: texts.agent, cell: ({ agent }) => nameOfAgent(agent) },
  { title: texts.lastMessage, cell: (channel) => <LastMessage channel={channel} /> },
];

interface ChannelStateProps {
  readonly channel: ChannelInfo;
  readonly result: ChannelTest | undefined;
}

const ChannelState = ({ channel: { state, error, unknown }, result }: ChannelStateProps) => (
  <span className={styles.about}>
    <Badge kind={stateKinds[state]}>{stateTitles[state]}</Badge>
    {error === undefined ? undefined : <span className={styles.missing}>{plainWords(error.message)}</span>}
    {result === undefined ? undefined : (
      <span className={result.ok ? styles.quiet : styles.missing}>
        {texts.testResult(texts.test, plainWords(result.detail) ?? "")}
      </span>
    )}
    {unknown === 0 ? undefined : <span className={styles.missing}>{texts.undecided(unknown)}</span>}
  </span>
);

const LastMessage = ({ channel: { lastMessageAt, queued } }: { readonly channel: ChannelInfo }) => (
  <span className={styles.about}>
    <span>{lastMessageAt === undefined ? texts.noMessages : <Time at={lastMessageAt} style="relative" />}</span>
    {queued === 0 ? undefined : <span className={styles.quiet}>{texts.queued(queued)}</span>}
  </span>
);
