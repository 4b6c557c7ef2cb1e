import type { Static, TSchema } from 'typebox'

/** One runtime setting. `schema` bounds it; the stored text is parsed to the schema's type. */
export interface Setting<S extends TSchema = TSchema> {
  readonly schema: S
  readonly default: Static<S>
  readonly describe: string
  /** Stored encrypted, shown as `********`. Only for strings. */
  readonly isSecret?: boolean
  /**
   * Of a secret: the setting of the same plugin that holds the address it is sent to. It goes only to the host it was set
   * for. Once that address has another scheme, host or port, the secret reads as its default until it is set again.
   */
  readonly sentTo?: string
  /**
   * It is about the operator's machine: a path, an address, what is trusted. Over HTTP a change needs the scope `api:admin`.
   * So do settings of the category `machine`, and every one that is named by a `sentTo`.
   */
  readonly isMachine?: boolean
  /** Groups the setting in listings; default: the plugin's name, `secrets` for a secret. */
  readonly category?: string
}
/** Settings by key. */
export type SettingMap = Record<string, Setting>

/** A plugin's own settings, typed, as they are now. A change arrives within a second, without a restart. */
export interface Settings<S extends SettingMap> {
  get<K extends keyof S & string>(key: K): Static<S[K]['schema']>
  /**
   * A secret for a request to `address`. When it was set for another host, `value` is empty and `fault` says so, for the
   * message of the request that is refused. Use it wherever the address was not read at the same moment.
   */
  secretFor<K extends keyof S & string>(key: K, address: string): { value: string; fault: string | null }
}
