import { parseArgs } from 'node:util'
import { UsageError } from './judged.ts'

export interface QualityOptions {
  folders: string[]
  server: string | undefined
  split: string | undefined
  field: string | undefined
  /** Settings to give, by key. */
  settings: (readonly [string, string])[]
}

/** The command line of search-quality.ts. @throws UsageError */
export function readOptions(args: readonly string[]): QualityOptions {
  const { values, positionals } = parse(args)
  if (positionals.length === 0)
    throw new UsageError('Name the folders of judged collections: node bench/search-quality.ts <folder> …')
  const { server, split, field, set } = values
  if (server !== undefined && !/^postgres(ql)?:$/.test(URL.parse(server)?.protocol ?? ''))
    throw new UsageError(`--server ${server} is not an address such as postgres://user@host:5432/postgres.`)
  return { folders: positionals, server, split, field, settings: set.map(settingOf) }
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        server: { type: 'string' },
        split: { type: 'string' },
        field: { type: 'string' },
        set: { type: 'string', multiple: true, default: [] }
      }
    })
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

function settingOf(text: string): readonly [string, string] {
  const [key = '', ...value] = text.split('=')
  if (key === '' || value.length === 0) throw new UsageError(`--set ${text} is not key=value.`)
  return [key, value.join('=')]
}
