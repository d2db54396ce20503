/** Selects the newest known version of a record, from the event log or from an API response. */
import { useState } from "react";

interface Versioned {
  readonly id: string;
  readonly version: number;
}

/**
 * Returns the record to show, and a function that takes the record of an API response. A response
 * may arrive before the event.
 */
export const useNewest = <Item extends Versioned>(heard: Item): readonly [Item, (answered: Item) => void] => {
  const [answered, setAnswered] = useState(heard);
  return [newest(heard, answered), setAnswered];
};

export const newest = <Item extends Versioned>(heard: Item, answered: Item): Item =>
  answered.id === heard.id && answered.version > heard.version ? answered : heard;
