interface RowLimits {
  /** Values a row has. */
  columns: number
  maxRowBytes: number
  onBytes(bytes: Buffer): void
}

/** Rows handed on at once. */
const batchRows = 500
const batchCharacters = 2 * 1024 * 1024

const lineBreak = 0x0a
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Cuts the lines of a piece into batches of rows, built from what was read: nothing but lists of texts and nulls.
 * @throws Error for a line that is no such list, or too long.
 */
export async function* readRows(
  body: AsyncIterable<Buffer>,
  limits: RowLimits
): AsyncGenerator<{ count: number; json: string }> {
  let batch: string[] = []
  let size = 0
  const flush = () => {
    const part = { count: batch.length, json: `[${batch.join(',')}]` }
    batch = []
    size = 0
    return part
  }
  for await (const line of readLines(body, limits)) {
    const row = rowOf(line, limits)
    batch.push(row)
    size += row.length
    if (size >= batchCharacters || batch.length === batchRows) yield flush()
  }
  if (batch.length > 0) yield flush()
}

/** Lines without their breaks. One line and one chunk are in memory. */
async function* readLines(body: AsyncIterable<Buffer>, { maxRowBytes, onBytes }: RowLimits): AsyncGenerator<Buffer> {
  let begun: Buffer[] = []
  let length = 0
  for await (const chunk of body) {
    onBytes(chunk)
    let at = 0
    for (let end = chunk.indexOf(lineBreak); end !== -1; end = chunk.indexOf(lineBreak, at)) {
      const rest = chunk.subarray(at, end)
      refuseLong(length + rest.length, maxRowBytes)
      yield begun.length === 0 ? rest : Buffer.concat([...begun, rest])
      begun = []
      length = 0
      at = end + 1
    }
    if (at === chunk.length) continue
    begun.push(chunk.subarray(at))
    length += chunk.length - at
    refuseLong(length, maxRowBytes)
  }
  if (length > 0) throw new Error('a row has no end')
}

function refuseLong(bytes: number, maxBytes: number): void {
  if (bytes <= maxBytes) return
  const mb = Math.floor(maxBytes / 1024 ** 2)
  throw new Error(`a row has more than ${mb} MB, which --max-row-mb allows to change`)
}

function rowOf(line: Buffer, { columns }: RowLimits): string {
  const row = parse(line)
  const isRow = Array.isArray(row) && row.length === columns && row.every(isValue)
  if (!isRow) throw new Error(`a row is not a list of ${columns} texts`)
  return JSON.stringify(row)
}

/** PostgreSQL's texts have no character 0 and no half of a pair. */
const isValue = (value: unknown): boolean =>
  value === null || (typeof value === 'string' && !value.includes('\0') && value.isWellFormed())

function parse(line: Buffer): unknown {
  try {
    return JSON.parse(utf8.decode(line))
  } catch {
    return undefined
  }
}
