import { fieldLines, type TerminalFormat } from '#cli'
import { pluralized } from '#text/plural'
import { type ImportReport, maxNotes } from '../report.ts'

const maxShownNotes = 40

/** The report as people read it. */
export function reportText(report: ImportReport, terminal: TerminalFormat): string {
  const { notes, further_notes, dry_run, system, site: _, ...counts } = report
  const head = dry_run
    ? `Nothing was stored: this is what importing from ${system} would do.`
    : `Imported from ${system}.`
  const shown = notes.slice(0, maxShownNotes).map(({ kind, name, note }) => `${kind}  ${name}: ${note}`)
  const more = notes.length - shown.length + further_notes
  const rest = more === 0 ? [] : [`… and ${pluralized(more, 'more note')}: --json has ${maxNotes} of them.`]
  return [head, '', fieldLines(counts, terminal), ...(shown.length === 0 ? [] : ['', ...shown, ...rest])].join('\n')
}
