// What every line has, or says nothing to a person.
const left = new Set(['level', 'time', 'msg', 'plugin', 'err', 'reason'])
const errorLevel = 50

/** Writes the JSON lines of a log as sentences: what happened, then why and of what in brackets. */
export const sentencesTo = (stream: { write(text: string): unknown }) => ({
  write: (line: string): void => void stream.write(`${sentenceOf(line)}\n`)
})

function sentenceOf(line: string): string {
  const { level, msg, err, reason, ...others } = JSON.parse(line)
  const why = reason ?? err?.message
  const about = Object.entries(others).flatMap(([key, value]) =>
    left.has(key) || typeof value === 'object' ? [] : [`${key} ${value}`]
  )
  const details = [...about, ...(why === undefined ? [] : [why])].join('; ')
  const sentence = `${level >= errorLevel ? 'error' : 'warning'}: ${msg}${details === '' ? '' : ` (${details})`}`
  // A name out of the database must not move the cursor.
  return sentence.replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ')
}
