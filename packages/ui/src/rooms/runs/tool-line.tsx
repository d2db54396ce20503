/** The tool calls before a reply, as one expandable line. */
import { observe } from "@hearth/client";
import type { ActivationId, ActivationPart, AgentId } from "@hearth/protocol";
import { useCallback, useEffect, useState } from "react";
import { Button } from "../../design/button.tsx";
import { classes } from "../../design/classes.ts";
import { Icon } from "../../design/icon.tsx";
import { ErrorNotice } from "../../design/notice.tsx";
import { Spinner } from "../../design/spinner.tsx";
import { Parts } from "../messages/parts.tsx";
import { useExpanded, useRoomView } from "../room-view.tsx";
import styles from "./tool-line.module.css";
import { countTools } from "./tool-words.ts";
import * as texts from "../text.ts";

export interface ToolLineProps {
  readonly activation: ActivationId;
  readonly agent: AgentId;
  readonly count: number;
}

export const ToolLine = ({ activation, agent, count }: ToolLineProps) => {
  const [isOpen, toggle] = useExpanded(activation);
  return (
    <div className={styles.tools}>
      <button
        type="button"
        aria-expanded={isOpen}
        className={classes(styles.line, isOpen && styles.open)}
        onClick={toggle}
      >
        <Icon name="chevron" />
        {countTools(count)}
      </button>
      {isOpen ? <PastParts activation={activation} agent={agent} /> : undefined}
    </div>
  );
};

type PartsState =
  | { readonly kind: "loading" }
  | { readonly kind: "loaded"; readonly parts: readonly ActivationPart[] }
  | { readonly kind: "failed"; readonly error: unknown };

const PastParts = ({ activation, agent }: Omit<ToolLineProps, "count">) => {
  const { reader, receivedParts } = useRoomView();
  const [partsState, setPartsState] = useState<PartsState>(() => {
    const parts = receivedParts.get(activation);
    return parts === undefined ? { kind: "loading" } : { kind: "loaded", parts };
  });
  const load = useCallback(
    () =>
      reader.partsOf(activation).then(
        (parts): PartsState => ({ kind: "loaded", parts }),
        (error: unknown): PartsState => ({ kind: "failed", error }),
      ),
    [reader, activation],
  );
  useEffect(() => {
    let isUnmounted = false;
    observe(
      load().then((newState) => {
        // If a refresh fails, the parts that are already shown stay.
        if (!isUnmounted)
          setPartsState((previousState) =>
            previousState.kind === "loaded" && newState.kind === "failed" ? previousState : newState,
          );
      }),
    );
    return () => {
      isUnmounted = true;
    };
  }, [load]);
  const retry = async (): Promise<void> => {
    setPartsState({ kind: "loading" });
    setPartsState(await load());
  };
  switch (partsState.kind) {
    case "loading":
      return <Spinner label={texts.loadingToolCalls} />;
    case "failed":
      return (
        <ErrorNotice
          error={partsState.error}
          shape="line"
          button={
            <Button size="small" icon="retry" onClick={() => observe(retry())}>
              {texts.tryAgain}
            </Button>
          }
        />
      );
    case "loaded":
      return <Parts parts={listPartsBeforeAnswer(partsState.parts)} activation={activation} agent={agent} />;
  }
};

/** Returns the parts before the answer. The answer is the text after the last tool call. */
export const listPartsBeforeAnswer = (parts: readonly ActivationPart[]): readonly ActivationPart[] =>
  parts.slice(0, parts.findLastIndex((part) => part.kind === "tool") + 1);
