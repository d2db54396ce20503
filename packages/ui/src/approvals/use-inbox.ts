/**
 * Connects the inbox to the house: adds new requests, and fetches those that were decided
 * elsewhere.
 */
import { observe } from "@hearth/client";
import type { Approval, ApprovalId } from "@hearth/protocol";
import { useCallback, useEffect, useState } from "react";
import { useUi } from "../house/ui.tsx";
import { usePendingApprovals } from "./pending-approvals.ts";
import { emptyInbox, findMissing, removeApproval, replaceApproval, addPending } from "./inbox.ts";

export interface InboxView {
  /** Undefined until the house has answered. */
  readonly entries: readonly Approval[] | undefined;
  /** Why the last request failed. */
  readonly error: unknown;
  readonly reload: () => void;
  /** Replaces a request by its current state. */
  readonly updateEntry: (approval: Approval) => void;
  readonly removeEntry: (id: ApprovalId) => void;
}

/** Returns the list of requests. Adds the request `requestedId` even if it is already decided. */
export const useInbox = (requestedId: ApprovalId | undefined): InboxView => {
  const { client } = useUi();
  const { value, error, reload } = usePendingApprovals();
  const [inbox, setInbox] = useState(emptyInbox);
  const findApproval = useCallback(
    async (id: ApprovalId): Promise<Approval | undefined> =>
      // A request that the person can no longer see is no longer theirs to decide.
      (await client.approvals()).get(id).catch(() => undefined),
    [client],
  );
  useEffect(() => {
    if (value !== undefined) setInbox((currentInbox) => addPending(currentInbox, value));
  }, [value]);
  useEffect(() => {
    if (requestedId === undefined) return undefined;
    let isCancelled = false;
    observe(
      findApproval(requestedId).then((approval) => {
        if (!isCancelled && approval !== undefined)
          setInbox((currentInbox) => replaceApproval(addPending(currentInbox, [approval]), approval));
      }),
    );
    return () => {
      isCancelled = true;
    };
  }, [findApproval, requestedId]);
  useEffect(() => {
    let isCancelled = false;
    for (const id of value === undefined ? [] : findMissing(inbox, value))
      observe(
        findApproval(id).then((approval) => {
          if (!isCancelled)
            setInbox((currentInbox) =>
              approval === undefined ? removeApproval(currentInbox, id) : replaceApproval(currentInbox, approval),
            );
        }),
      );
    return () => {
      isCancelled = true;
    };
    // Runs once for each answer.
  }, [value, findApproval]);
  return {
    entries: value === undefined ? undefined : inbox.entries,
    error,
    reload,
    updateEntry: useCallback((approval) => setInbox((currentInbox) => replaceApproval(currentInbox, approval)), []),
    removeEntry: useCallback((id) => setInbox((currentInbox) => removeApproval(currentInbox, id)), []),
  };
};
