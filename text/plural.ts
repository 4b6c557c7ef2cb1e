/** `1 slot`, `2 slots`: a number with its noun, which is given in the singular. */
export const pluralized = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`
