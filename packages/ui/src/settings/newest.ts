/** A record as it was last heard of: from the house's log, or from the answer to a change, whichever is newer. */
import { useState } from "react";

interface Versioned {
  readonly id: string;
  readonly version: number;
}

/** The record to show, and how to tell of an answer: it may come before the log does. */
export const useNewest = <Item extends Versioned>(heard: Item): readonly [Item, (answered: Item) => void] => {
  const [answered, setAnswered] = useState(heard);
  return [newest(heard, answered), setAnswered];
};

export const newest = <Item extends Versioned>(heard: Item, answered: Item): Item =>
  answered.id === heard.id && answered.version > heard.version ? answered : heard;
