/** The time zone of an agent: its own, or the house's. */
import type { AgentRecord, HouseRecord } from "@hearth/protocol";

export const zoneOf = ({ content }: AgentRecord, house: HouseRecord | undefined): string =>
  content.timezone ?? house?.content.timezone ?? "UTC";
