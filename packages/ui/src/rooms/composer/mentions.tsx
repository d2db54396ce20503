/**
 * The suggestion list of @mentions. Keys move through the list while the focus stays in the text.
 */
import { type AgentRecord, isHandle } from "@hearth/protocol";
import { type KeyboardEvent, type RefObject, useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import { useAnnounce } from "../../design/announcer.tsx";
import { Avatar } from "../../design/avatar.tsx";
import { toVisible } from "../../text/visible.tsx";
import { completeMention, findMentionQuery, suggestAgents } from "./mention.ts";
import styles from "./mentions.module.css";
import { membersOf } from "../participants.ts";
import { useRoomView } from "../room-view.tsx";
import * as texts from "../text.ts";

export interface Mentions {
  readonly offered: readonly AgentRecord[];
  readonly active: number;
  readonly listId: string;
  /** ARIA attributes that connect the text area to the list. */
  readonly attributes: {
    readonly "aria-autocomplete"?: "list";
    readonly "aria-controls"?: string;
    readonly "aria-activedescendant"?: string;
  };
  readonly choose: (agent: AgentRecord) => void;
  /** Returns whether the list handled the key. */
  readonly onKeyDown: (event: KeyboardEvent) => boolean;
  /** Called when the cursor moved. */
  readonly onSelect: () => void;
}

export const useMentions = (
  area: RefObject<HTMLTextAreaElement | null>,
  text: string,
  change: (text: string) => void,
): Mentions => {
  const { room, me, agents } = useRoomView();
  const announce = useAnnounce();
  const listId = useId();
  const [cursor, setCursor] = useState(0);
  const [active, setActive] = useState(0);
  /** Position of the @ whose list the user closed with Escape. */
  const [dismissedStart, setDismissedStart] = useState<number>();
  const next = useRef<number>(undefined);

  const hasMentions = room.content.kind === "group";
  const typed = hasMentions ? findMentionQuery(text, cursor) : undefined;
  const others = membersOf(room, agents).filter((agent) => agent.id !== me && isHandle(agent.handle));
  const offered = typed === undefined || typed.start === dismissedStart ? [] : suggestAgents(typed.query, others);
  const query = offered.length === 0 ? undefined : typed?.query;

  useEffect(() => setActive(0), [query]);
  useEffect(() => {
    if (typed === undefined) setDismissedStart(undefined);
  }, [typed]);
  useEffect(() => {
    if (offered.length > 0)
      announce(offered.length === 1 ? texts.oneSuggestion : texts.suggestionCount(offered.length));
  }, [offered.length, announce]);
  useLayoutEffect(() => {
    if (next.current === undefined) return;
    area.current?.setSelectionRange(next.current, next.current);
    setCursor(next.current);
    next.current = undefined;
  }, [area, text]);

  const choose = (agent: AgentRecord): void => {
    if (typed === undefined) return;
    const done = completeMention(text, typed, agent);
    next.current = done.cursor;
    change(done.text);
    area.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent): boolean => {
    const chosen = offered[active];
    if (chosen === undefined || event.nativeEvent.isComposing || event.altKey || event.ctrlKey || event.metaKey)
      return false;
    const { length } = offered;
    if (event.key === "ArrowDown") setActive((active + 1) % length);
    else if (event.key === "ArrowUp") setActive((active + length - 1) % length);
    else if ((event.key === "Enter" || event.key === "Tab") && !event.shiftKey) choose(chosen);
    else if (event.key === "Escape") setDismissedStart(typed?.start);
    else return false;
    event.preventDefault();
    return true;
  };
  const onSelect = (): void => {
    const element = area.current;
    // Selected text means that no mention is being typed.
    if (element !== null) setCursor(element.selectionStart === element.selectionEnd ? element.selectionEnd : -1);
  };
  return {
    offered,
    active,
    listId,
    attributes: {
      ...(hasMentions ? { "aria-autocomplete": "list" } : {}),
      ...(offered.length > 0 ? { "aria-controls": listId, "aria-activedescendant": optionId(listId, active) } : {}),
    },
    choose,
    onKeyDown,
    onSelect,
  };
};

export const MentionList = ({
  mentions,
}: {
  readonly mentions: Pick<Mentions, "offered" | "active" | "listId" | "choose">;
}) => {
  const { offered, active, listId, choose } = mentions;
  if (offered.length === 0) return undefined;
  return (
    <div id={listId} role="listbox" aria-label={texts.mentionSuggestions} className={styles.list}>
      {offered.map((agent, index) => (
        <div
          key={agent.id}
          id={optionId(listId, index)}
          role="option"
          aria-selected={index === active}
          tabIndex={-1}
          className={styles.option}
          // Keep the focus in the text.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => choose(agent)}
        >
          <Avatar name={agent.content.name} kind={agent.content.kind} size="small" />
          <bdi>{toVisible(agent.content.name)}</bdi>
          <span className={styles.handle}>@{agent.handle}</span>
        </div>
      ))}
    </div>
  );
};

const optionId = (listId: string, index: number): string => `${listId}${index}`;
