/** Why a theme made no page. `message` completes "The theme …". */
export class ThemeError extends Error {
  override readonly name = 'ThemeError'
  /** True: the same page may well be made a moment later. */
  readonly isPassing: boolean
  /** True: the page itself was not tried, because of others that were asked for before it. */
  readonly isOfOthers: boolean

  constructor(message: string, { isPassing, isOfOthers = false }: { isPassing: boolean; isOfOthers?: boolean }) {
    super(message)
    this.isPassing = isPassing
    this.isOfOthers = isOfOthers
  }
}
