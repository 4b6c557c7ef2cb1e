import { type GatedText, withoutGated } from '../gated-parts.ts'
import { isRow } from './records.ts'

/** Ghost writes them around a card that not everybody is shown: `nonMember:false memberSegment:"status:free"`. */
const gateMark = /<!--\s*kg-gated-block:(begin|end)\b([\s\S]*?)(?:-->|$)/g
const openToAll = /^\s*nonMember:true(?=\s|$)/

/** Cards that are sent by mail, and never shown on the web. */
const mailCards: ReadonlySet<string> = new Set(['email', 'email-cta'])

/** The HTML of a post as it was shown to everybody. */
export const openHtml = (html: string): GatedText =>
  withoutGated(html, gateMark, ([, edge, said = '']) =>
    edge === 'end' ? 'end' : openToAll.test(said) ? 'open' : 'gated'
  )

/** HTML of a card in the marks that Ghost itself would write, where not everybody was shown it. */
export function gatedHtml(name: string, card: Readonly<Record<string, unknown>>, html: string): string {
  if (!mailCards.has(name) && isShownToAll(card.visibility)) return html
  return inGate(html)
}

/** HTML in the marks of what not everybody was shown. */
export const inGate = (html: string): string =>
  `<!--kg-gated-block:begin nonMember:false-->${html.replace(gateMark, '')}<!--kg-gated-block:end-->`

/** `{web: {nonMember}}`, or as earlier versions have it `{showOnWeb}` or `{emailOnly}`. */
function isShownToAll(visibility: unknown): boolean {
  if (visibility === undefined || visibility === null) return true
  if (!isRow(visibility) || visibility.showOnWeb === false || visibility.emailOnly === true) return false
  return visibility.web === undefined || (isRow(visibility.web) && visibility.web.nonMember === true)
}
