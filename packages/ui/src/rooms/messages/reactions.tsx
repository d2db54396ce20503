/** The emoji on a message, with their number and the names. A press adds or removes the user's own one. */
import type { RoomMessage } from "@hearth/client";
import { type AgentId, includesLevel, type Reaction } from "@hearth/protocol";
import { classes } from "../../design/classes.ts";
import { nameAgent, useRoomView } from "../room-view.tsx";
import * as texts from "../text.ts";
import styles from "./reactions.module.css";
import { useReact } from "./use-react.ts";

/** Maximum number of different emoji that are shown. */
const MAX_EMOJI = 20;
/** Maximum number of names per emoji. */
const MAX_NAMES = 20;

export const Reactions = ({ message }: { readonly message: RoomMessage }) => {
  const { agents, me, level } = useRoomView();
  const react = useReact(message);
  const { reactions } = message;
  if (reactions.length === 0) return undefined;
  const nameOf = (id: AgentId): string => (id === me ? texts.you : nameAgent(agents, id));
  const canReact = includesLevel(level, "w");
  return (
    <ul className={styles.reactions} aria-label={texts.reactions}>
      {reactions.slice(0, MAX_EMOJI).map((reaction) => {
        const isOwn = reaction.by.some((id) => id === me);
        const names = namesOf(reaction, nameOf);
        return (
          <li key={reaction.emoji}>
            <button
              type="button"
              className={classes(styles.reaction, isOwn && styles.own)}
              title={names}
              aria-label={texts.reactionBy(reaction.emoji, reaction.by.length, names)}
              aria-pressed={isOwn}
              disabled={!canReact}
              onClick={() => react(reaction.emoji, !isOwn)}
            >
              <span className={styles.emoji}>{reaction.emoji}</span> {reaction.by.length}
              <bdi className={styles.names}>{names}</bdi>
            </button>
          </li>
        );
      })}
      {reactions.length > MAX_EMOJI ? <li>{texts.moreReactions(reactions.length - MAX_EMOJI)}</li> : undefined}
    </ul>
  );
};

const namesOf = ({ by }: Reaction, nameOf: (id: AgentId) => string): string => {
  const names = by.slice(0, MAX_NAMES).map(nameOf).join(", ");
  return by.length > MAX_NAMES ? `${names}, +${by.length - MAX_NAMES}` : names;
};
