import { type Static, type TSchema, Type } from 'typebox'
import { Value } from 'typebox/value'
import { AppError, ConflictError } from '../../core/contract/errors.ts'
import {
  type BackupHeader,
  type BackupManifest,
  formatVersion,
  headerName,
  homeFolders,
  manifestName,
  tableNamePattern
} from './format.ts'
import type { TarEntry } from './tar.ts'

/** Largest entry that describes the others, in bytes. One of sixty tables has about 20 kB. */
const maxDescriptionBytes = 4 * 1024 * 1024

/** The table whose rows an entry holds, and which of its pieces it is; undefined when it is no such entry. */
export function pieceOf(name: string): { table: string; piece: number } | undefined {
  const [, table, piece] = /^tables\/([\w.-]+)\/(\d{1,12})\.jsonl$/.exec(name) ?? []
  return table === undefined ? undefined : { table, piece: Number(piece) }
}

const maxPathBytes = 1024

/** A path inside one of the home's folders, and nowhere else. */
export function isHomeFile(name: string): boolean {
  const parts = name.split('/')
  const isPlain = parts.every(part => part !== '' && part !== '.' && part !== '..' && Buffer.byteLength(part) <= 255)
  const isShown = !/[\u0000-\u001f\u007f]/.test(name) && Buffer.byteLength(name) <= maxPathBytes
  return isShown && isPlain && parts.length > 1 && homeFolders.some(folder => folder === parts[0])
}

/** A description as a whole. @throws Error for one that is too long or no JSON. */
export async function readDescription({ name, size, body }: TarEntry): Promise<unknown> {
  if (size > maxDescriptionBytes) throw new Error(`${name} has ${size} bytes`)
  const chunks: Buffer[] = []
  for await (const chunk of body) chunks.push(chunk)
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks)))
  } catch {
    throw new Error(`${name} is no JSON`)
  }
}

const shown = (maxLength: number) => Type.String({ minLength: 1, maxLength, pattern: '^[^\\u0000-\\u001f\\u007f]+$' })
const sha256 = Type.String({ pattern: '^[0-9a-f]{64}$' })
const count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })

const headerSchema = Type.Object({
  format: Type.Integer({ minimum: 1 }),
  created_at: Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$' }),
  galley: Type.String({ pattern: '^[\\w.+-]{1,64}$' }),
  database: shown(200),
  key_id: Type.String({ pattern: '^[0-9a-f]{16}$' }),
  migrations: Type.Array(
    Type.Object({
      name: shown(255),
      namespace: shown(255),
      checksum: shown(128),
      applied_at: Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\d[ T][\\d:.+-]{5,30}$' })
    }),
    { minItems: 1, maxItems: 10_000 }
  ),
  tables: Type.Array(
    Type.Object({
      name: Type.String({ pattern: tableNamePattern }),
      // The limit of PostgreSQL.
      columns: Type.Array(Type.Object({ name: shown(63), type: shown(300) }), { minItems: 1, maxItems: 1600 }),
      key: Type.Array(shown(63), { maxItems: 32 })
    }),
    { maxItems: 2000 }
  ),
  sequences: Type.Array(
    Type.Object({
      name: shown(200),
      last_value: Type.String({ pattern: '^-?\\d{1,19}$' }),
      is_called: Type.Boolean()
    }),
    { maxItems: 2000 }
  )
})

const manifestSchema = Type.Object({
  tables: Type.Record(Type.String(), Type.Object({ rows: count, sha256 })),
  files: Type.Object({ count, bytes: count, sha256 })
})

/** What a header of any format has. */
const anyHeader = Type.Object({ format: Type.Integer(), galley: Type.Optional(Type.Unknown()) })

/** @throws ConflictError for a format that this version does not read, Error for what is no header. */
export function parseHeader(given: unknown): BackupHeader {
  if (Value.Check(anyHeader, given) && given.format > formatVersion)
    throw new ConflictError(
      `The backup has the format ${given.format}, this version reads ${formatVersion}: use galley ${String(given.galley).slice(0, 64)}.`
    )
  const header = checked(headerName, headerSchema, given)
  refuseTwice(header.tables.map(({ name }) => name))
  for (const { columns } of header.tables) refuseTwice(columns.map(({ name }) => name))
  return header
}

export const parseManifest = (given: unknown): BackupManifest => checked(manifestName, manifestSchema, given)

function checked<Schema extends TSchema>(name: string, schema: Schema, given: unknown): Static<Schema> {
  if (Value.Check(schema, given)) return given
  const [first] = Value.Errors(schema, given)
  const place = first?.instancePath === '' ? '' : ` at ${JSON.stringify(first?.instancePath.slice(0, 200))}`
  throw new Error(`${name} is not as galley writes it${place} (${first?.message})`)
}

function refuseTwice(names: readonly string[]): void {
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined) throw new Error(`${headerName} names ${twice} twice`)
}

/** A message may quote a value of the file. */
const maxMessageLength = 500

/** A fault of the archive becomes a ConflictError; one of the database or the disk stays what it is. */
export function toDamageError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof AppError || error.name === 'AbortError') return error
  const { code = '', syscall }: NodeJS.ErrnoException = error
  const message = error.message.slice(0, maxMessageLength).replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ')
  if (/^Z_/.test(code)) return new ConflictError(`The backup is damaged: it does not unpack (${message}).`)
  // SQLSTATE classes 22, 23 and 54: a value, or a row, that the table does not take.
  if (/^(22|23|54)\w{3}$/.test(code))
    return new ConflictError(`The backup is damaged: a row is not accepted (${message}).`)
  if (code === '' && syscall === undefined) return new ConflictError(`The backup is damaged: ${message}.`)
  return error
}
