/** Creates, lists and revokes API keys of one owner, or of everyone that the user administers. */
import type { AgentRecord, KeyInfo, Me } from "@hearth/protocol";
import { useCallback } from "react";
import { Button } from "../../design/button.tsx";
import { EmptyState } from "../../design/empty-state.tsx";
import { ErrorNotice } from "../../design/notice.tsx";
import type { TableColumn } from "../../design/table.tsx";
import { useAttention } from "../../house/attention.ts";
import { mayIn } from "../../house/may.ts";
import { roomTitle } from "../../house/room-title.ts";
import { Time } from "../../house/time.tsx";
import { useHouse, useUi } from "../../house/ui.tsx";
import { useRequest } from "../../house/request.ts";
import { ListTable } from "../../lists/list-table.tsx";
import type { ListFilter } from "../../lists/matching.ts";
import { locale } from "../../language/locale.ts";
import { toVisible } from "../../text/visible.tsx";
import { Section } from "../form/section.tsx";
import { describeScope } from "./key-words.ts";
import { MakeKey } from "./make-key.tsx";
import styles from "../settings.module.css";
import * as texts from "./text.ts";

export interface KeysSectionProps {
  /** Owner of the keys. Undefined lists the keys of everyone that the current user administers. */
  readonly owner?: AgentRecord;
}

export const KeysSection = ({ owner }: KeysSectionProps) => {
  const { client } = useUi();
  const { me, agents } = useHouse();
  const keys = useRequest(useCallback(() => client.keys.list(), [client]));
  useAttention(keys.reload);
  const shownKeys = keys.value?.filter(({ agent }) => owner === undefined || agent === owner.id);
  return (
    <Section
      title={texts.apiKeys}
      text={owner === undefined ? texts.keysOfEveryone : texts.keysOf(nameFor(owner, me?.agent))}
    >
      {keys.error === undefined ? undefined : (
        <ErrorNotice
          error={keys.error}
          button={
            <Button size="small" onClick={keys.reload}>
              {texts.tryAgain}
            </Button>
          }
        />
      )}
      {shownKeys === undefined ? undefined : (
        <KeyList
          keys={shownKeys}
          agents={[...agents.values()]}
          hasOneOwner={owner !== undefined}
          onRevoked={keys.reload}
        />
      )}
      {me === undefined ? undefined : (
        <MakeKey
          me={me.agent}
          agents={owner === undefined ? findAdministeredAgents(me, agents) : [owner]}
          onCreated={keys.reload}
        />
      )}
    </Section>
  );
};

/** Returns the current user and the members of the houses that the user administers. */
const findAdministeredAgents = (me: Me, agents: ReadonlyMap<string, AgentRecord>): readonly AgentRecord[] =>
  [...agents.values()].filter(({ id, house }) => id === me.agent.id || mayIn(me, "x", house));

const nameFor = ({ id, content }: AgentRecord, me: AgentRecord | undefined): string =>
  id === me?.id ? texts.youInText : toVisible(content.name);

export interface KeyListProps {
  readonly keys: readonly KeyInfo[];
  readonly agents: readonly AgentRecord[];
  /** Whether all keys have the same owner, so that the list does not name it. */
  readonly hasOneOwner?: boolean;
  readonly onRevoked: () => void;
}

export const KeyList = ({ keys, agents, hasOneOwner = false, onRevoked }: KeyListProps) => {
  const { client, clock } = useUi();
  const { houses, rooms } = useHouse();
  const validKeys = keys.filter(({ revokedAt }) => revokedAt === undefined).sort((a, b) => b.createdAt - a.createdAt);
  const places = new Map<string, string>([
    ...houses.map(({ id, content }) => [id, toVisible(content.name)] as const),
    ...rooms.map(({ room }) => [room.id, roomTitle(room)] as const),
  ]);
  const owners = [...new Set(validKeys.map(({ agent }) => agent))];
  const ownerFilter: ListFilter<KeyInfo> = {
    name: "owner",
    label: texts.owner,
    all: texts.allOwners,
    options: owners.map((id) => ({ value: id, title: nameOf(agents, id) })),
    matches: ({ agent }, value) => agent === value,
  };
  const usageFilter: ListFilter<KeyInfo> = {
    name: "use",
    label: texts.use,
    all: texts.allKeys,
    options: [
      { value: "used", title: texts.usedKeys },
      { value: "never", title: texts.unusedKeys },
      { value: "expired", title: texts.expiredKeys },
    ],
    matches: ({ usedAt, expiresAt }, value) =>
      value === "expired"
        ? expiresAt !== undefined && expiresAt <= clock.now()
        : (usedAt === undefined) === (value === "never"),
  };
  return (
    <ListTable
      label={texts.apiKeys}
      rows={validKeys}
      keyOf={({ id }) => id}
      nameOf={({ name }) => toVisible(name)}
      columns={columnsOf(places, hasOneOwner ? undefined : agents)}
      filters={hasOneOwner ? [usageFilter] : [ownerFilter, usageFilter]}
      searchText={({ name, agent }) => `${name} ${nameOf(agents, agent)}`}
      changes={[
        {
          id: "revoke",
          label: texts.revokeOne,
          icon: "delete",
          title: texts.revokeCount,
          confirm: { title: texts.revokeSelected, text: texts.revocationEffect },
          isDanger: true,
          run: ({ id }) => client.keys.revoke(id),
          done: texts.revokedCount,
        },
      ]}
      onChanged={onRevoked}
      empty={<EmptyState icon="key" title={texts.noApiKeys} />}
    />
  );
};

/** `agents`: undefined if all keys have the same owner. */
const columnsOf = (
  places: ReadonlyMap<string, string>,
  agents: readonly AgentRecord[] | undefined,
): readonly [TableColumn<KeyInfo>, ...TableColumn<KeyInfo>[]] => [
  { title: texts.name, cell: ({ name }) => <span className={styles.name}>{toVisible(name)}</span> },
  ...(agents === undefined ? [] : [{ title: texts.owner, cell: ({ agent }: KeyInfo) => nameOf(agents, agent) }]),
  { title: texts.scope, cell: (key) => describeScope(key, places) },
  { title: texts.use, cell: (key) => <KeyTimes keyInfo={key} /> },
];

const nameOf = (agents: readonly AgentRecord[], id: string): string =>
  toVisible(agents.find((agent) => agent.id === id)?.content.name ?? texts.aFormerMember);

const KeyTimes = ({ keyInfo: { createdAt, usedAt, expiresAt } }: { readonly keyInfo: KeyInfo }) => (
  <span className={styles.quiet}>
    {texts.created}
    <Time at={createdAt} style="relative" />
    {" · "}
    {usedAt === undefined ? texts.neverUsed : texts.lastUsed}
    {usedAt === undefined ? "" : <Time at={usedAt} style="relative" />}
    {expiresAt === undefined ? "" : <Expiry at={expiresAt} />}
  </span>
);

const Expiry = ({ at }: { readonly at: number }) => {
  const { clock } = useUi();
  return <> · {at <= clock.now() ? texts.expired : texts.expires(new Date(at).toLocaleDateString(locale))}</>;
};
