import type { PaidCall, Payments } from './calls.ts'

/** What a driver of any kind may say of itself. */
export interface MeteredDriver {
  /** True when nobody is paid for it, because it runs on this machine, or when it pays all its requests itself. */
  readonly isFree?: boolean
}

/** Whether the work of a driver is metered: nobody has to remember to pay. */
export const isMetered = (costs: Payments | undefined, driver: MeteredDriver): costs is Payments =>
  costs !== undefined && driver.isFree !== true

/** A driver with other methods. Everything else is read from it when it is asked for, so getters and private fields work. */
export function withMethods<Driver extends object>(driver: Driver, methods: Partial<Driver>): Driver {
  // An empty target: a proxy may not change what a frozen object says.
  const target: Driver = Object.create(null)
  return new Proxy(target, {
    has: (_, key) => key in driver,
    get(_, key) {
      const value: unknown = Reflect.get(Object.hasOwn(methods, key) ? methods : driver, key)
      return typeof value === 'function' ? value.bind(driver) : value
    }
  })
}

/** A chat request whose usage nobody reports: no token is shorter than a byte. */
export const chatCall = (model: string, asked: unknown): PaidCall => ({
  kind: 'chat',
  model,
  worst: { input_tokens: Buffer.byteLength(JSON.stringify(asked)) }
})
