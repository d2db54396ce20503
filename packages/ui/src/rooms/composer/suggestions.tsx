/**
 * A list of suggestions for the text before the cursor. Keys move through the list while the focus
 * stays in the text.
 */
import { type KeyboardEvent, type ReactNode, useEffect, useId, useState } from "react";
import { useAnnounce } from "../../design/announcer.tsx";
import styles from "./suggestions.module.css";
import * as texts from "../text.ts";

export interface Suggestion {
  readonly key: string;
  readonly content: ReactNode;
  readonly onChoose: () => void;
}

export interface SuggestionsOptions {
  /** The accessible name of the list. */
  readonly label: string;
  readonly items: readonly Suggestion[];
  /** The text that the list completes. Another text selects the first suggestion. */
  readonly query: string | undefined;
  readonly onDismiss: () => void;
}

export interface Suggestions {
  /** The accessible name of the list. */
  readonly label: string;
  readonly items: readonly Suggestion[];
  /** The index of the selected suggestion. */
  readonly activeIndex: number;
  readonly listId: string;
  /** ARIA attributes that connect the text area to the list. */
  readonly attributes: { readonly "aria-controls"?: string; readonly "aria-activedescendant"?: string };
  /** Returns whether the list handled the key. */
  readonly onKeyDown: (event: KeyboardEvent) => boolean;
}

export const useSuggestions = ({ label, items, query, onDismiss }: SuggestionsOptions): Suggestions => {
  const announce = useAnnounce();
  const listId = useId();
  const [activeIndex, setActiveIndex] = useState(0);
  const { length } = items;
  useEffect(() => setActiveIndex(0), [query]);
  useEffect(() => {
    if (length > 0) announce(length === 1 ? texts.oneSuggestion : texts.suggestionCount(length), "unseen");
  }, [length, announce]);
  return {
    label,
    items,
    activeIndex,
    listId,
    attributes: length === 0 ? {} : { "aria-controls": listId, "aria-activedescendant": optionId(listId, activeIndex) },
    onKeyDown(event) {
      const chosenSuggestion = items[activeIndex];
      if (
        chosenSuggestion === undefined ||
        event.nativeEvent.isComposing ||
        event.altKey ||
        event.ctrlKey ||
        event.metaKey
      )
        return false;
      if (event.key === "ArrowDown") setActiveIndex((activeIndex + 1) % length);
      else if (event.key === "ArrowUp") setActiveIndex((activeIndex + length - 1) % length);
      else if ((event.key === "Enter" || event.key === "Tab") && !event.shiftKey) chosenSuggestion.onChoose();
      else if (event.key === "Escape") onDismiss();
      else return false;
      event.preventDefault();
      return true;
    },
  };
};

export const SuggestionList = ({
  suggestions: { label, items, activeIndex, listId },
}: {
  readonly suggestions: Suggestions;
}) =>
  items.length === 0 ? undefined : (
    <div id={listId} role="listbox" aria-label={label} className={styles.list}>
      {items.map(({ key, content, onChoose }, index) => (
        <div
          key={key}
          id={optionId(listId, index)}
          role="option"
          aria-selected={index === activeIndex}
          tabIndex={-1}
          className={styles.option}
          // Keep the focus in the text.
          onMouseDown={(event) => event.preventDefault()}
          onClick={onChoose}
        >
          {content}
        </div>
      ))}
    </div>
  );

const optionId = (listId: string, index: number): string => `${listId}${index}`;
