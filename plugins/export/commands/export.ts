import { fieldLines } from '#cli'
import { command, type Terminal } from '#core'
import { pluralized } from '#text/plural'
import type { ExportReport } from '../export-report.ts'
import type { Exports } from '../exports.ts'
import type { ExportStatus } from '../status.ts'

export const exportCommands = (exports: Exports, status: () => Promise<ExportStatus>) => ({
  status: statusCommand(status),
  rebuild: rebuildCommand(exports),
  refresh: refreshCommand(exports),
  verify: verifyCommand(exports)
})

const statusCommand = (status: () => Promise<ExportStatus>) =>
  command({
    describe: 'The state of the static export, and of the front ends and caches that are notified of changes',
    returns:
      '{target, is_running, public_posts, last_report, last_run_at, failure, failed_at, findings, verified_at, revalidation}',
    args: {},
    run: status,
    text: ({ revalidation, last_report, ...rest }, terminal) =>
      [
        fieldLines({ ...rest, ...last_report }, terminal),
        ...revalidation.map(
          ({ target, last_status, last_error }) => `${target}: ${last_error ?? last_status ?? 'nothing was sent yet'}`
        )
      ].join('\n')
  })

const rebuildCommand = (exports: Exports) =>
  command({
    describe: 'Write all files of the static export again',
    returns: '{posts, files, unfinished, removed, bytes, duration_ms}',
    args: {
      'take-over': { type: 'boolean', describe: 'Replace the export of another database, which exports there no more' }
    },
    async run({ args, terminal }) {
      const progress = terminal.progress('posts written')
      try {
        return await exports.rebuild({
          isTakeover: args['take-over'] === true,
          onProgress: progress.update,
          onWait: noteWait(terminal),
          signal: terminal.signal
        })
      } finally {
        progress.end()
      }
    },
    text: reportText
  })

const refreshCommand = (exports: Exports) =>
  command({
    describe: 'Write what differs in the static export now; the worker does it after each change',
    returns: '{posts, files, unfinished, removed, bytes, duration_ms}',
    args: {},
    run: ({ terminal }) => exports.refresh(terminal.signal, noteWait(terminal)),
    text: reportText
  })

const verifyCommand = (exports: Exports) =>
  command({
    describe:
      'Compare the static export with its manifest and with what is public. Exits with 1 when a file is at fault',
    returns: '{target, files, findings, repaired, has_waiting, items: [{path, fault}]}',
    args: {
      fix: { type: 'boolean', describe: 'Write what is missing or altered again, and remove what is left over' }
    },
    async run({ args, terminal }) {
      const progress = terminal.progress('files compared')
      try {
        const isFixing = args.fix === true
        const {
          paths: _,
          removable: __,
          persistent: ___,
          ...verified
        } = await exports.verify({
          isFixing,
          signal: terminal.signal,
          onWait: noteWait(terminal),
          onProgress: files => progress.update(files)
        })
        return verified
      } finally {
        progress.end()
      }
    },
    text: ({ target, files, findings, repaired, has_waiting, items }) => {
      if (files === 0 && findings > 0 && items.every(({ fault }) => fault === 'missing'))
        return `${target}: there is no export. galley export rebuild writes it.`
      return [
        ...items.map(({ path, fault }) => `${fault}: ${path}`),
        ...(repaired > 0 ? [`${pluralized(repaired, 'file')} repaired.`] : []),
        `${target}: ${pluralized(files, 'file')}, ${findings === 0 ? 'all as they should be' : `${findings} at fault`}.`,
        ...(has_waiting && findings > 0 ? [waitingNote] : [])
      ].join('\n')
    },
    exitStatus: ({ findings }) => (findings > 0 ? 1 : 0)
  })

const waitingNote =
  'Changes wait to be written, and a worker writes them next: galley export refresh does it now. Then verify again.'

/** Says once why nothing happens yet. */
function noteWait(terminal: Terminal): () => void {
  let isPrinted = false
  return () => {
    if (!isPrinted)
      terminal.note('Another process is exporting: this run begins when that one has ended. Ctrl-C stops waiting.')
    isPrinted = true
  }
}

const reportText = ({ posts, files, unfinished, removed, bytes, duration_ms }: ExportReport): string =>
  [
    `${pluralized(posts, 'post')} in ${pluralized(files, 'file')}, ${bytes} bytes, in ${duration_ms} ms; ${pluralized(removed, 'stale file')} removed.`,
    ...(unfinished > 0 ? [`${pluralized(unfinished, 'page')} unfinished: later runs make them again.`] : [])
  ].join('\n')
