import { sanitizeLine } from '../framework/sanitize.ts'
import { paint } from '../framework/table.ts'

// Fields that every line has, or that mean nothing to a person.
const hiddenFields = new Set(['level', 'time', 'msg', 'plugin', 'err', 'reason', 'error_code', 'request_id'])
const errorLevel = 50

/** Writes the JSON lines of a log as sentences: what happened, then why and of what in brackets. */
export const plainTextStream = (stream: { write(text: string): unknown }) => ({
  write: (line: string): void => void stream.write(`${sentenceOf(line)}\n`)
})

/** Levels by their number, as people read them; plain information has no word. */
const levels: Readonly<Record<number, string>> = { 20: 'debug', 30: '', 40: 'warning', 50: 'error', 60: 'fatal' }
const colours: Readonly<Record<number, 'yellow' | 'red'>> = { 40: 'yellow', 50: 'red', 60: 'red' }

interface Line {
  level: number
  time: number
  msg: string
  err?: { message?: string }
  reason?: string
  method?: string
  path?: string
}

/** The same for a service that runs on a terminal: with the time, and a request's address where there is one. */
export const terminalStream = (stream: { write(text: string): unknown }, hasColour: boolean) => ({
  write: (text: string): void => {
    const { method, path, ...line }: Line = JSON.parse(text)
    const address = path === undefined ? '' : `${method ?? ''} ${path} `.trimStart()
    const word = levels[line.level] ?? 'debug'
    const label = word === '' ? '' : `${paint(word, colours[line.level] ?? 'bold', { hasColour })}: `
    stream.write(`${clock(line.time)} ${label}${sanitizeLine(address)}${sanitizeLine(detailsText(line))}\n`)
  }
})

/** Of this machine: the person sits at it. */
const clock = (time: number): string => new Date(time).toLocaleTimeString('en-GB')

function sentenceOf(text: string): string {
  const line: Line = JSON.parse(text)
  return sanitizeLine(`${line.level >= errorLevel ? 'error' : 'warning'}: ${detailsText(line)}`)
}

function detailsText({ level: _, msg, err, reason, ...others }: Line): string {
  const why = reason ?? err?.message
  const about = Object.entries(others).flatMap(([key, value]) =>
    hiddenFields.has(key) || typeof value === 'object' ? [] : [`${key} ${value}`]
  )
  const details = [...about, ...(why === undefined ? [] : [why])].join('; ')
  return `${msg}${details === '' ? '' : ` (${details})`}`
}
