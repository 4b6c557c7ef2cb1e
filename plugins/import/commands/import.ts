import path from 'node:path'
import { type Args, type CommandContext, command, type FieldErrors, type Terminal } from '#core'
import { type ImportDeps, runImport } from '../import-run.ts'
import { openMarkdownFolder } from '../markdown/read-folder.ts'
import type { ImportReport } from '../report.ts'
import type { ImportSource } from '../source-post.ts'
import { openExport } from '../staging/staged-source.ts'
import { reportText } from './report-text.ts'

const shared = {
  images: {
    type: 'string',
    placeholder: 'FOLDER',
    completes: 'file',
    describe: 'Folder of pictures: content/images of Ghost, wp-content/uploads, or what a blog has its /… from'
  },
  'fetch-images': { type: 'boolean', describe: 'Fetch pictures that are not here from their servers' },
  url: {
    type: 'string',
    placeholder: 'URL',
    describe: 'Address of the old site, for pictures and files without a host'
  },
  media: { type: 'boolean', describe: 'Have made what media_on_publish asks for, for every published post' },
  'dry-run': { type: 'boolean', describe: 'Store nothing: only report what would be imported, changed and left' }
} as const

const argumentFaults = ({ url }: { readonly url?: string | undefined }): FieldErrors =>
  url === undefined || /^https?:$/.test(URL.parse(url)?.protocol ?? '')
    ? {}
    : { url: 'is no address: give it as https://blog.example' }

const result = {
  returns: 'ImportReport',
  text: reportText,
  exitStatus: ({ failed }: ImportReport) => (failed > 0 ? 1 : 0),
  exitStatuses: { 1: 'some posts could not be imported; the report names them' }
} as const

interface ImportCommandDeps extends ImportDeps {
  /** For files that are gone when an import ends. */
  workFolder: string
}

export const importCommands = (deps: ImportCommandDeps) => ({
  ghost: exportCommand(deps, 'ghost', 'Import the posts of Ghost from its JSON export'),
  wordpress: exportCommand(deps, 'wordpress', 'Import the posts of WordPress from its XML export (WXR)'),
  markdown: markdownCommand(deps)
})

const exportCommand = (deps: ImportCommandDeps, system: 'ghost' | 'wordpress', describe: string) =>
  command({
    describe,
    args: {
      file: { type: 'positional', required: true, describe: 'File of the export', completes: 'file' },
      ...shared
    },
    validate: argumentFaults,
    ...result,
    async run(context) {
      const { args, terminal } = context
      const source = await openWithProgress(deps, system, path.resolve(terminal.cwd, args.file), context)
      try {
        return await runWithProgress(deps, source, context)
      } finally {
        await source.close()
      }
    }
  })

/** Reads an export, which takes a while when it is large. */
async function openWithProgress(
  { workFolder }: ImportCommandDeps,
  system: 'ghost' | 'wordpress',
  file: string,
  { args, terminal }: Pick<CommandContext<typeof shared>, 'args' | 'terminal'>
) {
  const { signal, progress: begin } = terminal
  const progress = begin('reading the export, percent')
  const onProgress = (share: number) => progress.update(Math.round(100 * share), 100)
  try {
    return await openExport(system, file, { workFolder, signal, onProgress, ...imageOptions(args, terminal) })
  } finally {
    progress.end()
  }
}

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
    validate: argumentFaults,
    ...result,
    async run(context) {
      const { args, terminal } = context
      const options = { site: args.site, ...imageOptions(args, terminal) }
      return runWithProgress(deps, await openMarkdownFolder(path.resolve(terminal.cwd, args.folder), options), context)
    }
  })

/** Imports a source, with its progress on the terminal. */
async function runWithProgress(
  deps: ImportDeps,
  source: ImportSource,
  { args, terminal, actor }: Pick<CommandContext<typeof shared>, 'args' | 'terminal' | 'actor'>
): Promise<ImportReport> {
  const progress = terminal.progress('posts read')
  const { timeZone, signal } = terminal
  try {
    return await runImport(deps, source, {
      isDry: isDry(args),
      isFetching: args['fetch-images'],
      withMedia: args.media,
      actor,
      timeZone,
      signal,
      onProgress: progress.update
    })
  } finally {
    progress.end()
  }
}

const imageOptions = ({ images, url }: Args<typeof shared>, { cwd }: Pick<Terminal, 'cwd'>) => ({
  imageFolder: images === undefined ? undefined : path.resolve(cwd, images),
  siteUrl: url ?? null
})

const isDry = (args: Args<typeof shared>): boolean => args['dry-run']
