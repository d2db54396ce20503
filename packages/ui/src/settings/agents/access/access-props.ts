/** The properties of the sections of this tab. */
import type { AgentRecord, AgentTool } from "@hearth/protocol";

export interface AccessProps {
  readonly agent: AgentRecord;
  readonly onChange: (agent: AgentRecord) => void;
}

export interface ToolProps extends AccessProps {
  readonly tools: readonly AgentTool[];
}
