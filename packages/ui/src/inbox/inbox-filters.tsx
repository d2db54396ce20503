/** The filters of the inbox, which are in its address. */
import type { AgentRecord } from "@hearth/protocol";
import { FilterBar } from "../design/filter-bar.tsx";
import type { Filters } from "../house/filters.ts";
import { visible } from "../text/visible.tsx";
import { DECIDED, type filterNames, inboxKinds } from "./inbox-items.ts";
import * as texts from "./text.ts";

export interface InboxFilterBarProps {
  readonly agents: readonly AgentRecord[];
  readonly filters: Filters<(typeof filterNames)[number]>;
}

export const InboxFilterBar = ({ agents, filters: { values, set, clear } }: InboxFilterBarProps) => (
  <FilterBar
    label={texts.filters}
    onClear={clear}
    filters={[
      {
        label: texts.agent,
        value: values.agent,
        onChange: (value) => set("agent", value),
        all: texts.allAgents,
        options: agents.map(({ handle, content }) => ({ value: handle, title: visible(content.name) })),
      },
      {
        label: texts.kind,
        value: values.kind,
        onChange: (value) => set("kind", value),
        all: texts.allKinds,
        options: inboxKinds.map((value) => ({ value, title: texts.kinds[value] })),
      },
      {
        label: texts.state,
        value: values.state,
        onChange: (value) => set("state", value),
        all: texts.pendingState,
        options: [{ value: DECIDED, title: texts.decidedState }],
      },
    ]}
  />
);
