/** Creates, lists and revokes API keys of one owner, or of everyone that the user administers. */
import type { AgentRecord, KeyInfo, Me } from "@hearth/protocol";
import { useCallback, useState } from "react";
import { useAnnounce } from "../../design/announcer.tsx";
import { Button } from "../../design/button.tsx";
import { ConfirmDialog } from "../../design/dialog.tsx";
import { ErrorNotice } from "../../design/notice.tsx";
import { mayIn } from "../../house/may.ts";
import { roomTitle } from "../../house/room-title.ts";
import { Time } from "../../house/time.tsx";
import { useHouse, useUi } from "../../house/ui.tsx";
import { useAnswer } from "../../house/answer.ts";
import { useSubmission } from "../../house/use-submission.ts";
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
  const keys = useAnswer(useCallback(() => client.keys.list(), [client]));
  const shown = keys.value?.filter(({ agent }) => owner === undefined || agent === owner.id);
  return (
    <Section
      title={texts.apiKeys}
      text={owner === undefined ? texts.keysOfEveryone : texts.keysOf(nameFor(owner, me?.agent))}
    >
      {keys.error === undefined ? undefined : (
        <ErrorNotice
          error={keys.error}
          button={
            <Button size="small" onClick={keys.again}>
              {texts.tryAgain}
            </Button>
          }
        />
      )}
      {shown === undefined ? undefined : (
        <KeyList keys={shown} agents={[...agents.values()]} hasOneOwner={owner !== undefined} onRevoked={keys.again} />
      )}
      {me === undefined ? undefined : (
        <MakeKey
          me={me.agent}
          agents={owner === undefined ? administeredAgents(me, agents) : [owner]}
          onMade={keys.again}
        />
      )}
    </Section>
  );
};

/** Returns the current user and the members of the houses that the user administers. */
const administeredAgents = (me: Me, agents: ReadonlyMap<string, AgentRecord>): readonly AgentRecord[] =>
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
  const { client } = useUi();
  const { houses, rooms } = useHouse();
  const announce = useAnnounce();
  const work = useSubmission();
  const [keyToRevoke, setKeyToRevoke] = useState<KeyInfo>();
  const valid = keys.filter(({ revokedAt }) => revokedAt === undefined).sort((a, b) => b.createdAt - a.createdAt);
  const places = new Map<string, string>([
    ...houses.map(({ id, content }) => [id, toVisible(content.name)] as const),
    ...rooms.map(({ room }) => [room.id, roomTitle(room)] as const),
  ]);
  const revoke = async (key: KeyInfo): Promise<void> => {
    setKeyToRevoke(undefined);
    if (!(await work.run(() => client.keys.revoke(key.id)))) return;
    announce(texts.revoked(toVisible(key.name)));
    onRevoked();
  };
  return (
    <>
      {valid.length === 0 ? <p className={styles.quiet}>{texts.noApiKeys}</p> : undefined}
      <ul className={styles.list}>
        {valid.map((key) => (
          <li key={key.id} className={styles.row}>
            <span className={styles.about}>
              <span className={styles.name}>{toVisible(key.name)}</span>
              <span className={styles.quiet}>
                {hasOneOwner ? "" : texts.forOwner(nameOf(agents, key.agent))}
                {describeScope(key, places)}
              </span>
              <KeyTimes keyInfo={key} />
            </span>
            <Button
              size="small"
              kind="quiet"
              aria-label={texts.revokeKey(toVisible(key.name))}
              onClick={() => setKeyToRevoke(key)}
            >
              {texts.revoke}
            </Button>
          </li>
        ))}
      </ul>
      {work.error === undefined ? undefined : <ErrorNotice error={work.error} />}
      <ConfirmDialog
        title={texts.revokeKeyTitle(toVisible(keyToRevoke?.name ?? ""))}
        text={texts.revocationEffect}
        confirm={texts.revoke}
        isDanger
        isOpen={keyToRevoke !== undefined}
        onConfirm={() => {
          if (keyToRevoke !== undefined) void revoke(keyToRevoke);
        }}
        onClose={() => setKeyToRevoke(undefined)}
      />
    </>
  );
};

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
