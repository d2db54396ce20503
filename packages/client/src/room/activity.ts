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
  /** Adds activations that the house listed, in any order. */
  list(activations: readonly Activation[]): void;
  /**
   * Applies an event of the live stream. Returns an activation whose end must be fetched, because the
   * event has too few details.
   */
  applyLiveEvent(event: LiveEvent): ActivationId | undefined;
  applyDelta(id: ActivationId, event: DeltaEvent): void;
  /** Clears the parts of an activation, because they will be sent again. */
  clearParts(id: ActivationId): void;
  /** Records that the reply of the activation is in the room. */
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
  let lastLive: readonly LiveActivation[] = [];
  let lastEnded: readonly EndedActivation[] = [];

  const change = (id: ActivationId, changes: Partial<LiveActivation>): void => {
    const card = cards.get(id);
    if (card !== undefined) cards.set(id, { ...card, activation: { ...card.activation, ...changes } });
  };

  const track = (
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
    const existingCard = cards.get(id);
    if (existingCard === undefined) {
      const activation = { id, agent, cause, state, since, retryAt, parts: [], isStopping: false };
      cards.set(id, { activation, fold: noParts, queuedAt });
    } else if (
      since >= existingCard.activation.since &&
      (state !== existingCard.activation.state || retryAt !== existingCard.activation.retryAt)
    )
      change(id, { state, since, retryAt });
  };

  const addEnded = (endedActivation: EndedActivation): void => {
    endedIds.add(endedActivation.id);
    cards.delete(endedActivation.id);
    endedById.set(endedActivation.id, endedActivation);
  };

  const updateParts = (id: ActivationId, update: (updateParts: PartsFold) => PartsFold): void => {
    const card = cards.get(id);
    if (card === undefined) return;
    const newFold = update(card.fold);
    cards.set(id, { ...card, fold: newFold, activation: { ...card.activation, ...toShownParts(newFold) } });
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
          track({ id, agent, cause, state, since: startedAt ?? createdAt, retryAt }, createdAt);
        else if (mergedInto !== undefined || retriedBy !== undefined) forget(id);
        else if (state === "replied") endedIds.add(id);
        else addEnded({ id, agent, cause, state, at: endedAt ?? createdAt, reason, error });
      }
    },
    applyLiveEvent(event) {
      const { activation: id, agent, at } = event;
      if (event.type !== "activation-over") {
        const state = liveStates[event.type];
        const retryAt = event.type === "activation-queued" ? event.retryAt : undefined;
        track({ id, agent, cause: event.cause, state, since: at, retryAt }, at);
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
      addEnded({ id, agent, cause: card.activation.cause, state, at, reason: error?.message, error });
      return error === undefined ? id : undefined;
    },
    applyDelta: (id, event) => updateParts(id, (parts) => foldParts(parts, event)),
    clearParts: (id) => updateParts(id, () => noParts),
    markReplied(id) {
      endedIds.add(id);
      cards.delete(id);
    },
    setStopping: (id, isStopping) => change(id, { isStopping: isStopping === "stopping" }),
    forget,
    liveActivations() {
      const sortedCards = [...cards.values()].sort((a, b) => a.queuedAt - b.queuedAt);
      lastLive = reuseIfEqual(
        lastLive,
        sortedCards.map(({ activation }) => activation),
      );
      return lastLive;
    },
    endedActivations(messages) {
      if (endedById.size === 0) return (lastEnded = reuseIfEqual(lastEnded, []));
      const messagesById = new Map(messages.map((message) => [message.id, message]));
      // A stopped activation with a partial reply is shown as that message.
      const activationsWithMessage = new Set(messages.map(({ activation }) => activation));
      const endedActivations = [...endedById.values()]
        .flatMap((endedActivation) => {
          const cause = messagesById.get(endedActivation.cause);
          if (cause === undefined || cause.isDeleted || activationsWithMessage.has(endedActivation.id)) return [];
          return [{ endedActivation, offset: cause.offset }];
        })
        .sort((a, b) => a.offset - b.offset || a.endedActivation.at - b.endedActivation.at)
        .map(({ endedActivation }) => endedActivation);
      lastEnded = reuseIfEqual(lastEnded, endedActivations);
      return lastEnded;
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
export const reuseIfEqual = <Item>(previousItems: readonly Item[], currentItems: readonly Item[]): readonly Item[] =>
  previousItems.length === currentItems.length && currentItems.every((item, index) => item === previousItems[index])
    ? previousItems
    : currentItems;
