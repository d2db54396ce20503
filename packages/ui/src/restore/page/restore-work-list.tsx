/** The work that a restored house would do if it continued. */
import type { RestoreWork } from "@hearth/protocol";
import { Time } from "../../house/time.tsx";
import { useHouse } from "../../house/ui.tsx";
import { toVisible } from "../../text/visible.tsx";
import styles from "./restore.module.css";
import * as texts from "./text.ts";

export const RestoreWorkList = ({ work }: { readonly work: RestoreWork }) => {
  const { agents, rooms } = useHouse();
  const agentName = (id: string): string => [...agents.values()].find((agent) => agent.id === id)?.content.name ?? id;
  const roomName = (id: string): string => rooms.find(({ room }) => room.id === id)?.room.content.name ?? id;
  const rows = [
    ...work.activations.map(({ id, agent, room, createdAt, inDoubt }) => ({
      key: id,
      at: createdAt,
      text: texts.queuedRun(
        agentName(agent),
        roomName(room),
        inDoubt.map(({ name }) => name),
      ),
    })),
    ...work.messages.map(({ room, unread }) => ({
      key: `messages ${room}`,
      at: undefined,
      text: texts.unreadMessages(unread, roomName(room)),
    })),
    ...work.deliveries.map(({ id, channel, createdAt }) => ({
      key: id,
      at: createdAt,
      text: texts.messageToChannel(channel),
    })),
    ...work.jobs.map(({ agent, name, dueAt }) => ({
      key: `job ${agent} ${name}`,
      at: dueAt,
      text: texts.jobOf(name, agentName(agent)),
    })),
    ...work.approvals.map(({ id, agent, name }) => ({
      key: id,
      at: undefined,
      text: texts.approvalRequest(agentName(agent), name),
    })),
  ];
  if (rows.length === 0) return <p>{texts.noQueuedWork}</p>;
  return (
    <section aria-labelledby="restore-work">
      <h2 id="restore-work">{texts.queuedWork}</h2>
      <ul className={styles.list}>
        {rows.map(({ key, at, text }) => (
          <li key={key}>
            {toVisible(text)}
            {at === undefined ? undefined : (
              <span className={styles.quiet}>
                {" "}
                <Time at={at} style="relative" />
              </span>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
};
