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
  readonly put: (approval: Approval) => void;
  readonly leave: (id: ApprovalId) => void;
}

/** Returns the list of requests. The request `wanted` is added even if it is already decided. */
export const useInbox = (requestedId: ApprovalId | undefined): InboxView => {
  const { client } = useUi();
  const { value, error, reload } = usePendingApprovals();
  const [inbox, setInbox] = useState(emptyInbox);
  const lookUp = useCallback(
    async (id: ApprovalId): Promise<Approval | undefined> =>
      // A request that the person can no longer see is no longer theirs to decide.
      (await client.approvals()).get(id).catch(() => undefined),
    [client],
  );
  useEffect(() => {
    if (value !== undefined) setInbox((before) => addPending(before, value));
  }, [value]);
  useEffect(() => {
    if (requestedId === undefined) return undefined;
    let isGone = false;
    observe(
      lookUp(requestedId).then((approval) => {
        if (!isGone && approval !== undefined)
          setInbox((before) => replaceApproval(addPending(before, [approval]), approval));
      }),
    );
    return () => {
      isGone = true;
    };
  }, [lookUp, requestedId]);
  useEffect(() => {
    let isGone = false;
    for (const id of value === undefined ? [] : findMissing(inbox, value))
      observe(
        lookUp(id).then((approval) => {
          if (!isGone)
            setInbox((before) =>
              approval === undefined ? removeApproval(before, id) : replaceApproval(before, approval),
            );
        }),
      );
    return () => {
      isGone = true;
    };
    // Runs once for each answer.
  }, [value, lookUp]);
  return {
    entries: value === undefined ? undefined : inbox.entries,
    error,
    reload,
    put: useCallback((approval) => setInbox((before) => replaceApproval(before, approval)), []),
    leave: useCallback((id) => setInbox((before) => removeApproval(before, id)), []),
  };
};
