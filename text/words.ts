import { unspacedScripts } from './unspaced-scripts.ts'

const unspaced = `[${unspacedScripts}]`
const letters = '[\\p{L}\\p{M}\\p{N}]+'

/** Words of which `joint` holds two runs of letters together. */
const wordsJoinedBy = (joint: string) => new RegExp(`${unspaced}|${letters}(?:${joint}${letters})*`, 'gu')

const asRead = wordsJoinedBy(`(?:['’.-]|,(?=\\d))`)
const asCounted = wordsJoinedBy(`['’.-]`)
const asSpoken = new RegExp(`${unspaced}|${letters}`, 'gu')

/** The words of a plain text as a reader counts them, in lower case: `don't`, `node.js` and `1,000` are one each. */
export const wordsOf = (text: string): string[] => text.toLowerCase().replaceAll('’', "'").match(asRead) ?? []

/** Runs of letters and digits, in lower case with their accents: to tell whether two texts have the same words. */
export const plainWordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

/** The words of a plain text as the `word_count` of a post has them: `1,000` is two. */
export const wordCountOf = (text: string): number => text.match(asCounted)?.length ?? 0

/** The words of a plain text that take their time to be said: `1,000` and `don't` are two each. */
export const spokenWordCountOf = (text: string): number => text.match(asSpoken)?.length ?? 0
