import { type AsyncHook, createHook } from 'node:async_hooks'

const prototype: AsyncHook = Object.getPrototypeOf(createHook({}))

/** What watches the asynchronous work of this process since `begin`: node:test begins to, with its first test. */
export function hooksEnabledBy(begin: () => void): AsyncHook[] {
  const enabled: AsyncHook[] = []
  const { enable } = prototype
  prototype.enable = function (this: AsyncHook) {
    enabled.push(this)
    return enable.call(this)
  }
  try {
    begin()
  } finally {
    prototype.enable = enable
  }
  return enabled
}
