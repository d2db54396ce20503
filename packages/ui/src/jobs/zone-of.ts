/** In which times an agent lives: its own, or the house's. */
import type { AgentRecord, HouseRecord } from "@hearth/protocol";

export const zoneOf = ({ content }: AgentRecord, house: HouseRecord | undefined): string =>
  content.timezone ?? house?.content.timezone ?? "UTC";
