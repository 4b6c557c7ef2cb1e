/** Why a theme made no page. `message` completes "The theme …". */
export class ThemeError extends Error {
  override readonly name = 'ThemeError'
  /** True: the same page may well be made a moment later. */
  readonly isPassing: boolean

  constructor(message: string, { isPassing }: { isPassing: boolean }) {
    super(message)
    this.isPassing = isPassing
  }
}
