/** A message of somebody else as a part of a sentence: without the full stop at its end. */
export const withoutFullStop = (message: string): string => message.replace(/[.\s]+$/, '')
