/** The open sandboxes of all agents, and the settings of new ones. */
import type { AgentRecord, CellInfo } from "@hearth/protocol";
import { useCallback, useMemo } from "react";
import { EmptyState } from "../../design/empty-state.tsx";
import type { TableColumn } from "../../design/table.tsx";
import { useRequest } from "../../house/request.ts";
import { RequestView } from "../../house/request-view.tsx";
import { useInterval } from "../../house/interval.ts";
import { mayIn } from "../../house/may.ts";
import { Time } from "../../house/time.tsx";
import { useHouse, useUi } from "../../house/ui.tsx";
import { ListTable } from "../../lists/list-table.tsx";
import { toVisible } from "../../text/visible.tsx";
import { describeRunning, isolationWords, listLimits, listWalls } from "../agents/cell-words.ts";
import { Section } from "../form/section.tsx";
import { sandboxGroups } from "../values/groups.ts";
import { SettingGroups } from "../values/setting-groups.tsx";
import styles from "../settings.module.css";
import * as texts from "./text.ts";

/** Refresh interval, because sandboxes open and close without an event. */
const POLL_INTERVAL_MS = 5000;

export const SandboxesPage = () => {
  const { client } = useUi();
  const request = useRequest(useCallback(() => client.cells.list(), [client]));
  useInterval(POLL_INTERVAL_MS, request.reload);
  return (
    <>
      <Section title={texts.openSandboxes} text={texts.openSandboxesIntroduction}>
        <RequestView request={request}>
          {(cells) => <SandboxTable cells={cells} onChanged={request.reload} />}
        </RequestView>
      </Section>
      <SettingGroups groups={sandboxGroups} />
    </>
  );
};

interface Sandbox {
  readonly cell: CellInfo;
  /** Undefined for an agent that the current user cannot see. */
  readonly agent: AgentRecord | undefined;
  /** The agent's name. */
  readonly name: string;
  /** The people whose work the sandbox does. */
  readonly audience: string;
}

export interface SandboxTableProps {
  readonly cells: readonly CellInfo[];
  readonly onChanged: () => void;
}

export const SandboxTable = ({ cells, onChanged }: SandboxTableProps) => {
  const { client } = useUi();
  const { me, agents, rooms } = useHouse();
  const rows = cells.map((cell): Sandbox => {
    const agent = agents.get(cell.agent);
    const entry = rooms.find(({ room }) => cell.audience === `room:${room.id}`);
    return {
      cell,
      agent,
      name: toVisible(agent?.content.name ?? texts.hiddenAgent),
      audience:
        cell.audience === "private" ? texts.privateAudience : toVisible(entry?.room.content.name ?? texts.hiddenRoom),
    };
  });
  const names = useMemo(() => [...new Set(rows.map(({ name }) => name))].toSorted(), [rows]);
  return (
    <ListTable
      label={texts.openSandboxes}
      rows={rows}
      keyOf={({ cell }) => `${cell.agent} ${cell.audience}`}
      nameOf={({ name, audience }) => `${name} · ${audience}`}
      columns={columns}
      filters={[
        {
          name: "agent",
          label: texts.agent,
          all: texts.allAgents,
          options: names.map((name) => ({ value: name, title: name })),
          matches: ({ name }, value) => name === value,
        },
      ]}
      changes={[
        {
          id: "close",
          label: texts.close,
          icon: "close",
          title: texts.closeCount,
          applies: ({ agent }) => agent !== undefined && me !== undefined && mayIn(me, "x", agent.house),
          run: ({ cell }) => client.cells.close(cell.agent, cell.audience),
          done: texts.closedCount,
        },
      ]}
      onChanged={onChanged}
      empty={<EmptyState icon="system" title={texts.noSandboxes} text={texts.noSandboxesDetail} />}
    />
  );
};

const columns: readonly [TableColumn<Sandbox>, ...TableColumn<Sandbox>[]] = [
  {
    title: texts.agent,
    cell: ({ name, audience }) => (
      <span className={styles.about}>
        <span className={styles.name}>{name}</span>
        <span className={styles.quiet}>{audience}</span>
      </span>
    ),
  },
  {
    title: texts.isolation,
    cell: ({ cell }) => (
      <span className={styles.about}>
        <span>
          {isolationWords[cell.isolation]} · {cell.backend}
        </span>
        <span className={styles.quiet}>{listWalls(cell)}</span>
      </span>
    ),
  },
  { title: texts.limits, cell: ({ cell }) => <span className={styles.quiet}>{listLimits(cell.limits)}</span> },
  {
    title: texts.state,
    cell: ({ cell }) => (
      <span className={styles.about}>
        <span>{describeRunning(cell)}</span>
        <span className={styles.quiet}>
          {texts.opened} <Time at={cell.openedAt} style="relative" />
        </span>
      </span>
    ),
  },
];
