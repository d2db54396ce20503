/** Keys for programs: made, shown once, revoked. Of one person or bot, or of all that one looks after. */
import type { AgentRecord, KeyInfo, Me } from "@hearth/protocol";
import { useCallback, useState } from "react";
import { useAnnounce } from "../design/announcer.tsx";
import { Button } from "../design/button.tsx";
import { ConfirmDialog } from "../design/dialog.tsx";
import { ErrorNotice } from "../design/notice.tsx";
import { mayIn } from "../house/may.ts";
import { Time } from "../house/time.tsx";
import { useHouse, useUi } from "../house/ui.tsx";
import { useAnswer } from "../house/answer.ts";
import { useWork } from "../models/use-work.ts";
import { visible } from "../text/visible.tsx";
import { levelTitles } from "./level-words.ts";
import { MakeKey } from "./make-key.tsx";
import { Section } from "./section.tsx";
import styles from "./settings.module.css";

export interface KeysSectionProps {
  /** Whose keys. Absent: all that the person looks after. */
  readonly of?: AgentRecord;
}

export const KeysSection = ({ of }: KeysSectionProps) => {
  const { client } = useUi();
  const { me, agents } = useHouse();
  const keys = useAnswer(useCallback(() => client.keys.list(), [client]));
  const shown = keys.value?.filter(({ agent }) => of === undefined || agent === of.id);
  return (
    <Section
      title="Keys"
      text={`For programs that talk to this house. Whoever holds a key acts as ${of === undefined ? "the one it is for" : nameFor(of, me?.agent)}.`}
    >
      {keys.error === undefined ? undefined : (
        <ErrorNotice
          error={keys.error}
          button={
            <Button size="small" onClick={keys.again}>
              Try again
            </Button>
          }
        />
      )}
      {shown === undefined ? undefined : (
        <KeyList keys={shown} agents={[...agents.values()]} isOfOne={of !== undefined} onRevoked={keys.again} />
      )}
      {me === undefined ? undefined : (
        <MakeKey me={me.agent} agents={of === undefined ? lookedAfter(me, agents) : [of]} onMade={keys.again} />
      )}
    </Section>
  );
};

/** Oneself, and those of houses where one decides. */
const lookedAfter = (me: Me, agents: ReadonlyMap<string, AgentRecord>): readonly AgentRecord[] =>
  [...agents.values()].filter(({ id, house }) => id === me.agent.id || mayIn(me, "x", house));

const nameFor = ({ id, content }: AgentRecord, me: AgentRecord | undefined): string =>
  id === me?.id ? "you" : visible(content.name);

export interface KeyListProps {
  readonly keys: readonly KeyInfo[];
  readonly agents: readonly AgentRecord[];
  /** Then it goes without saying whose they are. */
  readonly isOfOne?: boolean;
  readonly onRevoked: () => void;
}

export const KeyList = ({ keys, agents, isOfOne = false, onRevoked }: KeyListProps) => {
  const { client } = useUi();
  const announce = useAnnounce();
  const work = useWork();
  const [asked, setAsked] = useState<KeyInfo>();
  const valid = keys.filter(({ revokedAt }) => revokedAt === undefined).sort((a, b) => b.createdAt - a.createdAt);
  const revoke = async (key: KeyInfo): Promise<void> => {
    setAsked(undefined);
    if (!(await work.run(() => client.keys.revoke(key.id)))) return;
    announce(`${visible(key.name)} is revoked.`);
    onRevoked();
  };
  return (
    <>
      {valid.length === 0 ? <p className={styles.quiet}>There is no key.</p> : undefined}
      <ul className={styles.list}>
        {valid.map((key) => (
          <li key={key.id} className={styles.row}>
            <span className={styles.about}>
              <span className={styles.name}>{visible(key.name)}</span>
              <span className={styles.quiet}>
                {isOfOne ? "" : `For ${nameOf(agents, key.agent)} · `}
                {tellScope(key)}
                <Time at={key.createdAt} style="relative" />
                {key.expiresAt === undefined ? "" : <Expiry at={key.expiresAt} />}
              </span>
            </span>
            <Button size="small" kind="quiet" aria-label={`Revoke ${visible(key.name)}`} onClick={() => setAsked(key)}>
              Revoke
            </Button>
          </li>
        ))}
      </ul>
      {work.error === undefined ? undefined : <ErrorNotice error={work.error} />}
      <ConfirmDialog
        title={`Revoke ${visible(asked?.name ?? "")}?`}
        text="Programs that use this key are locked out at once. A key that is revoked stays revoked."
        confirm="Revoke"
        isDanger
        isOpen={asked !== undefined}
        onConfirm={() => {
          if (asked !== undefined) void revoke(asked);
        }}
        onClose={() => setAsked(undefined)}
      />
    </>
  );
};

const nameOf = (agents: readonly AgentRecord[], id: string): string =>
  visible(agents.find((agent) => agent.id === id)?.content.name ?? "someone who left");

/** What a key may do less than its agent. */
const tellScope = ({ scope }: KeyInfo): string => {
  if (scope === undefined) return "";
  return `${levelTitles[scope.level]} at most${scope.on === undefined ? "" : ", in some places only"} · `;
};

const Expiry = ({ at }: { readonly at: number }) => {
  const { clock } = useUi();
  return <> · {at <= clock.now() ? "has expired" : `until ${new Date(at).toLocaleDateString()}`}</>;
};
