import type { FieldErrors } from './errors.ts'

/** Bounds of a text that is read. */
export interface TextLimits {
  maxBytes: number
  /** Name of the argument, for errors. */
  field: string
  /** Where the limit comes from, such as a setting; for the error. */
  limitName?: string
}

/** One argument of a command. Names are written in the definition as on the command line: `niche`, `from-file`. */
export interface ArgDefinition {
  readonly type: 'string' | 'boolean' | 'integer' | 'number' | 'positional'
  readonly describe: string
  readonly required?: boolean
  readonly default?: string | number | boolean
  /** Accepted values; any other is a usage error that lists them. */
  readonly options?: readonly string[]
  /** Bounds of an integer or number, both included. */
  readonly minimum?: number
  readonly maximum?: number
  /** Accepts `""`, which is a usage error otherwise. */
  readonly acceptsEmpty?: boolean
  /** One letter. */
  readonly alias?: string
  /** Values that shells complete; others are accepted too. */
  readonly suggestions?: readonly string[]
  /** What a value looks like, for help: `DUR`, `PATH`. */
  readonly placeholder?: string
  /** Shells complete the path of a file. */
  readonly completes?: 'file'
  /** The value may hold a secret: an error does not repeat it, as it does any other. */
  readonly isSecret?: boolean
}
export type ArgDefinitions = Readonly<Record<string, ArgDefinition>>

type Value<A extends ArgDefinition> = A['type'] extends 'boolean'
  ? boolean
  : A['type'] extends 'integer' | 'number'
    ? number
    : A extends { readonly options: readonly (infer Option)[] }
      ? Option
      : string
/** Arguments as a command gets them; a missing one without a default is `undefined`. */
export type Args<D extends ArgDefinitions> = {
  readonly [K in keyof D]: D[K] extends { required: true } | { default: string | number | boolean }
    ? Value<D[K]>
    : D[K]['type'] extends 'boolean'
      ? boolean
      : Value<D[K]> | undefined
}

/** Work that takes a while, shown as it goes on: in place on a terminal, as a line now and then in a pipe. */
export interface Progress {
  /** How much is done; `total` is left out while it is not known. */
  update(done: number, total?: number): void
  /** Leaves the last state on the screen. To be called in `finally`: nothing else ends the line. */
  end(): void
}

/** Where a command runs: its terminal, which may be on the far side of the owner's socket. */
export interface Terminal {
  /** Writes a line for people to stderr: notices, warnings. */
  note(line: string): void
  /** Shows work under way on stderr, under a label such as `backing up`. */
  progress(label: string): Progress
  /**
   * Asks the person at the terminal and returns the line they typed, trimmed; null at the end of the input. What is
   * typed as the answer to `isSecret` is not shown.
   */
  ask(question: string, options?: { isSecret?: boolean }): Promise<string | null>
  /** Everything on stdin, as text: UTF-8 of at most 16 MiB, or within `limits`. Refused in the words a file is refused in. */
  readStdin(limits?: TextLimits): Promise<string>
  readonly cwd: string
  /** True when a person can be asked. */
  readonly isInteractive: boolean
  readonly columns: number
  readonly hasColour: boolean
  /** IANA zone that times are shown in: the setting `operator_timezone`, UTC where no settings are at hand. */
  readonly timeZone: string
  /** Aborted by Ctrl-C or when the terminal closed. */
  readonly signal: AbortSignal
}

/** What the `run` of a command is given. */
export interface CommandContext<D extends ArgDefinitions> {
  readonly args: Args<D>
  /** True with `--json` or `--json-output`. */
  readonly isJson: boolean
  readonly terminal: Terminal
  /** Who runs it, for histories: `operator`. */
  readonly actor: string
  /** For a command that shows things as they happen; any other returns its result. */
  readonly output: CommandOutput
}

export interface CommandOutput {
  /** Writes a line to stdout now, without what steers a terminal. */
  print(line: string): void
  /** Aborted when whoever read stdout has gone (`| head`). */
  readonly closed: AbortSignal
}

/** What is asked before a command that destroys runs. `--yes` skips it. */
interface Question {
  /** A question that names what is lost. */
  readonly text: string
  /**
   * True: what is lost cannot be restored, so the command is refused where nobody can be asked. Else only a person
   * at a terminal is asked, never a script: not without a terminal, and not with `--json`.
   */
  readonly isIrreversible?: boolean
}

/**
 * One command. `run` returns its result: printed as JSON with `--json`, else through `text`.
 * An error prints one line on stderr. The exit status is 2 for `VALIDATION_ERROR` and an ambiguous id, else 1.
 */
export interface Command<D extends ArgDefinitions = ArgDefinitions, R = unknown> {
  readonly describe: string
  readonly args: D
  /**
   * Faults of the values that `args` cannot state. They are reported with those of `args`, before anything is done. It must not
   * prompt. Arguments that could not be read are undefined.
   */
  validate?(args: { readonly [K in keyof D]?: Args<D>[K] | undefined }): FieldErrors
  run(context: CommandContext<D>): Promise<R>
  /** The result as people read it, without a trailing line break. */
  text(result: R, terminal: Terminal, args: Args<D>): string
  /** Exit status of a run that did not throw; default 0. */
  exitStatus?(result: R, args: Args<D>): number
  /** What to ask first, or null for nothing. A command that has it takes `--yes`. May look whether there is such a thing. */
  confirm?(context: Pick<CommandContext<D>, 'args' | 'isJson'>): Question | null | Promise<Question | null>
  /** What `--json` prints, for the reference: `Task`, `list of Post`. */
  readonly returns?: string
  /** Meanings of exit statuses, for the reference, where they are not the usual ones. */
  readonly exitStatuses?: Readonly<Record<number, string>>
}

// biome-ignore lint/suspicious/noExplicitAny: a group holds commands with different arguments and results
export type CommandGroup = Readonly<Record<string, Command<any, any>>>

/** A group of CLI commands (`galley <group> <command>`), loaded when it is used. */
export interface Commands {
  readonly describe: string
  load(): Promise<CommandGroup>
}

/** A command without a group (`galley <command>`), loaded when it is used. */
export interface SingleCommand {
  readonly describe: string
  loadCommand(): Promise<CommandGroup[string]>
}

/** Types a command's definition. */
export const command = <const D extends ArgDefinitions, R>(definition: Command<D, R>): Command<D, R> => definition
