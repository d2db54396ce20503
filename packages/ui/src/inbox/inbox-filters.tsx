/** The filters of the inbox. Their values are in the address of the page. */
import type { AgentRecord } from "@hearth/protocol";
import { FilterBar } from "../design/filter-bar.tsx";
import type { Filters } from "../house/filters.ts";
import { toVisible } from "../text/visible.tsx";
import { DECIDED, type filterNames, inboxKinds } from "./inbox-items.ts";
import * as texts from "./text.ts";

export interface InboxFilterBarProps {
  readonly agents: readonly AgentRecord[];
  readonly filters: Filters<(typeof filterNames)[number]>;
}

export const InboxFilterBar = ({ agents, filters: { values, set, clear } }: InboxFilterBarProps) => (
  <FilterBar
    label={texts.filters}
    values={values}
    onChange={set}
    onClear={clear}
    filters={[
      {
        name: "agent",
        label: texts.agent,
        all: texts.allAgents,
        options: agents.map(({ handle, content }) => ({ value: handle, title: toVisible(content.name) })),
      },
      {
        name: "kind",
        label: texts.kind,
        all: texts.allKinds,
        options: inboxKinds.map((value) => ({ value, title: texts.kinds[value] })),
      },
      {
        name: "state",
        label: texts.state,
        all: texts.pendingState,
        options: [{ value: DECIDED, title: texts.decidedState }],
      },
    ]}
  />
);
