/** Stands for what is left out of a text until its gaps are closed. It is no character, so that no text needs it. */
export const gap = '\ufdd0'

/** A text in which every `gap` is one that was put there. */
export const withoutGaps = (text: string): string => text.replaceAll(gap, '')

/** What stands right after a word. */
const closing = '[.,;:!?…)\\]}»”’،؛؟۔。，、；：！？）】」』]'
const gapBeforeClosing = new RegExp(`\\s*${gap}[\\s${gap}]*(?=${closing})`, 'g')

/** Closes them: where a mark follows, the blank before the gap goes along, so that no blank is left before the mark. */
export const closeGaps = (text: string): string => withoutGaps(text.replace(gapBeforeClosing, ''))
