import path from 'node:path'
import { type Args, type CommandContext, command } from '#core'
import { type ImportDeps, runImport } from '../import-run.ts'
import { openMarkdownFolder } from '../markdown/read-folder.ts'
import type { ImportReport } from '../report.ts'
import type { ImportSource } from '../source-post.ts'
import { reportText } from './report-text.ts'

const shared = {
  'dry-run': { type: 'boolean', describe: 'Store nothing: only report what would be imported, changed and left' }
} as const

const result = {
  returns: 'ImportReport',
  text: reportText,
  exit: ({ failed }: ImportReport) => (failed > 0 ? 1 : 0),
  exits: { 1: 'some posts could not be imported; the report names them' }
} as const

export const importCommands = (deps: ImportDeps) => ({ markdown: markdownCommand(deps) })

const markdownCommand = (deps: ImportDeps) =>
  command({
    describe: 'Import a folder of markdown files with front matter, as Hugo, Jekyll and Astro have them',
    args: {
      folder: { type: 'positional', required: true, describe: 'Folder of the posts', completes: 'file' },
      site: {
        type: 'string',
        describe: 'Name of the blog: a post is imported once for each; default: the name of the folder'
      },
      ...shared
    },
    ...result,
    async run(context) {
      const { args, terminal } = context
      return runShown(deps, await openMarkdownFolder(path.resolve(terminal.cwd, args.folder), args.site), context)
    }
  })

/** Imports a source, with its progress on the terminal. */
async function runShown(
  deps: ImportDeps,
  source: ImportSource,
  { args, terminal, actor }: Pick<CommandContext<typeof shared>, 'args' | 'terminal' | 'actor'>
): Promise<ImportReport> {
  const progress = terminal.progress('posts read')
  const { timeZone, signal } = terminal
  try {
    return await runImport(deps, source, {
      isDry: isDry(args),
      actor,
      timeZone,
      signal,
      onProgress: progress.update
    })
  } finally {
    progress.end()
  }
}

const isDry = (args: Args<typeof shared>): boolean => args['dry-run']
