/** The texts and tool calls of a run, in order. */
import type { ActivationId, ActivationPart, AgentId } from "@hearth/protocol";
import { Markdown } from "../../text/markdown.tsx";
import styles from "./parts.module.css";
import { ToolCard } from "../runs/tool-card.tsx";

export interface PartsProps {
  readonly activation: ActivationId;
  /** The agent that ran. */
  readonly agent: AgentId;
  readonly parts: readonly ActivationPart[];
  /** Whether the model is still writing the last text. */
  readonly isStreaming?: boolean;
}

export const Parts = ({ activation, agent, parts, isStreaming = false }: PartsProps) => (
  <div className={styles.parts}>
    {parts.map((part, index) =>
      part.kind === "tool" ? (
        <ToolCard key={part.call} part={part} activation={activation} agent={agent} />
      ) : (
        // The index is a stable key, because parts are only appended.
        <Markdown key={index} text={part.text} isStreaming={isStreaming && index === parts.length - 1} />
      ),
    )}
  </div>
);
