/** Shown in a room without messages: its agent and suggestions for a first message, or a hint for a group. */
import { includesLevel } from "@hearth/protocol";
import { Avatar } from "../../design/avatar.tsx";
import { Button } from "../../design/button.tsx";
import { useHouse } from "../../house/ui.tsx";
import { toVisible } from "../../text/visible.tsx";
import styles from "./empty-room.module.css";
import { botsOf, isOffline, otherPeopleOf, partnerOf, suggestionsFor } from "../participants.ts";
import { useRoomView } from "../room-view.tsx";
import * as texts from "../text.ts";

export const EmptyRoom = () => {
  const { room, me, level, compose } = useRoomView();
  const { agents } = useHouse();
  const partner = partnerOf(room, agents);
  if (!includesLevel(level, "w"))
    return (
      <div className={styles.empty}>
        <h2>{texts.noMessagesYet}</h2>
      </div>
    );
  if (partner === undefined) {
    const [firstMember] = [...botsOf(room, agents), ...otherPeopleOf(room, agents, me)];
    return (
      <div className={styles.empty}>
        <h2>{texts.noMessagesYet}</h2>
        <p>
          {firstMember === undefined || room.content.kind === "direct"
            ? texts.emptyRoomHint
            : texts.emptyGroupRoomHint(firstMember.handle)}
        </p>
      </div>
    );
  }
  const { name, description } = partner.content;
  return (
    <div className={styles.empty}>
      <Avatar name={name} kind="bot" />
      <h2 dir="auto">{toVisible(name)}</h2>
      <p dir="auto">{toVisible(description ?? introduce(isOffline(partner)))}</p>
      <div className={styles.suggestions} role="group" aria-label={texts.suggestions}>
        {suggestionsFor(partner).map((text) => (
          <Button key={text} onClick={() => compose(text)}>
            {text.endsWith(" ") ? `${text}…` : text}
          </Button>
        ))}
      </div>
    </div>
  );
};

const introduce = (isOfflineHelper: boolean): string =>
  isOfflineHelper ? texts.offlineAgentIntroduction : texts.agentIntroduction;
