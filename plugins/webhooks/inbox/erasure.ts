import type { Webhooks } from '../index.ts'
import { removeBodiesWith } from '../repository/deliveries.ts'
import { erasePayloadsWith, eraseReports } from '../repository/subscriber-events.ts'

export const eraseAddress: Webhooks['eraseAddress'] = async (tx, email) => {
  const pattern = patternOf(email)
  await eraseReports(tx, email)
  await erasePayloadsWith(tx, pattern)
  await removeBodiesWith(tx, email, pattern)
}

/**
 * A regular expression of PostgreSQL for a text in what systems send: each of its characters may be escaped, as JSON and links
 * do it. JSON in a text of JSON is escaped twice.
 */
export const patternOf = (text: string): string => Array.from(text, formsOf).join('')

function formsOf(char: string): string {
  const plain = /[a-z0-9]/i.test(char) || char > '\x7f' ? char : `\\${char}`
  // A letter has a number in each case.
  const escaped = [...new Set([char, char.toLowerCase(), char.toUpperCase()])].flatMap(one => [
    `\\\\+${unitsOf(one).join('\\\\+')}`,
    encodeByte(one)
  ])
  return `(?:\\\\*${[plain, ...escaped].join('|')})`
}

const unitsOf = (char: string): string[] =>
  char.split('').map(unit => `u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

const encodeByte = (char: string): string =>
  Array.from(Buffer.from(char), byte => `%${byte.toString(16).padStart(2, '0')}`).join('')
