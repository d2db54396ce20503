/**
 * The second entry of the area `agents`: parts that are loaded on demand, so that a start does not
 * wait for them.
 */
export { decodeText } from "./brains/lines.ts";
export { spansOf } from "./brains/text-cache.ts";
export { readNotes, readSummary, toNotesRequest, toSummaryRequest } from "./context/compaction/compaction-request.ts";
export { createSliceReader } from "./context/compaction/conversation-slice.ts";
export { shrink } from "./context/compaction/shrink.ts";
export { createAgentTools } from "./context/agent-tools.ts";
export { estimateTokens, createPromptReports } from "./context/prompt-report.ts";
export { compactAbove, limitOf } from "./context/context-limits.ts";
export { continueFrom } from "./context/continue-history.ts";
export { noteOn } from "./context/volatile-parts.ts";
export { HEARTBEAT_PART } from "./context/parts.ts";
export { redactRequest } from "./context/traces/redactions.ts";
export { remember } from "./memory/remembering.ts";
export { TRUSTED_LABEL } from "./tools/call.ts";
export { createHostTools } from "./tools/index.ts";
