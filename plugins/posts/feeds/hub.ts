/** The WebSub hub that the feeds name. */
export interface FeedHub {
  /** Empty for none. */
  address(): string
  /** @throws TypeError when another plugin tells a hub of the feeds */
  register(address: () => string): void
}

export function createFeedHub(): FeedHub {
  let registered: (() => string) | undefined
  return {
    address: () => registered?.() ?? '',
    register(address) {
      if (registered !== undefined) throw new TypeError('A WebSub hub of the feeds is registered already.')
      registered = address
    }
  }
}
