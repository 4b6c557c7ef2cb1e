import type { FieldErrors } from '../../core/contract/errors.ts'

/** What is wrong with one thing on a command line. */
export interface LineFault {
  /** The argument in snake_case, `arguments` for words too many, `command` for the command itself. */
  readonly field: string
  readonly fault: string
  /** The line for people; default: the field as a flag, and the fault. */
  readonly text?: string
  /** The flag itself is not known, so that nobody can say whether the words after it are its value. */
  readonly isUnknownFlag?: boolean
}

/** The command line itself is at fault: exit status 2. Every fault is named at once. */
export class UsageError extends Error {
  readonly faults: readonly LineFault[]
  readonly usage: string | undefined
  /** The command itself may know of more. */
  readonly isPartial: boolean

  constructor(faults: readonly LineFault[], usage?: string, { isPartial = false } = {}) {
    super(faults.map(textOf).join('; '))
    this.name = 'UsageError'
    this.faults = faults
    this.usage = usage
    this.isPartial = isPartial
  }

  get lines(): string[] {
    return this.faults.map(textOf)
  }

  get fields(): FieldErrors {
    const byField = Map.groupBy(this.faults, ({ field }) => field)
    return Object.fromEntries([...byField].map(([field, of]) => [field, of.map(({ fault }) => fault).join('; ')]))
  }
}

const textOf = ({ field, fault, text }: LineFault): string => text ?? `--${field.replaceAll('_', '-')} ${fault}`
