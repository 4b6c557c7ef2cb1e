import type { Progress, Terminal } from '../../core/contract/command.ts'
import { sanitizeLine, sanitizeText } from './sanitize.ts'
import { shorten } from './table.ts'

/** Often enough to be smooth, seldom enough not to cost anything. */
const redrawEveryMs = 100
/** A log of a long run stays short. */
const lineEveryMs = 5_000

const clearToEnd = '\u001b[K'

/** How lines for people leave: `write` takes text as it is. */
interface NotesOptions {
  write(text: string): void
  /** True when `write` draws on a terminal, so that a line can be drawn again. */
  isLive: boolean
  columns: number
  now(): number
}

/** Notes and progress on one stream, which share its last line. */
export function createNotes({ write, isLive, columns, now }: NotesOptions): Pick<Terminal, 'note' | 'progress'> {
  let drawn: string | null = null
  const draw = (text: string) => {
    drawn = shorten(text, columns - 1)
    write(`\r${drawn}${clearToEnd}`)
  }
  const live = (label: string): Progress => {
    const state = createState(sanitizeLine(label), redrawEveryMs, now, draw)
    const end = () => {
      if (!state.end()) return
      write('\n')
      drawn = null
    }
    return { update: state.update, end }
  }
  const plain = (label: string): Progress => {
    const state = createState(sanitizeLine(label), lineEveryMs, now, text => write(`${text}\n`))
    // A short piece of work in a pipe is one line: its end.
    state.wait()
    return { update: state.update, end: () => void state.end() }
  }
  return {
    note(line) {
      const shown = sanitizeText(line)
      write(drawn === null ? `${shown}\n` : `\r${shown}${clearToEnd}\n${drawn}`)
    },
    progress: isLive ? live : plain
  }
}

function createState(label: string, everyMs: number, now: () => number, show: (text: string) => void) {
  let shownAt = Number.NEGATIVE_INFINITY
  let shown = ''
  let latest = ''
  const flush = () => {
    shownAt = now()
    shown = latest
    show(latest)
  }
  return {
    wait: () => {
      shownAt = now()
    },
    update(done: number, total?: number) {
      latest = `${label}: ${amount(done, total)}`
      if (now() - shownAt >= everyMs) flush()
    },
    /** Shows what the last update said; false when there was none, or it has ended before. */
    end(): boolean {
      if (latest === '') return false
      if (latest !== shown) flush()
      latest = ''
      return true
    }
  }
}

function amount(done: number, total: number | undefined): string {
  if (total === undefined) return String(done)
  return `${done} of ${total}${total > 0 ? ` (${Math.floor((100 * done) / total)} %)` : ''}`
}
