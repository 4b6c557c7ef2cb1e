/** A text with the moment it is heard at, in seconds: a cue or a chapter. */
export interface Moment {
  text: string
  fromSeconds: number
}

/** The sentences of a transcript, in their order. */
export interface HeardSentence extends Moment {
  toSeconds: number
}

/** A film for phones is at most as long. */
const maxShortSeconds = 60
/** Players count the sound to the end of its last packet: 72 ms at 8 kHz, less at all other rates. */
const lastPacketSeconds = 0.1
const maxHeardSeconds = maxShortSeconds - lastPacketSeconds
/** Each card takes a moment to draw. The last one stays. */
const maxCards = 255

/** A card for each chapter. Before the first one the cover is shown. */
export const chapterCards = (chapters: readonly Moment[]): readonly Moment[] => chapters.slice(0, maxCards)

/** The first sentences, as many as fit; the film ends with the last one. One that is too long alone is cut. */
export function captionCards(sentences: readonly HeardSentence[]): { cards: readonly Moment[]; seconds: number } {
  const fitting = sentences.filter(({ toSeconds }) => toSeconds <= maxHeardSeconds)
  const cards = fitting.length === 0 ? sentences.slice(0, 1) : fitting
  return { cards, seconds: Math.min(cards.at(-1)?.toSeconds ?? 0, maxHeardSeconds) }
}
