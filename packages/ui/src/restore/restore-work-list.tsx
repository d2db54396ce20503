/** The work that a restored house would do if it continued. */
import type { RestoreWork } from "@hearth/protocol";
import { Time } from "../house/time.tsx";
import { useHouse } from "../house/ui.tsx";
import { visible } from "../text/visible.tsx";
import styles from "./restore.module.css";

export const RestoreWorkList = ({ work }: { readonly work: RestoreWork }) => {
  const { agents, rooms } = useHouse();
  const agentName = (id: string): string => [...agents.values()].find((agent) => agent.id === id)?.content.name ?? id;
  const roomName = (id: string): string => rooms.find(({ room }) => room.id === id)?.room.content.name ?? id;
  const rows = [
    ...work.activations.map(({ id, agent, room, createdAt, inDoubt }) => ({
      ...{ key: id, at: createdAt },
      text: `A run of ${agentName(agent)} in ${roomName(room)}${tellCalls(inDoubt.map(({ name }) => name))}`,
    })),
    ...work.messages.map(({ room, unread }) => ({
      ...{ key: `messages ${room}`, at: undefined },
      text: `${unread === 1 ? "1 message" : `${unread} messages`} in ${roomName(room)} that no agent has read`,
    })),
    ...work.deliveries.map(({ id, channel, createdAt }) => ({
      ...{ key: id, at: createdAt },
      text: `A message to the channel ${channel}`,
    })),
    ...work.jobs.map(({ agent, name, dueAt }) => ({
      ...{ key: `job ${agent} ${name}`, at: dueAt },
      text: `The job ${name} of ${agentName(agent)}`,
    })),
    ...work.approvals.map(({ id, agent, name }) => ({
      ...{ key: id, at: undefined },
      text: `A request of ${agentName(agent)} to use ${name}`,
    })),
  ];
  if (rows.length === 0) return <p>No work is queued.</p>;
  return (
    <section aria-labelledby="restore-work">
      <h2 id="restore-work">Queued work</h2>
      <ul className={styles.list}>
        {rows.map(({ key, at, text }) => (
          <li key={key}>
            {visible(text)}
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

/** Calls that began before the copy was made, with an unknown outcome. */
const tellCalls = (names: readonly string[]): string =>
  names.length === 0 ? "" : `. These calls may have been made before: ${names.join(", ")}`;
