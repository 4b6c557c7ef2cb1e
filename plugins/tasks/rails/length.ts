import { wordsOf } from '#text'
import { readMarkdown } from '../article.ts'
import type { BuiltInRail } from '../ports.ts'

/** Within a quarter of the target is as good as on it; a quarter of the target, or two and a half times it, is worth nothing. */
const fullFrom = 0.75
const fullTo = 1.25
const zeroBelow = 0.25
const zeroAbove = 2.5

/** Words against `target_length`; the Sources list and code do not count. */
export const length: BuiltInRail = {
  name: 'length',
  describe: 'The text is about as long as asked for: full score within 25 % of target_length.',
  mode: 'required',
  threshold: 60,
  weight: 1,
  check({ content }, { target_length }) {
    const found = readMarkdown(content).blocks.reduce((sum, block) => sum + wordsOf(block.text).length, 0)
    const score = Math.round(lengthScore(found / target_length))
    const note = `${found} words found, ${target_length} wanted`
    if (score === 100) return { score, note: `${note}.` }
    return { score, note: `${note}: the text is ${found < target_length ? 'shorter' : 'longer'} than that.` }
  }
}

function lengthScore(ratio: number): number {
  if (ratio < fullFrom) return (100 * Math.max(0, ratio - zeroBelow)) / (fullFrom - zeroBelow)
  if (ratio > fullTo) return (100 * Math.max(0, zeroAbove - ratio)) / (zeroAbove - fullTo)
  return 100
}
