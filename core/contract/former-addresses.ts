import { service } from './services.ts'

/** Knows where addresses lead that nothing answers at any more, such as those of the system a blog comes from. At most one plugin provides it. */
export interface FormerAddresses {
  /** The present address of what a path with its query, as it was asked for, used to lead to; null for nothing. Asked for every GET that no route takes; by the home page for `/?p=12`. */
  find(address: string): Promise<string | null>
}
export const FormerAddressesService = service<FormerAddresses>('core.former-addresses')
