import { createHash } from 'node:crypto'

const words = 1000
const wordsOfText = 30

/** A text of some of the thousand words of a subject: `sea0` to `sea999`. Another number is another text. */
export function textOfSubject(n: number, subject: string): string {
  const bytes = createHash('sha512').update(`${subject} ${n}`).digest()
  return Array.from({ length: wordsOfText }, (_, at) => `${subject}${bytes.readUInt16BE(2 * at) % words}`).join(' ')
}
