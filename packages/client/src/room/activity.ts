/**
 * The work of agents in a room, merged from three sources: the list of recent activations, the live
 * stream, and the replies. The sources differ in content and speed. Sends no requests.
 */
import type { Activation, ActivationId, DeltaEvent, LiveEvent } from "@hearth/protocol";
import { type PartsFold, foldParts, noParts } from "./fold-parts.ts";
import type { EndedActivation, LiveActivation, RoomMessage } from "./room.ts";

interface LiveEntry {
  readonly activation: LiveActivation;
  readonly fold: PartsFold;
  readonly queuedAt: number;
}

export interface Activity {
  /**
   * Sets the time of the last event when the room was opened. An activation that ended before has
   * its reply in a page that is or can be loaded.
   */
  setOpenedAt(at: number): void;
  /** Takes activations from the house, in any order. */
  list(activations: readonly Activation[]): void;
  /**
   * Takes an event of the live stream. Returns an activation whose end must be fetched, because the
   * event has too few details.
   */
  applyLiveEvent(event: LiveEvent): ActivationId | undefined;
  applyDelta(id: ActivationId, event: DeltaEvent): void;
  /** Clears the parts of an activation, because they will be sent again. */
  clearParts(id: ActivationId): void;
  /** Takes note that the reply of the activation is in the room. */
  markReplied(id: ActivationId): void;
  setStopping(id: ActivationId, isStopping: "stopping" | "running"): void;
  /** Drops an activation that the house does not know, or whose message another activation answers too. */
  forget(id: ActivationId): void;
  liveActivations(): readonly LiveActivation[];
  /** Returns the ended activations whose messages are shown and not deleted. */
  endedActivations(messages: readonly RoomMessage[]): readonly EndedActivation[];
}

export const createActivity = (): Activity => {
  const cards = new Map<ActivationId, LiveEntry>();
  /** Ended activations. They never become live again, even if a slower source reports an earlier state. */
  const endedIds = new Set<ActivationId>();
  const endedById = new Map<ActivationId, EndedActivation>();
  let openedAt = 0;
  let shownLive: readonly LiveActivation[] = [];
  let shownEnded: readonly EndedActivation[] = [];

  const change = (id: ActivationId, changes: Partial<LiveActivation>): void => {
    const card = cards.get(id);
    if (card !== undefined) cards.set(id, { ...card, activation: { ...card.activation, ...changes } });
  };

  const admit = (
    {
      id,
      agent,
      cause,
      state,
      since,
      retryAt,
    }: Pick<LiveActivation, "id" | "agent" | "cause" | "state" | "since" | "retryAt">,
    queuedAt: number,
  ): void => {
    if (endedIds.has(id)) return;
    const known = cards.get(id);
    if (known === undefined) {
      const activation = { id, agent, cause, state, since, retryAt, parts: [], isStopping: false };
      cards.set(id, { activation, fold: noParts, queuedAt });
    } else if (
      since >= known.activation.since &&
      (state !== known.activation.state || retryAt !== known.activation.retryAt)
    )
      change(id, { state, since, retryAt });
  };

  const finish = (ended: EndedActivation): void => {
    endedIds.add(ended.id);
    cards.delete(ended.id);
    endedById.set(ended.id, ended);
  };

  const fold = (id: ActivationId, next: (fold: PartsFold) => PartsFold): void => {
    const card = cards.get(id);
    if (card === undefined) return;
    const folded = next(card.fold);
    cards.set(id, { ...card, fold: folded, activation: { ...card.activation, ...toShownParts(folded) } });
  };

  const forget = (id: ActivationId): void => {
    endedIds.add(id);
    cards.delete(id);
    endedById.delete(id);
  };

  return {
    setOpenedAt: (at) => {
      openedAt = at;
    },
    list(activations) {
      for (const activation of activations) {
        const { id, agent, cause, state, createdAt, startedAt, endedAt, reason, error, mergedInto } = activation;
        // Listening and most skips are not shown in the room. A skip is shown when the user
        // mentioned an agent that may not answer.
        const { readyAt, skip, retryAt, retriedBy } = activation;
        if (readyAt !== undefined || (skip !== undefined && skip !== "admission")) continue;
        if (state === "queued" || state === "running" || state === "waiting")
          admit({ id, agent, cause, state, since: startedAt ?? createdAt, retryAt }, createdAt);
        else if (mergedInto !== undefined || retriedBy !== undefined) forget(id);
        else if (state === "replied") endedIds.add(id);
        else finish({ id, agent, cause, state, at: endedAt ?? createdAt, reason, error });
      }
    },
    applyLiveEvent(event) {
      const { activation: id, agent, at } = event;
      if (event.type !== "activation-over") {
        const state = liveStates[event.type];
        const retryAt = event.type === "activation-queued" ? event.retryAt : undefined;
        admit({ id, agent, cause: event.cause, state, since: at, retryAt }, at);
        return undefined;
      }
      const { state, error, mergedInto } = event;
      const card = cards.get(id);
      if (mergedInto !== undefined) {
        forget(id);
        return undefined;
      }
      if (state === "replied" || state === "queued" || state === "running" || state === "waiting") {
        endedIds.add(id);
        // For a later end, the card stays until the room's stream delivers the reply.
        if (at < openedAt) cards.delete(id);
        return undefined;
      }
      if (card === undefined) return endedIds.has(id) ? undefined : id;
      finish({ id, agent, cause: card.activation.cause, state, at, reason: error?.message, error });
      return error === undefined ? id : undefined;
    },
    applyDelta: (id, event) => fold(id, (parts) => foldParts(parts, event)),
    clearParts: (id) => fold(id, () => noParts),
    markReplied(id) {
      endedIds.add(id);
      cards.delete(id);
    },
    setStopping: (id, isStopping) => change(id, { isStopping: isStopping === "stopping" }),
    forget,
    liveActivations() {
      const next = [...cards.values()].sort((a, b) => a.queuedAt - b.queuedAt).map(({ activation }) => activation);
      shownLive = reuseIfEqual(shownLive, next);
      return shownLive;
    },
    endedActivations(messages) {
      if (endedById.size === 0) return (shownEnded = reuseIfEqual(shownEnded, []));
      const places = new Map(messages.map((message) => [message.id, message]));
      // A stopped activation with a partial reply is shown as that message.
      const spoken = new Set(messages.map(({ activation }) => activation));
      const next = [...endedById.values()]
        .flatMap((ended) => {
          const cause = places.get(ended.cause);
          if (cause === undefined || cause.isDeleted || spoken.has(ended.id)) return [];
          return [{ ended, offset: cause.offset }];
        })
        .sort((a, b) => a.offset - b.offset || a.ended.at - b.ended.at)
        .map(({ ended }) => ended);
      shownEnded = reuseIfEqual(shownEnded, next);
      return shownEnded;
    },
  };
};

const liveStates = {
  "activation-queued": "queued",
  "activation-running": "running",
  "activation-waiting": "waiting",
} as const;

const toShownParts = ({ parts, retry }: PartsFold): Pick<LiveActivation, "parts" | "retry"> => ({ parts, retry });

/** Returns the previous list if the contents are the same. */
export const reuseIfEqual = <One>(before: readonly One[], next: readonly One[]): readonly One[] =>
  before.length === next.length && next.every((item, index) => item === before[index]) ? before : next;
