/** Suggests the participants for an @mention before the cursor. */
import { type AgentRecord, isHandle } from "@hearth/protocol";
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import { Avatar } from "../../design/avatar.tsx";
import { toVisible } from "../../text/visible.tsx";
import { completeMention, findMentionQuery, suggestAgents } from "./mention.ts";
import { membersOf } from "../participants.ts";
import { useRoomView } from "../room-view.tsx";
import { type Suggestions, useSuggestions } from "./suggestions.tsx";
import styles from "./suggestions.module.css";
import * as texts from "../text.ts";

export interface Mentions {
  readonly suggestions: Suggestions;
  /** Called when the cursor moved. */
  readonly onSelect: () => void;
}

export const useMentions = (
  area: RefObject<HTMLTextAreaElement | null>,
  text: string,
  change: (text: string) => void,
): Mentions => {
  const { room, me, agents } = useRoomView();
  const [cursor, setCursor] = useState(0);
  /** Position of the @ whose list the user closed with Escape. */
  const [dismissedStart, setDismissedStart] = useState<number>();
  const nextCursor = useRef<number>(undefined);

  const mentionQuery = room.content.kind === "group" ? findMentionQuery(text, cursor) : undefined;
  const otherMembers = membersOf(room, agents).filter((agent) => agent.id !== me && isHandle(agent.handle));
  const matchingAgents =
    mentionQuery === undefined || mentionQuery.start === dismissedStart
      ? []
      : suggestAgents(mentionQuery.query, otherMembers);

  useEffect(() => {
    if (mentionQuery === undefined) setDismissedStart(undefined);
  }, [mentionQuery]);
  useLayoutEffect(() => {
    if (nextCursor.current === undefined) return;
    area.current?.setSelectionRange(nextCursor.current, nextCursor.current);
    setCursor(nextCursor.current);
    nextCursor.current = undefined;
  }, [area, text]);

  const choose = (agent: AgentRecord): void => {
    if (mentionQuery === undefined) return;
    const completion = completeMention(text, mentionQuery, agent);
    nextCursor.current = completion.cursor;
    change(completion.text);
    area.current?.focus();
  };
  const suggestions = useSuggestions({
    label: texts.mentionSuggestions,
    items: matchingAgents.map((agent) => ({
      key: agent.id,
      content: <MentionedAgent agent={agent} />,
      onChoose: () => choose(agent),
    })),
    query: matchingAgents.length === 0 ? undefined : mentionQuery?.query,
    onDismiss: () => setDismissedStart(mentionQuery?.start),
  });
  const onSelect = (): void => {
    const element = area.current;
    // Selected text means that no mention is being typed.
    if (element !== null) setCursor(element.selectionStart === element.selectionEnd ? element.selectionEnd : -1);
  };
  return { suggestions, onSelect };
};

const MentionedAgent = ({ agent }: { readonly agent: AgentRecord }) => (
  <>
    <Avatar name={agent.content.name} kind={agent.content.kind} size="small" />
    <bdi>{toVisible(agent.content.name)}</bdi>
    <span className={styles.detail}>@{agent.handle}</span>
  </>
);
