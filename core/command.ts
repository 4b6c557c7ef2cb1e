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
  readonly allowEmpty?: boolean
  /** One letter. */
  readonly alias?: string
  /** What a value looks like, for help: `DUR`, `PATH`. */
  readonly placeholder?: string
}
export type ArgDefinitions = Readonly<Record<string, ArgDefinition>>

type Value<A extends ArgDefinition> = A['type'] extends 'boolean'
  ? boolean
  : A['type'] extends 'integer' | 'number'
    ? number
    : string
/** Arguments as a command gets them; a missing one without a default is `undefined`. */
export type Args<D extends ArgDefinitions> = {
  readonly [K in keyof D]: D[K] extends { required: true } | { default: string | number | boolean }
    ? Value<D[K]>
    : D[K]['type'] extends 'boolean'
      ? boolean
      : Value<D[K]> | undefined
}

/** Where a command runs: its terminal, which may be on the far side of the owner's socket. */
export interface Terminal {
  /** Writes a line for people to stderr: progress, notices. */
  note(line: string): void
  /** Everything on stdin, as text. */
  readStdin(): Promise<string>
  readonly cwd: string
  /** True when a person can be asked. */
  readonly interactive: boolean
  readonly columns: number
  readonly colour: boolean
  /** Aborted by Ctrl-C or when the terminal closed. */
  readonly signal: AbortSignal
}

export interface CommandContext<D extends ArgDefinitions> {
  readonly args: Args<D>
  /** True with `--json` or `--json-output`. */
  readonly json: boolean
  readonly terminal: Terminal
  /** Who runs it, for histories: `operator`. */
  readonly actor: string
}

/**
 * One command. `run` answers its result: printed as JSON with `--json`, else through `text`.
 * Errors print one line on stderr and exit with their code's exit status (1 unless stated).
 */
export interface Command<D extends ArgDefinitions = ArgDefinitions, R = unknown> {
  readonly describe: string
  readonly args: D
  run(context: CommandContext<D>): Promise<R>
  /** The result as people read it, without a trailing line break. */
  text(result: R, terminal: Terminal): string
  /** Exit status of a run that did not throw; default 0. */
  exit?(result: R): number
}

// biome-ignore lint/suspicious/noExplicitAny: a group holds commands with different arguments and results
export type CommandGroup = Readonly<Record<string, Command<any, any>>>

/** Types a command's definition. */
export const command = <const D extends ArgDefinitions, R>(definition: Command<D, R>): Command<D, R> => definition
