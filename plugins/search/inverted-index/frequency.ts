/** What one mention is worth, in halves of a mention in the text. */
export const fieldBoost = { title: 6, heading: 3, text: 2 } as const

/** A post says a term so often at most, in halves. */
export const maxFrequency = 255

const stepsPerDoubling = 16

/** A byte for the words of a text, within 4 %. */
export const lengthCode = (words: number): number =>
  Math.min(255, Math.round(stepsPerDoubling * Math.log2(1 + Math.max(0, words))))

/** The words that a code stands for. */
export const lengthOf = (code: number): number => 2 ** (code / stepsPerDoubling) - 1
