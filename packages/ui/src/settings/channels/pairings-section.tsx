/** Lists the senders on channels, and approves, blocks and resets them. */
import type { AgentRecord, Pairing } from "@hearth/protocol";
import { useCallback, useState } from "react";
import { Badge } from "../../design/badge.tsx";
import { Button } from "../../design/button.tsx";
import { Dialog } from "../../design/dialog.tsx";
import { EmptyState } from "../../design/empty-state.tsx";
import type { TableColumn } from "../../design/table.tsx";
import { useRequest } from "../../house/request.ts";
import { RequestView } from "../../house/request-view.tsx";
import { useInterval } from "../../house/interval.ts";
import { Time } from "../../house/time.tsx";
import { useUi } from "../../house/ui.tsx";
import { type BulkChange, ListTable } from "../../lists/list-table.tsx";
import type { ListFilter } from "../../lists/matching.ts";
import { toVisible } from "../../text/visible.tsx";
import { Section } from "../form/section.tsx";
import styles from "../settings.module.css";
import { ApproveSender } from "./approve-sender.tsx";
import * as texts from "./text.ts";

/** Refresh interval, so that a new sender appears without a reload. */
const POLL_INTERVAL_MS = 5000;

export const PairingsSection = ({ people }: { readonly people: readonly AgentRecord[] }) => {
  const { client } = useUi();
  const request = useRequest(useCallback(async () => (await client.pairings()).list(), [client]));
  useInterval(POLL_INTERVAL_MS, request.reload);
  return (
    <Section title={texts.senders} text={texts.sendersIntroduction}>
      <RequestView request={request}>
        {(pairings) => <PairingTable pairings={pairings} people={people} onChanged={request.reload} />}
      </RequestView>
    </Section>
  );
};

export interface PairingTableProps {
  readonly pairings: readonly Pairing[];
  readonly people: readonly AgentRecord[];
  readonly onChanged: () => void;
}

const stateOrder = { pending: 0, allowed: 1, blocked: 2 } as const;

/** Lists senders. Those that wait for approval come first. */
export const PairingTable = ({ pairings, people, onChanged }: PairingTableProps) => {
  const [openPairing, setOpenPairing] = useState<Pairing>();
  const changes = usePairingChanges();
  const rows = pairings.toSorted((a, b) => stateOrder[a.state] - stateOrder[b.state]);
  return (
    <>
      <ListTable
        label={texts.senders}
        rows={rows}
        keyOf={({ channel, sender }) => JSON.stringify([channel, sender])}
        nameOf={nameOf}
        columns={columnsOf(people, setOpenPairing)}
        filters={[stateFilter, channelFilterOf(pairings)]}
        searchText={({ name, sender }) => `${name} ${sender}`}
        changes={changes}
        onChanged={onChanged}
        empty={<EmptyState icon="person" title={texts.noSenders} />}
      />
      <Dialog
        title={openPairing === undefined ? "" : texts.approveSender(nameOf(openPairing))}
        isOpen={openPairing !== undefined}
        onClose={() => setOpenPairing(undefined)}
      >
        {openPairing === undefined ? undefined : (
          <ApproveSender
            pairing={openPairing}
            people={people}
            onApproved={() => {
              setOpenPairing(undefined);
              onChanged();
            }}
          />
        )}
      </Dialog>
    </>
  );
};

const nameOf = ({ name, sender }: Pairing): string => toVisible(name === "" ? sender : name);

const usePairingChanges = (): readonly BulkChange<Pairing>[] => {
  const { client } = useUi();
  return [
    {
      id: "block",
      label: texts.block,
      icon: "stop",
      title: texts.blockCount,
      confirm: { title: texts.blockSenders, text: texts.blockEffect },
      isDanger: true,
      applies: ({ state }) => state !== "blocked",
      run: async ({ channel, sender }) => (await client.pairings()).block(channel, sender),
      done: texts.blockedCount,
    },
    {
      id: "reset",
      label: texts.reset,
      icon: "retry",
      title: texts.resetCount,
      confirm: { title: texts.resetSenders, text: texts.resetEffect },
      applies: ({ state }) => state !== "pending",
      run: async ({ channel, sender }) => (await client.pairings()).forget(channel, sender),
      done: texts.resetDone,
    },
  ];
};

const stateFilter: ListFilter<Pairing> = {
  name: "sender",
  label: texts.state,
  all: texts.allStates,
  options: [
    { value: "pending", title: texts.waiting },
    { value: "allowed", title: texts.approved },
    { value: "blocked", title: texts.blocked },
  ],
  matches: ({ state }, value) => state === value,
};

const channelFilterOf = (pairings: readonly Pairing[]): ListFilter<Pairing> => ({
  name: "channel",
  label: texts.channel,
  all: texts.allChannels,
  options: [...new Set(pairings.map(({ channel }) => channel))].map((value) => ({ value, title: toVisible(value) })),
  matches: ({ channel }, value) => channel === value,
});

const columnsOf = (
  people: readonly AgentRecord[],
  onApprove: (pairing: Pairing) => void,
): readonly [TableColumn<Pairing>, ...TableColumn<Pairing>[]] => [
  {
    title: texts.sender,
    cell: (pairing) => (
      <span className={styles.about}>
        <span className={styles.name}>{nameOf(pairing)}</span>
        {pairing.name === "" ? undefined : <span className={styles.quiet}>{toVisible(pairing.sender)}</span>}
      </span>
    ),
  },
  { title: texts.channel, cell: ({ channel }) => toVisible(channel) },
  {
    title: texts.state,
    cell: (pairing) => <PairingState pairing={pairing} people={people} onApprove={() => onApprove(pairing)} />,
  },
  { title: texts.firstMessage, cell: ({ createdAt }) => <Time at={createdAt} style="relative" /> },
];

interface PairingStateProps extends Pick<PairingTableProps, "people"> {
  readonly pairing: Pairing;
  readonly onApprove: () => void;
}

const PairingState = ({ pairing, people, onApprove }: PairingStateProps) => {
  const { clock } = useUi();
  const { state, person, expiresAt } = pairing;
  if (state === "blocked") return <Badge kind="danger">{texts.blocked}</Badge>;
  if (state === "allowed")
    return texts.writesAs(toVisible(people.find(({ id }) => id === person)?.content.name ?? texts.aFormerMember));
  return (
    <span className={styles.buttons}>
      <Badge kind="accent">{expiresAt !== undefined && expiresAt <= clock.now() ? texts.expired : texts.waiting}</Badge>
      <Button size="small" aria-label={texts.approveSender(nameOf(pairing))} onClick={onApprove}>
        {texts.approve}
      </Button>
    </span>
  );
};
