/**
 * Scripts without blanks between words, for a character class: each of their characters counts as a word. The index of search
 * divides more scripts so (`analysis/characters.ts`): there, a word that is cut too small is still found.
 */
export const unspacedScripts = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}'
