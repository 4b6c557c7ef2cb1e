import { Readable } from 'node:stream'
import { parse } from 'csv-parse'
import { asText, InputError, isObject } from '#core'
import { cutText } from '#text/excerpts'
import { addressKey, parseAddress } from './addresses.ts'
import { type FileStatus, isStatusWithoutMail, statusReader, stricter } from './import-status.ts'

/** A row of a file with subscribers. `email` null: it has no address that mail can be sent to. */
export interface FileRow {
  line: number
  email: string | null
  name: string | null
  status: FileStatus
}

const maxNameLength = 200
const chunkLength = 65_536
/** Of a line: a longer one is refused as no CSV. */
const maxRecordLength = 100_000
const emailHeading = /^e-?mail([ _]address)?$/i
const nameHeading = /^(full[ _])?name$/i
const firstNameHeading = /^first[ _]name$/i

const separators = [',', ';', '\t']
/** Excel's own first line, which names the separator. */
const separatorLine = /^\ufeff?"?sep=([,;|\t])"?(?=\r?\n)/i

/** That of the first line with an address, or with the heading of addresses: Excel in Europe writes semicolons. */
function separatorOf(text: string): string {
  const named = separatorLine.exec(text)?.[1]
  if (named !== undefined) return named
  const [line = ''] =
    /\S.*/.exec(
      text
        .replace(/^\ufeff/, '')
        .trimStart()
        .slice(0, maxRecordLength)
    ) ?? []
  const isEmail = (cell: string) => emailHeading.test(cell) || parseAddress(cell) !== null
  const hasEmail = (separator: string) =>
    line.split(separator).some(cell => isEmail(cell.trim().replace(/^"(.*)"$/, '$1')))
  return separators.find(hasEmail) ?? ','
}

/**
 * Reads CSV, as other newsletters export it: a heading line with `email` among its columns, or one address a line. Its cells
 * end with a comma, a semicolon or a tab. Of an address in several rows each has the strictest status of them: so the file is
 * read twice, and nothing is yielded of one that is no CSV.
 * @throws InputError (`file`) for what is no CSV
 */
export async function* readSubscribers(text: string): AsyncGenerator<FileRow> {
  const strictest = new Map<string, FileStatus>()
  for await (const { email, status } of readRows(text)) {
    if (email === null || status === 'active') continue
    const key = addressKey(email)
    strictest.set(key, stricter(status, strictest.get(key) ?? 'active'))
  }
  for await (const row of readRows(text)) {
    const status = row.email === null ? undefined : strictest.get(addressKey(row.email))
    yield { ...row, status: status ?? row.status }
  }
}

/** A piece at a time, so that a long file holds up nothing else. */
async function* readRows(text: string): AsyncGenerator<FileRow> {
  // A blank line stays, so that lines are counted as in the file.
  const parser = Readable.from(piecesOf(text.replace(separatorLine, ''))).pipe(
    parse({
      bom: true,
      delimiter: separatorOf(text),
      relax_column_count: true,
      skip_empty_lines: true,
      trim: true,
      max_record_size: maxRecordLength,
      info: true
    })
  )
  let columns: Columns | undefined
  try {
    for await (const record of parser) {
      const { cells, line } = readRecord(record)
      if (columns === undefined) {
        columns = columnsOf(cells)
        if (columns.isHeading) continue
      }
      if (!columns.isHeading) checkWithoutHeadings(cells, line)
      yield rowOf(cells, columns, line)
    }
  } catch (error) {
    if (error instanceof InputError || !(error instanceof Error) || !('code' in error)) throw error
    throw new InputError({ file: 'is no CSV: check its quotes and commas' })
  }
}

function* piecesOf(text: string): Generator<string> {
  for (let at = 0; at < text.length; at += chunkLength) yield text.slice(at, at + chunkLength)
}

function readRecord(record: unknown): { cells: string[]; line: number } {
  if (!isObject(record) || !Array.isArray(record.record)) return { cells: [], line: 0 }
  const line = isObject(record.info) && typeof record.info.lines === 'number' ? record.info.lines : 0
  return { cells: record.record.map(cell => unguarded(String(cell))), line }
}

interface Columns {
  isHeading: boolean
  email: number
  name: number
  statusOf(cells: readonly string[]): FileStatus
}

/** @throws InputError for headings without an address */
function columnsOf(cells: readonly string[]): Columns {
  const email = cells.findIndex(cell => emailHeading.test(cell))
  if (email >= 0) {
    const whole = cells.findIndex(cell => nameHeading.test(cell))
    const name = whole >= 0 ? whole : cells.findIndex(cell => firstNameHeading.test(cell))
    return { isHeading: true, email, name, statusOf: statusReader(cells) }
  }
  const address = cells.findIndex(cell => parseAddress(cell) !== null)
  if (address < 0) throw new InputError({ file: 'has no column email: its first line has to name the columns' })
  return { isHeading: false, email: address, name: address + 1, statusOf: statusReader([]) }
}

/** @throws InputError where a file without headings says of somebody that they get no mail */
function checkWithoutHeadings(cells: readonly string[], line: number): void {
  const status = cells.find(isStatusWithoutMail)
  if (status === undefined) return
  throw new InputError({
    file: `has no headings, and "${status}" in line ${line}: add a first line that names its columns, such as email,name,status`
  })
}

function rowOf(cells: readonly string[], columns: Columns, line: number): FileRow {
  const name = cutText(asText(cells[columns.name] ?? '').trim(), maxNameLength)
  return {
    line,
    email: parseAddress(cells[columns.email] ?? ''),
    name: name === '' ? null : name,
    status: columns.statusOf(cells)
  }
}

/** What a spreadsheet would take for a formula, and what is like a guarded one. */
const formula = /^'*[=+\-@\t\r]/
/** As `csvLine` writes it, and other programs too. */
const guardedFormula = /^'+[=+\-@\t\r]/

const unguarded = (cell: string): string => (guardedFormula.test(cell) ? cell.slice(1) : cell)

/** A line of CSV. A cell that a spreadsheet would take for a formula is made text by a quote before it; an import removes it. */
export const csvLine = (cells: readonly (string | null)[]): string =>
  cells
    .map(cell => {
      const text = formula.test(cell ?? '') ? `'${cell}` : (cell ?? '')
      return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
    })
    .join(',')
