import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, beforeEach } from 'node:test'
import { startService, type TestService } from '../../helpers/service.ts'

export type Files = Readonly<Record<string, string | Uint8Array>>

/** What an import printed with `--json`. */
export interface Report {
  imported: number
  published: number
  drafts: number
  unchanged: number
  left: number
  failed: number
  redirects: number
  images: number
  images_left: number
  images_elsewhere: number
  dry_run: boolean
  notes: { kind: string; name: string; slug: string | null; note: string }[]
}

/** A service for the tests of a file, empty before each, and how they import into it. */
export function useImports() {
  let service: TestService
  const folders: string[] = []
  before(async () => {
    service = await startService({ worker: false })
  })
  after(async () => {
    for (const folder of folders) rmSync(folder, { recursive: true })
    await service.close()
  })
  beforeEach(() => service.db.script('truncate posts, categories, gate_history cascade'))

  /** Writes files into a new folder, by their paths in it. @returns the folder */
  const folderOf = (files: Files, name = 'blog'): string => {
    const parent = mkdtempSync(path.join(tmpdir(), 'galley-import-'))
    folders.push(parent)
    for (const [file, content] of Object.entries(files)) {
      const target = path.join(parent, name, file)
      mkdirSync(path.dirname(target), { recursive: true })
      writeFileSync(target, content)
    }
    return path.join(parent, name)
  }
  const run = (...args: string[]) => service.run('import', ...args, '--json')
  /** The report of an import that ends with this status. */
  const importOf = async (args: readonly string[], status?: number): Promise<Report> => {
    const ran = await run(...args)
    assert.notEqual(ran.out, '', ran.err)
    if (status !== undefined) assert.equal(ran.status, status, ran.err)
    return JSON.parse(ran.out)
  }
  const fileOf = (content: string | Uint8Array): string => path.join(folderOf({ export: content }), 'export')
  return {
    service: () => service,
    folderOf,
    fileOf,
    run,
    /** Has a `public_url` while something runs. */
    async withPublicUrl(url: string, during: () => Promise<void>): Promise<void> {
      const { settings } = service.kernel
      await settings.set('public_url', url)
      await during().finally(() => settings.unset('public_url'))
    },
    importOf,
    /** Of an export that is written into a file first. */
    importExport: (system: string, content: string | Uint8Array, ...flags: string[]) =>
      importOf([system, fileOf(content), ...flags]),
    importFolder: (folder: string, flags: readonly string[] = [], status = 0) =>
      importOf(['markdown', folder, ...flags], status),
    postOf: async (slug: string) => (await service.anonymous('GET', `/api/posts/${slug}`)).body,
    slugsOf: async (status: string): Promise<string[]> =>
      (await service.bearer('GET', `/api/posts?status=${status}`)).body.items.map(({ slug }: { slug: string }) => slug)
  }
}

/** What a report notes of a post, by its name there. */
export const notesOf = ({ notes }: Report, name: string): string[] =>
  notes.filter(note => note.name === name).map(({ note }) => note)
